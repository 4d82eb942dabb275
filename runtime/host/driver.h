// A device as the rest of the runtime sees it. The files cuda_* alone know the driver's API, cpu_device.cpp the
// executor.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "pyk/buffer.h"
#include "pyk/device.h"
#include "pyk/module.h"
#include "pyk/print_sink.h"

namespace pyk::driver {

class Context;

using FindLinked = int (*)(const char* name, void** address);

/// Code on a device; unloaded with its last owner.
class LoadedModule {
  public:
    explicit LoadedModule(Context& context) : context(context) {}
    virtual ~LoadedModule() = default;
    LoadedModule(const LoadedModule&) = delete;
    LoadedModule& operator=(const LoadedModule&) = delete;

    virtual Result<void*> function(const std::string& symbol) = 0;
    virtual Result<KernelResources> resources(void* function) = 0;
    /// `static_shared`: bytes that the kernel has without asking.
    virtual Status launch(void* function, const LaunchConfig& config, std::size_t static_shared, const void* args,
                          std::size_t size) = 0;
    virtual Result<int> best_block(void* function, std::size_t shared_bytes) = 0;
    virtual Result<int> blocks_per_multiprocessor(void* function, int threads, std::size_t shared_bytes) = 0;
    virtual Result<std::optional<CheckReport>> take_check_report() = 0;

    Context& context;
};

/// Streams, events and graphs are the driver's handles for a GPU, the CPU's own objects for the CPU. A null stream is
/// the default one.
class Context {
  public:
    Context() = default;
    virtual ~Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    DeviceInfo info;

    virtual Result<std::size_t> free_memory() = 0;
    virtual Status synchronize() = 0;
    virtual Status enable_access_to(Context& other) = 0;
    /// Whether its kernels may use the other's memory.
    virtual bool reaches(const Context& other) const = 0;

    virtual Result<void*> allocate(MemoryKind kind, std::size_t bytes, void* stream) = 0;
    virtual void release(MemoryKind kind, void* address, void* stream) = 0;
    /// In any direction; queued.
    virtual Status copy(void* to, const void* from, std::size_t bytes, void* stream) = 0;
    virtual Status copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                             std::size_t width, std::size_t rows, void* stream) = 0;
    /// `width`: 1, 2 or 4 bytes of `value`, `count` times, each `pitch` bytes after the one before.
    virtual Status fill(void* to, std::size_t pitch, unsigned value, int width, std::size_t count, void* stream) = 0;

    virtual Result<void*> create_stream(int priority) = 0;
    virtual void destroy_stream(void* stream) = 0;
    virtual Status synchronize_stream(void* stream) = 0;
    /// The same, but what kernels printed is delivered later.
    virtual Status wait_quietly(void* stream) { return synchronize_stream(stream); }
    virtual Status wait_for(void* stream, void* event) = 0;
    virtual Status begin_capture(void* stream) = 0;
    virtual Result<void*> end_capture(void* stream) = 0;
    virtual bool is_capturing(void* stream) = 0;
    virtual Status launch_graph(void* graph, void* stream) = 0;
    virtual void destroy_graph(void* graph) = 0;

    virtual Result<void*> create_event() = 0;
    virtual void destroy_event(void* event) = 0;
    virtual Status record(void* event, void* stream) = 0;
    virtual Status wait(void* event) = 0;
    virtual Result<bool> is_done(void* event) = 0;
    virtual Result<double> elapsed_ms(void* start, void* end) = 0;

    virtual Result<std::shared_ptr<LoadedModule>> load(const void* image, std::size_t size, const PrintSink& sink) = 0;
    /// Code that the program is linked with. A GPU's functions, and for an empty name the report where it `has_checks`,
    /// are what `find` gives with this device current (0, else a cudaError_t); the CPU's are their entries.
    virtual Result<std::shared_ptr<LoadedModule>> linked_code(FindLinked find, bool has_checks) = 0;
};

/// A stream, an event or a graph of a device, destroyed with its last owner where it is owned.
template <void (Context::*destroy)(void*)>
struct Handle {
    Handle(Context& device, void* made, bool owned = true) : context(&device), handle(made), is_owned(owned) {}
    ~Handle() {
        if (is_owned && handle) (context->*destroy)(handle);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    Context* context;
    void* handle;
    bool is_owned;
};
struct StreamState : Handle<&Context::destroy_stream> {
    using Handle::Handle;
};
struct EventState : Handle<&Context::destroy_event> {
    using Handle::Handle;
};
struct GraphState : Handle<&Context::destroy_graph> {
    using Handle::Handle;
};

Result<int> cuda_device_count();
Result<Context*> cuda_context(int index);
/// Whether anyone has had one: it does not start the driver.
bool is_cuda_in_use();
/// The GPU that memory was allocated for; null: CUDA does not know it.
Result<Context*> cuda_context_of(const void* address);
Context& cpu_context();

/// Fails where a stream of the CPU is given for a GPU's memory, or one of a GPU for the CPU's: its handle would be
/// taken for one of the other kind. `device` null: host memory, for which any stream will do.
Status check_stream(const Context* device, StreamRef stream);

/// Fails in a process that was forked off after the driver was started: CUDA does not work there.
Status check_not_forked();

}  // namespace pyk::driver
