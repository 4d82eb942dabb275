// How long a program takes to its first result, GPU context creation apart: our runtime compiler, from nothing and from
// its cache, against the same kernel by hand, through NVRTC and as a ready cubin. One arm per process:
//   first_result nvrtc FILE.cu SYMBOL | cubin FILE.cubin SYMBOL | pyk FILE.pyk KERNEL | ufunc FILE.pyk FUNCTION
// prints milliseconds: of the context, then from there to the checked result; for all but `cubin` also of a second
// kernel.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <pyk/pyk.hpp>
#include <pyk/ufunc.hpp>
#include <string>
#include <vector>

#include "pyk/runtime.h"

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void expect(bool fine, const char* what) {
    if (fine) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// A program that uses NVRTC as its documentation does.
std::string compile_by_hand(const std::string& text, const char* arch) {
    using Program = void*;
    static void* const library = [] {
        void* opened = dlopen("libnvrtc.so.13", RTLD_NOW);
        return opened ? opened : dlopen("/usr/local/cuda/lib64/libnvrtc.so.13", RTLD_NOW);
    }();
    expect(library != nullptr, "NVRTC");
    const auto get = [&](const char* name) { return dlsym(library, name); };
    const auto create =
        reinterpret_cast<int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
            get("nvrtcCreateProgram"));
    const auto compile = reinterpret_cast<int (*)(Program, int, const char* const*)>(get("nvrtcCompileProgram"));
    const auto size_of = reinterpret_cast<int (*)(Program, size_t*)>(get("nvrtcGetCUBINSize"));
    const auto bytes_of = reinterpret_cast<int (*)(Program, char*)>(get("nvrtcGetCUBIN"));
    Program program = nullptr;
    expect(create(&program, text.c_str(), "k.cu", 0, nullptr, nullptr) == 0, "nvrtcCreateProgram");
    const std::string option = std::string("--gpu-architecture=") + arch;
    const char* const options[] = {option.c_str()};
    expect(compile(program, 1, options) == 0, "nvrtcCompileProgram");
    size_t size = 0;
    size_of(program, &size);
    std::string cubin(size, '\0');
    bytes_of(program, cubin.data());
    return cubin;
}

// y = 2 * x + y over a thousand elements, checked. `launch` gives the array that has the result.
template <class LaunchIt>
void run(const pyk::Device& device, const LaunchIt& launch) {
    std::vector<float> ones(1000, 1.0f);
    auto x = pyk::Array<float>::from_host(device, ones).value(), y = pyk::Array<float>::from_host(device, ones).value();
    const auto& result = launch(x, y);
    expect(result.to_host().value()[999] == 3.0f, "the result");
}

// What it takes to load the file's text and to run one of its functions.
double run_ours(const pyk::Device& device, const std::string& text, const char* name, bool is_ufunc) {
    const auto start = Clock::now();
    const auto module = pyk::load_text("saxpy.pyk", text).value();
    if (is_ufunc) {
        const auto function = pyk::ufunc(module, name).value();
        run(device, [&](auto& x, auto& y) -> const pyk::Array<float>& {
            function.into(y, x, y).or_throw();
            return y;
        });
    } else {
        const auto kernel = module.kernel(name).value();
        run(device, [&](auto& x, auto& y) -> const pyk::Array<float>& {
            kernel(pyk::grid(4), pyk::block(256))(2.0f, x, y);
            return y;
        });
    }
    return milliseconds_since(start);
}

void run_image(const pyk::Device& device, const std::string& image, const char* symbol) {
    const auto kernel = pyk::Module::load(device, image).value().kernel(symbol).value();
    run(device, [&](pyk::Array<float>& x, pyk::Array<float>& y) -> const pyk::Array<float>& {
        pyk::ArgBuffer args;
        args.push(2.0f);
        args.push_array(x.data(), x.shape().data(), 1);
        args.push_array(y.data(), y.shape().data(), 1);
        pyk::LaunchConfig config;
        config.grid.x = 4;
        config.block.x = 256;
        kernel.launch(config, args).or_throw();
        return y;
    });
}

}  // namespace

int main(int argc, char** argv) try {
    expect(argc == 4, "usage: first_result nvrtc|cubin|pyk|ufunc FILE NAME");
    const std::string arm = argv[1];
    const auto start = Clock::now();
    const pyk::Device device = pyk::Device::get().value();
    (void)pyk::Array<float>::allocate(device, {1}).value();
    const double context = milliseconds_since(start);

    const std::string text = read(argv[2]);
    double second_ms = 0;
    if (arm == "pyk" || arm == "ufunc") {
        const double first_ms = run_ours(device, text, argv[3], arm == "ufunc");
        second_ms = run_ours(device, text + "\n# another\n", argv[3], arm == "ufunc");
        std::printf("%.2f %.2f %.2f\n", context, first_ms, second_ms);
        return 0;
    }
    const auto first = Clock::now();
    const std::string arch = "sm_" + std::to_string(device.info().major * 10 + device.info().minor);
    run_image(device, arm == "nvrtc" ? compile_by_hand(text, arch.c_str()) : text, argv[3]);
    const double first_ms = milliseconds_since(first);
    if (arm == "nvrtc") {
        const auto second = Clock::now();
        run_image(device, compile_by_hand(text + "\n// another\n", arch.c_str()), argv[3]);
        second_ms = milliseconds_since(second);
    }
    std::printf("%.2f %.2f %.2f\n", context, first_ms, second_ms);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
