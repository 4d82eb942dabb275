// A GPU's primary context through the driver.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "cuda_api.h"
#include "driver.h"
#include "gpu_prints.h"
#include "recent_launches.h"
#include "stream_holds.h"
#include "stream_memory.h"

namespace pyk::driver::cuda {

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

/// While it lives, this thread may allocate, free and load though streams are being captured, by it or by others: none
/// of that is part of what they capture.
class RelaxedCaptures {
  public:
    RelaxedCaptures() { api().cuThreadExchangeStreamCaptureMode(&mode_); }
    ~RelaxedCaptures() { api().cuThreadExchangeStreamCaptureMode(&mode_); }
    RelaxedCaptures(const RelaxedCaptures&) = delete;
    RelaxedCaptures& operator=(const RelaxedCaptures&) = delete;

  private:
    int mode_ = kCaptureRelaxed;
};

inline Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

/// The modules of ours that are loaded, by their handles. Any thread may call.
class LoadedModules {
  public:
    void add(void* handle, const std::shared_ptr<LoadedModule>& module) {
        const std::lock_guard lock(mutex_);
        modules_[handle] = module;
    }
    void remove(void* handle) {
        const std::lock_guard lock(mutex_);
        modules_.erase(handle);
    }
    /// Null: it is another's, or about to be unloaded.
    std::shared_ptr<LoadedModule> find(void* handle) {
        const std::lock_guard lock(mutex_);
        const auto found = modules_.find(handle);
        return found == modules_.end() ? nullptr : found->second.lock();
    }

  private:
    std::mutex mutex_;
    std::unordered_map<void*, std::weak_ptr<LoadedModule>> modules_;
};

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
        return delivered(call("CUDA device", [] { return api().cuCtxSynchronize(); }));
    }
    Status enable_access_to(Context& other) override {
        if (&other == this) return {};
        if (other.info.is_cpu) return Status::failure("a GPU has no access to the CPU's memory");
        const auto& peer = static_cast<const CudaContext&>(other);
        Status s = call("access to another GPU's memory", [&] {
            const Code code = api().cuCtxEnablePeerAccess(peer.handle_, 0);
            if (code != 0 && code != kPeerAccessThere) return code;
            // Memory of pools has rights of its own.
            void* pool = nullptr;
            const PoolAccess access(info.index);
            const Code found = api().cuDeviceGetDefaultMemPool(&pool, peer.info.index);
            return found != 0 ? found : api().cuMemPoolSetAccess(pool, &access, 1);
        });
        if (s) peers_ |= 1ull << (other.info.index & 63);
        return s;
    }
    bool reaches(const Context& other) const override {
        return &other == this || (!other.info.is_cpu && (peers_ >> (other.info.index & 63) & 1) != 0);
    }

    Result<void*> allocate(MemoryKind kind, std::size_t bytes, void* stream) override {
        if (kind != MemoryKind::pooled) return allocate_new(kind, bytes, stream);
        const Result<void*> address = allocate_pooled(bytes, stream);
        if (address && stream) holds_.add(stream);
        return address;
    }
    void release(MemoryKind kind, void* address, void* stream) override {
        if (kind == MemoryKind::pooled) {
            if (!stream_memory_.keep(keeper(stream), address)) free_pooled(address, stream);
            if (stream && holds_.drop(stream)) destroy_unused(stream);
            return;
        }
        const Status ignored = call("free", [&] {
            const RelaxedCaptures relaxed;
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
        if (holds_.give_up(stream)) destroy_unused(stream);
    }
    Status synchronize_stream(void* stream) override {
        return delivered(call("CUDA stream", [&] { return api().cuStreamSynchronize(stream); }));
    }
    Status wait_quietly(void* stream) override {
        return call("CUDA stream", [&] { return api().cuStreamSynchronize(stream); });
    }
    Status wait_for(void* stream, void* event) override {
        return call("waiting for a CUDA event", [&] { return api().cuStreamWaitEvent(stream, event, 0); });
    }
    Status begin_capture(void* stream) override {
        return call("capture of a stream", [&] { return api().cuStreamBeginCapture_v2(stream, kCaptureThreadLocal); });
    }
    Result<void*> end_capture(void* stream) override;
    bool is_capturing(void* stream) override {
        int status = 0;
        return call("capture", [&] { return api().cuStreamIsCapturing(stream, &status); }).ok() && status != 0;
    }
    Status launch_graph(void* graph, void* stream) override;
    void destroy_graph(void* graph) override;

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
        return delivered(call("CUDA event", [&] { return api().cuEventSynchronize(event); }));
    }
    Result<bool> is_done(void* event) override {
        bool done = true;
        Status s = call("CUDA event", [&] {
            const Code code = api().cuEventQuery(event);
            done = code == 0;
            return code == kNotReady ? 0 : code;
        });
        if (!s) return s;
        if (done) prints.deliver();
        return done;
    }
    Result<double> elapsed_ms(void* start, void* end) override {
        float ms = 0;
        Status s = call("time between CUDA events", [&] { return api().cuEventElapsedTime(&ms, start, end); });
        if (!s) return s;
        return static_cast<double>(ms);
    }

    Result<std::shared_ptr<LoadedModule>> load(const void* image, std::size_t size, const PrintSink& sink) override;
    Result<std::shared_ptr<LoadedModule>> linked_code(FindLinked find, bool has_checks) override;

    RecentLaunches recent;
    GpuSinks prints;
    LoadedModules modules;

  private:
    /// The stream as an owner of memory; a captured one is none, whose graph has memory of its own.
    std::optional<StreamMemory::StreamId> keeper(void* stream) {
        StreamMemory::StreamId id = 0;
        int capturing = 0;
        const Status known = call("CUDA stream", [&] {
            const Code code = api().cuStreamIsCapturing(stream, &capturing);
            return code != 0 || capturing != 0 ? code : api().cuStreamGetId(stream, &id);
        });
        return known && capturing == 0 ? std::optional(id) : std::nullopt;
    }

    Result<void*> allocate_pooled(std::size_t bytes, void* stream) {
        const std::size_t kept = StreamMemory::size_of(bytes);
        const std::optional<StreamMemory::StreamId> owner = kept ? keeper(stream) : std::nullopt;
        if (owner)
            if (void* const address = stream_memory_.take(*owner, kept)) return address;
        const Result<void*> address = allocate_new(MemoryKind::pooled, owner ? kept : bytes, stream);
        if (address && owner) stream_memory_.add(*address, kept);
        return address;
    }
    void free_pooled(void* address, void* stream) {
        const Status ignored = call("free", [&] { return api().cuMemFreeAsync(address_of(address), stream); });
    }
    /// A stream none of whose memory is in use.
    void destroy_unused(void* stream) {
        if (const auto owner = keeper(stream))
            for (void* const address : stream_memory_.leave(*owner)) free_pooled(address, stream);
        const Status ignored = call("CUDA stream", [&] { return api().cuStreamDestroy_v2(stream); });
    }

    /// After waiting: what was printed before an error is there as well.
    Status delivered(Status waited) {
        prints.deliver();
        return waited;
    }

    Result<void*> allocate_new(MemoryKind kind, std::size_t bytes, void* stream) {
        Address address = 0;
        void* host = nullptr;
        const std::string what = "allocation of " + std::to_string(bytes) + " bytes on " + info.name;
        Status s = call(what.c_str(), [&] {
            std::optional<RelaxedCaptures> relaxed;
            if (kind != MemoryKind::pooled) relaxed.emplace();
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

    template <class Make>
    Result<void*> made(const char* what, Make make) {
        void* handle = nullptr;
        if (Status s = call(what, [&] { return make(&handle); }); !s) return s;
        return handle;
    }

    void* handle_;  // CUcontext
    StreamMemory stream_memory_;
    StreamHolds holds_;
    std::atomic<unsigned long long> peers_{0};  // by index
};

}  // namespace pyk::driver::cuda
