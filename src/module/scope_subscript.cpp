// Subscripts of arrays that the module makes, and arrays with other elements.
#include <algorithm>
#include <cstring>

#include "module/const_array.h"
#include "module/const_gather.h"
#include "module/host_numpy.h"
#include "module/host_values.h"
#include "module/scope.h"

namespace pyk {
std::optional<ConstSubscript> slice_bounds(const ModuleScope& scope, const ast::Slice& slice) {
    ConstSubscript s{ConstSubscript::Kind::slice};
    const auto bound = [&](const ast::Expr* at, std::optional<int64_t>& value) {
        if (!at) return true;
        const auto constant = scope.constant(*at);
        if (constant && constant->as<Const::None>()) return true;
        value = constant ? to_int(*constant) : std::nullopt;
        return value.has_value();
    };
    const bool known = bound(slice.lower, s.start) && bound(slice.upper, s.stop) && bound(slice.step, s.step);
    return known ? std::optional(s) : std::nullopt;
}

namespace {

/// A list or an array of places, or a mask of one axis.
std::optional<ConstArray> places_in(const Const& value) {
    if (value.as<Const::Tuple>()) return std::nullopt;
    const Const::Array array = array_of(value);
    if (!array) return std::nullopt;
    if (!array->type.element().is_boolean())
        return array->type.element().is_integer() || count(*array) == 0 ? astype(*array, Scalar::int64) : std::nullopt;
    return array->table.shape.size() == 1 ? places_of(*array) : std::nullopt;
}

/// `a[[0, 2]]`, `a[:, mask]`, `a[rows, columns]`, `a[a > 0]`; nullopt: no subscript is a list or an array.
std::optional<Const> picked_by(const ModuleScope& scope, const ConstArray& array, ast::ExprList parts) {
    std::vector<AxisPick> picks;
    bool has_places = false;
    const auto add = [&](const Const& value) {
        const auto index = value.as<bool>() ? std::nullopt : to_int(value);
        auto places = index ? zeros(Scalar::int64, {1}) : places_in(value);
        if (!places) return false;
        if (index) set_item(*places, 0, value);
        has_places = has_places || !index;
        picks.push_back({std::move(places), {}});
        return true;
    };
    if (parts.size() == 1) {
        const auto mask = scope.constant(*parts[0]);
        const ConstArray* whole = array_in(mask);
        if (whole && whole->type.element().is_boolean() && whole->table.shape == array.table.shape) {
            const auto places = places_of(*whole);
            const auto flat = reshaped(array, {-1});
            return places && flat ? as_value(picked(*flat, {{*places, {}}})) : std::nullopt;
        }
    }
    for (const ast::Expr* part : parts) {
        if (picks.size() == array.table.shape.size()) return std::nullopt;
        if (const auto* slice = part->as<ast::Slice>()) {
            const auto bounds = slice_bounds(scope, *slice);
            if (!bounds || bounds->step == 0) return std::nullopt;
            picks.push_back({std::nullopt, sliced(*bounds, array.table.shape[picks.size()])});
            continue;
        }
        const auto value = scope.constant(*part);
        const auto* tuple = value && parts.size() == 1 ? value->as<Const::Tuple>() : nullptr;
        if (!value || !(tuple ? std::ranges::all_of(*tuple, add) : add(*value))) return std::nullopt;
    }
    return has_places ? as_value(picked(array, std::move(picks))) : std::nullopt;
}

}  // namespace

std::optional<Const> array_subscript(const ModuleScope& scope, const ConstArray& array, const ast::Expr& expr) {
    const auto* tuple = expr.as<ast::Tuple>();
    const ast::Expr* single = &expr;
    const ast::ExprList parts = tuple ? tuple->elts : ast::ExprList(&single, 1);
    if (auto chosen = picked_by(scope, array, parts)) return chosen;
    std::vector<ConstSubscript> subscripts;
    std::optional<size_t> ellipsis;
    const auto add_index = [&](const Const& value) {
        const auto index = to_int(value);
        if (value.as<Const::None>()) {
            subscripts.push_back({ConstSubscript::Kind::new_axis});
            return true;
        }
        if (!index || value.as<bool>()) return false;
        subscripts.push_back({ConstSubscript::Kind::index, *index});
        return true;
    };
    for (const ast::Expr* part : parts) {
        const auto* constant = part->as<ast::Constant>();
        if (constant && std::holds_alternative<ast::EllipsisValue>(constant->value)) {
            if (std::exchange(ellipsis, subscripts.size())) return std::nullopt;
            continue;
        }
        if (const auto* slice = part->as<ast::Slice>()) {
            const auto bounds = slice_bounds(scope, *slice);
            if (!bounds) return std::nullopt;
            subscripts.push_back(*bounds);
            continue;
        }
        const auto value = scope.constant(*part);
        const auto* indices = value && !tuple ? value->as<Const::Tuple>() : nullptr;  // `a[place]` of a tuple
        if (!value || !(indices ? std::ranges::all_of(*indices, add_index) : add_index(*value))) return std::nullopt;
    }
    const auto used = static_cast<size_t>(std::ranges::count_if(
        subscripts, [](const ConstSubscript& s) { return s.kind != ConstSubscript::Kind::new_axis; }));
    if (ellipsis && used < array.table.shape.size())
        subscripts.insert(subscripts.begin() + static_cast<std::ptrdiff_t>(*ellipsis), array.table.shape.size() - used,
                          {ConstSubscript::Kind::slice});
    return subscripted(array, subscripts);
}

std::optional<Const> with_field(const Const& value, std::string_view name, const Const& item) {
    const auto held = field_of(value, name);
    if (!held) return std::nullopt;
    ConstArray changed = *memory_of(value);
    const Type type = changed.type.element();
    const Field& field = *std::ranges::find(type.fields(), name, &Field::name);
    const std::vector<int64_t> shape = array_in(held) ? array_in(held)->table.shape : std::vector<int64_t>();
    const Const::Array items = pyk::array_of(item);
    auto stored = zeros(field.type, shape);
    const Const operands[] = {*held, items ? Const{items, {}} : item};
    const auto spread =
        shape.empty() ? std::nullopt : elementwise(operands, [](auto v) { return std::optional(v[1]); });
    const ConstArray* values = array_in(spread);
    if (!stored || (!shape.empty() && (!values || values->table.shape != shape))) return std::nullopt;
    for (int64_t i = 0; i < count(*stored); ++i)
        if (const auto one = values ? pyk::item(*values, i) : item; !one || !set_item(*stored, i, *one))
            return std::nullopt;
    for (size_t i = 0, n = static_cast<size_t>(count(changed)); i < n; ++i)
        std::memcpy(changed.table.bytes.data() + i * type.byte_size() + field.offset,
                    stored->table.bytes.data() + i * field.byte_size(), field.byte_size());
    const auto array = std::make_shared<const ConstArray>(std::move(changed));
    return value.as<Const::Record>() ? Const{Const::Record{array}, {}} : Const{array, {}};
}

std::optional<Const> with_element(const ModuleScope& scope, const Const& value, const ast::Expr& at,
                                  const Const& item) {
    const ConstArray* array = array_in(value);
    const auto* list = value.as<Const::List>();
    const auto name = has_fields(value) ? scope.constant(at) : std::nullopt;
    if (const auto* field = name ? name->as<std::string>() : nullptr) return with_field(value, *field, item);
    if (const auto* slice = list ? at.as<ast::Slice>() : nullptr) {
        const auto bounds = slice_bounds(scope, *slice);
        const auto more = items_of(item);
        if (!bounds || !more || bounds->step == 0) return std::nullopt;
        std::vector<Const> items = (*list)->items;
        const SlicedAxis axis = sliced(*bounds, static_cast<int64_t>(items.size()));
        if (bounds->step == std::nullopt || *bounds->step == 1) {
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(axis.first);
            items.insert(items.erase(first, first + static_cast<std::ptrdiff_t>(axis.count)), more->begin(),
                         more->end());
            return items.size() <= kMostHostItems ? std::optional(list_of(std::move(items))) : std::nullopt;
        }
        if (static_cast<int64_t>(more->size()) != axis.count) return std::nullopt;
        for (int64_t i = 0; i < axis.count; ++i)
            items[static_cast<size_t>(axis.first + i * axis.step)] = (*more)[static_cast<size_t>(i)];
        return list_of(std::move(items));
    }
    if (!array) {
        const auto index = scope.constant(at);
        return index ? with_item(value, *index, item) : std::nullopt;
    }
    // The places that the subscript names: those of an array that counts.
    auto places = zeros(Scalar::int64, array->table.shape);
    for (int64_t i = 0; places && i < count(*places); ++i) set_item(*places, i, Const{Const::Int(i), {}});
    const auto named = places ? array_subscript(scope, *places, at) : std::nullopt;
    if (!named) return std::nullopt;
    ConstArray changed = *array;
    const ConstArray* many = array_in(named);
    if (!many)
        return set_item(changed, *to_int(*named), item) ? std::optional(as_value(std::move(changed))) : std::nullopt;
    const Const::Array items = pyk::array_of(item);
    const Const operands[] = {*named, items ? Const{items, {}} : item};
    const auto spread = elementwise(operands, [](std::span<const Const> v) { return std::optional(v[1]); });
    const ConstArray* values = array_in(spread);
    if (!values || values->table.shape != many->table.shape) return std::nullopt;
    for (int64_t i = 0; i < count(*many); ++i) {
        const auto one = pyk::item(*values, i);
        if (!one || !set_item(changed, *to_int(*pyk::item(*many, i)), *one)) return std::nullopt;
    }
    return as_value(std::move(changed));
}

}  // namespace pyk
