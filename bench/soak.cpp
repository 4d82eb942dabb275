// Whether a long-running program with libpyk keeps its size: modules that are loaded, compiled with a constant of their
// own, launched and dropped; then launches of a bound and of a typed launcher. Fails where memory grows by more than it
// says, or a result is wrong.
//   bench_soak [COMPILES [LAUNCHES [THREADS]]]     the figures of the README: bench_soak 10000 10000000 8
// The threads share the compiles; launches are one thread's.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <pyk/pyk.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "pyk/runtime.h"

namespace {

constexpr double kMiB = 1 << 20;
// What compiles, and launches, may add in all: the allocators' own growth, however many there are.
constexpr double kCompilesMayAdd = 32, kLaunchesMayAdd = 4;  // MiB
constexpr long long kBetweenWaits = 10'000;

constexpr const char* kText = R"py(from numba import cuda

STEP = 0


@cuda.jit
def count(one, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += one + STEP
)py";

double resident_mib() {
    std::ifstream statm("/proc/self/statm");
    long long all = 0, resident = 0;
    statm >> all >> resident;
    return static_cast<double>(resident) * 4096 / kMiB;
}

// Files in this process's memory: a shared object for the CPU that is not unloaded stays among them.
std::size_t mapped_files() {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> files;
    for (std::string line; std::getline(maps, line);) {
        const auto slash = line.find('/');
        if (slash != std::string::npos) files.insert(line.substr(slash));
    }
    return files.size();
}

struct Size {
    double resident = resident_mib();
    double device_free = static_cast<double>(pyk::Device().free_memory().value()) / kMiB;
    std::size_t files = mapped_files();
};

// Prints both; false: it grew by more.
bool compare(const char* what, long long count, const Size& before, const Size& after, double may_add) {
    const double added = after.resident - before.resident;
    std::printf("%lld %s: resident %.1f -> %.1f MiB (%+.1f, at most %+.0f); files mapped %zu -> %zu", count, what,
                before.resident, after.resident, added, may_add, before.files, after.files);
    const bool is_cpu = pyk::Device().is_cpu();
    if (!is_cpu) std::printf("; device memory %+.1f MiB", before.device_free - after.device_free);
    std::printf("\n");
    return added <= may_add && after.files <= before.files &&
           (is_cpu || before.device_free - after.device_free <= may_add);
}

pyk::jit::Module load(long long step) {
    pyk::jit::Options options;
    options.disk_cache = false;
    options.defines["STEP"] = std::int64_t{step};
    return pyk::load_text("soak.pyk", kText, options).value();
}

void expect(double got, double wanted) {
    if (got != wanted) throw std::runtime_error("wrong: " + std::to_string(got) + ", not " + std::to_string(wanted));
}

// Each with a constant that no other had.
void compile(long long first, long long end) {
    auto x = pyk::Array<double>::allocate(pyk::Device(), {32}).value();
    for (long long step = first; step < end; ++step) {
        const pyk::jit::Kernel kernel = load(step).kernel("count").value();
        x.fill(0.0).or_throw();
        kernel.forall(x.size())(1.0, x);
        expect(x.to_host().value().back(), 1.0 + static_cast<double>(step));
        if (kernel.specializations().size() != 1) throw std::runtime_error("not one instance");
    }
}

void compile_on(long long threads, long long first, long long count) {
    std::vector<std::future<void>> parts;
    for (long long i = 0; i < threads; ++i)
        parts.push_back(
            std::async(std::launch::async, compile, first + count * i / threads, first + count * (i + 1) / threads));
    for (std::future<void>& part : parts) part.get();
}

template <class Launch>
void launch(long long count, pyk::Array<double>& x, Launch once) {
    x.fill(0.0).or_throw();
    for (long long i = 0; i < count; ++i) {
        once();
        if (i % kBetweenWaits == 0) pyk::Device().synchronize().or_throw();
    }
    expect(x.to_host().value().back(), static_cast<double>(count));
}

}  // namespace

int main(int argc, char** argv) try {
    const long long compiles = argc > 1 ? std::atoll(argv[1]) : 10, launches = argc > 2 ? std::atoll(argv[2]) : 20'000;
    const long long threads = argc > 3 ? std::atoll(argv[3]) : 1;
    const pyk::Device device;
    std::printf("%s\n", device.info().name.c_str());
    auto x = pyk::Array<double>::allocate(device, {32}).value();

    // What is allocated once is there before the first measurement.
    const long long warm_up = compiles / 10 + 3;
    compile_on(threads, 0, warm_up);
    const Size before_compiles;
    compile_on(threads, warm_up, compiles);
    bool is_steady = compare("compiles", compiles, before_compiles, Size(), kCompilesMayAdd);

    const pyk::jit::Kernel kernel = load(0).kernel("count").value();
    pyk::LaunchConfig config;
    config.block.x = 32;
    const auto bound = kernel.bind<double, pyk::Array<double>>(device).value();
    const auto typed = kernel(config);
    launch(kBetweenWaits, x, [&] { typed(1.0, x); });
    const Size before_bound;
    launch(launches, x, [&] { bound(config, 1.0, x); });
    is_steady &= compare("bound launches", launches, before_bound, Size(), kLaunchesMayAdd);
    const Size before_typed;
    launch(launches, x, [&] { typed(1.0, x); });
    is_steady &= compare("typed launches", launches, before_typed, Size(), kLaunchesMayAdd);
    std::printf("live instances: %zu\n", kernel.specializations().size());
    if (kernel.specializations().size() != 1) return std::puts("there has to be one"), 1;
    if (!is_steady) std::puts("it grew");
    return is_steady ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
