#include "driver/archs.h"

#include <algorithm>

#include "compile/nvrtc.h"

namespace pyk {
namespace {

// Of CUDA 13, where no library is there to ask.
constexpr int kLowest = 75;

Span span_of(const std::vector<KernelInfo>& kernels, const std::string& name) {
    const auto at =
        std::find_if(kernels.begin(), kernels.end(), [&](const KernelInfo& kernel) { return kernel.name == name; });
    return at == kernels.end() ? Span() : at->span;
}

}  // namespace

Arch default_arch(const Unit& unit, bool is_virtual) {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    int number = nvrtc && !nvrtc->archs.empty() ? nvrtc->archs.front() : kLowest;
    for (const EntryPoint& entry : unit.entries) number = std::max(number, entry.min_sm);
    return {number, 0, is_virtual};
}

void check_archs(const Unit& unit, const std::vector<Arch>& archs, const std::vector<KernelInfo>& kernels,
                 Diagnostics& diagnostics) {
    for (const EntryPoint& entry : unit.entries)
        for (const Arch& arch : archs)
            if (arch.number < entry.min_sm)
                diagnostics.report(diag::arch_too_low, span_of(kernels, entry.kernel), entry.kernel, entry.min_sm,
                                   arch.real_name());
}

}  // namespace pyk
