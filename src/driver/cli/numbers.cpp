// Numbers of the command line: text → value → type → bytes.
#include <charconv>
#include <cmath>
#include <limits>

#include "driver/cli/arguments.h"
#include "support/fault.h"

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
    return ConstantValue(negative ? -value : value);
}

double as_double(const ConstantValue& value) {
    return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

// The integer that the value is, as a wide one; nullopt: it has a fraction, or is beyond 64 bits.
std::optional<__int128> as_integer(const ConstantValue& value) {
    if (const double* d = std::get_if<double>(&value)) {
        if (!std::isfinite(*d) || *d != std::trunc(*d) || std::fabs(*d) > 0x1p64) return std::nullopt;
        return static_cast<__int128>(*d);
    }
    return std::visit([](auto v) { return static_cast<__int128>(v); }, value);
}

template <typename T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::optional<ConstantValue> parse_number(std::string_view text) {
    if (text == "True" || text == "true") return ConstantValue(true);
    if (text == "False" || text == "false") return ConstantValue(false);
    if (auto value = integer(text)) return value;
    return floating(text);
}

std::optional<ConstantValue> convert_number(const ConstantValue& value, Scalar to) {
    const ScalarInfo& target = info(to);
    if (target.kind == ScalarKind::boolean) return ConstantValue(as_double(value) != 0);
    if (target.kind == ScalarKind::floating) return ConstantValue(as_double(value));
    const std::optional<__int128> whole = as_integer(value);
    if (!whole) return std::nullopt;
    const bool is_signed = target.kind == ScalarKind::signed_int;
    const __int128 least = is_signed ? -(__int128{1} << (target.bits - 1)) : 0;
    const __int128 most = (__int128{1} << (target.bits - (is_signed ? 1 : 0))) - 1;
    if (*whole < least || *whole > most) return std::nullopt;
    if (is_signed) return ConstantValue(static_cast<int64_t>(*whole));
    return ConstantValue(static_cast<uint64_t>(*whole));
}

void append_bytes(std::string& bytes, const ConstantValue& value, Scalar type) {
    const ScalarInfo& row = info(type);
    switch (row.kind) {
        case ScalarKind::boolean:
            return append(bytes, static_cast<uint8_t>(std::get<bool>(value)));
        case ScalarKind::floating:
            if (row.bits == 32) return append(bytes, static_cast<float>(std::get<double>(value)));
            if (row.bits == 64) return append(bytes, std::get<double>(value));
            break;
        case ScalarKind::signed_int:
        case ScalarKind::unsigned_int: {
            // Little-endian, as everything that CUDA runs on.
            const uint64_t wide = row.kind == ScalarKind::signed_int ? static_cast<uint64_t>(std::get<int64_t>(value))
                                                                     : std::get<uint64_t>(value);
            bytes.append(reinterpret_cast<const char*>(&wide), static_cast<size_t>(row.bits / 8));
            return;
        }
    }
    internal_error("a scalar type without a form in memory");
}

}  // namespace pyk
