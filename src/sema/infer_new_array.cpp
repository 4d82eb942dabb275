// Arrays that functions make which the host calls: NumPy's constructors, copies, and what operators and functions of
// whole arrays give. Their memory lives as long as something holds it (emit/kept.h).
#include <algorithm>

#include "sema/infer.h"
#include "sema/list_uses.h"

namespace pyk {
namespace {

constexpr size_t kMostArguments = 4;

struct Constructor {
    std::string_view name;
    std::array<std::string_view, kMostArguments> params;
};
constexpr Constructor kConstructors[] = {
    {"zeros", {"shape", "dtype"}},
    {"empty", {"shape", "dtype"}},
    {"ones", {"shape", "dtype"}},
    {"full", {"shape", "fill_value", "dtype"}},
    {"zeros_like", {"a", "dtype"}},
    {"empty_like", {"a", "dtype"}},
    {"ones_like", {"a", "dtype"}},
    {"full_like", {"a", "fill_value", "dtype"}},
    {"copy", {"a"}},
    {"array", {"object", "dtype"}},
    {"arange", {"start", "stop", "step", "dtype"}},
    {"linspace", {"start", "stop", "num"}},
    {"eye", {"N", "M", "k", "dtype"}},
    {"identity", {"n", "dtype"}},
};

const Constructor* constructor_of(std::string_view path) {
    constexpr std::string_view kModule = "numpy.";
    if (!path.starts_with(kModule)) return nullptr;
    const auto* found = std::ranges::find(kConstructors, path.substr(kModule.size()), &Constructor::name);
    return found == std::end(kConstructors) ? nullptr : found;
}

/// Of `list(items)`; null: it is another expression.
const ast::Expr* items_of_list(const ast::Expr& expr) {
    const auto* call = expr.as<ast::Call>();
    const auto* name = call ? call->func->as<ast::Name>() : nullptr;
    const bool is_list = name && name->id == "list" && call->args.size() == 1 && call->keywords.empty();
    return is_list ? &*call->args[0] : nullptr;
}

std::span<const ast::ExprRef> items_of(const ast::Expr& expr, bool& is_display) {
    const auto* list = expr.as<ast::ListExpr>();
    const auto* tuple = expr.as<ast::Tuple>();
    is_display = list || tuple;
    return list    ? std::span<const ast::ExprRef>(list->elts)
           : tuple ? std::span<const ast::ExprRef>(tuple->elts)
                   : std::span<const ast::ExprRef>();
}

}  // namespace

/// A call of a constructor, its arguments by the parameters' places.
struct Inference::NewArrayCall {
    Inference& inference;
    const Constructor& constructor;
    Span span;
    ir::Block& out;
    std::array<const ast::Expr*, kMostArguments> arguments{};

    bool has(size_t place) const { return arguments[place] != nullptr; }
    /// Unknown: reported.
    Value value(size_t place) const { return named(inference.lower(*arguments[place], out)); }
    Value named(Value value) const {
        if (value.is_unknown() || !inference.needs_value(value, value.span)) return Value();
        return value.is_trivial() ? std::move(value) : inference.spill(std::move(value), "value", out);
    }
    /// `np.array(t)` of a tuple of numbers, or of tuples of them.
    Value of_sequence(Value sequence) const;
    /// `np.array(2.5)`: an array without axes.
    Value of_number(Value number) const;
    /// Its elements in C order; `width`: of its rows, 0: it has one axis.
    Value of_values(std::vector<Value> values, size_t width) const;
    /// False: reported. Of records there are arrays of zeros, and such whose elements are not said.
    bool dtype(size_t place, Type& type) const {
        const ast::Expr* written = arguments[place];
        const auto* constant = written ? written->as<ast::Constant>() : nullptr;
        if (!written || (constant && std::holds_alternative<ast::NoneValue>(constant->value))) return true;
        const auto named = inference.dtype_of(*written);
        const bool may_be_record = constructor.name.starts_with("zeros") || constructor.name.starts_with("empty");
        if (!named || !(named->is_scalar() || is_time(*named) || (named->is_record() && may_be_record))) {
            inference.error(diag::not_a_dtype, written->span);
            return false;
        }
        type = *named;
        return true;
    }
};

bool Inference::makes_array(std::string_view path) const {
    return specializer_.can_allocate() && constructor_of(path) != nullptr;
}

Value Inference::numpy_array(std::string_view path, const ast::Call& node, Span span, ir::Block& out) {
    const Constructor& constructor = *constructor_of(path);
    NewArrayCall call{*this, constructor, span, out};
    const auto most = static_cast<size_t>(
        std::ranges::count_if(constructor.params, [](std::string_view param) { return !param.empty(); }));
    const auto wrong_count = [&] {
        return error(diag::wrong_argument_count, span, path, std::string_view(fmt::format("1 to {}", most)),
                     static_cast<int>(node.args.size() + node.keywords.size()));
    };
    if (node.args.size() > most) return wrong_count();
    std::ranges::copy(node.args, call.arguments.begin());
    for (const ast::Keyword& keyword : node.keywords) {
        const auto known = std::span(constructor.params).first(most);
        const auto at = std::ranges::find(known, keyword.arg);
        if (at == known.end()) return unknown_parameter(path, keyword.arg, known, keyword.span);
        const ast::Expr*& place = call.arguments[static_cast<size_t>(at - known.begin())];
        if (place) return error(diag::parameter_twice, keyword.span, path, keyword.arg);
        place = keyword.value;
    }
    const bool only_stop = constructor.name == "arange" && call.has(1);
    if (!call.has(0) && !only_stop) return wrong_count();
    if (constructor.name == "arange") return counted_array(call);
    if (constructor.name == "linspace") return call.has(1) ? spaced_array(call) : wrong_count();
    if (constructor.name == "array") {
        const ast::Expr* items = items_of_list(*call.arguments[0]);
        if (items && !names_.index("list") && !scope_.lookup("list")) call.arguments[0] = items;
        const auto repeated = repeated_item(*call.arguments[0]);
        if (repeated && !repeated->count->as<ast::Constant>()) {
            NewArrayCall full{*this, *constructor_of("numpy.full"), span, out};
            full.arguments = {repeated->count, repeated->item, call.arguments[1]};
            return filled_array(full);
        }
        return array_of_items(call);
    }
    if (constructor.name == "eye" || constructor.name == "identity") return identity_array(call);
    if (constructor.params[0] == "a" && !constructor.name.ends_with("_like")) {
        Value array = call.value(0);
        if (array.is_unknown()) return Value();
        if (!array.type.is_array()) return error(diag::not_an_array, array.span, path, array.type.name());
        const Type element = array.type.element();
        return copied_array(std::move(array), element, span, out);
    }
    return filled_array(call);
}

// An integer, or a tuple of them. False: reported.
bool Inference::shape_from(Value shape, std::string_view name, std::vector<Value>& extents, ir::Block& out) {
    const Span span = shape.span;
    if (is_sequence(shape.type))
        extents = elements(std::move(shape), out);
    else
        extents.push_back(std::move(shape));
    const bool fits = extents.size() <= 8 && std::ranges::all_of(extents, [](const Value& extent) {
                          return extent.is_runtime() && extent.type.is_integer();
                      });
    if (!fits) error(diag::new_array_shape, span, name);
    return fits;
}

// In C order, named by a temporary.
Value Inference::new_array(Type element, std::vector<Value> extents, bool is_zeroed, Span span, ir::Block& out) {
    if (!element.is_scalar() && !element.is_distinct() && !element.is_record())
        return error(diag::no_overload, span, "np.empty", std::string_view(element.name()));
    std::vector<ir::ExprPtr> args;
    if (extents.empty()) {
        extents.push_back(of_const(Const{Const::Int(1), {}}, span));
        args.push_back(new_array(element, std::move(extents), is_zeroed, span, out).expr);
        return spill(made_by("pyk.cell", Type::array(element, 0, Layout::C), std::move(args), Effects::none, span),
                     "array", out);
    }
    for (Value& extent : extents) args.push_back(ir::convert(std::move(extent.expr), Scalar::int64));
    const Type type = Type::array(element, static_cast<int>(extents.size()), Layout::C);
    return spill(made_by(is_zeroed ? BuiltinName("pyk.new_zeros") : "pyk.new_array", type, std::move(args),
                         Effects::ordered, span),
                 "array", out);
}

// zeros, empty, ones, full, and these of the shape of another array.
Value Inference::filled_array(const NewArrayCall& call) {
    const std::string_view name = call.constructor.name;
    const bool is_like = name.ends_with("_like"), is_full = name.starts_with("full");
    Value first = call.value(0);
    if (first.is_unknown()) return Value();
    std::vector<Value> extents;
    Type element = Scalar::float64;
    if (is_like) {
        if (!first.type.is_array()) return error(diag::not_an_array, first.span, name, first.type.name());
        element = first.type.element();
        extents = extents_of(first, call.span);
    } else if (!shape_from(std::move(first), name, extents, call.out)) {
        return Value();
    }
    Value fill;
    if (is_full) {
        if (!call.has(1)) return error(diag::wrong_argument_count, call.span, name, "2 to 3", 1);
        fill = call.value(1);
        if (fill.is_unknown()) return Value();
        if (!is_like) element = fill.type;
    } else if (name.starts_with("ones")) {
        fill = of_const(Const{Const::Int(1), {}}, call.span);
    }
    if (!call.dtype(is_full ? 2 : 1, element)) return Value();
    Value array = new_array(element, std::move(extents), name.starts_with("zeros"), call.span, call.out);
    if (fill.is_runtime() && array.is_runtime()) store_view(duplicate(array), std::move(fill), call.span, call.out);
    return array;
}

void Inference::fill_by(std::string_view function, std::vector<Value> args, Span span, ir::Block& out) {
    Value done = call_instance(library_function(function), std::move(args), span);
    if (done.expr) out.push_back({statement_, ir::Evaluate{std::move(done.expr)}});
}

// `np.arange`: integers unless one of its arguments is real.
Value Inference::counted_array(const NewArrayCall& call) {
    const bool has_start = call.has(1) && call.has(0);
    Value start = has_start ? call.value(0) : of_const(Const{Const::Int(0), {}}, call.span);
    Value stop = call.value(call.has(1) ? 1 : 0);
    Value step = call.has(2) ? call.value(2) : of_const(Const{Const::Int(1), {}}, call.span);
    Type element = Scalar::int64;
    for (const Value* value : {&start, &stop, &step}) {
        if (value->is_unknown()) return Value();
        if (!value->type.is_integer() && !value->type.is_float())
            return error(diag::no_overload, value->span, "np.arange", std::string_view(value->type.name()));
        if (value->type.is_float()) element = Scalar::float64;
    }
    if (!call.dtype(3, element)) return Value();
    std::vector<Value> args;
    args.push_back(duplicate(start));
    args.push_back(std::move(stop));
    args.push_back(duplicate(step));
    std::vector<Value> extents;
    extents.push_back(call_instance(library_function("pyk_count"), std::move(args), call.span));
    if (extents[0].is_unknown()) return Value();
    Value array = new_array(element, std::move(extents), false, call.span, call.out);
    std::vector<Value> fill;
    fill.push_back(duplicate(array));
    fill.push_back(std::move(start));
    fill.push_back(std::move(step));
    fill_by("pyk_arange", std::move(fill), call.span, call.out);
    return array;
}

Value Inference::spaced_array(const NewArrayCall& call) {
    std::vector<Value> args(1), extents;
    args.push_back(call.value(0));
    args.push_back(call.value(1));
    Value count = call.has(2) ? call.value(2) : of_const(Const{Const::Int(50), {}}, call.span);
    Type element = Scalar::float64;
    for (const Value* value : {&args[1], &args[2], &count}) {
        if (value->is_unknown()) return Value();
        const bool is_complex = value != &count && value->type.is_complex();
        if (is_complex) element = Scalar::complex128;
        if (!value->type.is_integer() && !value->type.is_float() && !is_complex)
            return error(diag::no_overload, value->span, "np.linspace", std::string_view(value->type.name()));
    }
    if (!shape_from(std::move(count), "np.linspace", extents, call.out)) return Value();
    Value array = new_array(element, std::move(extents), false, call.span, call.out);
    args[0] = duplicate(array);
    fill_by("pyk_linspace", std::move(args), call.span, call.out);
    return array;
}

Value Inference::identity_array(const NewArrayCall& call) {
    const bool is_eye = call.constructor.name == "eye";
    Value rows = call.value(0);
    Value columns = is_eye && call.has(1) ? call.value(1) : duplicate(rows);
    Value shift = is_eye && call.has(2) ? call.value(2) : of_const(Const{Const::Int(0), {}}, call.span);
    Type element = Scalar::float64;
    if (rows.is_unknown() || columns.is_unknown() || shift.is_unknown() || !call.dtype(is_eye ? 3 : 1, element))
        return Value();
    std::vector<Value> extents;
    extents.push_back(std::move(rows));
    extents.push_back(std::move(columns));
    Value shape = make_tuple(std::move(extents), call.span);
    std::vector<Value> checked;
    if (!shape_from(std::move(shape), call.constructor.name, checked, call.out)) return Value();
    Value array = new_array(element, std::move(checked), true, call.span, call.out);
    std::vector<Value> args;
    args.push_back(duplicate(array));
    args.push_back(std::move(shift));
    fill_by("pyk_eye", std::move(args), call.span, call.out);
    return array;
}

// `np.array([a, b])`, of rows too; of an array it is a copy.
Value Inference::array_of_items(const NewArrayCall& call) {
    if (const auto* rounds = call.arguments[0]->as<ast::ListComp>()) {
        Type element;
        return call.dtype(1, element) ? comprehension(*rounds, element, call.span, call.out) : Value();
    }
    bool is_display = false, rows_are_displays = false;
    std::vector<ast::ExprRef> items;
    const auto written = items_of(*call.arguments[0], is_display);
    if (!is_display) {
        Value object = lower(*call.arguments[0], call.out);
        if (is_range(object)) object = call_instance(library_function("array_of_range"), parts_of(object), call.span);
        object = call.named(std::move(object));
        if (object.is_unknown()) return Value();
        if (is_sequence(object.type)) return call.of_sequence(std::move(object));
        if (object.type.is_scalar()) return call.of_number(std::move(object));
        if (!object.type.is_array()) return error(diag::not_an_array, object.span, "np.array", object.type.name());
        Type element = object.type.element();
        return call.dtype(1, element) ? copied_array(std::move(object), element, call.span, call.out) : Value();
    }
    size_t width = 0;
    for (const ast::Expr* item : written) {
        const auto row = items_of(*item, is_display);
        if (item == written.front()) {
            rows_are_displays = is_display;
            width = row.size();
        }
        if (is_display != rows_are_displays || row.size() != width)
            return error(diag::not_an_array, item->span, "np.array", std::string("rows of several lengths"));
        if (rows_are_displays)
            items.insert(items.end(), row.begin(), row.end());
        else
            items.push_back(item);
    }
    return call.of_values(lower_list(items, call.out), rows_are_displays ? width : 0);
}

Value Inference::NewArrayCall::of_sequence(Value sequence) const {
    std::vector<Value> rows = inference.elements(std::move(sequence), out), values;
    if (rows.empty() || !is_sequence(rows[0].type)) return of_values(std::move(rows), 0);
    const size_t width = rows[0].type.elements().size();
    for (Value& row : rows) {
        if (!is_sequence(row.type) || row.type.elements().size() != width)
            return inference.error(diag::not_an_array, span, "np.array", std::string("rows of several lengths"));
        std::ranges::move(inference.elements(std::move(row), out), std::back_inserter(values));
    }
    return of_values(std::move(values), width);
}

Value Inference::array_of_sequence(Value sequence, ir::Block& out) {
    const NewArrayCall call{*this, *constructor_of("numpy.array"), sequence.span, out};
    return call.of_sequence(std::move(sequence));
}

Value Inference::NewArrayCall::of_number(Value number) const {
    Type element = number.type;
    if (!dtype(1, element)) return Value();
    Value array = inference.new_array(element, {}, false, span, out);
    if (array.is_runtime()) inference.store_view(pyk::duplicate(array), std::move(number), span, out);
    return array;
}

Value Inference::NewArrayCall::of_values(std::vector<Value> values, size_t width) const {
    std::vector<Type> types;
    for (Value& value : values) {
        if (value.is_unknown() || !inference.needs_value(value, value.span)) return Value();
        if (!value.is_trivial()) value = inference.spill(std::move(value), "value", out);
        types.push_back(value.type);
    }
    if (types.empty()) return inference.error(diag::not_an_array, span, "np.array", std::string("nothing"));
    Type element = unify(types);
    if (!element || !element.is_scalar())
        return inference.error(diag::no_overload, span, "np.array", std::string_view(types[0].name()));
    if (!dtype(1, element)) return Value();
    std::vector<Value> extents;
    const auto integer = [&](size_t n) {
        return inference.of_const(Const{Const::Int(static_cast<int64_t>(n)), {}}, span);
    };
    if (width > 0) extents.push_back(integer(values.size() / width));
    extents.push_back(integer(width > 0 ? width : values.size()));
    Value array = inference.new_array(element, std::move(extents), false, span, out);
    for (size_t i = 0; i < values.size(); ++i) {
        std::vector<ir::Index> at;
        const auto add = [&](size_t index) {
            at.push_back({ir::integer(static_cast<int64_t>(index), Scalar::int64, span), false});
        };
        if (width > 0) add(i / width);
        add(width > 0 ? i % width : i);
        inference.store_element(duplicate(array), std::move(at), std::move(values[i]), span, out);
    }
    return array;
}

Value Inference::copied_array(Value array, Type element, Span span, ir::Block& out) {
    if (!array.is_trivial()) array = spill(std::move(array), "array", out);
    Value copy = new_array(element, extents_of(array, span), false, span, out);
    if (copy.is_runtime()) store_view(duplicate(copy), std::move(array), span, out);
    return copy;
}

// `a.copy()`, `a.astype(dtype)`, `a.flatten()`.
Value Inference::special_new_array(const CallSite& site) {
    const std::string_view name = site.builtin.name.substr(site.builtin.name.find('.') + 1);
    if (!specializer_.can_allocate())
        return error(diag::new_array_in_kernel, site.span, name, "pass an array for the result, and store to it");
    const bool has_type = name == "astype";
    if (site.node.args.size() + site.node.keywords.size() != static_cast<size_t>(has_type))
        return error(diag::wrong_argument_count, site.span, name, has_type ? "1" : "0",
                     static_cast<int>(site.node.args.size()));
    Value array = duplicate(*site.receiver);
    Type element = array.type.element();
    if (has_type) {
        const ast::Expr& written = site.node.args.empty() ? *site.node.keywords[0].value : *site.node.args[0];
        const auto named = dtype_of(written);
        if (!named || !named->is_scalar()) return error(diag::not_a_dtype, written.span);
        element = *named;
    }
    Value copy = copied_array(std::move(array), element, site.span, site.out);
    return name == "flatten" && copy.is_runtime() && copy.type.ndim() != 1 ? flattened(std::move(copy), site.span)
                                                                           : std::move(copy);
}

// What a function of NumPy's gives of whole arrays; of those without axes a number.
Value Inference::array_from(const Builtin& builtin, std::vector<Value> operands, Span span, ir::Block& out) {
    for (const Value& operand : operands)
        if (operand.is_unknown() || !needs_value(operand, operand.span)) return Value();
    const auto compute = [&](std::vector<Value> items) { return ufunc(builtin, std::move(items), span); };
    const bool has_axes = std::ranges::any_of(
        operands, [](const Value& operand) { return operand.type.is_array() && operand.type.ndim() > 0; });
    if (has_axes) return array_of(compute, std::move(operands), span, out);
    for (Value& operand : operands)
        if (operand.type.is_array()) operand = element(std::move(operand), {}, span);
    return compute(std::move(operands));
}

// `pyk.map(f, a, b)` of the library: what a function gives of numbers; of arrays, for their elements. What is known
// when compiling (None) is passed on.
Value Inference::special_map(const CallSite& site) {
    std::vector<Value> all = arguments(site);
    if (std::ranges::any_of(all, &Value::is_unknown)) return Value();
    const FunctionInfo& function = *std::get<const FunctionInfo*>(*all[0].entity);
    all.erase(all.begin());
    std::vector<Value> operands;
    for (const Value& value : all)
        if (value.is_runtime()) operands.push_back(duplicate(value));
    const auto compute = [&](std::vector<Value> items) {
        std::vector<Value> values;
        size_t next = 0;
        for (const Value& value : all)
            values.push_back(value.is_runtime() ? std::move(items[next++]) : duplicate(value));
        return call_instance(function, std::move(values), site.span);
    };
    const bool has_array = std::ranges::any_of(operands, [](const Value& value) { return value.type.is_array(); });
    if (!has_array) return compute(std::move(operands));
    if (!specializer_.can_allocate()) return error(diag::array_result, site.span, site.builtin.name, site.builtin.name);
    return array_of(compute, std::move(operands), site.span, site.out);
}

// A new array of what `compute` gives for elements of the operands, broadcast to one shape.
Value Inference::array_of(const std::function<Value(std::vector<Value>)>& compute, std::vector<Value> operands,
                          Span span, ir::Block& out) {
    int axes = 0;
    std::vector<Value> items;
    for (Value& operand : operands) {
        if (!operand.is_trivial()) operand = spill(std::move(operand), "value", out);
        if (!operand.type.is_array()) {
            items.push_back(duplicate(operand));
            continue;
        }
        axes = std::max(axes, operand.type.ndim());
        std::vector<ir::Index> first;
        for (int axis = 0; axis < operand.type.ndim(); ++axis)
            first.push_back({ir::integer(0, Scalar::int64, span), false});
        items.push_back(element(duplicate(operand), std::move(first), span));
    }
    const Type element = compute(std::move(items)).type;
    if (!element) return Value();
    std::vector<Value> extents;
    for (int axis = 0; axis < axes; ++axis) {
        Value extent;
        for (const Value& operand : operands) {
            const int own = operand.type.is_array() ? axis - (axes - operand.type.ndim()) : -1;
            if (own < 0) continue;
            Value one = shape_of(*operand.expr, static_cast<uint32_t>(own), span);
            if (!extent.expr) {
                extent = std::move(one);
                continue;
            }
            ir::ExprPtr is_one =
                ir::binary(BinaryOp::Eq, clone(*extent.expr), ir::integer(1, Scalar::int64, span), span);
            extent.expr = ir::make(Scalar::int64, span,
                                   ir::Select{std::move(is_one), std::move(one.expr), std::move(extent.expr)});
            extent.constant.reset();
        }
        extents.push_back(std::move(extent));
    }
    Value target = new_array(element, std::move(extents), false, span, out);
    if (target.is_runtime()) elementwise(duplicate(target), std::move(operands), compute, span, out);
    return target;
}

// The arrays that a call or a choice gives, and views whose bounds do something, are held by a name: each use of them
// would do it again.
Value Inference::kept_result(Value result, ir::Block& out) {
    if (!result.is_runtime() || !result.expr) return result;
    const bool is_made = result.expr->as<ir::Call>() || result.expr->as<ir::Select>();
    if (!is_made && !is_action(result.effects)) return result;
    const bool has_array = result.type.is_array() ||
                           (result.type.is_tuple() && std::ranges::any_of(result.type.elements(), &Type::is_array));
    return has_array ? spill(std::move(result), "array", out) : std::move(result);
}

}  // namespace pyk
