#include "driver/archs.h"

#include <algorithm>

#include "compile/nvrtc.h"
#include "driver/requests.h"

namespace pyk {
namespace {

// Of CUDA 13, where no library is there to ask.
constexpr int kLowest = 75;

}  // namespace

Arch default_arch(const Unit& unit, bool is_virtual) {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    int number = nvrtc && !nvrtc->archs.empty() ? nvrtc->archs.front() : kLowest;
    for (const EntryPoint& entry : unit.entries) number = std::max(number, entry.min_sm);
    return {number, 0, is_virtual};
}

void check_archs(const Unit& unit, const std::vector<Arch>& archs, const Program& program, Diagnostics& diagnostics) {
    for (const EntryPoint& entry : unit.entries)
        for (const Arch& arch : archs)
            if (arch.number < entry.min_sm) {
                const KernelInfo* const kernel = find_kernel(program, entry.kernel);
                diagnostics.report(diag::arch_too_low, kernel ? kernel->span : Span(), entry.kernel, entry.min_sm,
                                   arch.real_name());
            }
}

}  // namespace pyk
