#include "compile/occupancy.h"

#include <algorithm>
#include <utility>

namespace pyk {
namespace {

constexpr size_t kKiB = 1024;
constexpr SmLimits kLimits[] = {
    {75, 16, 32, 64 * kKiB, 0},      {80, 32, 64, 164 * kKiB, kKiB},  {86, 16, 48, 100 * kKiB, kKiB},
    {87, 16, 48, 164 * kKiB, kKiB},  {89, 24, 48, 100 * kKiB, kKiB},  {90, 32, 64, 228 * kKiB, kKiB},
    {100, 32, 64, 228 * kKiB, kKiB}, {103, 32, 64, 228 * kKiB, kKiB}, {110, 24, 48, 228 * kKiB, kKiB},
    {120, 24, 48, 100 * kKiB, kKiB}, {121, 24, 48, 100 * kKiB, kKiB}};

constexpr size_t kRegisters = 64 * kKiB;  // of each of them
constexpr unsigned kWarp = 32;
constexpr size_t kRegisterUnit = 256;  // a warp's registers are given out in such
constexpr unsigned kSchedulers = 4;    // which share the registers
constexpr size_t kSharedUnit = 128;

size_t rounded_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

std::span<const SmLimits> all_sm_limits() { return kLimits; }

std::optional<SmLimits> sm_limits(int number) {
    const auto at = std::ranges::find(kLimits, number, &SmLimits::number);
    if (at == std::end(kLimits)) return std::nullopt;
    return *at;
}

Occupancy occupancy(const SmLimits& limits, unsigned threads, size_t registers, size_t shared) {
    const unsigned warps = std::max(1u, (threads + kWarp - 1) / kWarp);
    const size_t of_warp = rounded_up(std::max<size_t>(registers, 1) * kWarp, kRegisterUnit);
    const size_t warps_by_registers = kRegisters / kSchedulers / of_warp * kSchedulers;
    const size_t of_block = rounded_up(shared + limits.shared_reserved, kSharedUnit);
    const std::pair<size_t, std::string_view> bounds[] = {
        {limits.warps / warps, "warps"},
        {limits.blocks, "blocks"},
        {warps_by_registers / warps, "registers"},
        {of_block == 0 ? limits.blocks : limits.shared / of_block, "shared memory"}};
    const auto least = std::ranges::min_element(bounds, {}, &std::pair<size_t, std::string_view>::first);
    const auto blocks = static_cast<unsigned>(least->first);
    return {blocks, blocks * warps, least->second};
}

}  // namespace pyk
