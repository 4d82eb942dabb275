// Subscripts: elements, views, tuples.
#include "ir/walk.h"
#include "sema/infer.h"
#include "sema/tuple_table.h"

#include <algorithm>

namespace pyk {
namespace {

bool is_slice(const ir::Subscript& s) { return std::holds_alternative<ir::SliceOf>(s); }

}  // namespace

Value Inference::lower_subscript(const ast::Subscript& node, Span span, ir::Block& out) {
    // An item of a list that is made for it is that of an array; a tuple would be a row.
    const auto* list = node.value->as<ast::ListComp>();
    if (list && !list->elt->as<ast::Tuple>() && !node.slice->as<ast::Slice>()) read_lists_.insert(&*node.value);
    Value base = unwrapped(lower(*node.value, out));
    if (base.is_unknown()) {
        ir::Block unused;
        if (!node.slice->as<ast::Slice>() && !node.slice->as<ast::Tuple>()) lower(*node.slice, unused);
        return base;
    }
    if (const auto* dict = base.constant ? base.constant->as<Const::Dict>() : nullptr) {
        const Value key = lower(*node.slice, out);
        for (size_t i = 0; key.constant && i < dict->keys.size(); ++i)
            if (key_of(dict->keys[i]) == key_of(*key.constant)) return of_entity(to_entity(dict->values[i]), span);
        return error(diag::not_a_key, node.slice->span);
    }
    if (const auto* info = base.entity ? std::get_if<const ClassInfo*>(&*base.entity) : nullptr) {
        if ((*info)->kind != ClassKind::enumeration) return not_subscriptable(base, span);
        const bool is_slice = node.slice->as<ast::Slice>();
        const Value key = is_slice ? Value() : lower(*node.slice, out);
        if (key.is_unknown() && !is_slice) return Value();
        const auto* name = key.constant ? key.constant->as<std::string>() : nullptr;
        if (!name)
            return error(diag::unsupported_syntax, node.slice->span,
                         "members of an enumeration by anything but their names",
                         fmt::format("write `{0}[\"A\"]`, or `{0}.A`", (*info)->name));
        const auto member = scope_.enum_member(**info, *name);
        return member ? of_const(*member, span) : unknown_class_member(**info, *name, node.slice->span);
    }
    if (const ClassInfo* of = dataclass_of(base); of && of->methods.contains("__getitem__")) as_structure(base);
    if (auto fields = fields_of(base)) base.stand_for(*std::move(fields));
    if (is_range(base)) return range_item(base, lower(*node.slice, out), span);
    if (is_flat(base)) return flat_subscript(base, lower(*node.slice, out), span);
    if (is_parts(base) && node.slice->as<ast::Slice>())
        return error(diag::unsupported_syntax, node.slice->span, "slices of lists of arrays",
                     "loop over the indices of those that are meant");
    if (is_parts(base)) return part_at(base, lower(*node.slice, out), span, out);
    if (const FunctionInfo* method = method_of(base.type, "__getitem__")) {
        std::vector<Value> args;
        args.push_back(std::move(base));
        args.push_back(lower(*node.slice, out));
        return args[1].is_unknown() ? Value() : call_instance(*method, std::move(args), span);
    }
    if (is_sequence(base.type) || (base.constant && base.constant->as<Const::Tuple>()))
        return subscript_tuple(std::move(base), *node.slice, span, out);
    const bool of_records = base.type.is_array() && base.type.element().is_record();
    if (base.type.is_record() || (of_records && is_string(*node.slice))) {
        const Value index = lower(*node.slice, out);
        return index.is_unknown() ? Value() : subscript_field(std::move(base), index, span);
    }
    const bool is_pointer = base.type && base.type.is_pointer();
    if (is_pointer) base = pointed(std::move(base));
    if (base.type.is_array() && is_relative(*node.value))
        return relative_element(std::move(base), *node.slice, span, out);
    if (const auto* called = base.entity ? std::get_if<const FunctionInfo*>(&*base.entity) : nullptr;
        called && (*called)->kind == FunctionKind::kernel)
        return error(diag::nested_launch, span, std::string_view((*called)->name));
    if (is_dim3(base.entity)) return no_value(base, span), Value();
    if (base.type.is_text()) return text_item(std::move(base), lower(*node.slice, out), span);
    const auto* none = node.slice->as<ast::Tuple>();
    if (base.type.is_scalar() && none && none->elts.empty()) return base;  // `v[()]` of an item of `np.nditer`
    if (!base.type.is_array()) return not_subscriptable(base, span);
    std::vector<ir::Subscript> subscripts;
    Effects effects = base.effects;
    ViewShape shape;
    if (!subscripts_of(base, *node.slice, subscripts, shape, effects, out)) return Value();
    if (is_pointer && !takes_as_written(subscripts, node.slice->span)) return Value();
    Value part = kept_result(view(std::move(base), std::move(subscripts), shape, effects, span), out);
    return shape.chosen.empty() ? std::move(part) : chosen(std::move(part), std::move(shape.chosen), span, out);
}

Value Inference::subscript_tuple(Value tuple, const ast::Expr& index_expr, Span span, ir::Block& out) {
    if (const auto* slice = index_expr.as<ast::Slice>()) return slice_tuple(std::move(tuple), *slice, span, out);
    if (is_action(tuple.effects)) tuple = spill(std::move(tuple), "items", out);
    Value index = lower(index_expr, out);
    if (index.is_unknown()) return index;
    const auto count =
        static_cast<int64_t>(tuple.is_runtime() ? tuple.type.size() : tuple.constant->as<Const::Tuple>()->size());
    if (auto at = index.constant ? to_int(*index.constant) : std::nullopt) {
        if (*at < -count || *at >= count) {
            const ir::Expr* array = shaped_array(tuple);
            if (!array)
                return error(diag::tuple_index_out_of_range, index_expr.span, static_cast<long long>(*at),
                             static_cast<long long>(count));
            wrong_rank(array, [&] {
                error(diag::shape_index, index_expr.span, static_cast<long long>(*at), array->type.ndim());
            });
            return Value();
        }
        if (*at < 0) *at += count;
        Value item = std::move(elements(std::move(tuple), out)[static_cast<size_t>(*at)]);
        item.span = span;
        if (item.expr) item.expr->span = span;
        return item;
    }
    if (!index.type.is_integer()) return bad_index(index, index_expr.span);
    hold(tuple);
    tuple = weak_items_alike(spelled_items(std::move(tuple)), out);
    if (!tuple.type.is_uniform_tuple()) return error(diag::mixed_tuple, span, tuple.type.name());
    Value item;
    item.is_weak = std::ranges::count(tuple.weak_items, false) == 0 && !tuple.weak_items.empty();
    item.type = tuple.type.elements()[0];
    if (const auto columns = is_narrow() ? std::vector<NamedConst>() : columns_of(tuple); !columns.empty()) {
        if (!index.is_trivial()) index = spill(std::move(index), "i", out);
        return item_of_columns(columns, item.type, *index.expr, span);
    }
    if (const auto table = table_of(tuple)) tuple = array_constant(*table, tuple.span);
    item.span = span;
    item.effects = tuple.effects | index.effects;
    item.expr = item_at(std::move(tuple.expr), std::move(index.expr), item.type, span);
    return item;
}

// The tuple that stands in one place of each of the columns.
Value Inference::item_of_columns(const std::vector<NamedConst>& columns, Type type, const ir::Expr& index, Span span) {
    Value row;
    row.type = type;
    row.span = span;
    ir::MakeTuple parts;
    for (size_t i = 0; i < columns.size(); ++i) {
        Value column = array_constant(columns[i], span);
        parts.elements.push_back(item_at(std::move(column.expr), ir::clone(index), type.elements()[i], span));
    }
    row.expr = ir::make(type, span, std::move(parts));
    return row;
}

// Whether a subscript names a field: by a literal or by a constant of the module.
bool Inference::is_string(const ast::Expr& expr) {
    const auto* name = expr.as<ast::Name>();
    if (name && names_.index(name->id)) {
        const VersionId id = reachable() ? (*env_)[*names_.index(name->id)] : kUnassigned;
        return id != kUnassigned && versions_[id].entity && std::get_if<Const>(&*versions_[id].entity) &&
               std::get<Const>(*versions_[id].entity).as<std::string>();
    }
    if (!name && !expr.as<ast::Constant>()) return false;
    const auto constant = scope_.constant(expr);
    return constant && constant->as<std::string>();
}

namespace {

bool is_ellipsis(const ast::Expr& part) {
    const auto* constant = part.as<ast::Constant>();
    return constant && std::holds_alternative<ast::EllipsisValue>(constant->value);
}

/// What has to be evaluated for subscripts, in its order: bounds of slices, indices, what stars unpack.
std::vector<ast::ExprRef> evaluated_in(std::span<const ast::ExprRef> parts) {
    std::vector<ast::ExprRef> exprs;
    for (const ast::Expr* part : parts) {
        if (const auto* slice = part->as<ast::Slice>()) {
            for (const ast::Expr* bound : {slice->lower, slice->upper, slice->step})
                if (bound) exprs.push_back(bound);
        } else if (!is_ellipsis(*part)) {
            exprs.push_back(part->as<ast::Starred>() ? part->as<ast::Starred>()->value : part);
        }
    }
    return exprs;
}

}  // namespace

// The subscripts of `a[…]`: integers, slices, arrays that choose, lists of indices, which are such arrays, and tuples,
// which stand for their elements. An ellipsis takes the axes that the others leave; `leading` is how many it takes when
// it comes first. False: reported, or not known yet.
bool Inference::subscripts_of(const Value& base, const ast::Expr& slice, std::vector<ir::Subscript>& result,
                              ViewShape& shape, Effects& effects, ir::Block& out) {
    const auto* tuple = slice.as<ast::Tuple>();
    const ast::Expr* single = &slice;
    const std::span<const ast::ExprRef> parts =
        tuple ? std::span<const ast::ExprRef>(tuple->elts) : std::span<const ast::ExprRef>(&single, 1);
    std::vector<Value> values = lower_list(evaluated_in(parts), out);
    std::optional<Value> of_tuple;
    for (const Value& value : values)
        if (is_sequence(value.type) && value.expr->as<ir::LocalRef>() && !of_tuple) of_tuple = duplicate(value);
    Subscripts read{result, shape, effects, values.data()};
    for (const ast::Expr* part : parts)
        if (!read_subscript(*part, read, out)) return false;
    if (!read.is_known) return miss(slice.span), false;
    if (result.size() > static_cast<size_t>(base.type.ndim())) {
        if (of_tuple)
            bad_index(*of_tuple, of_tuple->span);
        else
            wrong_rank(base.expr.get(), [&] {
                error(diag::too_many_indices, slice.span, base.type.name(), static_cast<int>(result.size()));
            });
        return false;
    }
    place_subscripts(read, static_cast<size_t>(base.type.ndim()), slice.span);
    check_constant_indices(base, result);
    return true;
}

// One of them. False: reported, and there is no use in going on.
bool Inference::read_subscript(const ast::Expr& part, Subscripts& read, ir::Block& out) {
    const auto choose = [&](Value by) {
        const int axes = by.type.element().is_boolean() ? by.type.ndim() : 1;
        read.shape.chosen.emplace_back(read.result.size(), std::move(by));
        for (int axis = 0; axis < axes; ++axis) read.result.emplace_back(ir::SliceOf{});
    };
    if (const auto* slice = part.as<ast::Slice>()) {
        ir::SliceOf of;
        of.start = read_bound(slice->lower, read);
        of.stop = read_bound(slice->upper, read);
        of.step = read_bound(slice->step, read);
        read.result.emplace_back(std::move(of));
        return true;
    }
    if (is_ellipsis(part)) {
        if (read.ellipsis_at != SIZE_MAX) {
            error(diag::unsupported_syntax, part.span, "several `...` in one subscript", "write `:` for each axis");
            return false;
        }
        read.ellipsis_at = read.result.size();
        read.before_ellipsis = read.new_at.size();
        return true;
    }
    Value& value = *read.next++;
    if (value.constant && value.constant->as<Const::None>()) {
        read.new_at.push_back(read.result.size());
    } else if (is_slice_object(value)) {
        read.result.emplace_back(slice_parts(value));
    } else if (part.as<ast::ListExpr>() && is_sequence(value.type)) {
        Value list = array_of_sequence(std::move(value), out);
        if (list.is_unknown()) return false;
        choose(std::move(list));
    } else if (chooses(value)) {
        choose(std::move(value));
    } else if (is_sequence(value.type) && std::ranges::any_of(value.type.elements(), &Type::is_array)) {
        for (Value& item : elements(std::move(value), out))
            if (chooses(item))
                choose(std::move(item));
            else
                read.is_known &= add_subscript(std::move(item), read.result, read.effects, out);
    } else {
        read.is_known &= add_subscript(std::move(value), read.result, read.effects, out);
    }
    return true;
}

// A bound of a slice; null: it is left out, or None.
ir::ExprPtr Inference::read_bound(ast::ExprRef expr, Subscripts& read) {
    if (!expr) return nullptr;
    Value& value = *read.next++;
    read.effects = read.effects | value.effects;
    if (value.constant && value.constant->as<Const::None>()) return nullptr;
    if (value.is_unknown() || !needs_value(value, expr->span)) return read.is_known = false, nullptr;
    // As Numba has it: bounds lose their fractions, indices must have none.
    if (!value.type.is_integer() && !value.type.is_boolean() && !value.type.is_float()) {
        bad_index(value, expr->span);
        return read.is_known = false, nullptr;
    }
    return ir::convert(std::move(value.expr), Scalar::int64);
}

// The axes that an ellipsis takes, and where the new ones and the chosen ones are among those that stay.
void Inference::place_subscripts(Subscripts& read, size_t ndim, Span span) {
    auto& [result, shape, effects, next, is_known, new_at, ellipsis_at, before_ellipsis] = read;
    const size_t given = result.size();
    const auto kept_before = [&](size_t at) {
        return static_cast<size_t>(
            std::count_if(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(at), is_slice));
    };
    // Axes behind the last subscript are taken whole anyway.
    if (ellipsis_at < given || (ellipsis_at != SIZE_MAX && before_ellipsis < new_at.size())) {
        if (ellipsis_at == 0) shape.leading = ndim - given;
        for (size_t i = before_ellipsis; i < new_at.size(); ++i) new_at[i] += ndim - given;
        while (result.size() < ndim)
            result.insert(result.begin() + static_cast<std::ptrdiff_t>(ellipsis_at), ir::SliceOf{});
    }
    if (!new_at.empty() && ndim > 0 && result.size() == ndim && std::ranges::none_of(result, is_slice)) {
        // A single element, as a slice from it with a step beyond any extent: that axis is one of the new ones, and the
        // others, of one element too, lie anywhere.
        constexpr int64_t kBeyond = int64_t{1} << 40;
        auto& index = std::get<ir::Index>(result.back());
        ir::ExprPtr start = ir::convert(std::move(index.value), Scalar::int64);
        result.back() = ir::SliceOf{std::move(start), nullptr, ir::integer(kBeyond, Scalar::int64, span)};
        shape.new_axes.assign(new_at.size() - 1, 0);
        new_at.clear();
    }
    for (const size_t at : new_at) shape.new_axes.push_back(kept_before(at) + shape.new_axes.size());
    for (auto& [at, by] : shape.chosen) at = kept_before(at + (at >= ellipsis_at ? ndim - given : 0));
}

bool Inference::add_subscript(Value value, std::vector<ir::Subscript>& result, Effects& effects, ir::Block& out) {
    if (value.constant && value.constant->as<std::string>())
        return error(diag::index_type, value.span, "the name of a field, which only records have,"), false;
    if (value.is_unknown() || !needs_value(value, value.span)) return false;
    value = unwrapped(std::move(value));
    effects = effects | value.effects;
    if (is_sequence(value.type)) {
        bool ok = true;
        for (Value& item : elements(std::move(value), out)) {
            item = let_go(std::move(item), out);
            if (is_slice_object(item))
                result.emplace_back(slice_parts(item));
            else
                ok &= add_subscript(std::move(item), result, effects, out);
        }
        return ok;
    }
    if (!value.type.is_integer()) {
        bad_index(value, value.span);
        return false;
    }
    // An unsigned index never counts from the end; a signed one may.
    result.emplace_back(ir::Index{std::move(value.expr), value.type.is_signed()});
    return true;
}

namespace {

bool has_step(const ir::Subscript& s) { return std::get<ir::SliceOf>(s).step != nullptr; }

// numba's get_array_index_type: a C array stays C when only its last given index is a slice, and that one has no step;
// an F array stays F when all axes are indexed and only the first index, or the first behind an ellipsis, is such a
// slice.
Layout view_layout(const Type& array, const std::vector<ir::Subscript>& subscripts, size_t leading) {
    const size_t n = subscripts.size();
    if (array.layout() == Layout::C) {
        for (size_t i = 0; i < n; ++i)
            if (is_slice(subscripts[i]) && (i + 1 != n || has_step(subscripts[i]))) return Layout::A;
        return Layout::C;
    }
    if (array.layout() == Layout::F && n == static_cast<size_t>(array.ndim())) {
        for (size_t i = leading; i < n; ++i)
            if (is_slice(subscripts[i]) && (i != leading || has_step(subscripts[i]))) return Layout::A;
        return Layout::F;
    }
    return Layout::A;
}

/// `a[i, :]` is `a[i]`.
void drop_whole_axes(const Type& array, std::vector<ir::Subscript>& subscripts, Layout layout) {
    const auto first = std::ranges::find_if(subscripts, is_slice);
    const bool is_row = std::all_of(first, subscripts.end(), [](const ir::Subscript& s) { return ir::is_whole(s); }) &&
                        first != subscripts.begin();
    if (is_row && (array.layout() != Layout::C || layout == Layout::C)) subscripts.erase(first, subscripts.end());
}

}  // namespace

Value Inference::view(Value array, std::vector<ir::Subscript> subscripts, const ViewShape& shape, Effects effects,
                      Span span) {
    if (!shape.new_axes.empty()) {
        Value result = view(std::move(array), std::move(subscripts), {shape.leading, {}}, effects, span);
        if (!result.type.is_array())
            return error(diag::unsupported_syntax, span, "new axes of an array without axes",
                         "give it one: `a.reshape(1)`");
        for (const size_t axis : shape.new_axes) {
            std::vector<ir::ExprPtr> args;
            args.push_back(std::move(result.expr));
            args.push_back(ir::integer(static_cast<int64_t>(axis), Scalar::int32, span));
            const Type type = Type::array(result.type.element(), result.type.ndim() + 1, Layout::A,
                                          result.type.readonly(), result.type.aligned());
            result = made_by("pyk.new_axis", type, std::move(args), effects, span);
        }
        return result;
    }
    if (subscripts.empty() && array.type.ndim() > 0) return array;
    const Type type = array.type;
    const auto kept = std::ranges::count_if(subscripts, is_slice);
    const int ndim = type.ndim() - static_cast<int>(subscripts.size()) + static_cast<int>(kept);
    if (ndim == 0) {
        std::vector<ir::Index> indices;
        for (ir::Subscript& s : subscripts) indices.push_back(std::move(std::get<ir::Index>(s)));
        array.effects = effects;
        return element(std::move(array), std::move(indices), span);
    }
    Value result;
    result.type = Type::array(type.element(), ndim, view_layout(type, subscripts, shape.leading), type.readonly(),
                              type.aligned());
    result.span = span;
    result.effects = effects;
    drop_whole_axes(type, subscripts, result.type.layout());
    if (!subscripts.empty()) ir::index_array_of_row(array.expr, subscripts);
    ir::View made{std::move(array.expr), std::move(subscripts)};
    const bool is_array_itself = result.type == type && ir::is_whole(made);
    result.expr = is_array_itself ? std::move(made.array) : ir::make(result.type, span, std::move(made));
    return result;
}

Value Inference::element(Value array, std::vector<ir::Index> indices, Span span) {
    Value result;
    result.type = array.type.element();
    result.span = span;
    result.effects = array.effects | Effects::reads;
    ir::index_array_of_row(array.expr, indices);
    result.expr = ir::make(result.type, span, ir::Element{std::move(array.expr), std::move(indices)});
    return result;
}

void Inference::store_subscript(const ast::Subscript& node, Value value, Span span, ir::Block& out) {
    const size_t before = out.size();
    Value array = unwrapped(lower(*node.value, out));
    if (array.is_unknown()) return;
    if (is_flat(array)) return store_flat(array, lower(*node.slice, out), std::move(value), span, out);
    if (is_parts(array)) {
        error(diag::unsupported_syntax, node.value->span, "other arrays in place of the parts of one",
              "store to the elements of a part: `parts[i][:] = …`");
        return;
    }
    const bool of_records = array.type.is_array() && array.type.element().is_record();
    if (array.type.is_record() || (of_records && is_string(*node.slice))) {
        const Value index = lower(*node.slice, out);
        if (const auto name = subscripted_field(array.type, index, node.value->span))
            store_named(std::move(array), *name, node.slice->span, std::move(value), before, span, out);
        return;
    }
    const bool is_pointer = array.type && array.type.is_pointer();
    if (is_pointer) array = pointed(std::move(array));
    if (is_sequence(array.type)) {
        error(diag::tuple_store, span);
        return;
    }
    if (!array.type.is_array()) {
        not_subscriptable(array, node.value->span);
        return;
    }
    std::vector<ir::Subscript> subscripts;
    Effects effects = array.effects;
    ViewShape shape;
    if (!subscripts_of(array, *node.slice, subscripts, shape, effects, out)) return;
    if (is_pointer && !takes_as_written(subscripts, node.slice->span)) return;
    // Python evaluates the value first.
    keep(std::span(&value, 1), before, out);
    if (value.expr && ((is_action(effects) && any(value.effects)) || (any(effects) && is_action(value.effects)))) {
        ir::Block moved;
        value = spill(std::move(value), "value", moved);
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(before), std::make_move_iterator(moved.begin()),
                   std::make_move_iterator(moved.end()));
    }
    if (array.type.readonly()) {
        cannot_store(array, span);
        return;
    }
    if (!shape.chosen.empty()) {
        Value part = view(std::move(array), std::move(subscripts), shape, effects, node.value->span);
        return store_chosen(std::move(part), std::move(shape.chosen), std::move(value), span, out);
    }
    const bool whole = std::ranges::none_of(subscripts, is_slice) &&
                       static_cast<int>(subscripts.size()) == array.type.ndim() && shape.new_axes.empty();
    if (!whole)
        return store_view(view(std::move(array), std::move(subscripts), shape, effects, node.value->span),
                          std::move(value), span, out);
    std::vector<ir::Index> indices;
    for (ir::Subscript& s : subscripts) indices.push_back(std::move(std::get<ir::Index>(s)));
    store_element(std::move(array), std::move(indices), std::move(value), span, out);
}

Value Inference::cannot_store(const Value& array, Span span) {
    if (array.expr && array.expr->as<ir::ConstantRef>()) return error(diag::constant_store, span);
    return error(diag::readonly_store, span, array.type.name());
}

void Inference::store_element(Value array, std::vector<ir::Index> indices, Value value, Span span, ir::Block& out) {
    value = as_text(std::move(value), array.type.element());
    if (value.is_unknown() || !needs_value(value, value.span)) return;
    if (value.type.is_array() && value.type.ndim() == 0) value = element(std::move(value), {}, span);
    if (value.type.is_record() && array.type.element().is_record() && value.type != array.type.element())
        return store_record(element(std::move(array), std::move(indices), span), std::move(value), span, out);
    value = converted(std::move(value), array.type.element(), value.span);
    if (!value.expr) return;
    ir::index_array_of_row(array.expr, indices);
    out.push_back({span, ir::Store{std::move(array.expr), std::move(indices), std::move(value.expr)}});
}

// The function of the library that stores an array to one whose memory it may share; empty: it does not. What a kernel
// has under two names is taken for two arrays.
std::string_view Inference::store_of_overlapping(const Value& target, const Value& value) const {
    if (is_of_library(instance_.info->span) || !value.type.is_array() || value.type.ndim() == 0) return "";
    const auto *to = ir::base_local(*target.expr), *from = ir::base_local(*value.expr);
    if (!to || !from || function_.local(from->id).storage == ir::Storage::temporary) return "";
    const auto is_parameter = [&](const ir::LocalRef& ref) {
        return function_.local(ref.id).storage == ir::Storage::parameter;
    };
    // Inputs of array functions that outputs overlap are copied before the call.
    const bool are_apart =
        instance_.info->array == ArrayKind::gufunc && to->id != from->id && is_parameter(*to) && is_parameter(*from);
    if (specializer_.can_allocate() && !are_apart) return "pyk_store_copied";
    const bool is_same = to->id == from->id && value.expr->as<ir::View>() && value.type.ndim() == target.type.ndim();
    return is_same ? "pyk_store_moved" : "";
}

namespace {

// The length of a shared or local array, or of a row of it that costs nothing to name again. nullopt: it is another
// array.
std::optional<int64_t> row_length(const ir::Function& function, const ir::Expr& array) {
    const auto* view = array.as<ir::View>();
    const auto* named = (view ? *view->array : array).as<ir::LocalRef>();
    if (!named) return std::nullopt;
    const std::vector<int64_t>& shape = function.local(named->id).shape;
    if (shape.empty() || shape[0] == 0) return std::nullopt;
    const auto is_plain_index = [](const ir::Subscript& subscript) {
        const auto* index = std::get_if<ir::Index>(&subscript);
        return index && (index->value->as<ir::Constant>() || index->value->as<ir::LocalRef>());
    };
    if (view && !std::ranges::all_of(view->subscripts, is_plain_index)) return std::nullopt;
    return shape.back();
}

}  // namespace

// `a[…] = scalar` and `a[…] = b`: an element loop by the calling thread; `a[i, :] = x, y, z`: element by element.
void Inference::store_view(Value target, Value value, Span span, ir::Block& out) {
    value = as_text(std::move(value), target.type.element());
    if (value.is_unknown() || !needs_value(value, value.span)) return;
    if (is_sequence(value.type) && target.type.ndim() == 1 && !target.type.element().is_vector()) {
        std::vector<Value> items = elements(std::move(value), out);
        for (Value& item : items)
            if (any(item.effects)) item = spill(std::move(item), "value", out);
        if (row_length(function_, *target.expr) != static_cast<int64_t>(items.size())) {
            target = spill(std::move(target), "part", out);
            out.push_back(unless_length(target, items.size(), "to store to", span));
        }
        for (size_t i = 0; i < items.size(); ++i) {
            std::vector<ir::Index> at;
            at.push_back({ir::integer(static_cast<int64_t>(i), Scalar::int64, span), false});
            store_element(duplicate(target), std::move(at), std::move(items[i]), span, out);
        }
        return;
    }
    // NumPy drops leading axes that the target has not, whose extent is 1.
    while (target.type.is_array() && value.type.is_array() && value.type.ndim() > target.type.ndim()) {
        std::vector<Value> whole;
        whole.push_back(value.is_trivial() ? std::move(value) : spill(std::move(value), "value", out));
        value = kept_result(call_instance(library_function("pyk_first_of_one"), std::move(whole), span), out);
        if (value.is_unknown()) return;
    }
    std::vector<Value> operands;
    if (const std::string_view store = store_of_overlapping(target, value); !store.empty()) {
        operands.push_back(std::move(target));
        operands.push_back(std::move(value));
        Value stored = call_instance(library_function(store), std::move(operands), span);
        if (stored.expr) out.push_back({span, ir::Evaluate{std::move(stored.expr)}});
        return;
    }
    operands.push_back(std::move(value));
    elementwise(
        std::move(target), std::move(operands), [](std::vector<Value> values) { return std::move(values[0]); }, span,
        out);
}

}  // namespace pyk
