#include "sema/specialize.h"

#include <fmt/compile.h>

#include <algorithm>
#include <unordered_map>

#include "ir/walk.h"
#include "module/options.h"
#include "sema/sema.h"
#include "sema/typing.h"
#include "sema/value.h"
#include "support/words.h"
#include "types/none.h"

namespace pyk {
namespace {

using Trail = std::vector<std::pair<Span, std::string>>;

/// Of a long chain of calls both ends.
Trail shown(const Trail& trail) {
    constexpr size_t kEnd = 3;
    if (trail.size() <= 2 * kEnd + 1) return trail;
    const auto end = static_cast<std::ptrdiff_t>(kEnd);
    Trail ends(trail.begin(), trail.begin() + end);
    ends.emplace_back(trail[kEnd].first,
                      fmt::format("… by {} more calls, the first of which is here", trail.size() - 2 * kEnd));
    ends.insert(ends.end(), trail.end() - end, trail.end());
    return ends;
}

std::string codes(const Instance& instance) {
    std::string text;
    for (const Parameter& param : instance.params)
        if (param.type) text += "_" + param.type.code();
    return text;
}

}  // namespace

Parameter parameter_of(const Value& value) {
    Parameter parameter(value.type);
    if (!value.is_weak || (!value.type.is_float() && !value.type.is_complex())) return parameter;
    parameter.type = narrow::settled({value.type, true});
    parameter.is_weak = true;
    return parameter;
}

std::string Parameter::key() const {
    if (!entity) return fmt::format(FMT_COMPILE("{}{};"), fmt::ptr(type.data()), is_weak ? " weak" : "");
    const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&*entity);
    if (!closure) return key_of(*entity) + ";";
    std::string key = fmt::format("closure {}(", fmt::ptr((*closure)->info));
    for (const Value& value : (*closure)->captured)
        key += (value.type ? parameter_of(value) : Parameter(*value.entity)).key();
    return key + ");";
}

std::string Specializer::hold(const Entity& entity, std::string name) {
    const std::string key = Parameter(entity).key();
    for (int number = 2;; ++number) {
        const auto [found, fresh] = held_.try_emplace(name, entity);
        if (fresh || Parameter(found->second).key() == key) return name;
        name = fmt::format("{}_{}", name.substr(0, name.find_last_not_of("_0123456789") + 1), number);
    }
}

const Entity* Specializer::held(Type type) const {
    if (!type || !type.is_tuple() || type.tuple_kind() != TupleKind::structure) return nullptr;
    static const Entity kNone = Const{Const::None{}, {}};
    if (is_none_value(type)) return &kNone;  // of a parameter, which nothing has made
    const auto found = held_.find(type.tuple_name());
    return found == held_.end() ? nullptr : &found->second;
}

Instance& Specializer::instance(const FunctionInfo& info, std::vector<Parameter> params, InstanceKind kind,
                                bool is_wide) {
    const bool any_weak = std::ranges::any_of(params, &Parameter::is_weak);
    Diagnostics ignored;
    if (any_weak && typing_in_decorator(*info.def, ignored).value_or(typing_) == Typing::numba)
        for (Parameter& param : params) param.is_weak = false;
    const bool has_cpu_types = has_cpu_types_ && !is_of_library(info.span);
    std::string key = is_wide ? "wide;" : has_cpu_types ? "cpu;" : "";
    for (const Parameter& param : params) key += param.key();
    const auto [found, fresh] = index_.try_emplace({&info, kind, key}, static_cast<ir::FunctionId>(instances_.size()));
    if (!fresh) {
        Instance& known = at(found->second);
        known.is_awaited |= known.running && !known.result;
        return known;
    }
    Instance& instance = instances_.emplace_back();
    instance.info = &info;
    instance.kind = kind;
    instance.id = found->second;
    instance.params = std::move(params);
    instance.is_wide = is_wide;
    instance.has_cpu_types = has_cpu_types;
    if (info.declaration) {
        declare(instance);
        return instance;
    }
    Diagnostics settings;
    instance.typing = typing_in_decorator(*info.def, settings).value_or(typing_);
    instance.running = true;
    std::optional<ModuleScope::Compiling> compiling;
    if (kind != InstanceKind::device) compiling.emplace(info);
    ++running_[&info];
    infer(*this, instance);
    --running_[&info];
    compiling.reset();
    {
        const ModuleScope::Then decorated(*info.scope, info.at);
        read_options(info.decorators, info.is_for_host, settings);
        instance.links = links_of(info.decorators, settings);
    }
    instance.diagnostics.merge(settings);
    instance.running = false;
    instance.function.debug = info.debug;
    instance.function.parallel = info.is_parallel;
    instance.function.index32 = kind == InstanceKind::index32_kernel;
    instance.function.noalias = kind == InstanceKind::noalias_kernel || instance.function.index32;
    instance.function.effects = instance.function.effects | ir::effects_of(instance.function, [&](ir::FunctionId id) {
                                    return at(id).function.effects;
                                });
    if (!any_weak || instance.is_wide || instance.result_is_weak || instance.failed) return instance;
    // No digits were asked for: these are float32 like others.
    std::vector<Parameter> strong = instance.params;
    for (Parameter& param : strong) param.is_weak = false;
    Instance& same = this->instance(info, std::move(strong), kind);
    index_[{&info, kind, key}] = same.id;
    return same;
}

bool Specializer::is_endless(const FunctionInfo& info, std::span<const Parameter> params) const {
    constexpr int kMostNested = 100, kDeepestTuple = 5;
    const auto running = running_.find(&info);
    if (running == running_.end() || running->second == 0) return false;
    const auto is_deep = [&](const Parameter& param) {
        int depth = 0;
        for (Type type = param.type; type && type.is_tuple() && type.size() > 0; type = type.elements()[0]) ++depth;
        return depth > kDeepestTuple;
    };
    return running->second > kMostNested || std::ranges::any_of(params, is_deep);
}

Instance& Specializer::made(const std::string& key, const FunctionInfo& caller, ir::Function function,
                            std::vector<Callee> callees) {
    const auto [found, fresh] =
        index_.try_emplace({nullptr, InstanceKind::device, key}, static_cast<ir::FunctionId>(instances_.size()));
    if (!fresh) return at(found->second);
    Instance& instance = instances_.emplace_back();
    instance.info = &caller;
    instance.id = found->second;
    for (const ir::LocalId id : function.params) instance.params.emplace_back(function.local(id).type);
    instance.result = function.result;
    instance.function = std::move(function);
    instance.callees = std::move(callees);
    return instance;
}

ir::ConstantId Specializer::constant(ir::ModuleConstant named) {
    const auto is_it = [&](const ir::ModuleConstant& known) {
        return !known.table && known.name == named.name && known.type == named.type && known.value == named.value;
    };
    const auto found = std::ranges::find_if(module_.constants, is_it);
    const auto id = static_cast<ir::ConstantId>(found - module_.constants.begin());
    if (found == module_.constants.end()) module_.constants.push_back(std::move(named));
    return id;
}

// Whether it, or what it calls, would make an array.
bool Specializer::would_allocate(const Instance& instance) const {
    const auto says_so = [](const Diagnostic& d) {
        return d.id == diag::array_result.id || d.id == diag::unknown_name.id;
    };
    return std::ranges::any_of(instance.diagnostics.all(), says_so) ||
           std::ranges::any_of(instance.callees, [&](const Callee& callee) {
               const Instance& inner = at(callee.id);
               return inner.id != instance.id && is_of_library(inner.info->span) && would_allocate(inner);
           });
}

// Whether it, or what it calls, depends on a number that is none of the program's constants.
bool needs_constant(const Specializer& specializer, const Instance& instance) {
    const auto says_so = [](const Diagnostic& d) { return d.id == diag::not_a_constant.id; };
    return std::ranges::any_of(instance.diagnostics.all(), says_so) ||
           std::ranges::any_of(instance.callees, [&](const Callee& callee) {
               const Instance& inner = specializer.at(callee.id);
               return inner.id != instance.id && is_of_library(inner.info->span) && needs_constant(specializer, inner);
           });
}

// A function of the library does not take these types: what is wrong inside of it is no concern of the user's.
void Specializer::report_misuse(const Callee& callee, Diagnostics& diagnostics,
                                const std::vector<std::pair<Span, std::string>>& trail) const {
    const Instance& instance = at(callee.id);
    const auto& [id, span, name] = callee;
    std::string types;
    for (const Parameter& param : instance.params) {
        const auto* value = param.entity ? std::get_if<Const>(&*param.entity) : nullptr;
        if (value && value->as<Const::None>()) continue;  // a default
        Value given;
        given.type = param.type;
        if (param.entity) given.entity = *param.entity;
        types += (types.empty() ? "" : ", ") + described(given);
    }
    const bool is_extreme = name == "np.max" || name == "np.min" || name == "np.amax" || name == "np.amin";
    if (is_extreme && instance.params.size() > 1 && instance.params[0].type.is_scalar())
        diagnostics.report(
            diag::only_raises, span, std::string_view(name),
            std::string_view(fmt::format("its second argument is an axis; of two numbers write `{}(a, b)`",
                                         name.substr(name.size() - 3))));
    else if (!can_allocate_ && would_allocate(instance))
        diagnostics.report(diag::new_array_in_kernel, span, std::string_view(name),
                           "write a loop, or call it in a function of `@njit`");
    else if (needs_constant(*this, instance))
        diagnostics.report(diag::unsupported_syntax, span,
                           std::string_view(fmt::format("axes and numbers of parts of `{}` that are computed", name)),
                           std::string_view("write them as constants, or loop over slices"));
    else
        diagnostics.report(diag::no_overload, span, std::string_view(name), std::string_view(types));
    for (const auto& [at, text] : shown(trail)) diagnostics.note(at, text);
}

ir::ConstantId Specializer::array(const NamedConst& named) {
    const Const::Array& array = *named.value.as<Const::Array>();
    for (size_t i = 0; i < module_.constants.size(); ++i)
        if (const ir::ModuleConstant& known = module_.constants[i];
            known.name == named.name && known.type == array->type && *known.table == array->table)
            return static_cast<ir::ConstantId>(i);
    module_.constants.push_back({named.name, array->type, {}, named.span, {array, &array->table}});
    return static_cast<ir::ConstantId>(module_.constants.size() - 1);
}

Entity Specializer::named_array(ir::ConstantId id) const {
    const ir::ModuleConstant& constant = module_.constants[static_cast<size_t>(id)];
    return NamedConst{constant.name,
                      {std::make_shared<const ConstArray>(ConstArray{constant.type, *constant.table}), {}},
                      constant.span};
}

namespace {

// `f(float32[::1], g)`: of a function that is passed, its name; of a type that nobody would read, nothing.
std::string specialisation(const Instance& instance) {
    constexpr size_t kLongestType = 80;
    std::vector<std::string> params;
    for (const Parameter& param : instance.params) {
        const FunctionInfo* const* function = param.entity ? std::get_if<const FunctionInfo*>(&*param.entity) : nullptr;
        const std::string type = param.entity ? "…" : param.type.signature();
        params.push_back(function ? (*function)->name : type.size() > kLongestType ? "…" : type);
    }
    return fmt::format("{}({})", instance.info->name, fmt::join(params, ", "));
}

// Whether the types stand with the function: of others it is to be said where they come from.
bool says_its_types(const FunctionInfo& info) {
    const auto is_annotated = [](const ast::Arg& arg) { return arg.annotation != nullptr; };
    return info.signatures || (std::ranges::all_of(info.def->args->posonlyargs, is_annotated) &&
                               std::ranges::all_of(info.def->args->args, is_annotated));
}

// Of a misspelt name the types are not the reason.
bool speaks_of_its_types(const Instance& instance, bool is_one_of_several) {
    return std::ranges::any_of(instance.diagnostics.all(), [&](const Diagnostic& d) {
        const auto has = [&](std::string_view word) { return d.text.find(word) != std::string::npos; };
        return std::ranges::any_of(instance.params, [&](const Parameter& param) {
            if (!param.type) return false;
            const bool has_element = is_one_of_several && param.type.is_array() && has(param.type.element().name());
            return has(param.type.name()) || has_element || (param.type.is_array() && has(" of arrays ")) ||
                   (param.type.is_none() && has(" None"));
        });
    });
}

}  // namespace

void Specializer::report(ir::FunctionId id, Diagnostics& diagnostics, std::set<ir::FunctionId>& seen,
                         const std::vector<std::pair<Span, std::string>>& trail) {
    if (!seen.insert(id).second) return;
    const Instance& instance = at(id);
    // Functions that call each other have been told of, and why they have no results.
    const auto& own = instance.diagnostics.all();
    const auto is_of = [](std::string_view kind) { return [kind](const Diagnostic& d) { return d.id == kind; }; };
    const bool follows = std::ranges::any_of(diagnostics.all(), is_of(diag::mutual_recursion.id)) &&
                         std::ranges::all_of(own, is_of(diag::cannot_infer_result.id));
    if (!follows) diagnostics.merge(instance.diagnostics, shown(trail));
    const auto is_misused = [&](const auto& self, ir::FunctionId of) -> bool {
        return is_of_library(at(of).info->span) &&
               (at(of).diagnostics.has_errors() ||
                std::ranges::any_of(at(of).callees, [&](const Callee& inner) { return self(self, inner.id); }));
    };
    for (const Callee& callee : instance.callees) {
        if (is_misused(is_misused, callee.id)) {
            if (seen.insert(callee.id).second) report_misuse(callee, diagnostics, trail);
            continue;
        }
        const Instance& inner = at(callee.id);
        if (inner.diagnostics.all().empty() && inner.callees.empty()) continue;
        std::vector<std::pair<Span, std::string>> deeper{
            {callee.span, fmt::format("in `{}`, called from here", specialisation(inner))}};
        deeper.insert(deeper.end(), trail.begin(), trail.end());
        report(callee.id, diagnostics, seen, deeper);
    }
}

// Functions that reach themselves through others: reported at the call that leads there.
void Specializer::find_cycles(ir::FunctionId id, std::vector<std::pair<ir::FunctionId, Span>>& path,
                              std::set<ir::FunctionId>& seen, Diagnostics& diagnostics) {
    seen.insert(id);
    for (const auto& [callee, span, name] : at(id).callees) {
        path.back().second = span;
        const auto open = std::ranges::find(path, callee, &std::pair<ir::FunctionId, Span>::first);
        if (open != path.end()) {
            if (callee != id) {
                diagnostics.report(diag::mutual_recursion, open->second, at(callee).info->name);
                for (auto step = std::next(open); step != path.end(); ++step)
                    diagnostics.note(step->second,
                                     fmt::format("`{}` goes on with this call", at(step->first).info->name));
            }
        } else if (!seen.contains(callee)) {
            path.emplace_back(callee, Span());
            find_cycles(callee, path, seen, diagnostics);
            path.pop_back();
        }
    }
}

void Specializer::order(ir::FunctionId id, std::vector<ir::FunctionId>& ordered, std::set<ir::FunctionId>& seen) {
    if (!seen.insert(id).second) return;
    for (const Callee& callee : at(id).callees) order(callee.id, ordered, seen);
    ordered.push_back(id);
}

void Specializer::name_symbols() {
    std::unordered_map<std::string_view, int> count;
    for (const ir::Function& function : module_.functions) ++count[function.name];
    for (ir::Function& function : module_.functions)
        if (!function.is_kernel && !function.foreign && count[function.name] == 1)
            function.symbol = ascii_name(function.name);
    // Two functions of one name, such as two lambdas, may be called with the same types.
    std::set<std::string> taken;
    for (ir::Function& function : module_.functions) {
        const std::string symbol = function.symbol;
        for (int n = 2; !taken.insert(function.symbol).second; ++n) function.symbol = fmt::format("{}_{}", symbol, n);
    }
}

std::optional<ir::Module> Specializer::close(const std::vector<ir::FunctionId>& kernels, Diagnostics& diagnostics) {
    std::set<ir::FunctionId> reported, seen;
    std::vector<ir::FunctionId> ordered;
    for (const ir::FunctionId id : kernels) {
        std::vector<std::pair<ir::FunctionId, Span>> path{{id, Span()}};
        if (!seen.contains(id)) find_cycles(id, path, seen, diagnostics);
    }
    seen.clear();
    for (const ir::FunctionId id : kernels) {
        const FunctionInfo& info = *at(id).info;
        std::vector<std::pair<Span, std::string>> asked;
        const bool is_one_of_several =
            std::ranges::count_if(kernels, [&](ir::FunctionId other) { return at(other).info == &info; }) > 1;
        if (at(id).kind != InstanceKind::device && (is_one_of_several || !says_its_types(info)) &&
            speaks_of_its_types(at(id), is_one_of_several))
            asked.emplace_back(info.def->name_span, fmt::format("compiled as `{}`", specialisation(at(id))));
        diagnostics.speak_of_functions(functions_.contains(id));
        report(id, diagnostics, reported, asked);
    }
    diagnostics.speak_of_functions(false);
    for (const ir::FunctionId id : kernels) order(id, ordered, seen);
    if (diagnostics.has_errors()) return std::nullopt;
    std::unordered_map<uint32_t, ir::FunctionId> renumbered;
    for (const ir::FunctionId id : ordered) {
        Instance& instance = at(id);
        renumbered[static_cast<uint32_t>(id)] = static_cast<ir::FunctionId>(module_.functions.size());
        if (!instance.function.foreign)
            instance.function.symbol =
                instance.function.is_kernel
                    ? "pyk_" + ascii_name(instance.function.name) + (instance.params.empty() ? "_" : codes(instance))
                    : ascii_name(instance.function.name) + codes(instance);
        module_.functions.push_back(std::move(instance.function));
        for (ir::LinkedCode& link : instance.links) add_link(module_.links, std::move(link));
    }
    for (ir::ArrayEntry& entry : module_.arrays) {
        entry.symbol = "pyk_" + ascii_name(entry.name) + codes(at(entry.function));
        entry.function = renumbered.at(static_cast<uint32_t>(entry.function));
        if (!entry.algorithm) continue;
        entry.symbol += "_" + entry.algorithm->name;
        for (const Type type : entry.algorithm->elements) entry.symbol += "_" + type.code();
        if (auto& transform = entry.algorithm->transform) {
            entry.symbol += "_" + ascii_name(at(*transform).function.name);
            transform = renumbered.at(static_cast<uint32_t>(*transform));
        }
    }
    check_foreign(diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    for (size_t i = 0; i < ordered.size(); ++i) {
        if (at(ordered[i]).callees.empty()) continue;
        ir::rewrite(module_.functions[i].body, [&](ir::ExprPtr& expr) {
            if (auto* call = expr->as<ir::Call>()) call->callee = renumbered.at(static_cast<uint32_t>(call->callee));
        });
    }
    name_symbols();
    return std::move(module_);
}

// One name of C is one function.
void Specializer::check_foreign(Diagnostics& diagnostics) const {
    std::map<std::string_view, const ir::Function*> known;
    const auto type_of_parameter = [](const ir::Function& f) {
        return [&f](ir::LocalId id) { return f.local(id).type; };
    };
    for (const ir::Function& function : module_.functions) {
        if (!function.foreign) continue;
        const auto [found, fresh] = known.try_emplace(function.foreign->name, &function);
        const ir::Function& first = *found->second;
        const bool same = first.result == function.result && first.foreign->c_abi == function.foreign->c_abi &&
                          std::ranges::equal(first.params, function.params, {}, type_of_parameter(first),
                                             type_of_parameter(function));
        if (fresh || same) continue;
        diagnostics.report(diag::foreign_conflict, function.span, function.name);
        diagnostics.note(first.span, "the other one");
    }
}

}  // namespace pyk
