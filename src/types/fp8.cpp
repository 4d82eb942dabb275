#include "types/fp8.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace pyk {
namespace {

constexpr std::string_view kFormats[] = {"e5m2", "e4m3", "e8m0"};

struct Width {
    std::string_view prefix;
    size_t count;
    Scalar bits;
};
constexpr Width kWidths[] = {{"fp8_", 1, Scalar::uint8}, {"fp8x2_", 2, Scalar::uint16}, {"fp8x4_", 4, Scalar::uint32}};

const Width* width_of(std::string_view name) {
    const auto* found = std::ranges::find_if(kWidths, [&](const Width& w) { return name.starts_with(w.prefix); });
    if (found == std::end(kWidths)) return nullptr;
    return std::ranges::find(kFormats, name.substr(found->prefix.size())) != std::end(kFormats) ? found : nullptr;
}

}  // namespace

std::optional<Type> fp8_from_name(std::string_view name) {
    const Width* width = width_of(name);
    if (!width) return std::nullopt;
    return Type::distinct(std::string(name), width->bits);
}

size_t fp8_count(Type type) {
    const Width* width = type.is_distinct() ? width_of(type.name()) : nullptr;
    return width ? width->count : 0;
}

bool is_fp8(Type type) { return fp8_count(type) == 1; }

Type fp8_element(Type type) {
    return Type::distinct("fp8_" + type.name().substr(width_of(type.name())->prefix.size()), Scalar::uint8);
}

}  // namespace pyk
