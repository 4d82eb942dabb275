#include "emit/function.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>

#include "emit/disjoint.h"
#include "emit/lines.h"
#include "emit/names.h"
#include "emit/options.h"
#include "emit/statement.h"
#include "emit/team.h"
#include "emit/wide.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

class FunctionWriter {
  public:
    explicit FunctionWriter(const FunctionScope& scope)
        : scope_(scope), function_(scope.function), shared_end_(scope.facts().shared_begin) {}

    Values values(Comments& comments);
    std::vector<std::string> params() const;

  private:
    void add_words(ir::LocalId id, std::vector<std::string>& params) const;
    bool is_aligned(ir::LocalId id) const;
    bool takes_pointer(ir::LocalId id) const;
    std::string param_type(ir::LocalId id) const;
    std::vector<Line> body();
    bool is_shared() const;
    bool is_ptx() const { return function_.ptx && target().has_ptx; }
    void ptx(Printer& out) const;
    void recursion_check(Printer& out) const;
    void arrays(Printer& out);
    void plain_array(const ir::Local& local, const std::string& name, Printer& out);
    std::string rebuilt(ir::LocalId id, bool is_assigned) const;
    std::vector<Values> fields() const;
    std::string arguments() const;
    bool is_used(ir::LocalId id) const;
    bool is_inlined() const { return function_.always_inline && !function_.is_exported; }
    bool is_private() const;

    const Target& target() const { return scope_.module.target; }

    const FunctionScope& scope_;
    const ir::Function& function_;
    size_t shared_end_;
};

std::string extents(const ir::Local& local) {
    std::string text;
    for (int64_t extent : local.shape) text += fmt::format("[{}]", extent);
    return text;
}

Values FunctionWriter::values(Comments& comments) {
    std::vector<Line> lines = body();
    std::vector<std::string> behind = comments.place(function_, lines);
    const std::string imported_from = scope_.imported_from();
    if (!scope_.module.has_line_directives)
        add_trail(lines, imported_from.empty() ? scope_.module.module.source_name : file_name(imported_from),
                  std::move(behind));
    const size_t stack = function_.is_kernel ? stack_bytes(scope_) : 0;
    const bool in_fibers = any(function_.effects & Effects::barrier) || scope_.facts().waits || stack;
    return {{"doc", scope_.team ? std::vector<Values>() : comments.above(function_)},
            {"name", scope_.facts().name},
            {"symbol", scope_.symbol()},
            {"c_linkage", !scope_.module.options.is_linked && (function_.is_kernel || function_.is_exported)},
            {"result", scope_.module.types.held(function_.result)},
            {"always_inline", is_inlined()},
            // Several of its frames would be one, and its start too late to see whether it fits.
            {"never_inline", scope_.facts().checks_recursion && scope_.facts().local_bytes != 0},
            {"is_shared", is_shared()},
            {"is_private", is_private()},
            {"limits", launch_limits(function_.options)},
            {"params", joined(params()) + mark(function_.span.line(), imported_from)},
            {"body", marked(lines, imported_from)},
            {"fields", fields()},
            {"arguments", arguments()},
            {"in_fibers", in_fibers},
            {"alone", !in_fibers && function_.one_thread},
            {"independent", !in_fibers && !function_.one_thread},
            {"stack_bytes", stack ? Value(fmt::format("{}", stack)) : Value(false)},
            {"shared_bytes", shared_end_ ? Value(fmt::format("{}", shared_end_)) : Value(false)}};
}

/// A definition that other files may have too; those that are inline or templates are one without a word.
bool FunctionWriter::is_shared() const {
    const bool is_generic = scope_.team && scope_.team->is_generic;
    return scope_.module.options.is_linked && !is_inlined() && !is_generic;
}

/// Beside functions that other device code calls: those that only they call, which other outputs may have too.
bool FunctionWriter::is_private() const {
    const ModuleScope& module = scope_.module;
    return module.has_exports && !module.options.is_linked && !function_.always_inline && !function_.is_kernel &&
           !function_.is_exported;
}

// --- parameters -----------------------------------------------------------------------------------------------------
bool FunctionWriter::is_used(ir::LocalId id) const {
    return is_ptx() || scope_.placement.used[static_cast<size_t>(id)];
}

bool FunctionWriter::takes_pointer(ir::LocalId id) const {
    if (!target().restrict_pointers || !function_.local(id).type.is_array()) return false;
    return function_.is_kernel ? function_.noalias : takes_words(scope_, id);
}

/// Elements are const where the function only reads them.
std::string FunctionWriter::param_type(ir::LocalId id) const { return scope_.type_name(id); }

std::vector<std::string> FunctionWriter::params() const {
    std::vector<std::string> result;
    if (scope_.takes_thread) result.emplace_back(target().thread_param);
    if (scope_.facts().needs_site) result.emplace_back(kSiteParams);
    if (scope_.team) result.push_back(team_parameter(scope_));
    for (ir::LocalId id : function_.params) {
        if (takes_pointer(id))
            add_words(id, result);
        else if (is_used(id))
            result.push_back(fmt::format(FMT_COMPILE("{} {}"), param_type(id), scope_.name(id)));
        else
            result.push_back(fmt::format(FMT_COMPILE("{} /*{}*/"), param_type(id), scope_.name(id)));
    }
    if (scope_.wide) result.push_back(fmt::format("long long {}", kThreads));
    return result;
}

/// The words of an array one by one: the layout in the argument buffer is the same.
void FunctionWriter::add_words(ir::LocalId id, std::vector<std::string>& params) const {
    const ir::Local& local = function_.local(id);
    const std::string& name = scope_.name(id);
    const std::string_view alone = !function_.is_kernel || may_restrict(scope_, id) ? " __restrict__" : "";
    params.push_back(
        fmt::format("{}*{} {}_data", scope_.module.types.element(local.type, scope_.reads_only(id)), alone, name));
    for (int axis = 0; axis < local.type.ndim(); ++axis)
        params.push_back(fmt::format("long long {}_shape{}", name, axis));
    if (local.type.layout() != Layout::A) return;
    for (int axis = 0; axis < local.type.ndim(); ++axis)
        params.push_back(fmt::format("long long {}_stride{}", name, axis));
}

/// Complex numbers are loaded and stored at once, where a launch says that they may be.
bool FunctionWriter::is_aligned(ir::LocalId id) const {
    const Type type = function_.local(id).type;
    return function_.is_kernel && type.element().is_complex() && type.layout() != Layout::A;
}

/// The array of the words that add_words takes.
std::string FunctionWriter::rebuilt(ir::LocalId id, bool is_assigned) const {
    const ir::Local& local = function_.local(id);
    const std::string& name = scope_.name(id);
    const std::string_view constness = is_assigned ? "" : "const ";
    if (local.type.ndim() == 0) return fmt::format("{}{} {}{{{}_data}};", constness, param_type(id), name, name);
    const std::string data = is_aligned(id) ? fmt::format("pyk::aligned({}_data)", name) : name + "_data";
    std::string shape, strides;
    for (int axis = 0; axis < local.type.ndim(); ++axis) {
        shape += fmt::format("{}{}_shape{}", axis ? ", " : "", name, axis);
        strides += fmt::format("{}{}_stride{}", axis ? ", " : ", {", name, axis);
    }
    const std::string_view end = local.type.layout() == Layout::A ? "}" : "";
    if (end.empty()) strides.clear();
    return fmt::format("{}{} {}{{{}, {{{}}}{}{}}};", constness, param_type(id), name, data, shape, strides, end);
}

std::vector<Values> FunctionWriter::fields() const {
    std::vector<Values> result;
    for (ir::LocalId id : function_.params) result.push_back({{"type", param_type(id)}, {"name", scope_.name(id)}});
    return result;
}

/// What a wrapper passes on that has the fields in `pyk_a`.
std::string FunctionWriter::arguments() const {
    std::string result(scope_.takes_thread ? target().thread_arg : "");
    for (ir::LocalId id : function_.params) result += (result.empty() ? "pyk_a." : ", pyk_a.") + scope_.name(id);
    return result;
}

// --- bodies ---------------------------------------------------------------------------------------------------------
namespace {

/// The letter of an operand's registers in CUDA's `asm`.
char register_of(Type type) {
    if (type.bits() == 16) return 'h';
    if (type.is_float()) return type.bits() == 32 ? 'f' : 'd';
    return type.bits() == 32 ? 'r' : 'l';
}

/// A 16-bit float goes by its bits.
std::string operand(std::string_view write, Type type, const std::string& name) {
    return fmt::format("\"{}{}\"({}{})", write, register_of(type), name, type.is_small_float() ? ".bits" : "");
}

}  // namespace

/// `asm("add.s32 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));`
void FunctionWriter::ptx(Printer& out) const {
    const ir::InlinePtx& ptx = *function_.ptx;
    const bool is_tuple = function_.result.is_tuple();
    std::vector<Type> types;
    if (is_tuple) types.assign(function_.result.elements().begin(), function_.result.elements().end());
    if (!is_tuple && !function_.result.is_none()) types.push_back(function_.result);
    std::string outputs, inputs, results;
    for (size_t i = 0; i < types.size(); ++i) {
        // A name that no keyword can be.
        const std::string name = fmt::format("pyk_result{}", is_tuple ? fmt::format("{}", i) : "");
        out.line(fmt::format("{} {};", scope_.module.types.name(types[i]), name));
        outputs += (i ? ", " : "") + operand("=", types[i], name);
        results += (i ? ", " : "") + name;
    }
    for (const ir::LocalId id : function_.params)
        inputs += (inputs.empty() ? "" : ", ") + operand("", function_.local(id).type, scope_.name(id));
    std::string text =
        fmt::format("asm{}({} : {} : {}", ptx.is_volatile ? " volatile" : "", cpp_string(ptx.text), outputs, inputs);
    if (ptx.clobbers_memory) text += " : \"memory\"";
    out.line(text + ");", function_.span.line());
    if (!types.empty())
        out.line(is_tuple ? fmt::format("return pyk::make_tuple({});", results) : fmt::format("return {};", results));
}

std::vector<Line> FunctionWriter::body() {
    Printer out(1);
    if (is_ptx()) {
        ptx(out);
        return out.take();
    }
    for (ir::LocalId id : function_.params)
        if (takes_pointer(id) && is_used(id)) out.line(rebuilt(id, count_writes(function_.body, id) != 0));
    if (scope_.wide) {
        wide_body(scope_, std::get<PureMap>(pure_map(scope_.module.module, function_)), out);
        return out.take();
    }
    if (scope_.facts().checks_recursion) recursion_check(out);
    arrays(out);
    if (scope_.team) load_items(scope_, out);
    Statements statements(scope_, 1);
    statements.block(function_.body);
    out.append(statements.take());
    if (scope_.team) store_items(scope_, out);
    return out.take();
}

void FunctionWriter::recursion_check(Printer& out) const {
    const std::string error = "RecursionError: `" + function_.name + "` calls itself more deeply than the stack allows";
    out.line(fmt::format("pyk::check_recursion(pyk_t, {}, {}, {});", scope_.facts().local_bytes, cpp_string(error),
                         scope_.site_line(function_.span.line())),
             function_.span.line());
}

// What a local has beside registers: elements that are found by an index.
bool has_elements(Type type) {
    if (type.is_text()) return true;
    if (!type.is_record()) return false;
    bool result = false;
    for (size_t i = 0; i < type.fields().size(); ++i) {
        const Type field = type.field_type(i);
        result = result || field.is_array() || has_elements(field);
    }
    return result;
}

bool has_own_memory(const ir::Function& function) {
    return std::ranges::any_of(function.locals, [](const ir::Local& local) {
        return (local.storage == ir::Storage::local && is_plain_array(local)) || has_elements(local.type);
    });
}

void FunctionWriter::arrays(Printer& out) {
    if (!target().own_memory.empty() && has_own_memory(function_)) out.line(std::string(target().own_memory));
    for (size_t i = 0; i < function_.locals.size(); ++i) {
        const ir::Local& local = function_.locals[i];
        if (!scope_.placement.used[i]) continue;
        if (is_dynamic_shared(local)) {
            out.line(fmt::format(fmt::runtime(target().dynamic_shared), fmt::arg("name", scope_.names[i]),
                                 fmt::arg("type", scope_.module.types.name(local.type.element()))),
                     local.span.line());
        } else if (is_plain_array(local)) {
            plain_array(local, scope_.names[i], out);
        }
    }
}

void FunctionWriter::plain_array(const ir::Local& local, const std::string& name, Printer& out) {
    const std::string align =
        local.alignment ? fmt::format(fmt::runtime(target().alignment), fmt::arg("bytes", local.alignment)) : "";
    const std::string type = scope_.module.types.name(local.type.element());
    if (local.storage == ir::Storage::local)
        return out.line(fmt::format("{}{} {}{};", align, type, name, extents(local)), local.span.line());
    const size_t offset = shared_offset(local, shared_end_);
    shared_end_ = offset + plain_bytes(local);
    out.line(fmt::format(fmt::runtime(target().shared_array), fmt::arg("align", align), fmt::arg("type", type),
                         fmt::arg("name", name), fmt::arg("extents", extents(local)), fmt::arg("offset", offset)),
             local.span.line());
}

}  // namespace

std::string parameter_list(const FunctionScope& scope) { return joined(FunctionWriter(scope).params()); }

std::optional<std::string> function_text(const FunctionScope& scope, Comments& comments, const Templates& templates) {
    const Values values = FunctionWriter(scope).values(comments);
    const bool is_kernel = scope.function.is_kernel;
    auto text = templates.render(is_kernel ? "kernel" : "function",
                                 is_kernel ? "symbol params body" : "result name params body", values);
    if (text && scope.team && scope.team->is_generic) text->insert(0, template_head(*scope.team));
    return text;
}

}  // namespace pyk::emitter
