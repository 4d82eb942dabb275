#include "demo/session.h"

#include <fstream>

#include "compile/nvcc.h"
#include "compile/nvrtc.h"
#include "support/stopwatch.h"

namespace demo {
namespace {

using pyk::jit::Argument;
using pyk::jit::Backend;

pyk::jit::Module load(const std::string& file, Backend backend) {
    pyk::jit::Options options;
    options.backend = backend;
    return pyk::load_or_throw(file, options);
}

}  // namespace

Session::Session(const std::string& file, std::string folder, Backend backend)
    : folder_(std::move(folder)), backend_(backend), module_(load(file, backend)) {}

void Session::launch_all(const std::string& kernel, Dims grid, Dims block, const std::vector<Argument>& args) {
    if (outcome_.emitted.empty()) emit(kernel, args);
    const auto count = [](int n) { return static_cast<unsigned>(n); };
    const pyk::jit::Grid blocks{count(grid.x), count(grid.y), count(grid.z)};
    const pyk::jit::Block threads{count(block.x), count(block.y), count(block.z)};
    const pyk::jit::Report report = module_.kernel(kernel).value()(blocks, threads).timed_all(args).value();
    outcome_.device = report.device;
    outcome_.run_ms += report.milliseconds;
    if (report.compile_ms == 0) return;
    if (report.backend == Backend::cuda)
        outcome_.cuda_compile_ms = report.compile_ms;
    else
        outcome_.host_compile_ms = report.compile_ms;
}

// The CUDA C++ is written and compiled on every machine that has a compiler for it, whether or not it runs there.
void Session::emit(const std::string& kernel, const std::vector<Argument>& args) {
    const pyk::Stopwatch stopwatch;
    const std::string text = module_.kernel(kernel).value().text(Backend::cuda, args).value();
    outcome_.transpile_ms = stopwatch.milliseconds();
    outcome_.kernel = kernel;
    outcome_.emitted = folder_ + "/" + kernel + ".cu";
    std::ofstream(outcome_.emitted, std::ios::binary) << text;
    if (backend_ == Backend::cpu) compile_for_cuda(text);
}

void Session::compile_for_cuda(const std::string& text) {
    constexpr pyk::Arch arch{.number = 90};
    pyk::Unit unit;
    unit.text = text;
    const pyk::Stopwatch stopwatch;
    if (pyk::nvrtc_info()) {
        const auto cubin = pyk::compile_with_nvrtc(unit, pyk::ArtifactKind::cubin, arch);
        if (!cubin) fail(cubin.error().text + "\n" + cubin.error().log);
    } else if (pyk::find_nvcc()) {
        const auto cubin = pyk::compile_with_nvcc(unit, pyk::ArtifactKind::cubin, {arch});
        if (!cubin) fail(cubin.error().text + "\n" + cubin.error().log);
    } else {
        return;
    }
    outcome_.cuda_compile_ms = stopwatch.milliseconds();
}

void Session::picture(const std::string& name, int width, int height, const std::function<Rgb(size_t)>& color) {
    std::vector<Rgb> pixels;
    for (size_t i = 0; i < static_cast<size_t>(width) * static_cast<size_t>(height); ++i) pixels.push_back(color(i));
    const std::string file = folder_ + "/" + name;
    if (write_png(file, width, height, pixels))
        outcome_.pictures.push_back(file);
    else
        fail("cannot write " + file);
}

}  // namespace demo
