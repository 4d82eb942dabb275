// A kernel compiled while the program runs: pyk.hpp, and no build step for the kernel.
#include <cstdio>
#include <pyk/pyk.hpp>
#include <vector>

int main(int argc, char** argv) try {
    const pyk::jit::Module module = pyk::load_or_throw(argc > 1 ? argv[1] : "saxpy.pyk");
    const pyk::jit::Kernel saxpy = module.kernel("saxpy").value();

    std::vector<float> x(1'000'000, 1.5f), y(x.size(), 0.25f), out(x.size());
    const unsigned blocks = (static_cast<unsigned>(out.size()) + 255) / 256;

    // The types of the arguments choose the instance: float32, three float32 arrays. On the GPU if there is one.
    const pyk::jit::Report report = saxpy(pyk::grid(blocks), pyk::block(256)).timed(2.0f, x, y, out).value();

    std::printf("%s: transpiled in %.1f ms, compiled in %.1f ms, ran in %.3f ms\n", report.device.c_str(),
                report.transpile_ms, report.compile_ms, report.milliseconds);
    for (const float value : out)
        if (value != 3.25f) return std::printf("wrong: %f\n", static_cast<double>(value)), 1;
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
