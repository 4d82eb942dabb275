// A GPU through the driver.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <string_view>
#include <vector>

#include "cuda_api.h"
#include "driver.h"
#include "recent_launches.h"
#include "report.h"

namespace pyk::driver {
namespace {

using namespace cuda;  // NOLINT: this file is about nothing else

/// Makes a context current for a call, where it is not. A thread without one keeps it, which spares the next calls the
/// change.
class Current {
  public:
    explicit Current(void* context) {
        void* current = nullptr;
        api().cuCtxGetCurrent(&current);
        if (current == context) return;
        if (current)
            pushed_ = api().cuCtxPushCurrent_v2(context) == 0;
        else
            api().cuCtxSetCurrent(context);
    }
    ~Current() {
        void* popped = nullptr;
        if (pushed_) api().cuCtxPopCurrent_v2(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    bool pushed_ = false;
};

int attribute(int device, Attribute which) {
    int value = 0;
    api().cuDeviceGetAttribute(&value, which, device);
    return value;
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

class CudaContext final : public Context {
  public:
    explicit CudaContext(void* handle) : handle_(handle) {}

    /// Makes a call of the driver in this context.
    template <class Call>
    Status call(const char* what, Call call) {
        if (is_forked()) return check_not_forked();
        const Current current(handle_);
        return checked(call(), what);
    }
    Status checked(Code code, const char* what) {
        if (code == 0) return {};
        const bool is_sticky = std::find(std::begin(kSticky), std::end(kSticky), code) != std::end(kSticky);
        return failure(api(), code, what + std::string(is_sticky ? recent.text() : ""));
    }
    void* handle() const { return handle_; }

    Result<std::size_t> free_memory() override {
        std::size_t free = 0, total = 0;
        Status s = call("free device memory", [&] { return api().cuMemGetInfo_v2(&free, &total); });
        if (!s) return s;
        return free;
    }
    Status synchronize() override {
        return call("CUDA device", [] { return api().cuCtxSynchronize(); });
    }
    Status enable_access_to(Context& other) override {
        if (&other == this) return {};
        if (other.info.is_cpu) return Status::failure("a GPU has no access to the CPU's memory");
        const auto& peer = static_cast<const CudaContext&>(other);
        Status s = call("access to another GPU's memory", [&] {
            const Code code = api().cuCtxEnablePeerAccess(peer.handle_, 0);
            return code == kPeerAccessThere ? 0 : code;
        });
        if (s) peers_ |= 1ull << (other.info.index & 63);
        return s;
    }
    bool reaches(const Context& other) const override {
        return &other == this || (!other.info.is_cpu && (peers_ >> (other.info.index & 63) & 1) != 0);
    }

    Result<void*> allocate(MemoryKind kind, std::size_t bytes, void* stream) override {
        Address address = 0;
        void* host = nullptr;
        const std::string what = "allocation of " + std::to_string(bytes) + " bytes on " + info.name;
        Status s = call(what.c_str(), [&] {
            switch (kind) {
                case MemoryKind::device:
                    return api().cuMemAlloc_v2(&address, bytes);
                case MemoryKind::pooled:
                    return api().cuMemAllocAsync(&address, bytes, stream);
                case MemoryKind::managed:
                    return api().cuMemAllocManaged(&address, bytes, kManagedGlobal);
                case MemoryKind::pinned:
                    return api().cuMemHostAlloc(&host, bytes, kHostPortable | kHostMapped);
                case MemoryKind::mapped:
                    return api().cuMemHostAlloc(&host, bytes, kHostPortable | kHostMapped | kHostWriteCombined);
            }
            return 1;
        });
        if (!s) return s;
        return host ? host : reinterpret_cast<void*>(address);
    }
    void release(MemoryKind kind, void* address, void* stream) override {
        const Status ignored = call("free", [&] {
            if (kind == MemoryKind::pooled) return api().cuMemFreeAsync(address_of(address), stream);
            if (kind == MemoryKind::pinned || kind == MemoryKind::mapped) return api().cuMemFreeHost(address);
            return api().cuMemFree_v2(address_of(address));
        });
    }
    Status copy(void* to, const void* from, std::size_t bytes, void* stream) override {
        return call("copy", [&] { return api().cuMemcpyAsync(address_of(to), address_of(from), bytes, stream); });
    }
    Status copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t rows, void* stream) override {
        RowsCopy copy;
        copy.from.address = address_of(from);
        copy.from.pitch = from_pitch;
        copy.to.address = address_of(to);
        copy.to.pitch = to_pitch;
        copy.width = width;
        copy.rows = rows;
        return call("copy of rows", [&] { return api().cuMemcpy2DAsync_v2(&copy, stream); });
    }
    Status fill(void* to, std::size_t pitch, unsigned value, int width, std::size_t count, void* stream) override {
        const Address at = address_of(to);
        const auto byte = static_cast<unsigned char>(value);
        const auto half = static_cast<unsigned short>(value);
        const bool is_dense = pitch == static_cast<std::size_t>(width);
        return call("filling memory", [&] {
            if (is_dense && width == 1) return api().cuMemsetD8Async(at, byte, count, stream);
            if (is_dense && width == 2) return api().cuMemsetD16Async(at, half, count, stream);
            if (is_dense) return api().cuMemsetD32Async(at, value, count, stream);
            if (width == 1) return api().cuMemsetD2D8Async(at, pitch, byte, 1, count, stream);
            if (width == 2) return api().cuMemsetD2D16Async(at, pitch, half, 1, count, stream);
            return api().cuMemsetD2D32Async(at, pitch, value, 1, count, stream);
        });
    }

    Result<void*> create_stream(int priority) override {
        return made("CUDA stream", [&](void** stream) {
            return api().cuStreamCreateWithPriority(stream, kStreamNonBlocking, priority);
        });
    }
    void destroy_stream(void* stream) override {
        const Status ignored = call("CUDA stream", [&] { return api().cuStreamDestroy_v2(stream); });
    }
    Status synchronize_stream(void* stream) override {
        return call("CUDA stream", [&] { return api().cuStreamSynchronize(stream); });
    }
    Status wait_for(void* stream, void* event) override {
        return call("waiting for a CUDA event", [&] { return api().cuStreamWaitEvent(stream, event, 0); });
    }
    Status begin_capture(void* stream) override {
        return call("capture of a stream", [&] { return api().cuStreamBeginCapture_v2(stream, kCaptureThreadLocal); });
    }
    Result<void*> end_capture(void* stream) override {
        return made("captured graph", [&](void** exec) {
            void* graph = nullptr;
            if (const Code code = api().cuStreamEndCapture(stream, &graph); code != 0) return code;
            const Code code = api().cuGraphInstantiateWithFlags(exec, graph, 0);
            api().cuGraphDestroy(graph);
            return code;
        });
    }
    bool is_capturing(void* stream) override {
        int status = 0;
        return call("capture", [&] { return api().cuStreamIsCapturing(stream, &status); }).ok() && status != 0;
    }
    Status launch_graph(void* graph, void* stream) override {
        return call("graph launch", [&] { return api().cuGraphLaunch(graph, stream); });
    }
    void destroy_graph(void* graph) override {
        const Status ignored = call("graph", [&] { return api().cuGraphExecDestroy(graph); });
    }

    Result<void*> create_event() override {
        return made("CUDA event", [](void** event) { return api().cuEventCreate(event, 0); });
    }
    void destroy_event(void* event) override {
        const Status ignored = call("CUDA event", [&] { return api().cuEventDestroy_v2(event); });
    }
    Status record(void* event, void* stream) override {
        return call("CUDA event", [&] { return api().cuEventRecord(event, stream); });
    }
    Status wait(void* event) override {
        return call("CUDA event", [&] { return api().cuEventSynchronize(event); });
    }
    Result<bool> is_done(void* event) override {
        bool done = true;
        Status s = call("CUDA event", [&] {
            const Code code = api().cuEventQuery(event);
            done = code == 0;
            return code == kNotReady ? 0 : code;
        });
        if (!s) return s;
        return done;
    }
    Result<double> elapsed_ms(void* start, void* end) override {
        float ms = 0;
        Status s = call("time between CUDA events", [&] { return api().cuEventElapsedTime(&ms, start, end); });
        if (!s) return s;
        return static_cast<double>(ms);
    }

    Result<std::shared_ptr<LoadedModule>> load(const void* image, std::size_t size) override;

    RecentLaunches recent;

  private:
    template <class Make>
    Result<void*> made(const char* what, Make make) {
        void* handle = nullptr;
        if (Status s = call(what, [&] { return make(&handle); }); !s) return s;
        return handle;
    }

    void* handle_;                              // CUcontext
    std::atomic<unsigned long long> peers_{0};  // by index
};

class CudaModule final : public LoadedModule {
  public:
    CudaModule(CudaContext& context, void* handle, std::size_t check_report)
        : LoadedModule(context), cuda_(context), handle_(handle), check_report_(check_report) {}
    ~CudaModule() override {
        const Status ignored = cuda_.call("CUDA module", [&] { return api().cuModuleUnload(handle_); });
    }

    Result<void*> function(const std::string& symbol) override {
        auto own = std::make_unique<Function>();
        own->symbol = symbol;
        const std::string what = "CUDA module has no kernel '" + symbol + "'";
        Status s =
            cuda_.call(what.c_str(), [&] { return api().cuModuleGetFunction(&own->handle, handle_, symbol.c_str()); });
        if (!s) return s;
        const std::lock_guard lock(mutex_);
        functions_.push_back(std::move(own));
        return static_cast<void*>(functions_.back().get());
    }

    Result<KernelResources> resources(void* function) override {
        int values[5] = {};
        for (int which = function_max_threads; which <= function_registers; ++which) {
            Status s = cuda_.call("attributes of a kernel",
                                  [&] { return api().cuFuncGetAttribute(&values[which], which, handle_of(function)); });
            if (!s) return s;
        }
        KernelResources r;
        r.max_threads_per_block = values[function_max_threads];
        r.shared_bytes = static_cast<std::size_t>(values[function_shared]);
        r.const_bytes = static_cast<std::size_t>(values[function_const]);
        r.local_bytes = static_cast<std::size_t>(values[function_local]);
        r.registers = values[function_registers];
        return r;
    }

    Status launch(void* function, const LaunchConfig& config, std::size_t static_shared, const void* args,
                  std::size_t size) override {
        if (is_forked()) return check_not_forked();
        const Current current(cuda_.handle());
        if (static_shared + config.shared_bytes > kSharedWithoutAsking)
            if (Status s = ask_for_shared(function, config.shared_bytes); !s) return s;
        void* extra[] = {kParamPointer, const_cast<void*>(args), kParamSize, &size, kParamEnd};
        const Function& f = *static_cast<const Function*>(function);
        cuda_.recent.note(f.symbol, config, args, size);
        Code code;
        if (config.cooperative || config.cluster.x)
            code = launch_with_attributes(f, config, size ? extra : nullptr);
        else
            code = api().cuLaunchKernel(f.handle, config.grid.x, config.grid.y, config.grid.z, config.block.x,
                                        config.block.y, config.block.z, static_cast<unsigned>(config.shared_bytes),
                                        config.stream.handle, nullptr, size ? extra : nullptr);
        return code == 0 ? Status() : launch_failure(code, f, config);
    }

    Result<int> best_block(void* function, std::size_t shared_bytes) override {
        int grid = 0, block = 0;
        Status s = cuda_.call("occupancy", [&] {
            return api().cuOccupancyMaxPotentialBlockSize(&grid, &block, handle_of(function), nullptr, shared_bytes, 0);
        });
        if (!s) return s;
        return block;
    }
    Result<int> blocks_per_multiprocessor(void* function, int threads, std::size_t shared_bytes) override {
        int blocks = 0;
        Status s = cuda_.call("occupancy", [&] {
            return api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, handle_of(function), threads,
                                                                     shared_bytes);
        });
        if (!s) return s;
        return blocks;
    }

    Result<std::optional<CheckReport>> take_check_report() override {
        if (!check_report_) return std::optional<CheckReport>();
        if (Status s = context.synchronize(); !s) return s;
        check_report report{};
        void* const at = reinterpret_cast<void*>(check_report_);
        if (Status s = context.copy(&report, at, sizeof report, nullptr); !s) return s;
        if (Status s = context.synchronize_stream(nullptr); !s) return s;
        if (!report.filled) return std::optional<CheckReport>();
        if (Status s = context.fill(at, 1, 0, 1, sizeof report, nullptr); !s) return s;
        return std::optional(to_report(report));
    }

  private:
    struct Function {
        std::string symbol;
        void* handle = nullptr;  // CUfunction
    };
    static void* handle_of(void* function) { return static_cast<const Function*>(function)->handle; }

    Status ask_for_shared(void* function, std::size_t shared_bytes) {
        const std::string what = std::to_string(shared_bytes) + " bytes of dynamic shared memory";
        return cuda_.checked(
            api().cuFuncSetAttribute(handle_of(function), function_max_dynamic_shared, static_cast<int>(shared_bytes)),
            what.c_str());
    }

    static Code launch_with_attributes(const Function& f, const LaunchConfig& config, void** extra) {
        LaunchAttribute attributes[2] = {};
        unsigned count = 0;
        if (config.cooperative) {
            attributes[count].id = kCooperative;
            attributes[count++].value.flag = 1;
        }
        if (config.cluster.x) {
            const Dim3& c = config.cluster;
            if (c.count() > 8) api().cuFuncSetAttribute(f.handle, function_nonportable_cluster, 1);
            attributes[count].id = kCluster;
            attributes[count].value.cluster[0] = c.x;
            attributes[count].value.cluster[1] = c.y;
            attributes[count++].value.cluster[2] = c.z;
        }
        const LaunchDescription description{{config.grid.x, config.grid.y, config.grid.z},
                                            {config.block.x, config.block.y, config.block.z},
                                            static_cast<unsigned>(config.shared_bytes),
                                            config.stream.handle,
                                            attributes,
                                            count};
        return api().cuLaunchKernelEx(&description, f.handle, nullptr, extra);
    }

    /// What a person would look at first.
    Status launch_failure(Code code, const Function& f, const LaunchConfig& config) {
        std::string what = "launch of " + f.symbol;
        const unsigned long long threads = config.block.count();
        if (threads == 0 || config.grid.count() == 0)
            what += ": an extent of the grid or the block is 0";
        else if (threads > static_cast<unsigned long long>(cuda_.info.max_threads_per_block))
            what += ": a block of " + std::to_string(threads) + " threads, of at most " +
                    std::to_string(cuda_.info.max_threads_per_block);
        else if (config.shared_bytes > cuda_.info.max_shared_per_block)
            what += ": " + std::to_string(config.shared_bytes) + " bytes of shared memory, of at most " +
                    std::to_string(cuda_.info.max_shared_per_block);
        return cuda_.checked(code, what.c_str());
    }

    CudaContext& cuda_;
    void* handle_;              // CUmodule
    std::size_t check_report_;  // address of pyk_check_report, or 0
    std::mutex mutex_;
    std::deque<std::unique_ptr<Function>> functions_;
};

Result<std::shared_ptr<LoadedModule>> CudaContext::load(const void* image, std::size_t size) {
    std::vector<char> ended(static_cast<const char*>(image), static_cast<const char*>(image) + size);
    ended.push_back('\0');  // PTX ends with a zero
    void* module = nullptr;
    if (Status s = call("loading a CUDA module", [&] { return api().cuModuleLoadData(&module, ended.data()); }); !s)
        return s;
    // Asked for only where it is: tools such as compute-sanitizer report every call that fails.
    Address report = 0;
    std::size_t bytes = 0;
    if (std::string_view(ended.data(), ended.size()).find("pyk_check_report") != std::string_view::npos) {
        const Status ignored =
            call("report", [&] { return api().cuModuleGetGlobal_v2(&report, &bytes, module, "pyk_check_report"); });
    }
    return std::shared_ptr<LoadedModule>(std::make_shared<CudaModule>(*this, module, report));
}

Result<Context*> open_context(int index) {
    int device = 0;
    void* handle = nullptr;
    if (const Code code = api().cuDeviceGet(&device, index); code != 0) return failure(api(), code, "CUDA device");
    if (const Code code = api().cuDevicePrimaryCtxRetain(&handle, device); code != 0)
        return failure(api(), code, "CUDA context");
    auto* c = new CudaContext(handle);
    char name[256] = "";
    api().cuDeviceGetName(name, sizeof name, device);
    c->info.index = index;
    c->info.name = name;
    c->info.major = attribute(device, capability_major);
    c->info.minor = attribute(device, capability_minor);
    c->info.multiprocessors = attribute(device, multiprocessor_count);
    c->info.warp_size = attribute(device, warp_size);
    c->info.max_threads_per_block = attribute(device, max_threads_per_block);
    c->info.max_threads_per_multiprocessor = attribute(device, max_threads_per_multiprocessor);
    c->info.max_shared_per_block = static_cast<std::size_t>(attribute(device, max_shared_per_block_optin));
    c->info.l2_bytes = static_cast<std::size_t>(attribute(device, l2_cache_size));
    api().cuDeviceTotalMem_v2(&c->info.memory, device);
    api().cuDriverGetVersion(&c->info.driver_version);
    return c;
}

}  // namespace

Status check_not_forked() {
    if (!is_forked()) return {};
    return Status::failure(
        "this process was forked off one that used the GPU: CUDA does not work here (start a new program, or fork "
        "before "
        "the first use)");
}

Result<int> cuda_device_count() {
    if (!api().status) return api().status;
    if (Status s = check_not_forked(); !s) return s;
    int count = 0;
    if (const Code code = api().cuDeviceGetCount(&count); code != 0) return failure(api(), code, "CUDA devices");
    return count;
}

Result<Context*> cuda_context(int index) {
    static std::mutex mutex;
    static std::vector<Context*>& opened = *new std::vector<Context*>;
    Result<int> count = cuda_device_count();
    if (!count) return count.status();
    if (index < 0 || index >= *count)
        return Status::failure(
            "there is no CUDA device " + std::to_string(index) + ": this machine has " + std::to_string(*count),
            Error::Kind::input_output);
    const std::lock_guard lock(mutex);
    for (Context* context : opened)
        if (context->info.index == index) return context;
    Result<Context*> fresh = open_context(index);
    if (fresh) opened.push_back(*fresh);
    return fresh;
}

}  // namespace pyk::driver
