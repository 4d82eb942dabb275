#include "sema/tuple_table.h"

#include <algorithm>
#include <cctype>

#include "sema/host_values.h"

namespace pyk {
namespace {

bool is_identifier(std::string_view text) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && std::ranges::all_of(text, is_letter) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

}  // namespace

std::optional<NamedConst> table_of(const Value& tuple) {
    const auto* items = tuple.constant ? tuple.constant->as<Const::Tuple>() : nullptr;
    const Type type = tuple.type;
    const bool is_plain = items && type && type.is_uniform_tuple() && type.tuple_kind() == TupleKind::plain;
    if (!is_plain || !type.elements()[0].is_scalar() || type.elements()[0].is_small_float()) return std::nullopt;
    std::vector<Const> typed;
    for (const Const& item : *items) {
        const auto one = cast(item, type.elements()[0]);
        if (!one) return std::nullopt;
        typed.push_back(*one);
    }
    const Const::Array array = array_of(list_of(std::move(typed)));
    if (!array || array->type.ndim() != 1 || array->type.element() != type.elements()[0]) return std::nullopt;
    const std::string_view text = tuple.span.text();
    const std::string_view last = text.substr(text.rfind('.') + 1);
    return NamedConst{is_identifier(last) ? std::string(last) : "items", {array, {}}, tuple.span};
}

}  // namespace pyk
