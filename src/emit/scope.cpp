#include "emit/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "builtins/checked.h"
#include "emit/columns.h"
#include "emit/disjoint.h"
#include "emit/kept.h"
#include "emit/names.h"
#include "emit/options.h"
#include "emit/team.h"
#include "emit/wide.h"
#include "ir/build.h"
#include "ir/print.h"
#include "ir/thread_end.h"
#include "ir/walk.h"
#include "passes/index32.h"
#include "passes/new_arrays.h"
#include "passes/waiting_loops.h"
#include "support/words.h"
#include "types/digest.h"

namespace pyk::emitter {

bool checks_divisor(const ModuleScope& scope, const ir::Binary& division) {
    // By what is known to be positive they are `TruncDiv` and `TruncMod`.
    const bool is_positive = division.op == BinaryOp::TruncDiv || division.op == BinaryOp::TruncMod;
    return scope.debug && !is_positive && ir::may_divide_by_zero(division);
}

namespace {

// Threads of the CPU's executor have 256 KiB of stack where an entry asks for no more, a part of it for arrays.
constexpr size_t kUsualStackBytes = 256 * 1024;
constexpr size_t kUsualLocalBytes = 64 * 1024;
constexpr size_t kMostLocalBytes = 4 << 20;  // of threads that are not ours to make, whose stacks have 8 MiB

bool is_checked(const ModuleScope& scope, const Builtin& builtin) {
    return scope.options.check_bounds || scope.debug ||
           (scope.target.checks_shared_parts && is_part_of_shared(builtin));
}

/// What it is spelled by, if by a row.
const Builtin* row_of(const ModuleScope& scope, const ir::Expr& expr) {
    const auto* call = expr.as<ir::BuiltinCall>();
    const auto* view = expr.as<ir::View>();
    const Builtin* row = call                                  ? call->builtin
                         : expr.as<ir::TupleAt>()              ? &builtin("pyk.tuple_at")
                         : view && ir::may_step_by_zero(*view) ? &builtin("pyk.sliced")
                                                               : nullptr;
    return row ? &row_for(scope, *row) : nullptr;
}

/// Whether it reports something, with a line.
bool mentions_line(const ModuleScope& scope, const ir::Expr& expr) {
    if (const Builtin* row = row_of(scope, expr))
        return row->spelling_for(scope.target.id).find("{line}") != std::string_view::npos;
    if (const auto* call = expr.as<ir::Call>()) return scope.function(call->callee).needs_site;
    if (const auto* binary = expr.as<ir::Binary>()) return checks_divisor(scope, *binary);
    if (scope.options.check_races && expr.as<ir::RecordField>()) return true;
    return scope.options.check_bounds && (expr.as<ir::Element>() || expr.as<ir::ElementRef>() || expr.as<ir::View>());
}

bool mentions_line(const ModuleScope& scope, const ir::Stmt& stmt) {
    return (scope.options.check_bounds && stmt.as<ir::Store>()) ||
           (scope.options.check_races && stmt.as<ir::StoreField>()) || (scope.debug && stmt.as<ir::Raise>());
}

/// An expression that is spelled with the thread's context on this target.
bool mentions_thread(const ModuleScope& scope, const ir::Expr& expr) {
    const Target& target = scope.target;
    if (const Builtin* row = row_of(scope, expr))
        return row->spelling_for(target.id).find(target.thread_arg) != std::string_view::npos;
    // Callees come first; a function that calls itself needs the context only for another reason.
    if (const auto* call = expr.as<ir::Call>()) return scope.function(call->callee).needs_thread;
    return mentions_line(scope, expr);
}

/// A GPU's own stack is the driver's.
bool checks_recursion(const ModuleScope& scope, size_t index) {
    bool result = false;
    if (!scope.target.thread_param.empty())
        for (const ir::Expr* expr : scope.functions[index].mentions.calls) {
            const auto* call = expr->as<ir::Call>();
            result = result || (call && static_cast<size_t>(call->callee) == index);
        }
    return result;
}

bool needs_site(const ModuleScope& scope, const ir::Function& function) {
    if (!is_of_library(function.span)) return false;
    bool result = false;
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) { result = result || mentions_line(scope, expr); });
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { result = result || mentions_line(scope, stmt); });
    return result;
}

bool waits(const ModuleScope& scope, size_t index) {
    if (scope.target.thread_param.empty()) return false;
    bool result = has_waiting_loop(scope.module, scope.module.functions[index]);
    for (const ir::Expr* expr : scope.functions[index].mentions.calls)
        if (const auto* call = expr->as<ir::Call>()) result = result || scope.function(call->callee).waits;
    return result;
}

bool needs_thread(const ModuleScope& scope, size_t index) {
    const ir::Function& function = scope.module.functions[index];
    if (scope.target.thread_param.empty()) return false;
    if (scope.functions[index].waits || scope.functions[index].checks_recursion) return true;
    if (function.foreign) return scope.debug && !function.foreign->c_abi;
    const auto is_shared = [](const ir::Local& local) { return local.storage == ir::Storage::shared; };
    bool result = std::any_of(function.locals.begin(), function.locals.end(), is_shared);
    ir::for_each_expr_deep(function.body,
                           [&](const ir::Expr& expr) { result = result || mentions_thread(scope, expr); });
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        result = result || mentions_line(scope, stmt);
        const auto* loop = stmt.as<ir::ForRange>();
        result = result || (loop && loop->is_parallel) || stmt.as<ir::Try>();
    });
    return result;
}

/// Several instances of one function have their symbols as names, a single one the author's.
std::string function_name(const ir::Function& function, size_t instances, const NameSet& taken) {
    return unique_identifier(instances == 1 || function.is_kernel ? function.name : function.symbol, taken);
}

size_t shared_end(const ir::Function& function, size_t offset) {
    for (const ir::Local& local : function.locals)
        if (local.storage == ir::Storage::shared && is_plain_array(local))
            offset = shared_offset(local, offset) + plain_bytes(local);
    return offset;
}

/// Device functions one behind the other; kernels, of which one runs at a time, all behind these.
void place_shared(const ir::Module& module, std::vector<FunctionFacts>& functions) {
    size_t end = 0;
    for (size_t i = 0; i < functions.size(); ++i) {
        functions[i].shared_begin = end;
        if (!module.functions[i].is_kernel) end = shared_end(module.functions[i], end);
    }
    for (size_t i = 0; i < functions.size(); ++i)
        if (module.functions[i].is_kernel) functions[i].shared_begin = end;
}

/// Callees come first; one that calls itself is not counted again.
size_t local_bytes(const ModuleScope& scope, size_t index) {
    size_t most = 0;
    for (const ir::Expr* expr : scope.functions[index].mentions.calls)
        if (const auto* call = expr->as<ir::Call>()) most = std::max(most, scope.function(call->callee).local_bytes);
    size_t sum = most;
    for (const ir::Local& local : scope.module.functions[index].locals)
        if (local.storage == ir::Storage::local && is_plain_array(local)) sum += plain_bytes(local);
    return sum;
}

bool has_parallel_loop(const ir::Function& function) {
    bool found = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::ForRange>();
        found |= loop && loop->is_parallel;
    });
    return found;
}

bool overlap(const std::vector<Scope>& a, const std::vector<Scope>& b) {
    for (const Scope& x : a)
        for (const Scope& y : b)
            if (x.begin < y.end && y.begin < x.end) return true;
    return false;
}

/// The functions and constants that a function uses: what its locals must not hide.
NameSet used_names(const ModuleScope& scope, size_t function) {
    NameSet names;
    for (const ir::Expr* expr : scope.functions[function].mentions.calls) {
        if (const auto* call = expr->as<ir::Call>()) names.insert(scope.function(call->callee).name);
        if (const auto* ref = expr->as<ir::ConstantRef>()) names.insert(scope.constants[static_cast<size_t>(ref->id)]);
    }
    for (const Struct& type : scope.structs) names.insert(type.name);
    return names;
}

/// Whether a table that the author gave no name has one of the locals beside it.
bool takes_name(const ModuleScope& scope, ir::ConstantId constant, const std::string& name) {
    const ir::ModuleConstant& table = scope.module.constants[static_cast<size_t>(constant)];
    if (!table.span || table.span.text().ends_with(table.name)) return false;
    for (size_t i = 0; i < scope.functions.size(); ++i) {
        const auto is_it = [&](const ir::Expr* expr) {
            const auto* ref = expr->as<ir::ConstantRef>();
            return ref && ref->id == constant;
        };
        const auto has_name = [&](const ir::Local& local) {
            return local.storage != ir::Storage::temporary && local.name == name;
        };
        if (std::ranges::any_of(scope.module.functions[i].locals, has_name) &&
            std::ranges::any_of(scope.functions[i].mentions.calls, is_it))
            return true;
    }
    return false;
}

/// What an array's words are called where they are passed one by one, and its elements that a lane holds.
void add_words(const ir::Local& array, NameSet& names) {
    const std::string name = inner_identifier(array.name);
    for (const char* word : {"data", "items"}) names.insert(fmt::format("{}_{}", name, word));
    for (int axis = 0; axis < array.type.ndim(); ++axis)
        for (const char* word : {"shape", "stride"}) names.insert(fmt::format("{}_{}{}", name, word, axis));
}

/// Names locals so that two that are visible in one place differ: whoever can have the author's name has it, the others
/// get a number.
class LocalNames {
  public:
    LocalNames(const ModuleScope& scope, size_t index, const ir::Function& function, const Placement& placement,
               NameSet outer)
        : scope_(scope),
          index_(index),
          function_(function),
          placement_(placement),
          outer_(std::move(outer)),
          names_(function.locals.size()) {}

    std::vector<std::string> run() {
        for (size_t i = 0; i < names_.size(); ++i)
            if (const std::string name = authors_name(i); is_free(name, i)) take(name, i);
        for (size_t i = 0; i < names_.size(); ++i)
            if (names_[i].empty()) take(numbered(i), i);
        return std::move(names_);
    }

  private:
    std::string authors_name(size_t i) const {
        const ir::Local& local = function_.locals[i];
        if (local.name.empty()) return local.type.is_array() ? "array" : "value";
        std::string name = inner_identifier(local.name);
        const bool may_stay = name != local.name && is_function_of_headers(local.name) && !is_called(local.name);
        return may_stay ? local.name : std::move(name);
    }

    bool is_called(std::string_view name) const {
        return std::ranges::any_of(scope_.functions[index_].mentions.calls, [&](const ir::Expr* expr) {
            const auto* call = expr->as<ir::BuiltinCall>();
            return call && uses_name(row_for(scope_, *call->builtin).spelling_for(scope_.target.id), name);
        });
    }

    bool is_free(const std::string& name, size_t i) const {
        if (outer_.contains(name)) return false;
        const auto [first, last] = takers_.equal_range(name);
        return std::none_of(first, last, [&](const auto& taker) {
            return overlap(placement_.scopes[i], placement_.scopes[taker.second]);
        });
    }

    std::string numbered(size_t i) const {
        return unique_identifier(authors_name(i), [&](const std::string& name) { return !is_free(name, i); });
    }

    void take(const std::string& name, size_t i) {
        names_[i] = name;
        takers_.emplace(name, i);
    }

    const ModuleScope& scope_;
    const size_t index_;  ///< of the function in its module
    const ir::Function& function_;
    const Placement& placement_;
    NameSet outer_;
    std::vector<std::string> names_;
    std::multimap<std::string, size_t> takers_;
};

/// Whether the step of a loop is not a number.
bool asks_for_ranges(const ir::Module& module, const ir::Function& function) {
    bool asks = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::ForRange>();
        asks |= loop && !ir::integer_value(module, *loop->step);
    });
    return asks;
}

}  // namespace

const Builtin& row_for(const ModuleScope& scope, const Builtin& builtin) {
    const Builtin* checked = is_checked(scope, builtin) ? checked_form(builtin) : nullptr;
    return checked ? *checked : builtin;
}

size_t plain_bytes(const ir::Local& local) {
    size_t bytes = local.type.element().byte_size();
    for (int64_t extent : local.shape) bytes *= static_cast<size_t>(extent);
    return bytes;
}

size_t shared_offset(const ir::Local& local, size_t offset) {
    const size_t alignment = std::max<size_t>(local.alignment, local.type.element().alignment());
    return (offset + alignment - 1) / alignment * alignment;
}

Interval FunctionScope::step_of(const ir::ForRange& loop) const {
    const auto number = ir::integer_value(module.module, *loop.step);
    return number ? Interval{*number, *number} : ranges.of(*loop.step);
}

std::string FunctionScope::symbol() const {
    return ascii_name(function.symbol) + (&function == facts().disjoint.get() ? "_noalias" : "") +
           (wide ? "_wide" : "");
}

std::string FunctionScope::imported_from() const {
    const SourceFile* file = function.span.file;
    return !file || file->name() == module.source_path ? std::string() : file->name();
}

std::string FunctionScope::line_text(uint32_t line) const {
    return facts().needs_site ? std::string(kSiteLine) : fmt::format("{}", line);
}

std::string FunctionScope::file_text() const {
    const std::string file = file_name(imported_from());
    return facts().needs_site ? std::string(kSiteFile) : file.empty() ? file : fmt::format("\"{}\"", file);
}

std::string FunctionScope::site_line(uint32_t line) const {
    const std::string file = file_text();
    return line_text(line) + (file.empty() ? "" : ", " + file);
}

bool FunctionScope::reads_only(ir::LocalId id) const {
    const Type type = function.local(id).type;
    return (!type.is_record() && type.readonly()) || module.constness.read_only(static_cast<ir::FunctionId>(index), id);
}

bool FunctionScope::is_index32(ir::LocalId id) const {
    return module.target.restrict_pointers && pyk::is_index32(function, id);
}

bool FunctionScope::takes_copy(ir::LocalId id) const {
    return function.is_kernel && function.local(id).storage == ir::Storage::parameter;
}

std::string FunctionScope::type_name(ir::LocalId id) const {
    const TypeNames& types = module.types;
    const Type type = function.local(id).type;
    if (type.is_array() && module.makes_arrays) {
        const std::string name = types.name(type);
        return is_kept(id) ? fmt::format("pyk::kept<{}>", name) : name;
    }
    if (is_index32(id)) return types.array32(type, reads_only(id));
    if (type.is_array()) return types.array(type, reads_only(id));
    const bool is_read = module.constness.read_only(static_cast<ir::FunctionId>(index), id);
    if (type.is_tuple()) return takes_copy(id) ? types.given_tuple(type) : types.tuple(type, is_read);
    if (!type.is_record() || takes_copy(id)) return types.name(type);
    return (is_read ? "const " : "") + types.held(type);
}

ModuleScope module_scope(const ir::Module& module, std::vector<ir::Mentions> mentions, const Target& target,
                         const EmitOptions& options) {
    const bool makes_arrays = pyk::makes_arrays(mentions);
    NameSet taken;
    for (const ir::Function& function : module.functions)
        if (function.foreign) taken.insert(function.foreign->name);
    std::vector<Struct> structs = name_structs(module, mentions, taken);
    TypeNames types(structs, target, makes_arrays);
    ModuleScope scope{module,
                      target,
                      options,
                      options.source_path.empty() ? module.source_name : options.source_path,
                      options.debug || std::ranges::any_of(module.functions, &ir::Function::debug),
                      has_line_directives(module, options),
                      namespace_of(module.source_name, options),
                      options.has_header ? "pyk_" + digest(ir::print(module) + options.build) : options.part,
                      std::move(structs),
                      std::move(types),
                      Constness(module, mentions, makes_arrays),
                      makes_arrays,
                      std::ranges::any_of(module.functions, &ir::Function::is_exported)};
    for (ir::Mentions& of_function : mentions) scope.functions.push_back({std::move(of_function)});
    place_shared(module, scope.functions);
    for (size_t i = 0; i < module.constants.size(); ++i) {
        scope.constants.push_back(unique_identifier(module.constants[i].name, [&](const std::string& name) {
            return taken.contains(name) || takes_name(scope, static_cast<ir::ConstantId>(i), name);
        }));
        taken.insert(scope.constants.back());
    }
    std::map<std::string_view, size_t> instances;
    for (const ir::Function& function : module.functions) ++instances[function.name];
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const ir::Function& function = module.functions[i];
        FunctionFacts& facts = scope.functions[i];
        facts.name =
            function.foreign ? function.foreign->name : function_name(function, instances[function.name], taken);
        taken.insert(facts.name);
        facts.local_bytes = local_bytes(scope, i);
        facts.checks_recursion = checks_recursion(scope, i);
        facts.waits = waits(scope, i);
        facts.needs_thread = needs_thread(scope, i);
        facts.needs_site = needs_site(scope, function);
    }
    for (size_t i = 0; i < module.functions.size(); ++i) scope.functions[i].disjoint = disjoint_variant(scope, i);
    return scope;
}

size_t stack_bytes(const FunctionScope& scope) {
    const size_t bytes = scope.facts().local_bytes;
    return bytes > kUsualLocalBytes ? bytes + kUsualStackBytes : 0;
}

bool check_shared(const ModuleScope& scope, Diagnostics& diagnostics) {
    const size_t most = scope.target.shared_memory;
    bool fits = true;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        // What nvcc needs for functions that a kernel calls is ptxas' to say.
        const size_t begin = scope.target.places_shared ? scope.functions[i].shared_begin : 0;
        const size_t bytes = function.is_kernel ? shared_end(function, begin) : 0;
        if (bytes <= most) continue;
        diagnostics.report(diag::shared_too_large, function.span, function.name, bytes, most);
        fits = false;
    }
    return fits;
}

bool check_local(const ModuleScope& scope, Diagnostics& diagnostics) {
    if (scope.target.limits_locals) return true;
    bool fits = true;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        const bool is_called_in_loops = std::ranges::any_of(
            scope.module.arrays, [&](const ir::ArrayEntry& entry) { return static_cast<size_t>(entry.function) == i; });
        const size_t bytes = scope.functions[i].local_bytes;
        if (bytes <= kMostLocalBytes || !(is_called_in_loops || has_parallel_loop(function))) continue;
        diagnostics.report(diag::local_too_large, function.span, function.name, bytes, kMostLocalBytes);
        fits = false;
    }
    return fits;
}

namespace {

/// `f`: the function, or a variant of it.
FunctionScope scope_of(const ModuleScope& module, size_t function, const ir::Function& f,
                       std::optional<TeamForm> team) {
    Placement placement = place_declarations(f);
    NameSet outer = used_names(module, function);
    const bool has_words = f.noalias || module.functions[function].disjoint || team;
    for (const ir::LocalId id : f.params)
        if (has_words && f.local(id).type.is_array()) add_words(f.local(id), outer);
    std::vector<std::string> names = LocalNames(module, function, f, placement, std::move(outer)).run();
    const bool has_arrays = module.makes_arrays && !f.is_kernel;
    std::vector<bool> keeps = has_arrays ? kept_locals(f) : std::vector<bool>();
    std::vector<const ir::Stmt*> hands_on = has_arrays ? handing_on(f, keeps) : std::vector<const ir::Stmt*>();
    return {module,
            function,
            f,
            module.functions[function].needs_thread,
            std::move(placement),
            asks_for_ranges(module.module, f) ? Ranges(module.module, f) : Ranges(),
            std::move(names),
            is_wide(module, f),
            std::move(team),
            std::move(keeps),
            std::move(hands_on),
            has_arrays ? column_locals(f) : std::vector<bool>()};
}

}  // namespace

FunctionScope function_scope(const ModuleScope& module, size_t function) {
    return function_scope(module, function, team_of(module, function));
}

FunctionScope function_scope(const ModuleScope& module, size_t function, std::optional<TeamForm> team) {
    return scope_of(module, function, module.module.functions[function], std::move(team));
}

FunctionScope disjoint_scope(const ModuleScope& module, size_t function) {
    return scope_of(module, function, *module.functions[function].disjoint, std::nullopt);
}

}  // namespace pyk::emitter
