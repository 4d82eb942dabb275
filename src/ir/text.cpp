#include "ir/text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "support/fault.h"

namespace pyk::ir {
namespace {

std::string axes_text(Type array) {
    std::string result;
    for (int axis = 0; axis < array.ndim(); ++axis) {
        const bool contiguous =
            (array.layout() == Layout::C && axis == array.ndim() - 1) || (array.layout() == Layout::F && axis == 0);
        result += fmt::format("{}{}", axis ? ", " : "", contiguous ? "::1" : ":");
    }
    return result;
}

/// `struct P (x: float32, y: int64)`, by the kind of tuple.
std::string_view tuple_word(TupleKind kind) {
    static constexpr std::string_view kWords[] = {"", "named", "struct", "vector", "dim3", "optional"};
    return kWords[static_cast<size_t>(kind)];
}

/// `record 16 (x: float32 @ 0, v: int32 (3) @ 4)`.
std::string record_text(Type record) {
    if (record == Type::xoroshiro128p_state()) return std::string(kRecordName);
    std::string fields;
    for (const Field& field : record.fields()) {
        const std::string shape = field.shape.empty() ? "" : fmt::format(" ({})", fmt::join(field.shape, ", "));
        fields += fmt::format("{}{}: {}{} @ {}", fields.empty() ? "" : ", ", field.name, type_text(field.type), shape,
                              field.offset);
    }
    return fmt::format("record {}{} ({})", record.byte_size(), record.aligned() ? "" : " packed", fields);
}

std::string named_tuple_text(Type tuple) {
    std::string elements;
    for (size_t i = 0; i < tuple.size(); ++i)
        elements += fmt::format("{}{}: {}", i ? ", " : "", tuple.element_names()[i], type_text(tuple.elements()[i]));
    return fmt::format("{} {} ({})", tuple_word(tuple.tuple_kind()), tuple.tuple_name(), elements);
}

std::string tuple_text(Type tuple) {
    if (tuple.tuple_kind() != TupleKind::plain) return named_tuple_text(tuple);
    std::string result;
    for (Type element : tuple.elements()) result += fmt::format("{}{}", result.empty() ? "" : ", ", type_text(element));
    return fmt::format("({})", result);
}

std::string float_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string type_text(Type type) {
    if (!type) return "?";
    switch (type.kind()) {
        case Type::Kind::None:
            return "none";
        case Type::Kind::Scalar:
            return std::string(info(type.scalar()).name);
        case Type::Kind::Array:
            return fmt::format("{}{}{}[{}]", type.readonly() ? "readonly " : "", type.aligned() ? "" : "unaligned ",
                               type_text(type.element()), axes_text(type));
        case Type::Kind::Tuple:
            return tuple_text(type);
        case Type::Kind::Record:
            return record_text(type);
        case Type::Kind::Distinct:
            return fmt::format("{} \"{}\" ({})", type.converts() ? "converting" : "distinct", type.name(),
                               info(type.scalar()).name);
        case Type::Kind::Pointer:
            return "pointer " + type_text(type.element());
        case Type::Kind::Text:
            return fmt::format("text {} {}", info(type.element().scalar()).name, type.count());
    }
    internal_error("type_text: unknown kind of type");
}

std::string value_text(const ConstantValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
    if (const auto* number = std::get_if<int64_t>(&value)) return fmt::format("{}", *number);
    if (const auto* number = std::get_if<uint64_t>(&value)) return fmt::format("{}", *number);
    return float_text(std::get<double>(value));
}

bool is_reserved_word(std::string_view word) {
    static const std::set<std::string_view> words = {
        "True",       "False",    "inf",       "nan",      "not",    "and",       "or",       "if",
        "else",       "while",    "for",       "in",       "range",  "call",      "tuple",    "item",
        "at",         "ref",      "view",      "slice",    "wrap",   "transpose", "size",     "shape",
        "eval",       "store",    "break",     "continue", "return", "convert",   "none",     "_",
        kRecordName,  "record",   "named",     "struct",   "vector", "dim3",      "optional", "distinct",
        "converting", "readonly", "unaligned", "field",    "fields", "pointer",   "foreign",  "text"};
    return words.contains(word) || binary_op_from_name(word) || unary_op_from_name(word) || scalar_from_name(word);
}

std::vector<std::string> local_handles(const Function& function) {
    std::map<std::string_view, int> uses;
    for (const Local& local : function.locals) ++uses[local.name];
    std::vector<std::string> result;
    for (const Local& local : function.locals) {
        const bool unique = uses[local.name] == 1 && !local.name.empty() && !is_reserved_word(local.name);
        result.push_back(unique ? local.name : fmt::format("{}.{}", local.name, result.size()));
    }
    return result;
}

std::string_view storage_text(Storage storage) {
    switch (storage) {
        case Storage::parameter:
            return "param";
        case Storage::variable:
            return "var";
        case Storage::temporary:
            return "temp";
        case Storage::shared:
            return "shared";
        case Storage::local:
            return "local";
    }
    internal_error("storage_text: unknown storage");
}

namespace {
constexpr std::pair<ElementAccess, std::string_view> kAccesses[] = {
    {ElementAccess::flat, "flat"},   {ElementAccess::rows, "rows"},    {ElementAccess::strided, "strided"},
    {ElementAccess::tiled, "tiled"}, {ElementAccess::fold, "fold"},    {ElementAccess::scan, "scan"},
    {ElementAccess::core, "core"},   {ElementAccess::staged, "staged"}};
}

std::string_view access_text(ElementAccess access) {
    for (const auto& [known, text] : kAccesses)
        if (known == access) return text;
    internal_error("access_text: unknown access");
}

std::optional<ElementAccess> access_from_text(std::string_view text) {
    for (const auto& [access, known] : kAccesses)
        if (known == text) return access;
    return std::nullopt;
}

}  // namespace pyk::ir
