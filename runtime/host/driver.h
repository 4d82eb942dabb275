// The CUDA driver as the rest of the runtime sees it. driver.cpp alone knows the driver's API.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pyk/device.h"
#include "pyk/module.h"

namespace pyk::driver {

struct Context {
    DeviceInfo info;
    int device = 0;          ///< CUdevice
    void* handle = nullptr;  ///< CUcontext
};

struct StreamState {
    Context* context = nullptr;
    void* handle = nullptr;  ///< CUstream
    ~StreamState();
};

struct EventState {
    Context* context = nullptr;
    void* handle = nullptr;  ///< CUevent
    ~EventState();
};

struct ModuleState {
    Context* context = nullptr;
    void* handle = nullptr;        ///< CUmodule
    std::size_t check_report = 0;  ///< device address of pyk_check_report, or 0
    ~ModuleState();
};

Result<int> device_count();
Result<Context*> context(int index);
Result<std::size_t> free_memory(Context& context);
Status synchronize(Context& context);

Result<std::size_t> allocate(Context& context, std::size_t bytes);
void release(Context& context, std::size_t address);
Status upload(Context& context, std::size_t to, const void* from, std::size_t bytes, void* stream);
Status download(Context& context, void* to, std::size_t from, std::size_t bytes, void* stream);
Status fill(Context& context, std::size_t to, unsigned char value, std::size_t bytes, void* stream);

Status create(StreamState& stream, Context& context);
Status synchronize_stream(Context& context, void* stream);
Status create(EventState& event, Context& context);
Status record(EventState& event, void* stream);
Status wait(EventState& event);
Result<double> elapsed_ms(EventState& start, EventState& end);

Status load(ModuleState& module, Context& context, const void* image, std::size_t size);
Result<void*> function(ModuleState& module, const std::string& symbol);
Result<KernelResources> resources(ModuleState& module, void* function);
Status launch(ModuleState& module, void* function, const LaunchConfig& config, std::size_t static_shared,
              const void* args, std::size_t size);

}  // namespace pyk::driver
