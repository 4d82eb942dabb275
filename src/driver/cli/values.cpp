#include "driver/cli/values.h"

#include <cmath>

#include "support/fault.h"
#include "types/small_float.h"

namespace pyk {
namespace {

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

std::optional<ConstantValue> convert_number(const ConstantValue& value, Scalar to) {
    const ScalarInfo& target = info(to);
    const double real = std::visit([](auto v) { return static_cast<double>(v); }, value);
    if (target.kind == ScalarKind::boolean) return ConstantValue(real != 0);
    if (target.kind == ScalarKind::floating || target.kind == ScalarKind::complex) return ConstantValue(real);
    const std::optional<__int128> whole = as_integer(value);
    if (!whole) return std::nullopt;
    const bool is_signed = target.kind == ScalarKind::signed_int;
    const __int128 least = is_signed ? -(__int128{1} << (target.bits - 1)) : 0;
    const __int128 most = (__int128{1} << (target.bits - (is_signed ? 1 : 0))) - 1;
    if (*whole < least || *whole > most) return std::nullopt;
    if (is_signed) return ConstantValue(static_cast<int64_t>(*whole));
    return ConstantValue(static_cast<uint64_t>(*whole));
}

void append_bytes(std::string& bytes, const ConstantValue& value, Scalar type, double imaginary) {
    const ScalarInfo& row = info(type);
    switch (row.kind) {
        case ScalarKind::boolean:
            return append(bytes, static_cast<uint8_t>(std::get<bool>(value)));
        case ScalarKind::floating:
            if (row.bits == 16) return append(bytes, small_float_bits(std::get<double>(value), type));
            if (row.bits == 32) return append(bytes, static_cast<float>(std::get<double>(value)));
            if (row.bits == 64) return append(bytes, std::get<double>(value));
            break;
        case ScalarKind::complex:
            append_bytes(bytes, value, Type(type).component().scalar());
            return append_bytes(bytes, ConstantValue(imaginary), Type(type).component().scalar());
        case ScalarKind::signed_int:
        case ScalarKind::unsigned_int: {
            // Little-endian, as everything that CUDA runs on.
            const bool is_signed = row.kind == ScalarKind::signed_int;
            const uint64_t wide =
                is_signed ? static_cast<uint64_t>(std::get<int64_t>(value)) : std::get<uint64_t>(value);
            bytes.append(reinterpret_cast<const char*>(&wide), static_cast<size_t>(row.bits / 8));
            return;
        }
    }
    internal_error("a scalar type without a form in memory");
}

}  // namespace pyk
