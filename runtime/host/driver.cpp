// The driver API's part that we use, declared by hand after NVIDIA's documentation of it, so that nothing here needs
// the toolkit.
#include "driver.h"

#include <dlfcn.h>

#include <deque>
#include <mutex>
#include <vector>

namespace pyk::driver {
namespace {

using Code = int;                    // CUresult
using Address = unsigned long long;  // CUdeviceptr

enum Attribute : int {  // CUdevice_attribute
    max_threads_per_block = 1,
    multiprocessor_count = 16,
    capability_major = 75,
    capability_minor = 76,
    max_shared_per_block_optin = 97,
};
enum FunctionAttribute : int {  // CUfunction_attribute
    function_max_threads = 0,
    function_shared = 1,
    function_const = 2,
    function_local = 3,
    function_registers = 4,
    function_max_dynamic_shared = 8,
};
constexpr int kCooperative = 2;  // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
struct LaunchAttribute {         // CUlaunchAttribute
    int id;
    int padding;
    union {
        int flag;
        unsigned char bytes[64];
    } value;
};
struct LaunchDescription {  // CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void* stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};
constexpr unsigned kStreamNonBlocking = 1;
void* const kParamEnd = nullptr;                         // CU_LAUNCH_PARAM_END
void* const kParamPointer = reinterpret_cast<void*>(1);  // CU_LAUNCH_PARAM_BUFFER_POINTER
void* const kParamSize = reinterpret_cast<void*>(2);     // CU_LAUNCH_PARAM_BUFFER_SIZE
constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

// clang-format off
#define PYK_DRIVER_FUNCTIONS(F)                                                                                        \
    F(cuInit, (unsigned flags))                                                                                        \
    F(cuGetErrorName, (Code code, const char** name))                                                                  \
    F(cuGetErrorString, (Code code, const char** text))                                                                \
    F(cuDeviceGetCount, (int* count))                                                                                  \
    F(cuDeviceGet, (int* device, int index))                                                                           \
    F(cuDeviceGetName, (char* name, int size, int device))                                                             \
    F(cuDeviceGetAttribute, (int* value, int attribute, int device))                                                   \
    F(cuDeviceTotalMem_v2, (std::size_t* bytes, int device))                                                           \
    F(cuDevicePrimaryCtxRetain, (void** context, int device))                                                          \
    F(cuCtxGetCurrent, (void** context))                                                                               \
    F(cuCtxPushCurrent_v2, (void* context))                                                                            \
    F(cuCtxPopCurrent_v2, (void** context))                                                                            \
    F(cuCtxSynchronize, ())                                                                                            \
    F(cuMemGetInfo_v2, (std::size_t* free, std::size_t* total))                                                        \
    F(cuMemAlloc_v2, (Address* address, std::size_t bytes))                                                            \
    F(cuMemFree_v2, (Address address))                                                                                 \
    F(cuMemcpyHtoDAsync_v2, (Address to, const void* from, std::size_t bytes, void* stream))                           \
    F(cuMemcpyDtoHAsync_v2, (void* to, Address from, std::size_t bytes, void* stream))                                 \
    F(cuMemsetD8Async, (Address to, unsigned char value, std::size_t bytes, void* stream))                             \
    F(cuStreamCreate, (void** stream, unsigned flags))                                                                 \
    F(cuStreamDestroy_v2, (void* stream))                                                                              \
    F(cuStreamSynchronize, (void* stream))                                                                             \
    F(cuEventCreate, (void** event, unsigned flags))                                                                   \
    F(cuEventDestroy_v2, (void* event))                                                                                \
    F(cuEventRecord, (void* event, void* stream))                                                                      \
    F(cuEventSynchronize, (void* event))                                                                               \
    F(cuEventElapsedTime, (float* ms, void* start, void* end))                                                         \
    F(cuModuleLoadData, (void** module, const void* image))                                                            \
    F(cuModuleUnload, (void* module))                                                                                  \
    F(cuModuleGetFunction, (void** function, void* module, const char* name))                                          \
    F(cuModuleGetGlobal_v2, (Address* address, std::size_t* bytes, void* module, const char* name))                    \
    F(cuFuncGetAttribute, (int* value, int attribute, void* function))                                                 \
    F(cuFuncSetAttribute, (void* function, int attribute, int value))                                                  \
    F(cuLaunchKernel, (void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,   \
                       unsigned shared, void* stream, void** params, void** extra))                                    \
    F(cuLaunchKernelEx, (const LaunchDescription* config, void* function, void** params, void** extra))
// clang-format on

struct Api {
#define PYK_POINTER(name, params) Code(*name) params = nullptr;
    PYK_DRIVER_FUNCTIONS(PYK_POINTER)
#undef PYK_POINTER
    Status status;
};

Status failure(const Api& api, Code code, const std::string& what) {
    const char* name = nullptr;
    const char* text = nullptr;
    api.cuGetErrorName(code, &name);
    api.cuGetErrorString(code, &text);
    return Status::failure(what + ": " + (name ? name : "CUDA error " + std::to_string(code)) +
                           (text ? std::string(" (") + text + ")" : ""));
}

Api open_driver() {
    Api api;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        api.status = Status::failure(std::string("no CUDA driver: libcuda.so.1 could not be opened: ") + dlerror());
        return api;
    }
    std::string missing;
#define PYK_LOOK_UP(name, params)                                       \
    api.name = reinterpret_cast<Code(*) params>(dlsym(library, #name)); \
    if (!api.name && missing.empty()) missing = #name;
    PYK_DRIVER_FUNCTIONS(PYK_LOOK_UP)
#undef PYK_LOOK_UP
    if (!missing.empty())
        api.status = Status::failure("the CUDA driver is too old: libcuda.so.1 has no " + missing);
    else if (const Code code = api.cuInit(0); code != 0)
        api.status = failure(api, code, "the CUDA driver could not be started");
    return api;
}

/// Opened once; kept to the end of the process, since destructors of static objects may still use it.
const Api& api() {
    static const Api& opened = *new Api(open_driver());
    return opened;
}

Status checked(Code code, const char* what) { return code == 0 ? Status() : failure(api(), code, what); }

/// Makes a context current for a call, where it is not.
class Current {
  public:
    explicit Current(const Context& context) {
        void* current = nullptr;
        api().cuCtxGetCurrent(&current);
        pushed_ = current != context.handle && api().cuCtxPushCurrent_v2(context.handle) == 0;
    }
    ~Current() {
        void* popped = nullptr;
        if (pushed_) api().cuCtxPopCurrent_v2(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    bool pushed_;
};

int attribute(int device, Attribute which) {
    int value = 0;
    api().cuDeviceGetAttribute(&value, which, device);
    return value;
}

Result<Context> open_context(int index) {
    Context c;
    if (Status s = checked(api().cuDeviceGet(&c.device, index), "CUDA device"); !s) return s;
    if (Status s = checked(api().cuDevicePrimaryCtxRetain(&c.handle, c.device), "CUDA context"); !s) return s;
    char name[256] = "";
    api().cuDeviceGetName(name, sizeof name, c.device);
    c.info.index = index;
    c.info.name = name;
    c.info.major = attribute(c.device, capability_major);
    c.info.minor = attribute(c.device, capability_minor);
    c.info.multiprocessors = attribute(c.device, multiprocessor_count);
    c.info.max_threads_per_block = attribute(c.device, max_threads_per_block);
    c.info.max_shared_per_block = static_cast<std::size_t>(attribute(c.device, max_shared_per_block_optin));
    api().cuDeviceTotalMem_v2(&c.info.memory, c.device);
    return c;
}

}  // namespace

Result<int> device_count() {
    if (!api().status) return api().status;
    int count = 0;
    if (Status s = checked(api().cuDeviceGetCount(&count), "CUDA devices"); !s) return s;
    return count;
}

Result<Context*> context(int index) {
    static std::mutex mutex;
    static std::deque<Context>& opened = *new std::deque<Context>;
    Result<int> count = device_count();
    if (!count) return count.status();
    if (index < 0 || index >= *count)
        return Status::failure("there is no CUDA device " + std::to_string(index) + ": this machine has " +
                               std::to_string(*count));
    const std::lock_guard lock(mutex);
    for (Context& context : opened)
        if (context.info.index == index) return &context;
    Result<Context> fresh = open_context(index);
    if (!fresh) return fresh.status();
    opened.push_back(*std::move(fresh));
    return &opened.back();
}

Result<std::size_t> free_memory(Context& context) {
    const Current current(context);
    std::size_t free = 0, total = 0;
    if (Status s = checked(api().cuMemGetInfo_v2(&free, &total), "free device memory"); !s) return s;
    return free;
}

Status synchronize(Context& context) {
    const Current current(context);
    return checked(api().cuCtxSynchronize(), "CUDA device");
}

// --- memory ---------------------------------------------------------------------------------------------------------
Result<std::size_t> allocate(Context& context, std::size_t bytes) {
    const Current current(context);
    Address address = 0;
    if (const Code code = api().cuMemAlloc_v2(&address, bytes); code != 0)
        return failure(api(), code, "allocation of " + std::to_string(bytes) + " bytes on " + context.info.name);
    return static_cast<std::size_t>(address);
}

void release(Context& context, std::size_t address) {
    const Current current(context);
    api().cuMemFree_v2(address);
}

Status upload(Context& context, std::size_t to, const void* from, std::size_t bytes, void* stream) {
    const Current current(context);
    if (Status s = checked(api().cuMemcpyHtoDAsync_v2(to, from, bytes, stream), "copy to the device"); !s) return s;
    return checked(api().cuStreamSynchronize(stream), "copy to the device");
}

Status download(Context& context, void* to, std::size_t from, std::size_t bytes, void* stream) {
    const Current current(context);
    if (Status s = checked(api().cuMemcpyDtoHAsync_v2(to, from, bytes, stream), "copy from the device"); !s) return s;
    return checked(api().cuStreamSynchronize(stream), "copy from the device");
}

Status fill(Context& context, std::size_t to, unsigned char value, std::size_t bytes, void* stream) {
    const Current current(context);
    return checked(api().cuMemsetD8Async(to, value, bytes, stream), "filling device memory");
}

// --- streams and events ---------------------------------------------------------------------------------------------
StreamState::~StreamState() {
    if (!handle) return;
    const Current current(*context);
    api().cuStreamDestroy_v2(handle);
}

EventState::~EventState() {
    if (!handle) return;
    const Current current(*context);
    api().cuEventDestroy_v2(handle);
}

Status create(StreamState& stream, Context& context) {
    const Current current(context);
    stream.context = &context;
    return checked(api().cuStreamCreate(&stream.handle, kStreamNonBlocking), "CUDA stream");
}

Status synchronize_stream(Context& context, void* stream) {
    const Current current(context);
    return checked(api().cuStreamSynchronize(stream), "CUDA stream");
}

Status create(EventState& event, Context& context) {
    const Current current(context);
    event.context = &context;
    return checked(api().cuEventCreate(&event.handle, 0), "CUDA event");
}

Status record(EventState& event, void* stream) {
    const Current current(*event.context);
    return checked(api().cuEventRecord(event.handle, stream), "CUDA event");
}

Status wait(EventState& event) {
    const Current current(*event.context);
    return checked(api().cuEventSynchronize(event.handle), "CUDA event");
}

Result<double> elapsed_ms(EventState& start, EventState& end) {
    const Current current(*start.context);
    float ms = 0;
    if (Status s = checked(api().cuEventElapsedTime(&ms, start.handle, end.handle), "time between CUDA events"); !s)
        return s;
    return static_cast<double>(ms);
}

// --- modules and kernels --------------------------------------------------------------------------------------------
ModuleState::~ModuleState() {
    if (!handle) return;
    const Current current(*context);
    api().cuModuleUnload(handle);
}

Status load(ModuleState& module, Context& context, const void* image, std::size_t size) {
    const Current current(context);
    std::vector<char> ended(static_cast<const char*>(image), static_cast<const char*>(image) + size);
    ended.push_back('\0');  // PTX ends with a zero
    module.context = &context;
    if (Status s = checked(api().cuModuleLoadData(&module.handle, ended.data()), "loading a CUDA module"); !s) return s;
    // Asked for only where it is: tools such as compute-sanitizer report every call that fails.
    if (std::string_view(ended.data(), ended.size()).find("pyk_check_report") == std::string_view::npos) return {};
    Address address = 0;
    std::size_t bytes = 0;
    if (api().cuModuleGetGlobal_v2(&address, &bytes, module.handle, "pyk_check_report") == 0)
        module.check_report = address;
    return {};
}

Result<void*> function(ModuleState& module, const std::string& symbol) {
    const Current current(*module.context);
    void* function = nullptr;
    if (const Code code = api().cuModuleGetFunction(&function, module.handle, symbol.c_str()); code != 0)
        return failure(api(), code, "CUDA module has no kernel '" + symbol + "'");
    return function;
}

Result<KernelResources> resources(ModuleState& module, void* function) {
    const Current current(*module.context);
    int values[5] = {};
    for (int which = function_max_threads; which <= function_registers; ++which)
        if (Status s = checked(api().cuFuncGetAttribute(&values[which], which, function), "attributes of a kernel"); !s)
            return s;
    KernelResources r;
    r.max_threads_per_block = values[function_max_threads];
    r.shared_bytes = static_cast<std::size_t>(values[function_shared]);
    r.const_bytes = static_cast<std::size_t>(values[function_const]);
    r.local_bytes = static_cast<std::size_t>(values[function_local]);
    r.registers = values[function_registers];
    return r;
}

Status launch(ModuleState& module, void* function, const LaunchConfig& config, std::size_t static_shared,
              const void* args, std::size_t size) {
    const Current current(*module.context);
    if (static_shared + config.shared_bytes > kSharedWithoutAsking) {
        const int bytes = static_cast<int>(config.shared_bytes);
        if (const Code code = api().cuFuncSetAttribute(function, function_max_dynamic_shared, bytes); code != 0)
            return failure(api(), code, std::to_string(bytes) + " bytes of dynamic shared memory");
    }
    void* extra[] = {kParamPointer, const_cast<void*>(args), kParamSize, &size, kParamEnd};
    if (config.cooperative) {
        LaunchAttribute attribute{kCooperative, 0, {1}};
        const LaunchDescription description{{config.grid.x, config.grid.y, config.grid.z},
                                            {config.block.x, config.block.y, config.block.z},
                                            static_cast<unsigned>(config.shared_bytes),
                                            config.stream.handle(),
                                            &attribute,
                                            1};
        return checked(api().cuLaunchKernelEx(&description, function, nullptr, size ? extra : nullptr),
                       "cooperative kernel launch");
    }
    return checked(api().cuLaunchKernel(function, config.grid.x, config.grid.y, config.grid.z, config.block.x,
                                        config.block.y, config.block.z, static_cast<unsigned>(config.shared_bytes),
                                        config.stream.handle(), nullptr, size ? extra : nullptr),
                   "kernel launch");
}

}  // namespace pyk::driver
