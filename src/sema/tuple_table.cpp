#include "sema/tuple_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"
#include "module/host_values.h"
#include "support/words.h"

namespace pyk {
namespace {

/// The name that a tuple is written with.
std::string name_of(const Value& tuple) {
    const std::string_view text = tuple.span.text();
    const std::string_view last = text.substr(text.rfind('.') + 1);
    return is_identifier(last) ? std::string(last) : "items";
}

bool is_int32(const Const& item) {
    const auto number = to_int(item);
    return number && *number >= INT32_MIN && *number <= INT32_MAX;
}

/// Integers that 32 bits hold take no more: what is read is converted.
std::optional<NamedConst> table(std::span<const Const> items, Type type, std::string name, Span span) {
    if (!type.is_scalar() || type.is_small_float()) return std::nullopt;
    if (type == Type(Scalar::int64) && std::ranges::all_of(items, is_int32)) type = Scalar::int32;
    std::vector<Const> typed;
    for (const Const& item : items) {
        const auto one = cast(item, type);
        if (!one) return std::nullopt;
        typed.push_back(*one);
    }
    const Const::Array array = array_of(list_of(std::move(typed)));
    if (!array || array->type.ndim() != 1 || array->type.element() != type) return std::nullopt;
    return NamedConst{std::move(name), {array, {}}, span};
}

/// The items of a tuple of which all have one type.
const Const::Tuple* uniform_items(const Value& tuple) {
    const auto* items = tuple.constant ? tuple.constant->as<Const::Tuple>() : nullptr;
    const Type type = tuple.type;
    const bool is_plain = items && type && type.is_uniform_tuple() && type.tuple_kind() == TupleKind::plain;
    return is_plain ? items : nullptr;
}

}  // namespace

std::optional<NamedConst> table_of(const Value& tuple) {
    const Const::Tuple* items = uniform_items(tuple);
    return items ? table(*items, tuple.type.elements()[0], name_of(tuple), tuple.span) : std::nullopt;
}

std::vector<NamedConst> columns_of(const Value& tuple) {
    const Const::Tuple* rows = uniform_items(tuple);
    const Type row = rows ? tuple.type.elements()[0] : Type();
    if (!row || !row.is_tuple() || row.tuple_kind() != TupleKind::plain) return {};
    std::vector<NamedConst> columns;
    for (size_t i = 0; i < row.elements().size(); ++i) {
        std::vector<Const> items;
        for (const Const& each : *rows) {
            const auto* parts = each.as<Const::Tuple>();
            if (!parts || parts->size() != row.elements().size()) return {};
            items.push_back((*parts)[i]);
        }
        auto column = table(items, row.elements()[i], fmt::format("{}_{}", name_of(tuple), i), tuple.span);
        if (!column) return {};
        columns.push_back(*std::move(column));
    }
    return columns;
}

ir::ExprPtr item_at(ir::ExprPtr tuple, ir::ExprPtr index, Type type, Span span) {
    const Type held = tuple->type.is_array() ? tuple->type.element() : type;
    return ir::convert(ir::make(held, span, ir::TupleAt{std::move(tuple), std::move(index)}), type);
}

}  // namespace pyk
