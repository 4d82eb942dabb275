#include "types/fp8.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace pyk {
namespace {

constexpr std::string_view kNames[] = {"fp8_e5m2", "fp8_e4m3", "fp8_e8m0"};

bool is_name(std::string_view name) { return std::ranges::find(kNames, name) != std::end(kNames); }

}  // namespace

std::optional<Type> fp8_from_name(std::string_view name) {
    if (!is_name(name)) return std::nullopt;
    return Type::distinct(std::string(name), Scalar::uint8);
}

bool is_fp8(Type type) { return type.is_distinct() && is_name(type.name()); }

}  // namespace pyk
