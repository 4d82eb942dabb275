#include "execute.h"

#include <map>

#include "pyk/runtime.h"

namespace pyk::run_cases {
namespace {

Dim3 dim3_of(const std::vector<int64_t>& extents) {
    const auto at = [&](size_t i) { return i < extents.size() ? static_cast<unsigned>(extents[i]) : 1u; };
    return {at(0), at(1), at(2)};
}

template <typename Config>
Config configured(const Launch& launch) {
    Config config;
    config.grid = dim3_of(launch.grid);
    config.block = dim3_of(launch.block);
    config.shared_bytes = static_cast<size_t>(launch.shared);
    config.cooperative = launch.cooperative;
    return config;
}

// Device copies of the case's arrays; arguments that are one array share one.
class DeviceArrays {
  public:
    explicit DeviceArrays(const Device& device) : device_(device) {}

    const void* address(const Array& array) {
        auto [found, is_new] = buffers_.try_emplace(array.bytes.get());
        if (is_new && fault_.empty()) {
            auto buffer = Buffer::allocate(device_, array.bytes->size());
            if (!buffer) return note(buffer.status());
            found->second = std::move(*buffer);
            note(found->second.upload(array.bytes->data(), array.bytes->size()));
        }
        return found->second.address();
    }

    void download() {
        for (auto& [bytes, buffer] : buffers_) note(buffer.download(bytes->data(), bytes->size()));
        note(device_.synchronize());
    }

    const std::string& fault() const { return fault_; }

  private:
    const void* note(const Status& status) {
        if (!status && fault_.empty()) fault_ = status.message();
        return nullptr;
    }

    Device device_;
    std::map<std::string*, Buffer> buffers_;
    std::string fault_;
};

}  // namespace

std::string execute_on_cpu(const Launch& launch, const std::string& library_file) {
    const auto module = CpuModule::load(library_file);
    if (!module) return module.message();
    const auto entry = module->entry(launch.symbol);
    if (!entry) return entry.message();
    ArgBuffer args;
    const std::string packed = pack(*launch.args, [](const Array& array) { return array.bytes->data(); });
    args.put(packed.data(), packed.size(), 16);
    const auto result = cpu::launch(*entry, configured<cpu::LaunchConfig>(launch), args.data());
    // Without checks a thread that ends is no error, as on a GPU: what it did not write is seen.
    if (!result) return result.message();
    return *result && (*result)->error.starts_with("race:") ? (*result)->message() : "";
}

std::string execute_on_gpu(const Launch& launch, const std::string& cubin) {
    const auto device = Device::get();
    if (!device) return device.message();
    const auto module = Module::load(*device, cubin);
    if (!module) return module.message();
    const auto kernel = module->kernel(launch.symbol);
    if (!kernel) return kernel.message();
    DeviceArrays arrays(*device);
    ArgBuffer args;
    const std::string packed = pack(*launch.args, [&](const Array& array) { return arrays.address(array); });
    if (!arrays.fault().empty()) return arrays.fault();
    args.put(packed.data(), packed.size(), 16);
    if (const Status status = kernel->launch(configured<LaunchConfig>(launch), args); !status) return status.message();
    if (const Status status = device->synchronize(); !status) return status.message();
    arrays.download();
    return arrays.fault();
}

std::string why_no_gpu() {
    const auto device = Device::get();
    return device ? "" : device.message();
}

int gpu_arch() {
    const auto device = Device::get();
    return device ? device->info().major * 10 + device->info().minor : 0;
}

}  // namespace pyk::run_cases
