// Functions of `math` to which Numba's CPU compiler gives other types than numba-cuda.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

/// Python's integers, not floats.
constexpr BuiltinName kRoundings[] = {"math.ceil", "math.floor", "math.trunc"};

/// Integers alone are float64 for them, of any size.
struct Promoted {
    BuiltinName name;
    size_t operands;
};
constexpr Promoted kPromoted[] = {{"math.frexp", 1}, {"math.ldexp", 1}, {"math.nextafter", 2}, {"math.pow", 2}};

bool is_whole(Type type) { return type.is_integer() || type.is_boolean(); }

}  // namespace

// nullopt: as numba-cuda does. Else `operands` are taken, or of the types with which numba-cuda's rules give Numba's.
std::optional<Value> Inference::cpu_call(const Builtin& builtin, std::vector<Value>& operands, Span span) {
    if (is_one_of(builtin, kRoundings)) {
        if (operands.size() != 1 || !(is_whole(operands[0].type) || operands[0].type.is_float())) return std::nullopt;
        const Type type = operands[0].type.is_unsigned() ? Scalar::uint64 : Scalar::int64;
        if (is_whole(operands[0].type)) return cast_to(type, std::move(operands[0]), span);
        return cast_to(type, resolved(builtin, std::move(operands), span), span);
    }
    const auto* found = std::ranges::find_if(kPromoted, [&](const Promoted& row) { return builtin == row.name; });
    if (found == std::end(kPromoted) || operands.size() < found->operands) return std::nullopt;
    const auto promoted = std::span(operands).first(found->operands);
    const bool is_power = builtin == "math.pow" && operands[1].type.is_integer();
    if (!is_power && !std::ranges::all_of(promoted, [](const Value& value) { return is_whole(value.type); }))
        return std::nullopt;
    for (Value& value : promoted) value = cast_to(Scalar::float64, std::move(value), span);
    return std::nullopt;
}

}  // namespace pyk
