// Accesses of neighbouring threads that lie apart.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "advice/accesses.h"
#include "advice/advice.h"
#include "ir/thread_spread.h"

namespace pyk {
namespace {

constexpr int64_t kSector = 32;  ///< bytes that memory gives at once

/// As kernels of so many axes are usually launched.
BlockShape usual_block(const ir::Module& module, const ir::Function& kernel) {
    const ThreadAxes axes = axes_read(module, kernel) & kBlockAxes;
    return axes & 0b100 ? BlockShape{8, 8, 4} : axes & 0b010 ? BlockShape{32, 8, 1} : BlockShape{256, 1, 1};
}

/// How far apart, and what that costs; nothing where it costs nothing.
std::string cost(const AccessPattern& pattern) {
    const auto bytes = static_cast<int64_t>(pattern.bytes);
    if (pattern.form == AccessPattern::Form::scaled)
        return fmt::format("a distance apart that is known when it runs: up to {} times the memory traffic",
                           std::max<int64_t>(kSector / bytes, 1));
    const int64_t stride = std::abs(pattern.stride);
    if (pattern.form != AccessPattern::Form::strided || stride <= bytes || bytes >= kSector) return "";
    return fmt::format("{} bytes apart: up to {} times the memory traffic", stride,
                       (std::min(stride, kSector) + bytes - 1) / bytes);
}

}  // namespace

void advise_on_coalescing(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& kernel : module.functions) {
        if (!kernel.is_kernel || !files.has(kernel.span.file)) continue;
        std::set<std::pair<std::string_view, uint32_t>> told;  // `x[i] += y` loads and stores
        for (const MemoryAccess& access : memory_accesses(module, kernel, usual_block(module, kernel))) {
            const bool may_be_fine = access.is_shared || access.of_any_strides;
            const std::string what = may_be_fine ? std::string() : cost(access.pattern);
            if (!what.empty() && files.has(access.span.file) && told.emplace(access.array, access.span.line()).second)
                diagnostics.report(diag::uncoalesced, access.span, access.array, what);
        }
    }
}

}  // namespace pyk
