// Attributes and methods of arrays. None of them copies elements.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

Layout transposed(const Type& array) {
    if (array.ndim() == 1 || array.layout() == Layout::A) return array.layout();
    return array.layout() == Layout::C ? Layout::F : Layout::C;
}

/// The axes in the order that `np.moveaxis` gives them. Where axes are not known, or one is named twice, not all are
/// there.
std::vector<int> order_with_moved(int ndim, const std::vector<Value>& from, const std::vector<Value>& to) {
    std::vector<int> order(static_cast<size_t>(ndim), -1);
    std::vector<bool> is_moved(order.size());
    const auto axis_of = [&](const Value& value) {
        const auto at = value.constant ? to_int(*value.constant) : std::nullopt;
        return at && *at >= -ndim && *at < ndim ? static_cast<int>((*at + ndim) % ndim) : -1;
    };
    if (from.size() != to.size()) return {};
    for (size_t i = 0; i < from.size(); ++i) {
        const int source = axis_of(from[i]), target = axis_of(to[i]);
        if (source < 0 || target < 0) return {};
        order[static_cast<size_t>(target)] = source;
        is_moved[static_cast<size_t>(source)] = true;
    }
    int next = 0;
    for (int& axis : order) {
        if (axis >= 0) continue;
        while (next < ndim && is_moved[static_cast<size_t>(next)]) ++next;
        axis = next++;
    }
    return order;
}

}  // namespace

Value Inference::shape_of(const ir::Expr& array, uint32_t axis, Span span) {
    Value value;
    value.type = Scalar::int64;
    value.span = span;
    value.is_weak = is_narrow();
    value.expr = ir::make(value.type, span, ir::ShapeOf{clone(array), axis});
    if (const auto* field = array.as<ir::RecordField>())
        value.constant = Const{Const::Int(field->record->type.fields()[field->field].shape[axis]), {}};
    if (const auto* table = array.as<ir::ConstantRef>())
        value.constant = Const{Const::Int(specializer_.extents(table->id)[axis]), {}};
    if (const auto* local = array.as<ir::LocalRef>()) {
        const ir::Local& storage = function_.local(local->id);
        if (axis < storage.shape.size() && storage.shape[axis] != 0)
            value.constant = Const{Const::Int(storage.shape[axis]), {}};
    }
    return value;
}

Value Inference::size_of(ir::ExprPtr array, Span span) {
    Value value;
    value.type = Scalar::int64;
    value.span = span;
    value.is_weak = is_narrow();
    std::optional<Const::Int> known = 1;  // of a table of the module, or of shared or local memory
    for (int axis = 0; axis < array->type.ndim() && known; ++axis) {
        const auto extent = shape_of(*array, static_cast<uint32_t>(axis), span).constant;
        known = extent ? std::optional(*known * *extent->as<Const::Int>()) : std::nullopt;
    }
    if (known) value.constant = Const{*known, {}};
    value.expr = ir::make(value.type, span, ir::SizeOf{std::move(array)});
    return value;
}

// A row whose result's type sema knows: a view of an array, an address.
Value Inference::made_by(const Builtin& row, Type type, std::vector<ir::ExprPtr> args, Effects effects, Span span) {
    Value value;
    value.type = type;
    value.span = span;
    value.effects = effects;
    value.expr = ir::make(type, span, ir::BuiltinCall{&row, std::move(args)});
    return value;
}

// Unknown: there is no such attribute.
Value Inference::array_attribute(Value array, std::string_view name, Span span) {
    const Type type = array.type;
    const auto constant = [&](int64_t v) { return of_const(Const{Const::Int(v), {}}, span); };
    const auto item_size = static_cast<int64_t>(type.element().byte_size());
    Value result;
    result.span = span;
    result.effects = array.effects;
    if (name == "shape" || name == "strides") {
        std::vector<Value> parts;
        for (int axis = 0; axis < type.ndim(); ++axis) {
            if (name == "shape") {
                parts.push_back(shape_of(*array.expr, static_cast<uint32_t>(axis), span));
                continue;
            }
            std::vector<ir::ExprPtr> args;
            args.push_back(clone(*array.expr));
            args.push_back(ir::integer(axis, Scalar::int32, span));
            parts.push_back(made_by("pyk.stride", Scalar::int64, std::move(args), array.effects, span));
        }
        return make_tuple(std::move(parts), span);
    }
    if (name == "ndim") return constant(type.ndim());
    if (name == "itemsize") return constant(item_size);
    if (name == "size") return size_of(std::move(array.expr), span);
    if (name == "nbytes") return binary(BinaryOp::Mul, size_of(std::move(array.expr), span), constant(item_size), span);
    if (name == "dtype") {
        result.entity = TypeName{type.element()};
        return result;
    }
    if (name == "T") {
        if (type.ndim() <= 1) return array;
        result.type = Type::array(type.element(), type.ndim(), transposed(type), type.readonly(), type.aligned());
        result.expr = ir::make(result.type, span, ir::Transpose{std::move(array.expr)});
        return result;
    }
    if (name == "real" || name == "imag") return array_component(std::move(array), name == "real", span);
    if (name == "flat") {
        if (type.ndim() == 1) return array;
        if (type.layout() == Layout::C) return flattened(std::move(array), span);
        result.entity = &builtin("pyk.flat");
        result.receiver = std::make_shared<const Value>(std::move(array));
        return result;
    }
    return Value();
}

// `a.flags.c_contiguous`, `a.ctypes.data`: attributes of what is no value of its own. Unknown: not such an attribute.
Value Inference::array_part(Value array, std::string_view part, std::string_view name, Span span) {
    const Type type = array.type;
    const auto flag = [&](bool value) { return of_const(Const{value, {}}, span); };
    if (part == "flags") {
        const bool c = type.layout() == Layout::C, f = type.layout() == Layout::F;
        if (name == "contiguous") return flag(c || f);
        if (name == "c_contiguous") return flag(c);
        if (name == "f_contiguous") return flag(f || (c && type.ndim() <= 1));
    } else if (part == "ctypes" && name == "data") {
        std::vector<ir::ExprPtr> args;
        args.push_back(std::move(array.expr));
        return made_by("pyk.address", Scalar::uint64, std::move(args), array.effects, span);
    }
    return Value();
}

// A C array as one axis.
Value Inference::flattened(Value array, Span span) {
    const Type type = Type::array(array.type.element(), 1, Layout::C, array.type.readonly(), array.type.aligned());
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    return made_by("pyk.axis", type, std::move(args), array.effects, span);
}

// `a.reshape(…)`, `np.reshape(a, …)` and the like; `item`.
Value Inference::special_view(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    const std::string_view name = builtin.name.substr(builtin.name.find('.') + 1);
    const bool has_axes = name == "transpose" && !receiver && node.args.size() == 1 && node.keywords.size() == 1 &&
                          node.keywords[0].arg == "axes";
    if (!node.keywords.empty() && !has_axes) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    if (name == "view") return reinterpreted(site);
    std::vector<Value> values = arguments(site);
    if (has_axes) values.push_back(lower(*node.keywords[0].value, out));
    if (values.empty()) return error(diag::wrong_argument_count, span, builtin.name, "1 or more", 0);
    for (const Value& value : values)
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    Value array = std::move(values[0]);
    values.erase(values.begin());
    if (!array.type.is_array()) return error(diag::not_an_array, array.span, builtin.name, array.type.name());
    const Type type = array.type;
    if (values.size() == 1 && is_sequence(values[0].type)) values = elements(std::move(values[0]), out);
    if (name == "reshape" && values.empty() && node.args.size() == static_cast<size_t>(!receiver))
        return error(diag::wrong_argument_count, span, "reshape", "1 or more", 0);
    if (name == "reshape") return reshaped(std::move(array), std::move(values), span);
    if (name == "swapaxes") return swapped(std::move(array), values, span);
    if (name == "moveaxis") {
        if (values.size() != 2)
            return error(diag::wrong_argument_count, span, builtin.name, "3", static_cast<int>(values.size() + 1));
        std::vector<Value> places[2];
        for (size_t i = 0; i < 2; ++i) {
            if (is_sequence(values[i].type))
                places[i] = elements(std::move(values[i]), out);
            else
                places[i].push_back(std::move(values[i]));
        }
        std::vector<Value> order;
        for (const int axis : order_with_moved(type.ndim(), places[0], places[1]))
            order.push_back(of_const(Const{Const::Int(axis), {}}, span));
        return permuted(std::move(array), std::move(order), span);
    }
    if (name == "restrided") {
        std::vector<ir::ExprPtr> args;
        Effects effects = array.effects;
        args.push_back(std::move(array.expr));
        for (Value& tuple : values)
            for (Value& number : elements(std::move(tuple), out)) {
                effects = effects | number.effects;
                args.push_back(ir::convert(std::move(number.expr), Scalar::int64));
            }
        const int ndim = static_cast<int>(args.size() / 2);
        const Type view = Type::array(type.element(), ndim, Layout::A, type.readonly(), type.aligned());
        return made_by(builtin, view, std::move(args), effects, span);
    }
    if (name == "transpose" && !values.empty()) return permuted(std::move(array), std::move(values), span);
    if (!values.empty())
        return error(diag::wrong_argument_count, span, builtin.name, "0", static_cast<int>(values.size()));
    if (name == "transpose") return array_attribute(std::move(array), "T", span);
    if (name == "item") return only_element(std::move(array), span);
    if (type.layout() != Layout::C) {
        if (!specializer_.can_allocate()) return error(diag::needs_contiguous, span, builtin.name, type.name());
        array = copied_array(std::move(array), type.element(), span, out);
        if (array.is_unknown()) return Value();
    }
    return type.ndim() == 1 ? std::move(array) : flattened(std::move(array), span);
}

// `a.fill(value)`.
Value Inference::special_fill(const CallSite& site) {
    if (!has_arguments(site, 1)) return Value();
    std::vector<Value> values = arguments(site);
    for (const Value& value : values)
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    const Type type = values[0].type;
    if (type.readonly()) return cannot_store(values[0], site.span);
    store_view(std::move(values[0]), std::move(values[1]), site.span, site.out);
    return of_const(Const{Const::None{}, {}}, site.span);
}

Value Inference::reshaped(Value array, std::vector<Value> extents, Span span) {
    if (array.type.layout() == Layout::A || (extents.empty() && array.type.layout() != Layout::C))
        return error(diag::needs_contiguous, span, "reshape", array.type.name());
    if (array.type.ndim() == 0) array = flattened(std::move(array), span);
    std::vector<ir::ExprPtr> args;
    Effects effects = array.effects;
    args.push_back(std::move(array.expr));
    int unknown = 0;
    for (Value& extent : extents) {
        if (!extent.type.is_integer()) return error(diag::not_an_integer, extent.span, "reshape", extent.type.name());
        if (extent.constant) unknown += to_int(*extent.constant) == -1;
        effects = effects | extent.effects;
        args.push_back(ir::convert(std::move(extent.expr), Scalar::int64));
    }
    if (unknown > 1) return error(diag::several_open_extents, span, unknown);
    const Type type = Type::array(array.type.element(), static_cast<int>(extents.size()), array.type.layout(),
                                  array.type.readonly(), array.type.aligned());
    return made_by(extents.empty() ? BuiltinName("pyk.cell") : "array.reshape", type, std::move(args), effects, span);
}

// `np.swapaxes(a, i, j)`.
Value Inference::swapped(Value array, const std::vector<Value>& two, Span span) {
    if (two.size() != 2) return error(diag::wrong_argument_count, span, "swapaxes", "2", static_cast<int>(two.size()));
    const int ndim = array.type.ndim();
    std::vector<Value> axes;
    for (int axis = 0; axis < ndim; ++axis) axes.push_back(of_const(Const{Const::Int(axis), {}}, span));
    size_t places[2];
    for (size_t i = 0; i < 2; ++i) {
        auto at = two[i].constant ? to_int(*two[i].constant) : std::nullopt;
        if (!at) return not_constant(two[i].span);
        if (*at < 0) *at += ndim;
        if (*at < 0 || *at >= ndim) return error(diag::bad_axes, span, array.type.name());
        places[i] = static_cast<size_t>(*at);
    }
    std::swap(axes[places[0]], axes[places[1]]);
    return permuted(std::move(array), std::move(axes), span);
}

Value Inference::permuted(Value array, std::vector<Value> axes, Span span) {
    const int ndim = array.type.ndim();
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    std::vector<bool> seen(static_cast<size_t>(ndim));
    for (const Value& axis : axes) {
        auto at = axis.constant ? to_int(*axis.constant) : std::nullopt;
        if (!at) return not_constant(axis.span);
        if (*at < 0) *at += ndim;
        if (*at < 0 || *at >= ndim || seen[static_cast<size_t>(*at)] || axes.size() != seen.size())
            return error(diag::bad_axes, span, array.type.name());
        seen[static_cast<size_t>(*at)] = true;
        args.push_back(ir::integer(*at, Scalar::int32, span));
    }
    const Type type = Type::array(array.type.element(), ndim, Layout::A, array.type.readonly(), array.type.aligned());
    return made_by("array.transpose", type, std::move(args), array.effects, span);
}

// `a.view(dtype)`: the same bytes. The contiguous axis gets longer or shorter where the sizes differ.
Value Inference::reinterpreted(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.size() != 1)
        return error(diag::wrong_argument_count, span, builtin.name, "1", static_cast<int>(node.args.size()));
    const auto dtype = dtype_of(*node.args[0]);
    if (!dtype || !(dtype->is_scalar() || dtype->is_vector() || dtype->is_distinct()))
        return error(diag::not_a_dtype, node.args[0]->span);
    Value array = duplicate(*receiver);
    const Type from = array.type;
    const bool is_cell = from.ndim() == 0, keeps_size = from.element().byte_size() == dtype->byte_size();
    if (is_cell && !keeps_size) return error(diag::no_overload, span, builtin.name, std::string_view(from.name()));
    if (is_cell) array = flattened(std::move(array), span);
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    const Type type = Type::array(*dtype, array.type.ndim(), from.layout(), from.readonly());
    Value view = made_by("array.view", type, std::move(args), array.effects, span);
    return is_cell ? reshaped(std::move(view), {}, span) : std::move(view);
}

// The element of an array that has one; any other array ends the thread, as in Numba.
Value Inference::only_element(Value array, Span span) {
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    const Type type = array.type.element();
    return made_by("array.item", type, std::move(args), array.effects | Effects::reads, span);
}

}  // namespace pyk
