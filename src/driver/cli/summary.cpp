#include "driver/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "support/fault.h"
#include "types/small_float.h"

namespace pyk {
namespace {

constexpr int64_t kShown = 8;

/// Not a number is `nan`, as NumPy prints it, whatever its sign.
template <typename T>
T shown(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
    return value;
}

template <typename T>
std::string number(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return fmt::format("{}", shown(value));
}

/// As NumPy prints it: `1.5-2j`.
template <typename T>
std::string complex_number(const char* bytes) {
    T parts[2];
    std::memcpy(parts, bytes, sizeof parts);
    return fmt::format("{}{:+}j", shown(parts[0]), shown(parts[1]));
}

std::string small_float(Type type, const char* bytes) {
    uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return fmt::format("{}", shown(small_float_value(bits, type)));
}

/// `b'abc'` of bytes, `'abc'` of code points.
std::string text_text(Type type, const char* bytes) {
    const size_t width = type.element().byte_size();
    std::string shown;
    size_t behind = 0;
    for (size_t i = 0; i < type.count(); ++i) {
        uint32_t code = 0;
        std::memcpy(&code, bytes + i * width, width);
        const bool is_plain = code >= ' ' && code <= '~' && code != '\'' && code != '\\';
        if (is_plain)
            shown += static_cast<char>(code);
        else
            shown += fmt::format(fmt::runtime(width == 1 ? "\\x{:02x}" : "\\U{:08x}"), code);
        if (code != 0) behind = shown.size();
    }
    return fmt::format("{}'{}'", width == 1 ? "b" : "", std::string_view(shown).substr(0, behind));
}

/// `(1, 2.5, [0, 1])`.
std::string record_text(Type type, const char* bytes) {
    std::vector<std::string> fields;
    for (const Field& field : type.fields()) {
        const size_t size = field.type.byte_size();
        std::vector<std::string> values;
        for (size_t at = 0; at < field.byte_size(); at += size)
            values.push_back(element_text(field.type, bytes + field.offset + at));
        fields.push_back(field.shape.empty() ? values[0] : fmt::format("[{}]", fmt::join(values, ", ")));
    }
    return fmt::format("({})", fmt::join(fields, ", "));
}

}  // namespace

std::string element_text(Type type, const char* bytes) {
    if (type == Type::xoroshiro128p_state()) return number<uint64_t>(bytes) + "/" + number<uint64_t>(bytes + 8);
    if (type.is_record()) return record_text(type, bytes);
    if (type.is_text()) return text_text(type, bytes);
    if (type.is_distinct()) return number<int64_t>(bytes);
    if (type.is_boolean()) return *bytes ? "True" : "False";
    if (type.is_complex()) return type.bits() == 64 ? complex_number<float>(bytes) : complex_number<double>(bytes);
    if (type.is_small_float()) return small_float(type, bytes);
    if (type.is_float()) return type.bits() == 32 ? number<float>(bytes) : number<double>(bytes);
    switch (type.bits() * (type.is_signed() ? -1 : 1)) {
        case -8:
            return number<int8_t>(bytes);
        case -16:
            return number<int16_t>(bytes);
        case -32:
            return number<int32_t>(bytes);
        case -64:
            return number<int64_t>(bytes);
        case 8:
            return number<uint8_t>(bytes);
        case 16:
            return number<uint16_t>(bytes);
        case 32:
            return number<uint32_t>(bytes);
        case 64:
            return number<uint64_t>(bytes);
    }
    internal_error("an array of " + type.name());
}

namespace {

std::string name_of(Type element) {
    if (element == Type::xoroshiro128p_state()) return "xoroshiro128p state";
    return element.is_record() ? "record" : element.name();
}

}  // namespace

std::string summary(const NpyArray& array) {
    std::vector<std::string> shown;
    const int64_t count = array.size();
    for (int64_t i = 0; i < std::min(count, kShown); ++i)
        shown.push_back(
            element_text(array.element, array.bytes.data() + static_cast<size_t>(i) * array.element.byte_size()));
    if (count > kShown) shown.push_back("…");
    return fmt::format("{} ({}{}) [{}]", name_of(array.element), fmt::join(array.shape, ", "),
                       array.shape.size() == 1 ? "," : "", fmt::join(shown, ", "));
}

}  // namespace pyk
