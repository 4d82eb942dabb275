// A program that the tests start: loads a file, launches its kernel `k(x)`, and says what it got and what it had to
// open.
//   jit_child --crash | --rights | FILE [--define NAME=INT] [--debug] [--narrow] [--fastmath] [--import-folder FOLDER]
//     [--sink] [--warnings] [--cache-warnings] [--meanwhile COMMAND] [--cd FOLDER] [--end-early]
//     [--end-while-loading MICROSECONDS] [--end-while-launching MICROSECONDS]
// `--meanwhile`: what is done after a first kernel was compiled, `--cd`: where the program goes before.
#include <sys/auxv.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <pyk/pyk.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#ifndef PYK_SANITIZED
// Another ANTLR in the process: the compiler must not take its functions.
namespace antlr4::misc {
class MurmurHash {
  public:
    __attribute__((visibility("default"), used)) static std::size_t initialize(std::size_t seed);
};
std::size_t MurmurHash::initialize(std::size_t) {
    std::printf("the other ANTLR was called\n");
    std::abort();
}
}  // namespace antlr4::misc
#endif

namespace {

// Which of the costly libraries this process has mapped.
std::string mapped() {
    std::ifstream maps("/proc/self/maps");
    std::string found;
    bool compiler = false, nvrtc = false, antlr = false;
    for (std::string line; std::getline(maps, line);) {
        compiler |= line.find("libpyk_compiler") != std::string::npos;
        nvrtc |= line.find("libnvrtc") != std::string::npos;
        antlr |= line.find("libantlr") != std::string::npos;
    }
    return std::string(compiler ? "compiler " : "") + (nvrtc ? "nvrtc " : "") + (antlr ? "antlr " : "");
}

}  // namespace

// Writes far from its array, and says what the device says then.
int crash() {
    constexpr const char* text =
        "from numba import cuda\n\n\n@cuda.jit\ndef far(n, x):\n    x[n // 8 + cuda.grid(1)] = 1\n";
    const pyk::Device device = pyk::Device::get().value();
    const auto far = pyk::load_text("far.pyk", text).value().kernel("far").value();
    auto x = pyk::Array<float>::allocate(device, {8}).value();
    far(pyk::grid(2), pyk::block(4))(std::int64_t{1} << 62, x);
    std::printf("%s\n", device.synchronize().message().c_str());
    return 0;
}

int main(int argc, char** argv) try {
    if (argv[1] == std::string("--crash")) return crash();
    if (argv[1] == std::string("--rights")) {
        std::printf("%s\n", getauxval(AT_SECURE) ? "another user's" : "the caller's");
        return 0;
    }
    pyk::jit::Options options;
    const char* device = std::getenv("PYK_TEST_DEVICE");
    options.backend = device && std::string(device) == "gpu" ? pyk::jit::Backend::cuda : pyk::jit::Backend::cpu;
    bool ends_early = false, shows_warnings = false;
    int launches_for = 0;
    std::string meanwhile, elsewhere;
    for (int i = 2; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--define") {
            const std::string define = argv[++i];
            const auto equals = define.find('=');
            options.defines[define.substr(0, equals)] = std::int64_t{std::atoll(define.c_str() + equals + 1)};
        }
        if (option == "--import-folder") options.import_folders.emplace_back(argv[++i]);
        options.debug |= option == "--debug";
        if (option == "--sink") options.on_print = [](std::string_view) {};
        options.code.fastmath |= option == "--fastmath";
        if (option == "--narrow") options.typing = pyk::jit::Typing::narrow;
        shows_warnings |= option == "--warnings";
        if (option == "--cache-warnings")
            options.on_warning = [](std::string_view category, std::string_view text) {
                if (category == "cache") std::printf("%s\n", std::string(text).c_str());
            };
        if (option == "--meanwhile") meanwhile = argv[++i];
        if (option == "--cd") elsewhere = argv[++i];
        ends_early |= option == "--end-early";
        if (option == "--end-while-launching") launches_for = std::atoi(argv[++i]);
        if (option == "--end-while-loading") {
            std::thread([file = std::string(argv[1]), options] {
                while (true) (void)pyk::load(file, options);
            }).detach();
            std::this_thread::sleep_for(std::chrono::microseconds(std::atoi(argv[++i])));
            return 0;
        }
    }
    const auto kernel = pyk::load_or_throw(argv[1], options).kernel("k").value();
    if (!elsewhere.empty() && chdir(elsewhere.c_str()) != 0) throw std::runtime_error("no folder " + elsewhere);
    if (!meanwhile.empty()) {
        kernel.preload("float32[::1]").wait().or_throw();
        if (std::system(meanwhile.c_str()) != 0) throw std::runtime_error("cannot " + meanwhile);
    }
    if (launches_for > 0) {
        std::thread([kernel] {
            std::vector<double> x(4096);
            while (true) (void)kernel(pyk::grid(32), pyk::block(128)).launch(x);
        }).detach();
        std::this_thread::sleep_for(std::chrono::microseconds(launches_for));
        return 0;
    }
    if (ends_early) {
        for (const char* type : {"int8", "int16", "int32", "int64", "float32"})
            (void)kernel.preload(std::string(type) + "[::1]");
        return 0;
    }
    std::vector<double> x = {1, 2, 3};
    kernel(pyk::grid(1), pyk::block(3))(x);
    const auto all = kernel.specializations();
    std::printf("x=%g,%g,%g from_cache=%d mapped=%s\n", x[0], x[1], x[2], all.back().is_from_cache() ? 1 : 0,
                mapped().c_str());
    if (shows_warnings) std::printf("%s", all.at(0).warnings().c_str());
    return 0;
} catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
}
