// What a launch costs the host: cuLaunchKernel with ready parameters, our bound launcher, our typed call and the C
// API, for the same kernels in the same process. Prints nanoseconds per launch: median and quartiles of batches, the
// arms interleaved.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <pyk/pyk.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "pyk/pyk.h"
#include "pyk/runtime.h"

namespace {

constexpr int kWarmUp = 60, kBatches = 300, kLaunches = 200;

using Launch = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                       void**);
using LoadData = int (*)(void**, const void*);
using GetFunction = int (*)(void**, void*, const char*);

template <class F>
F driver(const char* name) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return reinterpret_cast<F>(dlsym(library, name));
}

double nanoseconds_per_call(const std::function<void()>& batch) {
    const auto start = std::chrono::steady_clock::now();
    batch();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kLaunches;
}

struct Arm {
    std::string name;
    std::function<void()> batch;
    std::vector<double> times = {};
};

void measure(const char* what, std::vector<Arm> arms) {
    const pyk::Device device;
    // Each arm comes first, second and last in turn: the one after a wait is slower.
    for (int i = -kWarmUp; i < kBatches; ++i)
        for (size_t turn = 0; turn < arms.size(); ++turn) {
            Arm& arm = arms[(turn + static_cast<size_t>(i + kWarmUp)) % arms.size()];
            const double time = nanoseconds_per_call(arm.batch);
            if (i >= 0) arm.times.push_back(time);
            (void)device.synchronize();
        }
    double raw = 0;
    for (Arm& arm : arms) {
        std::sort(arm.times.begin(), arm.times.end());
        const double median = arm.times[arm.times.size() / 2];
        if (raw == 0) raw = median;
        std::printf("%-22s %-18s %8.0f ns  (%.0f … %.0f)  %+6.0f\n", what, arm.name.c_str(), median,
                    arm.times[arm.times.size() / 4], arm.times[arm.times.size() * 3 / 4], median - raw);
    }
}

std::string source(int arrays, int scalars) {
    std::string params;
    for (int i = 0; i < arrays; ++i) params += (params.empty() ? "a" : ", a") + std::to_string(i);
    for (int i = 0; i < scalars; ++i) params += (params.empty() ? "s" : ", s") + std::to_string(i);
    std::string body = "    i = cuda.grid(1)\n    if i < 0:\n        pass\n";
    if (arrays)
        body = "    i = cuda.grid(1)\n    if i < 1:\n        a0[i] = " + std::string(scalars ? "s0" : "1") + "\n";
    return "from numba import cuda\n\n\n@cuda.jit\ndef k(" + params + "):\n" + body;
}

using A = pyk::Array<float>;

// The kernel through libpyk.so, which shares nothing with the library in this program.
class ThroughC {
  public:
    ThroughC(const std::string& text, int arrays, int scalars) {
        expect(pyk_load_text("k.pyk", text.c_str(), nullptr, &module_));
        expect(pyk_module_kernel(module_, "k", &kernel_));
        const pyk_device* device = nullptr;
        expect(pyk_device_get(0, &device));
        expect(pyk_buffer_allocate(device, 16 * sizeof(float), PYK_MEMORY_DEVICE, nullptr, &memory_));
        pyk_argument argument = {};
        argument.element = PYK_FLOAT32;
        argument.value.real = 1;
        arguments_.assign(static_cast<size_t>(arrays + scalars), argument);
        for (int i = 0; i < arrays; ++i) {
            pyk_argument& array = arguments_[static_cast<size_t>(i)];
            array.ndim = 1;
            array.device = device;
            array.value.data = pyk_buffer_address(memory_);
            array.shape[0] = 16;
        }
        config_.grid[0] = 1;
        config_.block[0] = 32;
    }
    ~ThroughC() {
        pyk_buffer_free(memory_);
        pyk_kernel_free(kernel_);
        pyk_module_free(module_);
    }
    ThroughC(const ThroughC&) = delete;
    ThroughC& operator=(const ThroughC&) = delete;
    void launch() const { expect(pyk_launch(kernel_, &config_, arguments_.data(), arguments_.size())); }

  private:
    static void expect(pyk_error* error) {
        if (!error) return;
        const std::string message = pyk_error_message(error);
        pyk_error_free(error);
        throw std::runtime_error(message);
    }
    pyk_module* module_ = nullptr;
    pyk_kernel* kernel_ = nullptr;
    pyk_buffer* memory_ = nullptr;
    pyk_launch_config config_ = {};
    std::vector<pyk_argument> arguments_;
};

template <class... Args>
void compare(const char* what, int arrays, int scalars, Args&... args) {
    const auto kernel = pyk::load_text("k.pyk", source(arrays, scalars)).value().kernel("k").value();
    pyk::LaunchConfig config;
    config.grid.x = 1;
    config.block.x = 32;
    const auto bound = kernel.bind<Args...>().value();
    bound(config, args...);
    kernel(config)(args...);
    const ThroughC through_c(source(arrays, scalars), arrays, scalars);
    through_c.launch();

    // The same kernel by hand. Of arrays that do not overlap it takes the pointer and the extent, each as a parameter.
    const std::string ptx = bound.specialization().ptx().value();
    void *module = nullptr, *function = nullptr;
    driver<LoadData>("cuModuleLoadData")(&module, ptx.c_str());
    driver<GetFunction>("cuModuleGetFunction")(&function, module, bound.specialization().symbol().c_str());
    struct Array {
        void* data;
        long long size;
    };
    const bool is_for_apart = arrays > 1;
    std::vector<Array> ready(static_cast<size_t>(arrays));
    std::vector<float> numbers(static_cast<size_t>(scalars), 1.0f);
    A memory = A::allocate(pyk::Device(), {16}).value();
    std::vector<void*> params;
    for (Array& array : ready) {
        array = {memory.data(), 16};
        params.push_back(&array.data);
        if (is_for_apart) params.push_back(&array.size);
    }
    for (float& number : numbers) params.push_back(&number);
    const auto launch = driver<Launch>("cuLaunchKernel");
    if (launch(function, 1, 1, 1, 32, 1, 1, 0, nullptr, params.data(), nullptr) != 0)
        throw std::runtime_error("the launch by hand failed");
    measure(what, {{"cuLaunchKernel",
                    [&] {
                        for (int i = 0; i < kLaunches; ++i)
                            launch(function, 1, 1, 1, 32, 1, 1, 0, nullptr, params.data(), nullptr);
                    }},
                   {"bound",
                    [&] {
                        for (int i = 0; i < kLaunches; ++i) (void)bound.launch(config, args...);
                    }},
                   {"typed call",
                    [&] {
                        for (int i = 0; i < kLaunches; ++i) (void)kernel(config).launch(args...);
                    }},
                   {"C API", [&] {
                        for (int i = 0; i < kLaunches; ++i) through_c.launch();
                    }}});
}

}  // namespace

int main() try {
    const pyk::Device device = pyk::Device::get().value();
    std::printf("%s, %d batches of %d launches\n", device.info().name.c_str(), kBatches, kLaunches);
    std::vector<A> a;
    for (int i = 0; i < 16; ++i) a.push_back(A::allocate(device, {16}).value());
    float s = 1;
    compare("no argument", 0, 0);
    compare("1 array", 1, 0, a[0]);
    compare("4 arrays", 4, 0, a[0], a[1], a[2], a[3]);
    compare("16 arrays", 16, 0, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
            a[14], a[15]);
    compare("16 scalars", 0, 16, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
