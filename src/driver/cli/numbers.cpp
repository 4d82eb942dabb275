// Numbers of the command line.
#include <charconv>
#include <limits>

#include "driver/cli/arguments.h"
#include "syntax/literals.h"

namespace pyk {
namespace {

std::optional<ConstantValue> integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    uint64_t magnitude = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    constexpr uint64_t most = std::numeric_limits<int64_t>::max();
    if (negative)
        return magnitude <= most + 1 ? std::optional<ConstantValue>(static_cast<int64_t>(-magnitude)) : std::nullopt;
    if (magnitude > most) return ConstantValue(magnitude);
    return ConstantValue(static_cast<int64_t>(magnitude));
}

std::optional<ConstantValue> floating(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) value = syntax::out_of_range(text);
    return ConstantValue(negative ? -value : value);
}

}  // namespace

std::optional<ConstantValue> parse_number(std::string_view text) {
    if (text == "True" || text == "true") return ConstantValue(true);
    if (text == "False" || text == "false") return ConstantValue(false);
    if (auto value = integer(text)) return value;
    return floating(text);
}

}  // namespace pyk
