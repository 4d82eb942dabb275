// `pykc devices`
#include <fmt/format.h>

#include "compile/host_compiler.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"
#include "driver/cli/commands.h"
#include "driver/cli/output.h"
#include "pyk/cpu_module.h"
#include "pyk/device.h"

namespace pyk {
namespace {

std::string row(std::string_view what, std::string_view found) { return fmt::format("{:<14} {}\n", what, found); }

std::string gpu_row(int index) {
    const std::string name = fmt::format("CUDA device {}", index);
    const Result<Device> device = Device::get(index);
    if (!device) return row(name, "cannot be used: " + device.message());
    const DeviceInfo& info = device->info();
    return row(name, fmt::format("{}, sm_{}{}, {:.1f} GiB, {} multiprocessors", info.name, info.major, info.minor,
                                 static_cast<double>(info.memory) / (1 << 30), info.multiprocessors));
}

std::string gpu_rows() {
    const Result<int> count = Device::count();
    if (!count) return row("CUDA devices", "none: " + count.message());
    if (*count == 0) return row("CUDA devices", "none: the driver sees no device");
    std::string text;
    for (int index = 0; index < *count; ++index) text += gpu_row(index);
    return text;
}

std::string nvrtc_row() {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    if (!nvrtc) return row("NVRTC", "missing: " + nvrtc.error().text);
    return row("NVRTC", fmt::format("{}.{}, {}, for sm_{} to sm_{}", nvrtc->major, nvrtc->minor, nvrtc->path,
                                    nvrtc->archs.front(), nvrtc->archs.back()));
}

std::string nvcc_row() {
    const auto nvcc = find_nvcc();
    return row("nvcc",
               nvcc ? *nvcc : "missing: it makes --emit=fatbin; install the CUDA toolkit, or name it in $PYK_NVCC");
}

std::string host_compiler_row() {
    const auto compiler = find_host_compiler();
    return row("C++ compiler",
               compiler ? fmt::format("{}", fmt::join(*compiler, " "))
                        : "missing: kernels on the CPU need one; install g++ or clang++, or name one in $CXX");
}

}  // namespace

ExitCode run_devices() {
    write_output("-", gpu_rows() + nvrtc_row() + nvcc_row() + host_compiler_row() +
                          row("CPU", fmt::format("{} threads", cpu::worker_count())));
    return ExitCode::fine;
}

}  // namespace pyk
