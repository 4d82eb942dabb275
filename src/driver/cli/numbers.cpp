// Numbers of the command line.
#include <cctype>
#include <charconv>
#include <limits>

#include "driver/cli/arguments.h"
#include "syntax/literals.h"

namespace pyk {
namespace {

/// By Python's prefixes `0x`, `0o` and `0b`, which are taken off.
int base_of(std::string_view& text) {
    const char kind = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
    const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    if (base != 10) text.remove_prefix(2);
    return base;
}

std::optional<ConstantValue> integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const int base = base_of(text);
    uint64_t magnitude = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
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

/// Python's `1_000` without the underscores, which stand between digits.
std::string without_underscores(std::string_view text) {
    std::string digits;
    const auto is = [&](size_t at, int (*kind)(int)) {
        return at < text.size() && kind(static_cast<unsigned char>(text[at])) != 0;
    };
    for (size_t i = 0; i < text.size(); ++i)
        if (text[i] != '_' || i == 0 || !is(i - 1, std::isalnum) || !is(i + 1, std::isxdigit)) digits += text[i];
    return digits;
}

}  // namespace

std::optional<ConstantValue> parse_number(std::string_view written) {
    const std::string text = without_underscores(written);
    if (text == "True" || text == "true") return ConstantValue(true);
    if (text == "False" || text == "false") return ConstantValue(false);
    if (auto value = integer(text)) return value;
    const bool is_beyond_64_bits = text.find_first_not_of("+-0123456789") == text.npos;
    return is_beyond_64_bits ? std::nullopt : floating(text);
}

std::optional<std::complex<double>> parse_complex(std::string_view text) {
    if (!text.ends_with('j') && !text.ends_with('J')) return std::nullopt;
    text.remove_suffix(1);
    // The sign of the imaginary part: the last one that is no exponent's.
    size_t split = text.find_last_of("+-");
    while (split != 0 && split != text.npos && (text[split - 1] == 'e' || text[split - 1] == 'E'))
        split = text.find_last_of("+-", split - 1);
    if (split == text.npos) split = 0;
    const std::string_view imaginary = text.substr(split);
    const auto real = split == 0 ? std::optional<ConstantValue>(0.0) : floating(text.substr(0, split));
    const auto turned = imaginary.empty() || imaginary == "+" ? std::optional<ConstantValue>(1.0)
                        : imaginary == "-"                    ? std::optional<ConstantValue>(-1.0)
                                                              : floating(imaginary);
    if (!real || !turned) return std::nullopt;
    return std::complex<double>(std::get<double>(*real), std::get<double>(*turned));
}

}  // namespace pyk
