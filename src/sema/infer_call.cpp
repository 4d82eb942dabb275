// Calls: builtins of the table, casts, the module's own functions.
#include "module/meant.h"
#include "sema/infer.h"

#include <algorithm>
#include <iterator>

#include "ir/thread_spread.h"
#include "module/const_text.h"
#include "module/free_names.h"
#include "support/fault.h"
#include "types/fp8.h"
#include "types/time.h"

namespace pyk {
namespace {

// Whether the function sees of a list what an array of its items has as well.
bool reads_items(Special special) {
    return special == Special::sum || special == Special::len || special == Special::min || special == Special::max ||
           special == Special::python;
}

}  // namespace

Value Inference::lower_call(const ast::Expr& expr, const ast::Call& node, ir::Block& out) {
    const Span span = expr.span;
    for (const ast::Keyword& keyword : node.keywords)
        if (keyword.arg.empty())
            return error(diag::unsupported_syntax, keyword.span, "`**` arguments", "write each argument");
    const auto* named = node.func->as<ast::Name>();
    const bool is_lambda = node.func->as<ast::Lambda>() != nullptr;
    Value callee = named       ? lower_name(*named, node.func->span)
                   : is_lambda ? make_function(scope_.function_of(*node.func), node.func->span, "lambda", out)
                               : lower(*node.func, out);
    if (named && callee.is_unknown() && !names_.index(named->id) && scope_.is_opaque(named->id) &&
        scope_.names_to_define(*instance_.info).empty())
        diagnostics_.note(
            node.func->span,
            "if it is a function of C, `cuda.declare_device(name, signature, link=…, abi=\"c\")` declares it; "
            "`numba.cuda.libdevice` has `j0`, `erfinv`, `erfcx` and others as they are");
    const auto* nested = callee.entity ? std::get_if<std::shared_ptr<const Closure>>(&*callee.entity) : nullptr;
    if (nested && !(*nested)->info && names_.has_walrus()) return call_nested(std::move(callee), node, span, out);
    callee = bound(std::move(callee), out, true);
    if (callee.is_unknown()) {
        lower_list(node.args, out);
        return callee;
    }
    if (callee.entity)
        if (auto result = call_entity(callee, expr, node, out)) return *std::move(result);
    as_structure(callee);
    if (const FunctionInfo* method = method_of(callee.type, "__call__"))
        return kept_result(call_function(*method, nullptr, &callee, node, span, out), out);
    return not_callable(callee, node, span);
}

// The body of a nested function sees what the arguments assign.
Value Inference::call_nested(Value callee, const ast::Call& node, Span span, ir::Block& out) {
    std::vector<ast::ExprRef> written(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) written.push_back(keyword.value);
    std::vector<Value> given = lower_list(written, out);
    callee = bound(std::move(callee), out, true);
    if (callee.is_unknown() || std::ranges::any_of(given, &Value::is_unknown)) return Value();
    const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&*callee.entity);
    const FunctionInfo& info = closure ? *(*closure)->info : *std::get<const FunctionInfo*>(*callee.entity);
    return kept_result(call_function(info, closure ? closure->get() : nullptr, std::move(given), node, span), out);
}

// Of what exists before run time; nullopt: it cannot be called as such.
std::optional<Value> Inference::call_entity(const Value& callee, const ast::Expr& expr, const ast::Call& node,
                                            ir::Block& out) {
    const Span span = expr.span;
    const Entity& entity = *callee.entity;
    if (const auto* builtin = std::get_if<const Builtin*>(&entity)) return call_builtin(**builtin, callee, expr, out);
    if (const auto* type = std::get_if<TypeName>(&entity)) return call_cast(type->type, node, span, out);
    if (const auto* info = std::get_if<const FunctionInfo*>(&entity))
        return kept_result(call_function(**info, nullptr, callee.receiver.get(), node, span, out), out);
    if (const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&entity))
        return kept_result(call_function(*(*closure)->info, closure->get(), nullptr, node, span, out), out);
    if (const auto* info = std::get_if<const ClassInfo*>(&entity)) return call_class(**info, node, span, out);
    const auto* path = std::get_if<Path>(&entity);
    if (path && makes_array(path->name)) return numpy_array(path->name, node, span, out);
    if (path && path->name == "dataclasses.replace") return replaced_fields(node, span, out);
    const bool is_stencil = path && path->name == "stencil" && node.args.size() == 1;
    if (is_stencil && is_made_of_locals(*node.args[0]))
        return error(diag::unsupported_syntax, span, "stencils that are made of what the function has",
                     "decorate a function of the module with `@stencil`");
    if (const auto made = scope_.evaluate(expr))  // `np.datetime64('2020-01-01')`, `np.dtype("int64")`
        if (std::holds_alternative<Const>(*made) || std::holds_alternative<TypeName>(*made) || is_stencil)
            return of_entity(*made, span);
    if (path) return unknown_path(path->name, node.func->span);
    if (std::holds_alternative<const ModuleScope*>(entity))
        return error(diag::class_called, node.func->span, last_name(*node.func));
    return std::nullopt;
}

Value Inference::call_builtin(const Builtin& builtin, const Value& callee, const ast::Expr& expr, ir::Block& out) {
    const auto& node = *expr.as<ast::Call>();
    if (builtin.special == Special::float_ && node.args.size() == 1 && is_string(*node.args[0]))
        if (const auto number = scope_.evaluate(expr)) return of_entity(*number, expr.span);  // `float("nan")`
    // Of constants of the module, in a kernel: `np.sort(TABLE)`.
    if (builtin.special == Special::python && !specializer_.can_allocate() && !reads_local(expr))
        if (const auto known = scope_.evaluate(expr)) return of_entity(*known, expr.span);
    if (reads_items(builtin.special))
        std::ranges::copy_if(node.args, std::inserter(read_lists_, read_lists_.end()),
                             [](const ast::Expr* arg) { return arg->as<ast::ListComp>() != nullptr; });
    return special({builtin, node, expr.span, out, callee.receiver.get()});
}

bool Inference::is_made_of_locals(const ast::Expr& function) const {
    const auto* lambda = function.as<ast::Lambda>();
    return lambda ? std::ranges::any_of(free_names(*lambda),
                                        [&](std::string_view name) { return names_.index(name).has_value(); })
                  : reads_local(function);
}

Value Inference::not_callable(const Value& callee, const ast::Call& node, Span span) {
    const auto* named = node.func->as<ast::Name>();
    const std::string meant = without_call(callee, node);
    Value unknown = error(diag::not_callable, node.func->span, std::string_view(described(callee)));
    if (const auto index = named ? names_.index(named->id) : std::nullopt; index && scope_.lookup(named->id))
        diagnostics_.note(versions_[(*env_)[*index]].span, fmt::format("here `{}` became a variable", named->id));
    if (!meant.empty())
        diagnostics_.note(node.func->span, fmt::format("it is no function: write `{}`", meant))
            .suggest({fmt::format("write `{}`", meant), Applicability::maybe_incorrect, {{span, meant}}});
    return unknown;
}

bool Inference::reads_local(const ast::Expr& expr) const {
    const auto* name = expr.as<ast::Name>();
    bool found = name && names_.index(name->id);
    for_each_child(expr, [&](const ast::Expr& child) { found = found || reads_local(child); });
    return found;
}

// A call with arguments at hand; `node` is the call without them.
Value Inference::call_value(const Value& callee, std::vector<Value> args, const ast::Call& node, Span span,
                            ir::Block& out) {
    for (const Value& arg : args)
        if (arg.is_unknown()) return Value();
    if (callee.entity) {
        if (const auto* builtin = std::get_if<const Builtin*>(&*callee.entity))
            return special({**builtin, node, span, out, nullptr, &args});
        if (const auto* type = std::get_if<TypeName>(&*callee.entity); type && args.size() == 1)
            return cast_to(type->type, std::move(args[0]), span);
        if (const auto* info = std::get_if<const FunctionInfo*>(&*callee.entity))
            return call_function(**info, nullptr, std::move(args), node, span);
        if (const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&*callee.entity))
            return call_function(*(*closure)->info, closure->get(), std::move(args), node, span);
    }
    return error(diag::not_callable, node.func->span, std::string_view(described(callee)));
}

// The arguments as written, behind the value that a method was looked up on.
std::vector<Value> Inference::arguments(const CallSite& site) {
    if (site.given) return std::move(*site.given);
    std::vector<Value> values;
    if (site.receiver) values.push_back(duplicate(*site.receiver));
    for (Value& value : lower_list(site.node.args, site.out)) values.push_back(std::move(value));
    if (site.receiver) sequence(values, site.out);
    return values;
}

// The place that a row takes: the array's element at an index, at the first one where none is written.
Value Inference::element_of(const Builtin& builtin, Value value, bool is_first, Value* index, Span span,
                            ir::Block& out) {
    value = unwrapped(std::move(value));
    const bool is_pointer = value.type.is_pointer();
    if (is_pointer) value = pointed(std::move(value));
    if (!value.type.is_array()) return error(diag::not_an_array, value.span, builtin.name, value.type.name());
    if (!value.type.aligned()) return error(diag::unaligned_atomic, value.span, builtin.name);
    if (value.type.readonly() && any(builtin.effects & Effects::writes)) return cannot_store(value, value.span);
    std::vector<ir::Subscript> subscripts;
    Effects effects = value.effects;
    if (is_first) subscripts.emplace_back(ir::Index{ir::integer(0, Scalar::int64, span), false});
    // Numba's atomics cut off: `math.floor(x)` is a float, and so is an element of a tuple where int64 and uint64 meet.
    if (index && index->type.is_float()) *index = cast_to(Scalar::int64, std::move(*index), index->span);
    if (index && is_sequence(index->type) && std::ranges::any_of(index->type.elements(), &Type::is_float)) {
        std::vector<Value> axes = elements(std::move(*index), out);
        for (Value& axis : axes)
            if (axis.type.is_float()) axis = cast_to(Scalar::int64, std::move(axis), axis.span);
        *index = make_tuple(std::move(axes), span);
    }
    if (index && !add_subscript(std::move(*index), subscripts, effects, out)) return Value();
    if (is_pointer && !takes_as_written(subscripts, value.span)) return Value();
    if (static_cast<int>(subscripts.size()) != value.type.ndim())
        return error(diag::index_count, value.span, value.type.name(), static_cast<int>(subscripts.size()));
    ir::ElementRef ref{std::move(value.expr), {}};
    for (ir::Subscript& s : subscripts) ref.indices.push_back(std::move(std::get<ir::Index>(s)));
    ir::index_array_of_row(ref.array, ref.indices);
    value.type = value.type.element();
    value.expr = ir::make(value.type, value.span, std::move(ref));
    value.effects = effects;
    return value;
}

// A row whose rule says it all. A `ref` parameter takes two arguments: the array, and an index or a tuple of indices.
Value Inference::call_table(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    const Builtin* ordered = node.keywords.empty() ? nullptr : find_builtin(fmt::format("{}.ordered", builtin.name));
    if (!node.keywords.empty() && !ordered) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    if (is_value(builtin)) return error(diag::not_callable, node.func->span, builtin.name);
    std::vector<Value> order_and_scope;
    if (ordered && !memory_order(site, order_and_scope)) return Value();
    std::vector<Value> values = arguments(site);
    std::vector<Value> operands;
    bool known = true;
    size_t next = 0;
    const auto [least, most] = arity(builtin);
    int indices = 0;  // an array is one operand with the index behind it
    for (size_t i = 0; i < static_cast<size_t>(least); ++i)
        indices += is_ref(builtin, i) && default_of(builtin, i).empty();
    const auto wrong_count = [&, least = least, most = most] {
        const std::string wanted =
            least == most ? std::to_string(least + indices) : fmt::format("{} to {}", least + indices, most + indices);
        Value unknown = error(diag::wrong_argument_count, span, builtin.name, std::string_view(wanted),
                              static_cast<int>(values.size()));
        const std::string_view more = least > indices ? ", …" : "";
        const int axes = indices > 0 && values[0].type.is_array() ? values[0].type.ndim() : 0;
        if (axes > 1 && static_cast<int>(values.size()) == least + axes)
            diagnostics_.note(span, fmt::format("several indices are a tuple: `{}(a, (i, j{}){})`", builtin.name,
                                                axes > 2 ? ", …" : "", more));
        else if (indices > 0)
            diagnostics_.note(span, fmt::format("an array and the index come first: `{}(a, i{})`", builtin.name, more));
        if (builtin.name.starts_with("cuda.") && builtin.name.ends_with("_sync") &&
            static_cast<int>(values.size()) < least)
            diagnostics_.note(
                span, fmt::format("the mask of the lanes comes first: `{}(0xffffffff, value{})`", builtin.name, more));
        if (builtin == "cuda.atomic.compare_and_swap")
            diagnostics_.note(span, "it is for the first element; `cuda.atomic.cas(a, i, old, value)` for any");
        return unknown;
    };
    // Before one of them is taken for the index.
    const auto count = static_cast<int>(values.size());
    if ((indices > 0 && count < least + indices) || count > most + indices)
        return std::ranges::none_of(values, &Value::is_unknown) ? wrong_count() : Value();
    for (int i = 0; i < most && next < values.size(); ++i) {
        Value value = std::move(values[next++]);
        known &= needs_value(value, value.span);
        if (!is_ref(builtin, static_cast<size_t>(i)) || !known) {
            operands.push_back(std::move(value));
            continue;
        }
        const bool is_first = !default_of(builtin, static_cast<size_t>(i)).empty();  // no index is written
        const bool has_index = !is_first && next < values.size();
        value = element_of(builtin, std::move(value), is_first, has_index ? &values[next++] : nullptr, span, out);
        if (value.is_unknown()) return value;
        operands.push_back(std::move(value));
    }
    if (!known) return Value();
    if (static_cast<int>(operands.size()) < least || next < values.size()) return wrong_count();
    std::ranges::move(order_and_scope, std::back_inserter(operands));
    if (instance_.has_cpu_types)
        if (auto result = cpu_call(builtin, operands, span)) return std::move(*result);
    return resolved(ordered ? *ordered : builtin, std::move(operands), span);
}

// Of the first argument whose type no case of the row has: which types it may have.
void Inference::note_types_taken(const Builtin& builtin, std::span<const Type> types, Span span) {
    const bool is_complex = std::ranges::any_of(types, &Type::is_complex);
    if (is_complex && builtin.name.starts_with("math.") && find_builtin("c" + std::string(builtin.name))) {
        diagnostics_.note(span, fmt::format("`c{}` is for complex numbers", builtin.name));
        return;
    }
    for (size_t i = 0; i < types.size(); ++i) {
        if (is_integer(builtin, i) && types[i].is_integer()) continue;
        if (is_integer(builtin, i)) {
            diagnostics_.note(span, fmt::format("argument {} is an integer", i + 1));
            return;
        }
        const std::vector<Type> taken = types_of_parameter(builtin, i);
        const auto fits = [&](Type type) {
            const bool are_numbers = type.is_scalar() && types[i].is_scalar() && !types[i].is_complex();
            return type == types[i] || (are_numbers && !is_ref(builtin, i) && type.is_float());
        };
        const bool has_names = std::ranges::all_of(taken, [](Type type) { return static_cast<bool>(type); });
        if (taken.empty() || !has_names || std::ranges::any_of(taken, fits)) continue;
        std::string list;
        for (const Type& type : taken)
            list += (list.empty() ? "" : &type == &taken.back() ? " or " : ", ") + type.name();
        diagnostics_.note(span, is_ref(builtin, i) ? fmt::format("it is for arrays of {}", list)
                                                   : fmt::format("argument {} may be {}", i + 1, list));
        return;
    }
}

// The call of a row with operands at hand.
Value Inference::resolved(const Builtin& builtin, std::vector<Value> args, Span span) {
    Value result;
    result.span = span;
    std::vector<Type> types;
    for (Value& arg : args) {
        as_structure(arg);
        if (!arg.is_runtime() || !arg.expr) return result;
        if (!arg.is_weak) settle(arg);
        types.push_back(arg.is_weak ? narrow::settled(operand_of(arg)) : arg.type);
    }
    const bool is_index = builtin.name.starts_with("cuda.") && builtin.rule.starts_with("->");
    if (specializer_.can_allocate() && is_index && takes_thread(builtin))
        return error(diag::unsupported_syntax, span, "indices of threads",
                     "the host calls this one: loop over `range` or `prange`, or pass the index");
    if (types.size() == 1 && is_timedelta(types[0]))
        if (const Builtin* row = find_builtin(fmt::format("timedelta.{}", builtin.name)))
            return time_function(*row, types[0], std::move(args[0]), span);
    if (types.size() == 1 && types[0].is_tuple())
        if (auto known = by_method(fmt::format("__{}__", builtin.name), args[0], span)) return std::move(*known);
    auto resolution = resolve_call(builtin, types);
    if (!resolution) {
        std::string list;
        for (const Type& type : types) list += (list.empty() ? "" : ", ") + type.name();
        Value unknown = error(diag::no_overload, span, builtin.name, std::string_view(list));
        note_types_taken(builtin, types, span);
        return unknown;
    }
    // A function of `math` that keeps float16 is one of cuda.fp16.
    if (resolution->result.is(Scalar::float16) && builtin.name.starts_with("math."))
        return resolved(
            *find_builtin(fmt::format("cuda.fp16.h{}", builtin == "math.fabs" ? "abs" : builtin.name.substr(5))),
            std::move(args), span);
    const bool is_weak = is_weak_call(builtin, args);
    if (is_weak) {
        for (Type& operand : resolution->operands) operand = weak_type(operand);
        resolution->result = weak_type(resolution->result);
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
    result = converted(std::move(result), result_of_call(resolution->result, types), span);
    result.is_weak = is_weak && !result.type.is_boolean();
    return result;
}

// --- casts ---
Value Inference::call_cast(Type type, const ast::Call& node, Span span, ir::Block& out) {
    if (type.is_vector()) return call_vector(type, node, span, out);
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, std::string_view(type.name()), "1",
                     static_cast<int>(node.args.size()));
    Value value = lower(*node.args[0], out);
    if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    if (fp8_count(type) > 1) return pack_fp8(type, std::move(value), span, out);
    specializer_.note_cast(span, type);
    return cast_to(type, std::move(value), span);
}

Value Inference::cast_to(Type type, Value value, Span span) {
    const bool is_count = value.type.is_integer() && is_time(type);  // `a.dtype.type(0)`
    if ((is_time(value.type) && type.is(Scalar::int64)) || is_count) {
        value.expr = ir::convert(ir::convert(std::move(value.expr), Scalar::int64), type);
        value.type = type;
        value.constant.reset();
        return value;
    }
    if (is_time(type) && value.type == type) return value;
    if (is_fp8(type) || is_fp8(value.type)) return cast_fp8(type, std::move(value), span);
    const bool loses_part = value.type.is_complex() && !type.is_complex() && !type.is_boolean();
    if (!type.is_scalar() || !value.type.is_scalar() || loses_part) return cannot_convert(value.type, type, span);
    value.expr = in_type(value, type);
    if (value.constant) value.constant = cast(*value.constant, type);
    value.type = type;
    value.is_literal = value.is_weak = false;
    value.span = value.expr->span = span;
    return value;
}

// --- special rows ---
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

constexpr std::string_view kGridParameters[] = {"ndim", "dtype"};

// `cuda.grid(1)` is an integer, `cuda.grid(2)` and `(3)` are tuples: one call per axis.
Value Inference::special_grid(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    for (const ast::Keyword& keyword : node.keywords)
        if (std::ranges::find(kGridParameters, keyword.arg) == std::end(kGridParameters))
            return unknown_parameter(builtin.name, keyword.arg, kGridParameters, keyword.span);
    const auto by_name = std::ranges::find(node.keywords, "ndim", &ast::Keyword::arg);
    const bool is_named = by_name != node.keywords.end();
    if (node.args.size() + is_named != 1)
        return error(diag::wrong_argument_count, span, builtin.name, "1",
                     static_cast<int>(node.args.size() + is_named));
    const ast::Expr& written = is_named ? *by_name->value : *node.args[0];
    const Value count = lower(written, out);
    const auto n = count.constant ? to_int(*count.constant) : std::nullopt;
    if (!n || *n < 1 || *n > 3) return error(diag::grid_dimension, written.span, builtin.name);
    std::string suffix = is_narrow() ? ".int32" : "";
    for (const ast::Keyword& keyword : node.keywords) {
        if (keyword.arg != "dtype") continue;
        const auto type = dtype_of(*keyword.value);
        if (!type || !(type->is(Scalar::int32) || type->is(Scalar::uint32) || type->is(Scalar::int64)))
            return error(diag::no_overload, keyword.value->span, builtin.name,
                         type ? std::string_view(type->name()) : "this");
        suffix = type->is(Scalar::int64) ? "" : "." + type->name();
    }
    std::vector<Value> axes;
    for (const char axis : std::string_view("xyz").substr(0, static_cast<size_t>(*n)))
        axes.push_back(resolved(*find_builtin(fmt::format("{}.{}{}", builtin.name, axis, suffix)), {}, span));
    return *n == 1 ? std::move(axes[0]) : make_tuple(std::move(axes), span);
}

Value Inference::special_len(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, "len", "1", static_cast<int>(node.args.size()));
    Value value = let_go(unwrapped(lower(*node.args[0], out)), out);
    as_structure(value);
    if (value.is_unknown()) return value;
    if (is_range(value)) return range_length(value, span);
    if (is_flat(value)) return size_of(clone(*value.receiver->expr), span);
    if (is_parts(value)) return part_count(value);
    if (value.type.is_array() && value.type.ndim() > 0) return shape_of(*value.expr, 0, span);
    if (value.type.is_text()) return text_length(std::move(value), span);
    if (auto known = by_method("__len__", value, span)) return std::move(*known);
    if (is_sequence(value.type)) {
        const auto size = static_cast<int64_t>(done(std::move(value), out).type.size());
        return of_const(Const{Const::Int(size), {}}, span);
    }
    if (const auto* text = value.constant ? value.constant->as<std::string>() : nullptr)
        return of_const(Const{Const::Int(static_cast<int64_t>(characters_in(*text))), {}}, span);
    if (const auto fields = fields_of(value))
        return of_const(Const{Const::Int(static_cast<int64_t>(fields->as<Const::Tuple>()->size())), {}}, span);
    if (const auto* dict = value.constant ? value.constant->as<Const::Dict>() : nullptr)
        return of_const(Const{Const::Int(static_cast<int64_t>(dict->keys.size())), {}}, span);
    // A tuple that holds more than numbers: functions, texts, None.
    if (const auto* items = value.constant ? value.constant->as<Const::Tuple>() : nullptr)
        return of_const(Const{Const::Int(static_cast<int64_t>(items->size())), {}}, span);
    return error(diag::no_overload, span, "len", described(value));
}

// Numba: the result has the arguments' unified type; pairwise from the left.
Value Inference::special_min_max(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> values = arguments(site);
    if (values.size() == 1 && (values[0].type.is_array() || is_range(values[0])))
        return call_instance(library_function(builtin.special == Special::min ? "pyk_least" : "pyk_greatest"),
                             std::move(values), span);
    const bool of_tuple = values.size() == 1 && is_sequence(values[0].type);
    if (of_tuple) values = elements(std::move(values[0]), out);
    if (values.size() < 2 && !(values.size() == 1 && values[0].is_unknown()))
        return error(diag::wrong_argument_count, span, builtin.name, "2 or more", static_cast<int>(values.size()));
    for (Value& value : values) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        value = unwrapped(std::move(value));
        if (is_time(value.type) && value.type == values[0].type) continue;
        if (!value.type.is_scalar() || value.type.is_complex())
            return error(diag::no_overload, span, builtin.name, std::string_view(value.type.name()));
    }
    // Numba's CUDA compiler has fmin and fmax for two floats, where a NaN loses; everything else compares in Python's
    // order, where it may stay.
    const bool in_order = instance_.has_cpu_types || of_tuple || values.size() != 2 || !values[0].type.is_float() ||
                          !values[1].type.is_float();
    Value result = std::move(values[0]);
    for (size_t i = 1; i < values.size(); ++i)
        result = lesser_or_greater(builtin, std::move(result), std::move(values[i]), in_order, span);
    return result;
}

Value Inference::lesser_or_greater(const Builtin& builtin, Value lhs, Value rhs, bool in_order, Span span) {
    if (is_time(lhs.type) && lhs.type == rhs.type)
        return earlier_or_later(builtin, std::move(lhs), std::move(rhs), span);
    Value result;
    result.span = span;
    result.type = meet(lhs, rhs);
    result.is_weak = lhs.is_weak && rhs.is_weak;
    const Builtin& row = in_order && result.type.is_float()
                             ? pyk::builtin(builtin.special == Special::min ? BuiltinName("pyk.lesser") : "pyk.greater")
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
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> values = arguments(site);
    std::vector<Type> types;
    for (Value& value : values) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        value = unwrapped(std::move(value));
        if (value.type.is_array() && value.type.ndim() == 0) value = element(std::move(value), {}, span);
        types.push_back(value.type);
    }
    const size_t wanted = builtin.special == Special::pow || builtin.special == Special::divmod ? 2 : 1;
    if (values.size() != wanted)
        return error(diag::wrong_argument_count, span, builtin.name, std::string_view(std::to_string(wanted)),
                     static_cast<int>(values.size()));
    if (builtin.special == Special::bool_ && is_sequence(types[0])) return truth_of(std::move(values[0]), span, out);
    if (builtin.special == Special::pow) return binary(BinaryOp::Pow, std::move(values[0]), std::move(values[1]), span);
    if (builtin.special == Special::int_ && is_timedelta(types[0]))
        return cast_to(Scalar::int64, std::move(values[0]), span);
    if (builtin.special == Special::bool_ && is_fp8(types[0]))
        return cast_to(Scalar::boolean, std::move(values[0]), span);
    const auto resolution = resolve_call(builtin, types);
    if (!resolution) return error(diag::no_overload, span, builtin.name, std::string_view(types[0].name()));
    // Of a number of Python's, which stays one.
    if (builtin.special == Special::float_ && values[0].is_weak && !types[0].is_boolean()) {
        if (const auto known = values[0].constant ? cast(*values[0].constant, Scalar::float64) : std::nullopt)
            return of_const(Const{known->value, {}}, span);
        Value number = converted(std::move(values[0]), weak_type(Scalar::float32), span);
        number.is_weak = true;
        return number;
    }
    // Of an integer it is how Python makes a number real, and no wish for 64 bits.
    if (builtin.special == Special::float_ && types[0].is_float()) specializer_.note_cast(span, Scalar::float64);
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
