// Calls: builtins of the table, casts, the module's own functions.
#include "sema/infer.h"

#include <algorithm>

#include "support/fault.h"

namespace pyk {
Value Inference::lower_call(const ast::Expr& expr, const ast::Call& node, ir::Block& out) {
    const Span span = expr.span;
    for (const ast::Expr* arg : node.args)
        if (arg->as<ast::Starred>()) return unsupported(*arg);
    for (const ast::Keyword& keyword : node.keywords)
        if (keyword.arg.empty())
            return error(diag::unsupported_syntax, keyword.span, "`**` arguments", "write each argument");
    Value callee = lower(*node.func, out);
    if (callee.is_unknown()) {
        lower_list(node.args, out);
        return callee;
    }
    if (callee.entity) {
        if (const auto* builtin = std::get_if<const Builtin*>(&*callee.entity))
            return special({**builtin, node, span, out, callee.receiver.get()});
        if (const auto* type = std::get_if<TypeName>(&*callee.entity)) return call_cast(type->type, node, span, out);
        if (const auto* info = std::get_if<const FunctionInfo*>(&*callee.entity))
            return call_function(**info, node, span, out, callee.receiver.get());
        if (const auto* info = std::get_if<const ClassInfo*>(&*callee.entity))
            return call_class(**info, node, span, out);
        if (const auto* path = std::get_if<Path>(&*callee.entity))
            return error(diag::unknown_name, node.func->span, std::string_view(path->name));
    }
    return error(diag::not_callable, node.func->span, callee.is_runtime() ? callee.type.name() : std::string("this"));
}

// The arguments as written, behind the value that a method was looked up on.
std::vector<Value> Inference::arguments(const CallSite& site) {
    std::vector<Value> values;
    if (site.receiver) values.push_back(duplicate(*site.receiver));
    for (Value& value : lower_list(site.node.args, site.out)) values.push_back(std::move(value));
    if (site.receiver) sequence(values, site.out);
    return values;
}

// A row whose rule says it all. A `ref` parameter takes two arguments: the array, and an index or a tuple of indices.
Value Inference::call_table(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    if (is_value(builtin)) return error(diag::not_callable, node.func->span, builtin.name);
    std::vector<Value> values = arguments(site);
    std::vector<Value> operands;
    bool known = true;
    size_t next = 0;
    const auto [least, most] = arity(builtin);
    for (int i = 0; i < most && next < values.size(); ++i) {
        Value value = std::move(values[next++]);
        known &= needs_value(value, value.span);
        if (!is_ref(builtin, static_cast<size_t>(i)) || !known) {
            operands.push_back(std::move(value));
            continue;
        }
        if (!value.type.is_array()) return error(diag::not_an_array, value.span, builtin.name, value.type.name());
        if (!value.type.aligned()) return error(diag::unaligned_atomic, value.span, builtin.name);
        if (value.type.readonly()) return error(diag::readonly_store, value.span, value.type.name());
        std::vector<ir::Subscript> subscripts;
        Effects effects = value.effects;
        if (!default_of(builtin, static_cast<size_t>(i)).empty()) {
            subscripts.emplace_back(ir::Index{ir::integer(0, Scalar::int64, span), false});
        } else if (next < values.size()) {
            if (!add_subscript(std::move(values[next++]), subscripts, effects)) return Value();
        }
        if (static_cast<int>(subscripts.size()) != value.type.ndim())
            return error(diag::index_count, value.span, value.type.name(), static_cast<int>(subscripts.size()));
        ir::ElementRef ref{std::move(value.expr), {}};
        for (ir::Subscript& s : subscripts) ref.indices.push_back(std::move(std::get<ir::Index>(s)));
        value.type = value.type.element();
        value.expr = ir::make(value.type, value.span, std::move(ref));
        value.effects = effects;
        operands.push_back(std::move(value));
    }
    if (!known) return Value();
    if (static_cast<int>(operands.size()) < least || next < values.size()) {
        const std::string wanted = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
        return error(diag::wrong_argument_count, span, builtin.name, std::string_view(wanted),
                     static_cast<int>(values.size()));
    }
    return resolved(builtin, std::move(operands), span);
}

// The call of a row with operands at hand.
Value Inference::resolved(const Builtin& builtin, std::vector<Value> args, Span span) {
    Value result;
    result.span = span;
    std::vector<Type> types;
    settle(args);
    for (const Value& arg : args) {
        if (!arg.is_runtime() || !arg.expr) return result;
        types.push_back(arg.type);
    }
    const auto resolution = resolve_call(builtin, types);
    if (!resolution) {
        std::string list;
        for (const Type& type : types) list += (list.empty() ? "" : ", ") + type.name();
        return error(diag::no_overload, span, builtin.name, std::string_view(list));
    }
    ir::BuiltinCall call{&builtin, {}};
    result.effects = builtin.effects;
    for (size_t i = 0; i < resolution->operands.size(); ++i) {
        if (i < args.size()) {
            result.effects = result.effects | args[i].effects;
            call.args.push_back(in_type(args[i], resolution->operands[i]));
        } else {
            call.args.push_back(ir::integer(std::strtoll(std::string(default_of(builtin, i)).c_str(), nullptr, 0),
                                            resolution->operands[i], span));
        }
    }
    result.type = resolution->result;
    result.expr = ir::make(result.type, span, std::move(call));
    return converted(std::move(result), result_of_call(resolution->result, types), span);
}

// --- casts
// ------------------------------------------------------------------------------------------------------------
Value Inference::call_cast(Type type, const ast::Call& node, Span span, ir::Block& out) {
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, std::string_view(type.name()), "1",
                     static_cast<int>(node.args.size()));
    Value value = lower(*node.args[0], out);
    if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    return cast_to(type, std::move(value), span);
}

Value Inference::cast_to(Type type, Value value, Span span) {
    const bool loses_part = value.type.is_complex() && !type.is_complex() && !type.is_boolean();
    if (!type.is_scalar() || !value.type.is_scalar() || loses_part)
        return error(diag::cannot_convert, span, value.type.name(), type.name());
    value.expr = in_type(value, type);
    if (value.constant) value.constant = cast(*value.constant, type);
    value.type = type;
    value.is_literal = value.is_weak = false;
    value.span = span;
    return value;
}

// --- the module's functions
// -------------------------------------------------------------------------------------------
std::optional<std::vector<Argument>> Inference::bind_args(const ast::FunctionDef& def, const ast::Call& node, Span span,
                                                          size_t received) {
    std::vector<const ast::Arg*> params;
    for (const auto* list : {&def.args->posonlyargs, &def.args->args})
        for (const ast::Arg& arg : *list) params.push_back(&arg);
    const size_t positional = params.size();
    for (const ast::Arg& arg : def.args->kwonlyargs) params.push_back(&arg);
    std::vector<Argument> bound(params.size());
    const auto wrong_count = [&] {
        error(diag::wrong_argument_count, span, def.name, std::string_view(std::to_string(positional)),
              static_cast<int>(node.args.size() + node.keywords.size()));
        return std::nullopt;
    };
    if (node.args.size() + received > positional) return wrong_count();
    size_t given = 0;
    while (given < node.args.size() + received) bound[given].given = given, ++given;
    for (const ast::Keyword& keyword : node.keywords) {
        const auto at = std::find_if(params.begin() + static_cast<std::ptrdiff_t>(def.args->posonlyargs.size()),
                                     params.end(), [&](const ast::Arg* arg) { return arg->arg == keyword.arg; });
        if (at == params.end() || bound[static_cast<size_t>(at - params.begin())].given) {
            error(diag::unknown_parameter, keyword.span, def.name, keyword.arg);
            return std::nullopt;
        }
        bound[static_cast<size_t>(at - params.begin())].given = given++;
    }
    const size_t defaults = def.args->defaults.size();
    for (size_t i = 0; i < defaults; ++i) bound[positional - defaults + i].fallback = def.args->defaults[i];
    for (size_t i = positional; i < bound.size(); ++i) bound[i].fallback = def.args->kw_defaults[i - positional];
    if (std::ranges::any_of(bound, [](const Argument& arg) { return !arg.given && !arg.fallback; }))
        return wrong_count();
    return bound;
}

// An explicit signature of a device function fixes its parameters: the best of several, by conversions.
std::optional<Signature> Inference::declared_signature(const FunctionInfo& info, std::span<const Type> args) {
    if (!info.signatures) return std::nullopt;
    Diagnostics ignored;
    std::vector<Signature> all = evaluate_signatures(scope_, *info.signatures, ignored);
    std::vector<Case> cases;
    for (const Signature& signature : all)
        cases.push_back({signature.params, signature.result ? signature.result : Type::none()});
    const auto choice = choose(cases, args);
    if (!choice) return std::nullopt;
    for (Signature& signature : all)
        if (signature.params == choice->operands) return std::move(signature);
    return std::nullopt;
}

// A default is an expression of the module, whatever the names in it mean where the function is called.
Value Inference::default_value(const ast::Expr& expr) {
    const auto entity = scope_.evaluate(expr);
    return entity ? of_entity(*entity, expr.span) : error(diag::not_a_constant, expr.span, "this default");
}

Value Inference::call_function(const FunctionInfo& info, const ast::Call& node, Span span, ir::Block& out,
                               const Value* receiver) {
    if (info.kind == FunctionKind::plain) return error(diag::plain_function, span, info.def->name);
    const auto bound = bind_args(*info.def, node, span, receiver ? 1 : 0);
    std::vector<ast::ExprRef> written(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) written.push_back(keyword.value);
    std::vector<Value> given = lower_list(written, out);
    if (!bound) return Value();
    if (receiver) given.insert(given.begin(), duplicate(*receiver));
    std::vector<Value> args;
    for (const Argument& argument : *bound)
        args.push_back(argument.given ? std::move(given[*argument.given]) : default_value(*argument.fallback));
    return call_instance(info, std::move(args), span);
}

// None takes no room among the arguments: the instance knows it.
Value Inference::call_instance(const FunctionInfo& info, std::vector<Value> args, Span span) {
    settle(args);
    std::vector<Type> types;
    for (Value& arg : args) {
        const bool none = !arg.is_runtime() && arg.constant && arg.constant->as<Const::None>();
        if (!none && (arg.is_unknown() || !needs_value(arg, arg.span))) return Value();
        types.push_back(none ? Type::none() : arg.type);
    }
    const auto declared = declared_signature(info, types);
    if (declared && declared->params.size() == types.size()) types = declared->params;
    Instance& instance = specializer_.instance(info, types, InstanceKind::device);
    Value result;
    result.span = span;
    callees_.emplace_back(instance.id, span);
    // Reported with the callee's own findings; in a recursion the result is known after a round or two.
    if (instance.failed || !instance.result) return result;
    ir::Call call{instance.id, {}};
    result.effects = instance.running ? Effects::reads | Effects::writes : instance.function.effects;
    for (size_t i = 0; i < args.size(); ++i) {
        if (types[i].is_none()) continue;
        result.effects = result.effects | args[i].effects;
        Value arg = converted(std::move(args[i]), types[i], args[i].span);
        if (!arg.expr) return Value();
        call.args.push_back(std::move(arg.expr));
    }
    result.type = instance.result;
    result.expr = ir::make(result.type, span, std::move(call));
    if (declared && declared->result && declared->result.is_scalar() && result.type.is_scalar())
        return cast_to(declared->result, std::move(result), span);
    return result;
}

// --- special rows
// -----------------------------------------------------------------------------------------------------
Value Inference::special(const CallSite& site) {
    switch (site.builtin.special) {
        case Special::none:
            return call_table(site);
#define PYK_SPECIAL(name, method) \
    case Special::name:           \
        return method(site);
#include "builtins/special.def"
    }
    internal_error("a special row without a function");
}

Value Inference::special_only_in_for(const CallSite& site) {
    return error(diag::only_in_for, site.span, site.builtin.name);
}

// `cuda.grid(1)` is an integer, `cuda.grid(2)` and `(3)` are tuples: one call per axis.
Value Inference::special_grid(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (node.args.size() != 1)
        return error(diag::wrong_argument_count, span, builtin.name, "1", static_cast<int>(node.args.size()));
    const Value count = lower(*node.args[0], out);
    const auto n = count.constant ? to_int(*count.constant) : std::nullopt;
    if (!n || *n < 1 || *n > 3) return error(diag::grid_dimension, node.args[0]->span, builtin.name);
    const std::string_view function = builtin.name.substr(builtin.name.find('.') + 1);
    std::vector<Value> axes;
    for (const char axis : std::string_view("xyz").substr(0, static_cast<size_t>(*n)))
        axes.push_back(
            resolved(*find_builtin(fmt::format("{}{}.{}", is_narrow() ? "pyk." : "cuda.", function, axis)), {}, span));
    return *n == 1 ? std::move(axes[0]) : make_tuple(std::move(axes), span);
}

std::optional<Type> Inference::dtype_of(const ast::Expr& expr) {
    ir::Block unused;
    const auto* local = expr.as<ast::Name>();
    if (!local || !names_.index(local->id))
        if (const auto type = evaluate_type(scope_, expr); type && type->is_element()) return type;
    const Value value = lower(expr, unused);
    const auto* name = value.entity ? std::get_if<TypeName>(&*value.entity) : nullptr;
    return name && name->type.is_element() ? std::optional(name->type) : std::nullopt;
}

std::optional<std::vector<int64_t>> Inference::static_shape(const ast::Expr& expr, ir::Block& out) {
    const Value value = lower(expr, out);
    std::vector<int64_t> shape;
    const auto add = [&](const Const& constant) {
        const auto extent = to_int(constant);
        if (extent) shape.push_back(*extent);
        return extent.has_value();
    };
    if (!value.constant) return std::nullopt;
    if (const auto* tuple = value.constant->as<Const::Tuple>()) {
        for (const Const& extent : *tuple)
            if (!add(extent)) return std::nullopt;
    } else if (!add(*value.constant)) {
        return std::nullopt;
    }
    return shape;
}

// An array in shared or local memory is a local of its own; the value is its name.
Value Inference::special_array(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    ast::ExprRef shape_expr = node.args.size() > 0 ? node.args[0] : nullptr;
    ast::ExprRef dtype_expr = node.args.size() > 1 ? node.args[1] : nullptr;
    ast::ExprRef alignment_expr = node.args.size() > 2 ? node.args[2] : nullptr;
    for (const ast::Keyword& keyword : node.keywords) {
        if (keyword.arg == "shape")
            shape_expr = keyword.value;
        else if (keyword.arg == "dtype" || keyword.arg == "type")
            dtype_expr = keyword.value;
        else if (keyword.arg == "alignment")
            alignment_expr = keyword.value;
        else
            return error(diag::unknown_parameter, keyword.span, builtin.name, keyword.arg);
    }
    if (!shape_expr || !dtype_expr)
        return error(diag::wrong_argument_count, span, builtin.name, "2", static_cast<int>(node.args.size()));
    const auto shape = static_shape(*shape_expr, out);
    if (!shape || shape->empty()) return error(diag::shape_not_constant, shape_expr->span, builtin.name);
    const auto dtype = dtype_of(*dtype_expr);
    if (!dtype) return error(diag::not_a_dtype, dtype_expr->span);
    const bool is_shared = builtin.special == Special::shared_array;
    const bool dynamic = is_shared && shape->size() == 1 && (*shape)[0] == 0;
    int64_t bytes = static_cast<int64_t>(dtype->byte_size());
    for (const int64_t extent : *shape)
        if ((extent < 1 && !dynamic) || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > (int64_t(1) << 40))
            return error(diag::bad_extent, shape_expr->span, static_cast<long long>(extent));
    ir::Local local;
    local.type = Type::array(*dtype, static_cast<int>(shape->size()), Layout::C);
    local.storage = is_shared ? ir::Storage::shared : ir::Storage::local;
    local.span = span;
    local.shape = *shape;
    if (alignment_expr) {
        const auto alignment = scope_.constant(*alignment_expr);
        const auto n = alignment ? to_int(*alignment) : std::nullopt;
        if (!n || *n < 1 || (*n & (*n - 1)) != 0 || *n > 1024) return error(diag::bad_alignment, alignment_expr->span);
        local.alignment = static_cast<uint32_t>(*n);
    }
    Value value;
    value.type = local.type;
    value.span = span;
    value.expr = ir::make(value.type, span, ir::LocalRef{add_local(function_, std::move(local))});
    return value;
}

Value Inference::special_len(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, "len", "1", static_cast<int>(node.args.size()));
    if (const auto* call = node.args[0]->as<ast::Call>()) {
        ir::Block unused;
        const Value callee = lower(*call->func, unused);
        const auto* builtin = callee.entity ? std::get_if<const Builtin*>(&*callee.entity) : nullptr;
        if (builtin && (*builtin)->special == Special::range) {
            Value length;
            length.span = span;
            length.expr = iterable_range(*call, out).length;
            if (length.expr) length.type = length.expr->type;
            return length;
        }
    }
    Value value = lower(*node.args[0], out);
    if (value.is_unknown()) return value;
    if (value.type.is_array()) return shape_of(*value.expr, 0, span);
    if (value.type.is_tuple()) return of_const(Const{Const::Int(static_cast<int64_t>(value.type.size())), {}}, span);
    return error(diag::no_overload, span, "len",
                 value.is_runtime() ? std::string_view(value.type.name()) : std::string_view("this"));
}

// Numba: the result has the arguments' unified type; pairwise from the left.
Value Inference::special_min_max(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> values = arguments(site);
    const bool of_tuple = values.size() == 1 && values[0].type.is_tuple();
    if (of_tuple) values = elements(std::move(values[0]), out);
    if (values.size() < 2 && !(values.size() == 1 && values[0].is_unknown()))
        return error(diag::wrong_argument_count, span, builtin.name, "2 or more", static_cast<int>(values.size()));
    for (const Value& value : values) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        if (!value.type.is_scalar() || value.type.is_complex())
            return error(diag::no_overload, span, builtin.name, std::string_view(value.type.name()));
    }
    // Two floats go through fmin and fmax, where a NaN loses; everything else compares in Python's order, where it may
    // stay.
    const bool in_order = of_tuple || values.size() != 2 || !values[0].type.is_float() || !values[1].type.is_float();
    Value result = std::move(values[0]);
    for (size_t i = 1; i < values.size(); ++i)
        result = lesser_or_greater(builtin, std::move(result), std::move(values[i]), in_order, span);
    return result;
}

Value Inference::lesser_or_greater(const Builtin& builtin, Value lhs, Value rhs, bool in_order, Span span) {
    Value result;
    result.span = span;
    result.type = meet(lhs, rhs);
    result.is_weak = lhs.is_weak && rhs.is_weak;
    const Builtin& row = in_order && result.type.is_float()
                             ? *find_builtin(builtin.special == Special::min ? "pyk.lesser" : "pyk.greater")
                             : builtin;
    result.effects = lhs.effects | rhs.effects;
    ir::BuiltinCall call{&row, {}};
    call.args.push_back(in_type(lhs, result.type));
    call.args.push_back(in_type(rhs, result.type));
    result.expr = ir::make(result.type, span, std::move(call));
    return result;
}

// Rows that become conversions, operators and tuples of them: int, float, bool, pow, divmod.
Value Inference::special_arithmetic(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> values = arguments(site);
    std::vector<Type> types;
    for (Value& value : values) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        types.push_back(value.type);
    }
    const size_t wanted = builtin.special == Special::pow || builtin.special == Special::divmod ? 2 : 1;
    if (values.size() != wanted)
        return error(diag::wrong_argument_count, span, builtin.name, std::string_view(std::to_string(wanted)),
                     static_cast<int>(values.size()));
    if (builtin.special == Special::pow) return binary(BinaryOp::Pow, std::move(values[0]), std::move(values[1]), span);
    const auto resolution = resolve_call(builtin, types);
    if (!resolution) return error(diag::no_overload, span, builtin.name, std::string_view(types[0].name()));
    if (builtin.special != Special::divmod)
        return cast_to(result_of_call(resolution->result, types), std::move(values[0]), span);
    const auto part = [&](BinaryOp op) {
        std::vector<Value> operands(2);
        for (size_t i = 0; i < 2; ++i) {
            operands[i] =
                is_narrow() ? duplicate(values[i]) : converted(duplicate(values[i]), resolution->operands[i], span);
        }
        return binary(op, std::move(operands[0]), std::move(operands[1]), span);
    };
    for (Value& value : values)
        if (!value.is_trivial()) value = spill(std::move(value), "value", out);
    std::vector<Value> both;
    both.push_back(part(BinaryOp::FloorDiv));
    both.push_back(part(BinaryOp::Mod));
    return make_tuple(std::move(both), span);
}

}  // namespace pyk
