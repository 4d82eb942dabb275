#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compile/gpu.h"
#include "compile/nvrtc.h"
#include "jit/loaded.h"
#include "jit/pack.h"
#include "jit/types.h"
#include "pyk/buffer.h"
#include "pyk/module.h"

namespace pyk::jit {
namespace {

Error failure(Error::Kind kind, const std::string& message) { return {kind, message}; }
Error execution_failure(const std::string& message) { return failure(Error::Kind::execution, message); }

// The host arrays of one launch in the device's memory. An array that is passed twice is there once.
class Copies {
  public:
    explicit Copies(const Device& device) : device_(device) {}

    /// Uploads; gives the device address in `address`.
    Status add(const Argument& array, bool written, void*& address) {
        const size_t bytes = byte_size(array);
        auto [at, is_new] = copies_.try_emplace({array.data, bytes});
        Copy& copy = at->second;
        copy.written |= written;
        if (is_new) {
            pyk::Result<DeviceBuffer> buffer = DeviceBuffer::allocate(device_, bytes);
            if (!buffer) return buffer.status();
            copy.buffer = *std::move(buffer);
            if (Status s = copy.buffer.upload(array.data, bytes); !s) return s;
        }
        address = copy.buffer.address();
        return {};
    }

    Status copy_back() const {
        for (const auto& [host, copy] : copies_)
            if (copy.written)
                if (Status s = copy.buffer.download(host.first, host.second); !s) return s;
        return {};
    }

  private:
    struct Copy {
        DeviceBuffer buffer;
        bool written = false;
    };
    const Device& device_;
    std::map<std::pair<void*, size_t>, Copy> copies_;
};

class CudaCode : public Loaded {
  public:
    CudaCode(Device device, pyk::Module module, pyk::Kernel kernel, bool checks)
        : device_(device), module_(std::move(module)), kernel_(std::move(kernel)), checks_(checks) {}

    Result<double> launch(const EntryPoint& entry, const LaunchShape& shape,
                          const std::vector<Argument>& arguments) override {
        Copies copies(device_);
        std::vector<void*> data(arguments.size());
        for (size_t i = 0; i < arguments.size(); ++i) {
            const Argument& argument = arguments[i];
            if (argument.ndim == 0) continue;
            data[i] = argument.data;
            if (argument.on_device) continue;
            if (argument.order == Order::strided)
                return failure(Error::Kind::arguments, "a strided array in host memory cannot be copied");
            if (Status s = copies.add(argument, entry.params[i].written, data[i]); !s)
                return execution_failure(s.message());
        }
        const Result<double> milliseconds = timed_launch(entry, shape, pack_arguments(entry, arguments, data));
        if (!milliseconds) return milliseconds;
        if (Status s = copies.copy_back(); !s) return execution_failure(s.message());
        return milliseconds;
    }

    std::string device_name() const override { return device_.info().name; }

  private:
    Result<double> timed_launch(const EntryPoint& entry, const LaunchShape& shape, const ArgBuffer& packed) const {
        LaunchConfig config;
        config.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
        config.block = {shape.block.x, shape.block.y, shape.block.z};
        config.shared_bytes = shape.shared_bytes;
        config.cooperative = entry.cooperative;
        pyk::Result<Event> start = Event::create(device_), stop = Event::create(device_);
        if (!start) return execution_failure(start.message());
        if (!stop) return execution_failure(stop.message());
        if (Status s = start->record(); !s) return execution_failure(s.message());
        if (Status s = kernel_.launch(config, packed); !s) return execution_failure(s.message());
        if (Status s = stop->record(); !s) return execution_failure(s.message());
        if (Status s = stop->wait(); !s) return execution_failure(s.message());
        if (Status s = device_.synchronize(); !s) return execution_failure(s.message());
        if (auto error = check_result()) return *error;
        const pyk::Result<double> milliseconds = Event::elapsed_ms(*start, *stop);
        if (!milliseconds) return execution_failure(milliseconds.message());
        return *milliseconds;
    }

    std::optional<Error> check_result() const {
        if (!checks_) return std::nullopt;
        const auto report = module_.take_check_report();
        if (!report) return execution_failure(report.message());
        if (!*report) return std::nullopt;
        return execution_failure((*report)->message());
    }

    Device device_;
    pyk::Module module_;
    pyk::Kernel kernel_;
    bool checks_;
};

// A cubin for a GPU that NVRTC knows; PTX of the nearest older one for the driver to compile, where it does not.
Result<Artifact> compile_for(const Unit& unit, const DeviceInfo& info) {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    if (!nvrtc) return failure(Error::Kind::input_output, nvrtc.error().text);
    const int number = info.major * 10 + info.minor;
    const auto above = std::upper_bound(nvrtc->archs.begin(), nvrtc->archs.end(), number);
    if (above == nvrtc->archs.begin())
        return failure(Error::Kind::input_output, fmt::format("NVRTC {}.{} does not compile for {} (sm_{}) any more",
                                                              nvrtc->major, nvrtc->minor, info.name, number));
    const int known = *(above - 1);
    const bool exact = known == number;
    return artifact_of(compile_for_gpu(unit, exact ? ArtifactKind::cubin : ArtifactKind::ptx, {known, 0, !exact}));
}

}  // namespace

Result<std::unique_ptr<Loaded>> load_on_cuda(const Unit& unit, bool checks) {
    const pyk::Result<Device> device = Device::get();
    if (!device) return failure(Error::Kind::input_output, device.message());
    const EntryPoint& entry = unit.entries.at(0);
    const DeviceInfo& info = device->info();
    if (info.major * 10 + info.minor < entry.min_sm)
        return failure(Error::Kind::input_output,
                       fmt::format("kernel `{}` needs a GPU of sm_{} or later; {} is sm_{}{}", entry.kernel,
                                   entry.min_sm, info.name, info.major, info.minor));
    const Result<Artifact> artifact = compile_for(unit, info);
    if (!artifact) return artifact.error();
    const pyk::Result<pyk::Module> module = pyk::Module::load(*device, artifact.value().bytes);
    if (!module) return execution_failure(module.message());
    const pyk::Result<pyk::Kernel> kernel = module->kernel(entry.symbol);
    if (!kernel) return failure(Error::Kind::fault, kernel.message());
    return std::unique_ptr<Loaded>(new CudaCode(*device, *module, *kernel, checks));
}

std::string why_no_cuda() {
    const pyk::Result<int> count = Device::count();
    if (!count) return count.message();
    if (*count == 0) return "there is no CUDA device";
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    return nvrtc ? "" : nvrtc.error().text;
}

}  // namespace pyk::jit
