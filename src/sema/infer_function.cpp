// The author's functions: how arguments bind, what an instance is made for, functions inside of functions.
#include <algorithm>

#include "module/free_names.h"
#include "sema/array_functions.h"
#include "sema/infer.h"

namespace pyk {
namespace {

const Group* group_of_lanes(const Entity& entity) {
    const Group* group = std::get_if<Group>(&entity);
    return group && has_lanes(*group) ? group : nullptr;
}

/// The TypeError that a function raises whatever the values are; null: it may return, or its types are fine.
const ir::Raise* only_raise(const ir::Function& function) {
    const ir::Raise* raise = function.body.empty() ? nullptr : function.body.back().as<ir::Raise>();
    if (raise && !raise->error.starts_with("TypeError")) return nullptr;
    bool returns = false;
    if (raise)
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { returns |= stmt.as<ir::Return>() != nullptr; });
    return returns ? nullptr : raise;
}

}  // namespace

// --- functions inside of functions ---
// A `def` or a lambda: the values that its captured names have now belong to it. Where nothing of it is a run-time
// value, it is a function like those of the module.
Value Inference::make_function(const ast::FunctionDef& def, Span span, std::string name, ir::Block& out) {
    Value value;
    value.span = span;
    value.entity = std::make_shared<const Closure>(Closure{.info = nullptr,
                                                           .captured = {},
                                                           .def = &def,
                                                           .span = span,
                                                           .name = std::move(name),
                                                           .defaults = defaults_of(def, out)});
    return value;
}

// The defaults that name variables of this function: the others are the module's constants.
std::vector<std::pair<const ast::Expr*, Value>> Inference::defaults_of(const ast::FunctionDef& def, ir::Block& out) {
    std::vector<std::pair<const ast::Expr*, Value>> defaults;
    for (const auto& list : {def.args->defaults, def.args->kw_defaults})
        for (const ast::Expr* expr : list) {
            if (!expr || !reads_local(*expr)) continue;
            Value value = lower(*expr, out);
            if (value.is_runtime()) value = spill(std::move(value), "fallback", out);
            defaults.emplace_back(expr, std::move(value));
        }
    return defaults;
}

// What a name stands for where it is used. `is_called`: at once, so that nothing changes in between.
Value Inference::bound(Value function, ir::Block& out, bool is_called) {
    const auto* closure = function.entity ? std::get_if<std::shared_ptr<const Closure>>(&*function.entity) : nullptr;
    if (!closure || (*closure)->info) return function;
    const std::shared_ptr<const Closure> definition = *closure;
    if (!binding_.insert(definition->def).second)
        return error(diag::unsupported_syntax, definition->span, "nested functions that call themselves",
                     "define the function at module level");
    Value value = bind(*definition, function.span, is_called, out);
    binding_.erase(definition->def);
    return value;
}

// Numba inlines nested functions where they are called: they see the variables around them as these are there.
Value Inference::bind(const Closure& function, Span span, bool is_called, ir::Block& out) {
    Value value;
    value.span = span;
    Bindings known;
    std::vector<std::string_view> captures;
    auto closure = std::make_shared<Closure>();
    for (const std::string_view free : free_names(*function.def)) {
        const auto index = names_.index(free);
        if (!index) continue;
        Value captured = bound(read(*index, span), out);
        if (captured.is_unknown()) return value;
        const bool has_values =
            captured.entity && (std::holds_alternative<std::shared_ptr<const Closure>>(*captured.entity) ||
                                group_of_lanes(*captured.entity));
        if (captured.receiver) hold(captured);
        if (!captured.is_runtime() && captured.receiver) return error(diag::not_a_value, span);
        if (!captured.is_runtime() && !has_values) {
            known.emplace(std::string(free), *captured.entity);
        } else if (captured.constant && captured.is_literal) {
            known.emplace(std::string(free), *captured.constant);
        } else {
            if (!is_called && definitions_of(*index) > 1 && captured.is_runtime())
                captured = spill(std::move(captured), free, out);
            captures.push_back(free);
            closure->captured.push_back(std::move(captured));
        }
    }
    closure->info = &scope_.lift(*function.def, function.span, function.name, std::move(known), std::move(captures));
    for (const auto& [expr, fallback] : function.defaults) closure->defaults.emplace_back(expr, duplicate(fallback));
    if (closure->captured.empty() && closure->defaults.empty())
        value.entity = closure->info;
    else
        value.entity = std::shared_ptr<const Closure>(std::move(closure));
    return value;
}

void Inference::lower_def(const ast::Stmt& stmt, const ast::FunctionDef& node, ir::Block& out) {
    if (!node.decorator_list.empty()) {
        error(diag::unsupported_syntax, node.decorator_list[0]->span, "decorators of functions inside of functions",
              "leave the decorator; what a kernel calls is compiled");
        return;
    }
    Value function =
        make_function(node, {stmt.span.file, node.name_span.begin, node.name_span.end}, std::string(node.name), out);
    define(*names_.index(node.name), &stmt, std::move(function), node.name_span, out);
}

// --- arguments ---
// Which parameter gets which of the values: `positional` of them by their place, the rest by the call's keywords.
std::optional<std::vector<Argument>> Inference::bind_args(const FunctionInfo& info, size_t positional,
                                                          const ast::Call& node, Span span) {
    const ast::Arguments& args = *info.def->args;
    std::vector<const ast::Arg*> params;
    for (const auto* list : {&args.posonlyargs, &args.args, &args.kwonlyargs})
        for (const ast::Arg& arg : *list) params.push_back(&arg);
    const size_t by_place = args.posonlyargs.size() + args.args.size();
    std::vector<Argument> bound(params.size());
    const auto wrong_count = [&] {
        const size_t needed = by_place - args.defaults.size();
        const std::string_view between = needed + 1 == by_place ? "or" : "to";
        const std::string wanted = args.vararg         ? fmt::format("{} or more", needed)
                                   : needed < by_place ? fmt::format("{} {} {}", needed, between, by_place)
                                                       : std::to_string(by_place);
        error(diag::wrong_argument_count, span, std::string_view(called_name(info)), std::string_view(wanted),
              static_cast<int>(positional + node.keywords.size()));
        std::vector<std::string> missing;
        for (size_t i = 0; i < bound.size(); ++i)
            if (!bound[i].given && !bound[i].fallback) missing.push_back(fmt::format("`{}`", params[i]->arg));
        if (const Span at = info.def->name_span; at && !is_of_library(info.span))
            diagnostics_.note(at, positional <= by_place && !missing.empty()
                                      ? fmt::format("it is defined here; {} is missing", fmt::join(missing, ", "))
                                      : "it is defined here");
        return std::nullopt;
    };
    if (positional > by_place && !args.vararg) {
        if (positional > params.size()) return wrong_count();
        error(diag::parameter_by_name, span, std::string_view(called_name(info)), params[by_place]->arg,
              params[by_place]->arg);
        return std::nullopt;
    }
    size_t given = 0;
    while (given < std::min(positional, by_place)) bound[given].given = given, ++given;
    given = positional;
    for (const ast::Keyword& keyword : node.keywords) {
        const auto first = params.begin() + static_cast<std::ptrdiff_t>(args.posonlyargs.size());
        const auto at = std::find_if(first, params.end(), [&](const ast::Arg* arg) { return arg->arg == keyword.arg; });
        if (at == params.end()) {
            std::vector<std::string_view> known;
            std::transform(first, params.end(), std::back_inserter(known),
                           [](const ast::Arg* arg) { return arg->arg; });
            unknown_parameter(called_name(info), keyword.arg, known, keyword.span);
            return std::nullopt;
        }
        if (bound[static_cast<size_t>(at - params.begin())].given) {
            error(diag::parameter_twice, keyword.span, std::string_view(called_name(info)), keyword.arg);
            return std::nullopt;
        }
        bound[static_cast<size_t>(at - params.begin())].given = given++;
    }
    const size_t defaults = args.defaults.size();
    for (size_t i = 0; i < defaults; ++i) bound[by_place - defaults + i].fallback = args.defaults[i];
    for (size_t i = by_place; i < bound.size(); ++i) bound[i].fallback = args.kw_defaults[i - by_place];
    if (std::ranges::any_of(bound, [](const Argument& arg) { return !arg.given && !arg.fallback; }))
        return wrong_count();
    return bound;
}

// A default is an expression of where the function is defined, whatever the names in it mean where it is called.
Value Inference::default_value(const FunctionInfo& info, const ast::Expr& expr) {
    const ModuleScope::Then then(*info.scope, info.at);
    const auto entity = info.scope->evaluate(expr);
    const Const* number = entity ? std::get_if<Const>(&*entity) : nullptr;
    if (number && number->typed.is_scalar()) specializer_.note_cast(expr.span, number->typed);
    return entity ? of_entity(*entity, expr.span) : not_constant(expr.span);
}

Value Inference::lacks_decorator(const FunctionInfo& info, Span span) {
    if (is_of_library(info.span))
        return error(diag::unsupported_syntax, span, "calls of what `functools.partial` and its like make",
                     "write a device function that calls the other one");
    const std::string_view decorator = specializer_.can_allocate() ? "@njit" : "@cuda.jit(device=True)";
    return error(diag::plain_function, span, std::string_view(info.name), decorator);
}

// One argument of an instance: a run-time value by its type, a function or another thing known now as itself.
bool Inference::add_argument(Value value, std::vector<Parameter>& params, std::vector<Value>& run_time) {
    materialize(value);
    if (value.receiver) hold(value);
    if (value.is_unknown()) return false;
    if (value.is_runtime()) {
        if (!needs_value(value, value.span)) return false;
        params.push_back(parameter_of(value));
        run_time.push_back(std::move(value));
        return true;
    }
    const Entity& entity = *value.entity;
    const Const* constant = std::get_if<Const>(&entity);
    if (value.receiver || std::holds_alternative<Path>(entity) || std::holds_alternative<const ModuleScope*>(entity) ||
        (constant && constant->as<Const::Int>())) {
        needs_value(value, value.span);
        return false;
    }
    if (const auto* info = std::get_if<const FunctionInfo*>(&entity); info && (*info)->kind == FunctionKind::plain) {
        lacks_decorator(**info, value.span);
        return false;
    }
    if (const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&entity)) {
        if (!(*closure)->defaults.empty()) {
            error(diag::unsupported_syntax, value.span, "functions with defaults of run-time values as arguments",
                  "leave the default, and pass the value");
            return false;
        }
        std::vector<Parameter> inner;
        for (const Value& captured : (*closure)->captured)
            if (!add_argument(duplicate(captured), inner, run_time)) return false;
    }
    if (const Group* group = group_of_lanes(entity)) run_time.push_back(group_operand(*group, value.span));
    params.emplace_back(entity);
    return true;
}

// An explicit signature of a device function fixes its parameters: the best of several, by conversions.
std::optional<Signature> Inference::declared_signature(const FunctionInfo& info, std::span<const Parameter> params) {
    if (!info.signatures) return std::nullopt;
    std::vector<Type> args;
    for (const Parameter& param : params) {
        if (param.entity) return std::nullopt;
        args.push_back(param.type);
    }
    Diagnostics ignored;
    std::vector<Signature> all = signatures_of(info, ignored);
    std::vector<Case> cases;
    for (const Signature& signature : all)
        cases.push_back({signature.params, signature.result ? signature.result : Type::none()});
    const auto choice = choose(cases, args);
    if (!choice || choice->operands.size() != args.size()) return std::nullopt;
    for (Signature& signature : all)
        if (signature.params == choice->operands) return std::move(signature);
    return std::nullopt;
}

// The result that the signature of these parameters says, where it is a tuple; calls convert other results.
Type Inference::declared_tuple() {
    const bool is_device = instance_.kind == InstanceKind::device && instance_.info->array == ArrayKind::none;
    if (!is_device || !instance_.info->signatures) return {};
    Diagnostics ignored;
    for (const Signature& signature : signatures_of(*instance_.info, ignored)) {
        const bool is_this = std::ranges::equal(signature.params, instance_.params, {}, {}, &Parameter::type);
        if (is_this && signature.result && signature.result.is_tuple()) return signature.result;
    }
    return {};
}

// Each number becomes what the declared tuple has in its place, as Numba converts what is returned.
Value Inference::cast_items(Value value, Type declared, ir::Block& out) {
    if (!value.is_runtime() || value.type == declared) return value;
    if (value.type.is_scalar() && declared.is_scalar()) return cast_to(declared, std::move(value), value.span);
    const bool are_alike = is_sequence(value.type) && declared.is_tuple() && value.type.size() == declared.size();
    if (!are_alike || declared.tuple_kind() != TupleKind::plain) return value;
    const Span span = value.span;
    std::vector<Value> items = elements(std::move(value), out);
    for (size_t i = 0; i < items.size(); ++i) items[i] = cast_items(std::move(items[i]), declared.elements()[i], out);
    return make_tuple(std::move(items), span);
}

// Of an array function, as where its elements are called for: unless its target is the CPU the signature of these
// types, and else the first to whose types these cast safely.
std::optional<Signature> Inference::array_signature(const FunctionInfo& info, std::span<const Parameter> params) {
    Diagnostics ignored;
    const ArrayFunctionInfo function = array_function(info, ignored);
    const auto first = [&](const auto& fits) -> std::optional<Signature> {
        const auto takes = [&](const Signature& signature) {
            return std::ranges::equal(params, signature.params, [&](const Parameter& param, Type type) {
                return param.type && fits(param.type, type);
            });
        };
        const auto found = std::ranges::find_if(function.signatures, takes);
        return found == function.signatures.end() ? std::nullopt : std::optional(*found);
    };
    if (function.target != ArrayTarget::cpu)
        if (auto exact = first(std::equal_to<Type>())) return exact;
    return first([](Type from, Type to) { return from == to || casts_safely(from, to); });
}

// --- calls ---
Value Inference::call_function(const FunctionInfo& info, const Closure* closure, const Value* receiver,
                               const ast::Call& node, Span span, ir::Block& out) {
    std::vector<ast::ExprRef> written(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) written.push_back(keyword.value);
    std::vector<Value> given = lower_list(written, out);
    // A starred argument that is not known may stand for any number of values.
    const bool countable =
        std::ranges::none_of(node.args, [](const ast::Expr* arg) { return arg->as<ast::Starred>(); });
    if (!countable && std::ranges::any_of(given, &Value::is_unknown)) return Value();
    if (receiver) given.insert(given.begin(), duplicate(*receiver));
    if (info.array == ArrayKind::stencil && specializer_.can_allocate())
        return stencil_array(info, std::move(given), node, span, out);
    if (std::optional<Value> value = array_call(info, given, node, span, out)) return *std::move(value);
    return call_function(info, closure, std::move(given), node, span);
}

// `given`: the arguments by place, and behind them those of the call's keywords.
Value Inference::call_function(const FunctionInfo& info, const Closure* closure, std::vector<Value> given,
                               const ast::Call& node, Span span) {
    if (info.kind == FunctionKind::plain) {
        std::vector<Type> types;
        for (const Value& value : given) types.push_back(value.type);
        const bool are_known = node.keywords.empty() && std::ranges::all_of(given, &Value::is_runtime);
        const FunctionInfo* overload = are_known ? scope_.overload_of(info, types) : nullptr;
        if (overload) return call_function(*overload, closure, std::move(given), node, span);
        const auto is_intrinsic = [&](const ast::Expr* d) { return info.scope->path_of(*d).ends_with("intrinsic"); };
        if (std::ranges::any_of(info.def->decorator_list, is_intrinsic))
            return error(diag::unsupported_syntax, span, "functions that write LLVM IR (`@intrinsic`)",
                         "`cuda.inline_ptx` writes instructions");
        return lacks_decorator(info, span);
    }
    if (info.declaration) {
        if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, std::string_view(info.name));
        return call_foreign(info, std::move(given), span);
    }
    if (info.array == ArrayKind::stencil)
        return error(diag::unsupported_syntax, span, "calls of stencils", "programs call them, as array functions");
    for (Value& value : given) stay_weak(value);
    const size_t positional = given.size() - node.keywords.size();
    const auto bound = bind_args(info, positional, node, span);
    if (!bound) return Value();
    std::vector<Parameter> params;
    std::vector<Value> args;
    bool known = true;
    std::vector<std::string_view> names;
    for_each_parameter(*info.def->args, [&](const ast::Arg& arg) { names.push_back(arg.arg); });
    for (size_t i = 0; i < bound->size(); ++i) {
        const Argument& argument = (*bound)[i];
        const Value* kept = closure && !argument.given ? closure->default_of(*argument.fallback) : nullptr;
        Value value = argument.given ? std::move(given[*argument.given])
                      : kept         ? duplicate(*kept)
                                     : default_value(info, *argument.fallback);
        if (value.constant && value.is_runtime() && specializer_.literal_parameters().has(info, names[i]))
            params.emplace_back(Entity(*value.constant));
        else
            known &= add_argument(std::move(value), params, args);
    }
    if (info.def->args->vararg) {
        const size_t by_place = info.def->args->posonlyargs.size() + info.def->args->args.size();
        std::vector<Value> rest;
        for (size_t i = by_place; i < positional; ++i) rest.push_back(std::move(given[i]));
        Value tuple = make_tuple(std::move(rest), span);
        settle(tuple);
        known &= add_argument(std::move(tuple), params, args);
    }
    if (!known) return Value();
    if (closure)
        for (const Value& value : closure->captured)
            if (!add_argument(duplicate(value), params, args)) return Value();
    return call_instance(info, std::move(params), std::move(args), span);
}

Value Inference::call_instance(const FunctionInfo& info, std::vector<Value> values, Span span) {
    if (info.declaration) return call_foreign(info, std::move(values), span);
    std::vector<Parameter> params;
    std::vector<Value> args;
    for (Value& value : values) stay_weak(value);
    for (Value& value : values)
        if (!add_argument(std::move(value), params, args)) return Value();
    return call_instance(info, std::move(params), std::move(args), span);
}

Value Inference::call_instance(const FunctionInfo& info, std::vector<Parameter> params, std::vector<Value> args,
                               Span span) {
    const bool is_ufunc = info.array == ArrayKind::ufunc && info.signatures;
    const auto declared = is_ufunc ? array_signature(info, params) : declared_signature(info, params);
    if (is_ufunc && !declared) {
        std::string types;
        for (const Parameter& param : params)
            types += (types.empty() ? "" : ", ") + (param.type ? param.type.name() : std::string("this"));
        return error(diag::array_function_call, span, std::string_view(info.name), types);
    }
    if (declared) params.assign(declared->params.begin(), declared->params.end());
    if (specializer_.is_endless(info, params))
        return error(diag::endless_recursion, span, std::string_view(called_name(info)));
    const Instance* found = &specializer_.instance(info, params, InstanceKind::device);
    if (instance_.is_wide && found->result_is_weak && !found->is_wide)
        found = &specializer_.instance(info, std::move(params), InstanceKind::device, true);
    const Instance& instance = *found;
    Value result;
    result.span = span;
    callees_.push_back({instance.id, span, called_name(info)});
    // Reported with the callee's own findings; in a recursion the result is known after a round or two.
    if (instance.failed || !instance.result) return result;
    if (is_of_library(info.span) && !is_of_library(instance_.info->span))
        if (const ir::Raise* raise = only_raise(instance.function))
            return error(diag::only_raises, span, std::string_view(called_name(info)), std::string_view(raise->error));
    ir::Call call{instance.id, {}};
    result.effects = instance.running ? Effects::reads | Effects::writes : instance.function.effects;
    for (size_t i = 0; i < args.size(); ++i) {
        result.effects = result.effects | args[i].effects;
        const Type type = declared ? declared->params[i] : passed_as(args[i], instance, i);
        Value arg = converted(std::move(args[i]), type, args[i].span);
        if (!arg.expr) return Value();
        call.args.push_back(std::move(arg.expr));
    }
    result.type = instance.result;
    result.is_weak = is_narrow() && instance.result_is_weak;
    result.expr = ir::make(result.type, span, std::move(call));
    if (declared && declared->result && declared->result.is_optional())
        return converted(std::move(result), declared->result, span);
    if (declared && declared->result && declared->result.is_scalar() && result.type.is_scalar())
        return cast_to(declared->result, std::move(result), span);
    if (declared && declared->result.is_none() && result.type != declared->result) {
        Value unknown = error(diag::cannot_convert, span, result.type.name(), std::string_view("None"));
        diagnostics_.note(info.signatures->span, "the signature says that nothing is returned");
        return unknown;
    }
    return result;
}

}  // namespace pyk
