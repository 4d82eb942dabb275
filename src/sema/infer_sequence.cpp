// Ranges and slices as values, and what loops over more than arrays, tuples and ranges: `enumerate`, `zip`, `reversed`,
// `np.ndindex`, `np.ndenumerate`, `np.nditer`, `array.flat`.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

constexpr int64_t kNone = INT64_MIN;  // the prelude's `none`

/// len(range(start, stop, step)); nullopt: 64 bits do not hold it.
std::optional<int64_t> count_of_range(int64_t start, int64_t stop, int64_t step) {
    if (step == 0 || (step > 0 ? start >= stop : start <= stop)) return 0;
    const auto from = static_cast<uint64_t>(start), to = static_cast<uint64_t>(stop), by = static_cast<uint64_t>(step);
    const uint64_t count = step > 0 ? (to - from - 1) / by + 1 : (from - to - 1) / (0 - by) + 1;
    return count <= INT64_MAX ? std::optional(static_cast<int64_t>(count)) : std::nullopt;
}

/// The row that a value known before run time names; null: it is none.
const Builtin* row_of(const Value& value) {
    const auto* builtin = value.entity ? std::get_if<const Builtin*>(&*value.entity) : nullptr;
    return builtin ? *builtin : nullptr;
}

}  // namespace

bool Inference::is_range(const Value& value) {
    const Builtin* row = row_of(value);
    return row && row->special == Special::range && value.receiver;
}
bool Inference::is_slice_object(const Value& value) {
    const Builtin* row = row_of(value);
    return row && row->special == Special::slice && value.receiver;
}
bool Inference::is_flat(const Value& value) {
    const Builtin* row = row_of(value);
    return row && *row == "pyk.flat" && value.receiver;
}

// A value that later statements read: a variable may have another one by then. A number has not, nor a parameter that
// nothing assigns, nor the shape of such.
Value Inference::as_it_is(Value value, std::string_view name, ir::Block& out) {
    const auto stays = [&](const ir::Expr& expr) {
        const auto* ref = expr.as<ir::LocalRef>();
        if (!ref) return expr.as<ir::Constant>() || expr.as<ir::ConstantRef>();
        const ir::Local& local = function_.local(ref->id);
        const auto index = names_.index(local.name);
        return local.storage == ir::Storage::parameter && index && definitions_of(*index) == 1;
    };
    const auto* extent = value.expr ? value.expr->as<ir::ShapeOf>() : nullptr;
    if (!value.expr || stays(extent ? *extent->array : *value.expr)) return value;
    return spill(std::move(value), name, out);
}

// A value that stands for the row, with what it was made of.
Value Inference::bound_to(const Builtin& builtin, std::vector<Value> parts, Span span, ir::Block& out) {
    for (Value& part : parts) part = as_it_is(std::move(part), "bound", out);
    Value value;
    value.entity = &builtin;
    value.span = span;
    value.receiver = std::make_shared<const Value>(make_tuple(std::move(parts), span));
    return value;
}

std::vector<Value> Inference::parts_of(const Value& bound) {
    ir::Block none;
    return elements(duplicate(*bound.receiver), none);
}

// `range(…)` outside of a loop's head.
Value Inference::special_range(const CallSite& site) {
    auto args = range_args(site.node, site.out);
    return args ? bound_to(site.builtin, std::move(*args), site.span, site.out) : Value();
}

// A part of a slice that is left out.
Value Inference::no_bound(Span span) {
    Value part;
    part.span = span;
    part.type = Scalar::int64;
    part.expr = ir::integer(kNone, Scalar::int64, span);
    return part;
}

Value Inference::special_slice(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.empty() || node.args.size() > 3 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, "slice", "1 to 3", static_cast<int>(node.args.size()));
    std::vector<Value> parts = lower_list(node.args, out);
    for (Value& part : parts) {
        if (part.constant && part.constant->as<Const::None>()) {
            part = no_bound(part.span);
            continue;
        }
        if (part.is_unknown() || !needs_value(part, part.span)) return Value();
        if (!part.type.is_integer() && !part.type.is_float())
            return error(diag::not_an_integer, part.span, "slice", part.type.name());
        part = converted(std::move(part), Scalar::int64, part.span);
    }
    if (parts.size() == 1) parts.insert(parts.begin(), no_bound(span));
    if (parts.size() == 2) parts.push_back(no_bound(span));
    return bound_to(builtin, std::move(parts), span, out);
}

ir::SliceOf Inference::slice_parts(const Value& slice) {
    std::vector<Value> parts = parts_of(slice);
    const auto part = [](Value& value) {
        return ir::integer_value(*value.expr) == kNone ? nullptr : std::move(value.expr);
    };
    ir::SliceOf result;
    result.start = part(parts[0]);
    result.stop = part(parts[1]);
    result.step = part(parts[2]);
    return result;
}

// `s.start` and its like: what is left out is what an array from its first element to its last would take.
Value Inference::slice_part(const Value& slice, size_t index, Span span) {
    constexpr int64_t kWhole[] = {0, INT64_MAX, 1};
    Value part = std::move(parts_of(slice)[index]);
    if (ir::integer_value(*part.expr) == kNone) part.expr = ir::integer(kWhole[index], Scalar::int64, span);
    return part;
}

// As plainly as its parts let it be said: `4` of `range(4)`, `max(n, 0)` of `range(n)`.
Value Inference::range_length(const Value& range, Span span) {
    std::vector<Value> args = parts_of(range);
    const auto start = ir::integer_value(*args[0].expr), stop = ir::integer_value(*args[1].expr),
               step = ir::integer_value(*args[2].expr);
    Value length;
    length.type = Scalar::int64;
    length.span = span;
    const bool is_known = args[0].type.is_signed() && start && stop && step;
    if (const auto known = is_known ? count_of_range(*start, *stop, *step) : std::nullopt) {
        length.expr = ir::integer(*known, Scalar::int64, span);
        return length;
    }
    if (start == 0 && step == 1 && args[1].type.is_signed()) {
        length.expr = ir::integer(0, Scalar::int64, span);
        std::vector<Value> chosen;
        chosen.push_back(converted(std::move(args[1]), Scalar::int64, span));
        chosen.push_back(std::move(length));
        return resolved(builtin("max"), std::move(chosen), span);
    }
    return converted(resolved(builtin("pyk.range_length"), std::move(args), span), Scalar::int64, span);
}

// `r[i]`.
Value Inference::range_item(const Value& range, Value index, Span span) {
    if (index.is_unknown() || !needs_value(index, index.span)) return Value();
    if (!index.type.is_integer()) return error(diag::index_type, index.span, index.type.name());
    std::vector<Value> args = parts_of(range);
    const Type type = args[0].type;
    args.push_back(converted(std::move(index), Scalar::int64, span));
    std::vector<ir::ExprPtr> exprs;
    Effects effects = Effects::none;
    for (Value& arg : args) {
        effects = effects | arg.effects;
        exprs.push_back(std::move(arg.expr));
    }
    return made_by("pyk.range_at", type, std::move(exprs), effects, span);
}

// `x in r`.
Value Inference::in_range(Value item, const Value& range, Span span) {
    if (item.is_unknown() || !needs_value(item, item.span)) return Value();
    if (!item.type.is_integer() && !item.type.is_boolean())
        return error(diag::not_an_integer, item.span, "in", item.type.name());
    std::vector<Value> args = parts_of(range);
    args.push_back(std::move(item));
    for (Value& arg : args) arg = converted(std::move(arg), Scalar::int64, span);
    return resolved(builtin("pyk.range_has"), std::move(args), span);
}

// --- what loops run over -----
Iterable Inference::iterable_range(const Value& range, Span span) {
    std::vector<Value> args = parts_of(range);
    const Type type = args[0].type;
    auto start = std::make_shared<Value>(std::move(args[0])), step = std::make_shared<Value>(std::move(args[2]));
    return {range_length(range, span).expr, [type, start, step, span](ir::ExprPtr counter, ir::Block&) {
                ir::ExprPtr offset = ir::make(
                    type, span, ir::Binary{BinaryOp::Mul, convert(std::move(counter), type), clone(*step->expr)});
                Value item;
                item.type = type;
                item.span = span;
                item.expr = ir::make(type, span, ir::Binary{BinaryOp::Add, clone(*start->expr), std::move(offset)});
                return item;
            }};
}

// The indices of an element, by its place in C order.
std::vector<ir::ExprPtr> Inference::unravelled(const ir::Expr& counter, const std::vector<Value>& extents) {
    const Span span = counter.span;
    std::vector<ir::ExprPtr> indices(extents.size());
    const auto op = [&](BinaryOp o, ir::ExprPtr a, ir::ExprPtr b) {
        return ir::make(Scalar::int64, span, ir::Binary{o, std::move(a), std::move(b)});
    };
    ir::ExprPtr behind;
    for (size_t axis = extents.size(); axis-- > 0;) {
        ir::ExprPtr index = clone(counter);
        if (behind) index = op(BinaryOp::FloorDiv, std::move(index), clone(*behind));
        if (axis > 0) index = op(BinaryOp::Mod, std::move(index), clone(*extents[axis].expr));
        indices[axis] = std::move(index);
        ir::ExprPtr extent = clone(*extents[axis].expr);
        behind = behind ? op(BinaryOp::Mul, std::move(extent), std::move(behind)) : std::move(extent);
    }
    return indices;
}

ir::ExprPtr Inference::product(const std::vector<Value>& extents, Span span) {
    ir::ExprPtr result;
    for (const Value& extent : extents) {
        ir::ExprPtr factor = clone(*extent.expr);
        result = result ? ir::make(Scalar::int64, span, ir::Binary{BinaryOp::Mul, std::move(result), std::move(factor)})
                        : std::move(factor);
    }
    return result ? std::move(result) : ir::integer(1, Scalar::int64, span);
}

Value Inference::index_tuple(const ir::Expr& counter, const std::vector<Value>& extents, Span span) {
    std::vector<Value> items;
    for (ir::ExprPtr& index : unravelled(counter, extents)) {
        Value item;
        item.type = Scalar::int64;
        item.span = span;
        item.is_weak = is_narrow();
        item.expr = std::move(index);
        items.push_back(std::move(item));
    }
    return make_tuple(std::move(items), span);
}

Value Inference::flat_element(const Value& array, const ir::Expr& counter, Span span) {
    std::vector<ir::Index> at;
    for (ir::ExprPtr& index : unravelled(counter, extents_of(array, span))) at.push_back({std::move(index), false});
    return element(duplicate(array), std::move(at), span);
}

// `a.flat[i] = value`.
void Inference::store_flat(const Value& flat, Value index, Value value, Span span, ir::Block& out) {
    Value place = flat_subscript(flat, std::move(index), span);
    auto* node = place.expr ? place.expr->as<ir::Element>() : nullptr;
    if (!node) return;
    Value array = duplicate(*flat.receiver);
    if (array.type.readonly()) {
        cannot_store(array, span);
        return;
    }
    store_element(std::move(array), std::move(node->indices), std::move(value), span, out);
}

// `a.flat[i] += v`: the index is evaluated once.
void Inference::update_flat(BinaryOp op, const Value& flat, const ast::Subscript& target, const ast::Expr& operand,
                            Span span, ir::Block& out) {
    Value index = lower(*target.slice, out);
    if (index.expr && !index.is_trivial()) index = spill(std::move(index), "i", out);
    Value current = flat_subscript(flat, duplicate(index), target.slice->span);
    ir::Block later;
    Value value = lower(operand, later);
    if (current.is_unknown()) return;
    if (!later.empty() || is_action(value.effects)) current = spill(std::move(current), "current", out);
    std::ranges::move(later, std::back_inserter(out));
    store_flat(flat, std::move(index), binary(op, std::move(current), std::move(value), span), span, out);
}

// `a.flat[i]`.
Value Inference::flat_subscript(const Value& flat, Value index, Span span) {
    if (index.is_unknown() || !needs_value(index, index.span)) return Value();
    if (!index.type.is_integer()) return error(diag::index_type, index.span, index.type.name());
    const Value& array = *flat.receiver;
    ir::ExprPtr at = ir::convert(std::move(index.expr), Scalar::int64);
    if (index.type.is_signed()) {
        ir::ExprPtr below =
            ir::make(Scalar::boolean, span, ir::Binary{BinaryOp::Lt, clone(*at), ir::integer(0, Scalar::int64, span)});
        ir::ExprPtr from_end = ir::binary(BinaryOp::Add, clone(*at), size_of(clone(*array.expr), span).expr, span);
        at = ir::make(Scalar::int64, span, ir::Select{std::move(below), std::move(from_end), std::move(at)});
    }
    return flat_element(array, *at, span);
}

std::vector<Value> Inference::extents_of(const Value& array, Span span) {
    std::vector<Value> extents;
    for (int axis = 0; axis < array.type.ndim(); ++axis)
        extents.push_back(shape_of(*array.expr, static_cast<uint32_t>(axis), span));
    return extents;
}

// `np.ndindex(a, b)`, `np.ndindex(a.shape)`.
Iterable Inference::iterable_ndindex(const ast::Call& call, Span span, ir::Block& out) {
    std::vector<Value> extents = lower_list(call.args, out);
    for (const Value& extent : extents)
        if (extent.is_unknown() || !needs_value(extent, extent.span)) return {};
    if (extents.size() == 1 && is_sequence(extents[0].type)) extents = elements(std::move(extents[0]), out);
    for (Value& extent : extents) {
        if (!extent.type.is_integer()) {
            error(diag::not_an_integer, extent.span, "np.ndindex", extent.type.name());
            return {};
        }
        extent = converted(std::move(extent), Scalar::int64, span);
        extent = as_it_is(std::move(extent), "extent", out);
    }
    auto shape = std::make_shared<std::vector<Value>>(std::move(extents));
    return {product(*shape, span),
            [this, shape, span](ir::ExprPtr counter, ir::Block&) { return index_tuple(*counter, *shape, span); }};
}

// The elements of an array in C order; with their indices for `np.ndenumerate`.
Iterable Inference::iterable_elements(Value array, bool with_indices, bool stays, ir::Block& out) {
    const Span span = array.span;
    auto base = std::make_shared<Value>(stays ? std::move(array) : spill(std::move(array), "items", out));
    return {size_of(clone(*base->expr), span).expr, [this, base, with_indices, span](ir::ExprPtr counter, ir::Block&) {
                Value item = flat_element(*base, *counter, span);
                if (!with_indices) return item;
                std::vector<Value> pair;
                pair.push_back(index_tuple(*counter, extents_of(*base, span), span));
                pair.push_back(std::move(item));
                return make_tuple(std::move(pair), span);
            }};
}

Iterable Inference::iterable_enumerate(const ast::Call& call, Span span, ir::Block& out) {
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg != "start" || call.args.size() > 1) {
            error(diag::unknown_parameter, keyword.span, "enumerate", keyword.arg);
            return {};
        }
    Iterable inner = iterable_unfiltered(*call.args[0], out);
    const ast::Expr* given = call.args.size() > 1    ? call.args[1]
                             : call.keywords.empty() ? nullptr
                                                     : &*call.keywords[0].value;
    auto start = std::make_shared<Value>();
    if (given) *start = spill(converted(lower(*given, out), Scalar::int64, span), "start", out);
    return {std::move(inner.length), [this, inner = inner.item, start, span](ir::ExprPtr counter, ir::Block& body) {
                Value number;
                number.type = Scalar::int64;
                number.span = span;
                number.expr = clone(*counter);
                if (start->expr)
                    number.expr = ir::make(Scalar::int64, span,
                                           ir::Binary{BinaryOp::Add, clone(*start->expr), std::move(number.expr)});
                number.is_weak = is_narrow();
                std::vector<Value> pair;
                pair.push_back(std::move(number));
                pair.push_back(inner(std::move(counter), body));
                return make_tuple(std::move(pair), span);
            }};
}

Iterable Inference::iterable_zip(const ast::Call& call, Span span, ir::Block& out) {
    std::vector<Iterable> all;
    for (const ast::Expr* arg : call.args) all.push_back(iterable_unfiltered(*arg, out));
    return zipped(std::move(all), span);
}

// Tuples of what several give at one place.
Iterable Inference::zipped(std::vector<Iterable> all, Span span) {
    ir::ExprPtr length = shortest(all, span);
    auto parts = std::make_shared<std::vector<Iterable>>(std::move(all));
    return {std::move(length), [this, parts, span](ir::ExprPtr counter, ir::Block& body) {
                std::vector<Value> items;
                for (const Iterable& part : *parts) items.push_back(part.item(clone(*counter), body));
                return make_tuple(std::move(items), span);
            }};
}

Iterable Inference::iterable_reversed(const ast::Call& call, Span span, ir::Block& out) {
    Iterable inner = iterable_unfiltered(*call.args[0], out);
    if (!inner.length) return {};
    Value last;
    last.type = Scalar::int64;
    last.span = span;
    last.expr = ir::binary(BinaryOp::Sub, clone(*inner.length), ir::integer(1, Scalar::int64, span), span);
    auto end = std::make_shared<Value>(spill(std::move(last), "last", out));
    return {std::move(inner.length), [inner = inner.item, end, span](ir::ExprPtr counter, ir::Block& body) {
                return inner(ir::binary(BinaryOp::Sub, clone(*end->expr), std::move(counter), span), body);
            }};
}

// `map(f, a, …)`: `f` of the items at one place.
Iterable Inference::iterable_map(const ast::Call& call, Span span, ir::Block& out) {
    auto function = std::make_shared<Value>(lower(*call.args[0], out));
    if (function->is_unknown()) return {};
    if (call.args.size() == 1) {
        error(diag::wrong_argument_count, span, "map", "2 or more", 1);
        return {};
    }
    auto parts = std::make_shared<std::vector<Iterable>>();
    for (const ast::Expr* arg : call.args.subspan(1)) parts->push_back(iterable_unfiltered(*arg, out));
    ir::ExprPtr length = shortest(*parts, span);
    return {std::move(length), [this, function, parts, &call, span](ir::ExprPtr counter, ir::Block& body) {
                std::vector<Value> args;
                for (const Iterable& part : *parts) args.push_back(part.item(clone(*counter), body));
                return call_value(*function, std::move(args), {call.args[0], {}, {}}, span, body);
            }};
}

// `filter(f, a)`: the items for which `f` is true; those that are true themselves, where `f` is None.
Iterable Inference::iterable_filter(const ast::Call& call, ir::Block& out) {
    auto function = std::make_shared<Value>(lower(*call.args[0], out));
    if (function->is_unknown()) return {};
    if (call.args.size() != 2) {
        error(diag::wrong_argument_count, call.func->span, "filter", "2", static_cast<int>(call.args.size()));
        return {};
    }
    Iterable result = iterable_unfiltered(*call.args[1], out);
    result.passes = [this, function, &call](Value item, ir::Block& body) {
        if (function->constant && function->constant->as<Const::None>()) return item;
        std::vector<Value> args;
        args.push_back(std::move(item));
        return call_value(*function, std::move(args), {call.args[0], {}, {}}, call.func->span, body);
    };
    return result;
}

// What is counted from outside: the items of a filter have no places.
Iterable Inference::iterable_unfiltered(const ast::Expr& expr, ir::Block& out) {
    Iterable result = iterable(expr, out);
    if (!result.passes) return result;
    error(diag::only_in_for, expr.span, "filter");
    return {};
}

// `np.nditer((a, b))`: the elements at one place of arrays of one shape, in Fortran's order where more arrays have that
// than C's, as in Numba; other shapes end the thread, as by `raise`.
Iterable Inference::iterable_together(ast::ExprList written, Span span, ir::Block& out) {
    std::vector<Value> arrays;
    for (const ast::Expr* one : written) {
        Value array = lower(*one, out);
        if (array.is_unknown()) return {};
        if (!array.type.is_array() || (!arrays.empty() && array.type.ndim() != arrays[0].type.ndim())) {
            error(diag::not_an_array, one->span, "np.nditer", described(array));
            return {};
        }
        arrays.push_back(stays(*one) ? std::move(array) : spill(std::move(array), "items", out));
    }
    const auto extent = [&](const Value& array, uint32_t axis) {
        return ir::make(Scalar::int64, span, ir::ShapeOf{clone(*array.expr), axis});
    };
    for (size_t i = 1; i < arrays.size(); ++i)
        for (uint32_t axis = 0; axis < static_cast<uint32_t>(arrays[0].type.ndim()); ++axis) {
            ir::If differs{ir::binary(BinaryOp::Ne, extent(arrays[0], axis), extent(arrays[i], axis), span), {}, {}};
            differs.then.push_back({span, ir::Raise{"ValueError: nditer(): operands could not be broadcast together"}});
            out.push_back({span, std::move(differs)});
        }
    const auto of_layout = [&](Layout layout) {
        return std::ranges::count_if(arrays, [&](const Value& array) { return array.type.layout() == layout; });
    };
    const bool is_turned = of_layout(Layout::F) > of_layout(Layout::C);
    std::vector<Iterable> parts;
    for (Value& array : arrays) {
        if (is_turned) array = array_attribute(std::move(array), "T", span);
        parts.push_back(iterable_elements(std::move(array), false, !is_turned, out));
    }
    return zipped(std::move(parts), span);
}

// The length of what ends with the first of several; null: one of them is not iterable.
ir::ExprPtr Inference::shortest(std::vector<Iterable>& all, Span span) {
    ir::ExprPtr length = std::move(all[0].length);
    for (size_t i = 1; i < all.size() && length; ++i) {
        if (!all[i].length) return nullptr;
        const auto known = ir::integer_value(*length), other = ir::integer_value(*all[i].length);
        if (known && other) {
            length = ir::integer(std::min(*known, *other), Scalar::int64, span);
            continue;
        }
        Value shorter, next;
        shorter.type = next.type = Scalar::int64;
        shorter.expr = std::move(length);
        next.expr = std::move(all[i].length);
        length = lesser_or_greater(builtin("min"), std::move(shorter), std::move(next), false, span).expr;
    }
    return length;
}

// A call in the head of a loop that gives no value of its own. nullopt: it is another call.
std::optional<Iterable> Inference::iterable_call(const ast::Call& call, Span span, ir::Block& out) {
    ir::Block unused;
    const Builtin* row = row_of(lower(*call.func, unused));
    if (!row || row->special != Special::iterator) return std::nullopt;
    if (*row == "np.ndindex") return iterable_ndindex(call, span, out);
    if (call.args.empty()) {
        error(diag::wrong_argument_count, span, row->name, "1 or more", 0);
        return Iterable();
    }
    if (*row == "enumerate") return iterable_enumerate(call, span, out);
    if (*row == "zip") return iterable_zip(call, span, out);
    if (*row == "reversed") return iterable_reversed(call, span, out);
    if (*row == "map") return iterable_map(call, span, out);
    if (*row == "filter") return iterable_filter(call, out);
    if (*row == "iter") return iterable(*call.args[0], out);
    const auto* several = *row == "np.nditer" ? call.args[0]->as<ast::Tuple>() : nullptr;
    if (several && !several->elts.empty()) return iterable_together(several->elts, span, out);
    Value array = lower(*call.args[0], out);
    if (array.is_unknown()) return Iterable();
    if (!array.type.is_array()) {
        error(diag::not_an_array, array.span, row->name, described(array));
        return Iterable();
    }
    // In the order of memory, as Numba's np.nditer walks what is contiguous.
    if (*row == "np.nditer" && array.type.layout() == Layout::F) array = array_attribute(std::move(array), "T", span);
    return iterable_elements(std::move(array), *row == "np.ndenumerate", stays(*call.args[0]), out);
}

}  // namespace pyk
