// The driver API's part that we use, declared by hand after NVIDIA's documentation of it, so that nothing here needs
// the toolkit. For the files of CUDA's devices (cuda_*) alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "forks.h"
#include "pyk/status.h"

namespace pyk::driver::cuda {

using Code = int;                    // CUresult
using Address = unsigned long long;  // CUdeviceptr

enum Attribute : int {  // CUdevice_attribute
    max_threads_per_block = 1,
    warp_size = 10,
    multiprocessor_count = 16,
    l2_cache_size = 38,
    max_threads_per_multiprocessor = 39,
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
    function_nonportable_cluster = 14,
};
constexpr Code kOutOfMemory = 2, kNotReady = 600, kPeerAccessThere = 704;
// Those after which the context is lost: illegal addresses and instructions, failed asserts, timeouts.
constexpr Code kSticky[] = {214, 700, 702, 710, 714, 715, 716, 717, 718, 719};

constexpr int kCluster = 4, kCooperative = 2;  // CU_LAUNCH_ATTRIBUTE_…
struct LaunchAttribute {                       // CUlaunchAttribute
    int id;
    int padding;
    union {
        int flag;
        unsigned cluster[3];
        unsigned char bytes[64];
    } value;
};
struct LaunchDescription {  // CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void* stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};
constexpr int kUnifiedMemory = 4;  // CU_MEMORYTYPE_UNIFIED
struct Place {                     // one side of CUDA_MEMCPY2D
    std::size_t x = 0, y = 0;
    int memory_type = kUnifiedMemory;
    const void* host = nullptr;
    Address address = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
};
struct RowsCopy {  // CUDA_MEMCPY2D
    Place from, to;
    std::size_t width = 0, rows = 0;
};
struct PoolAccess {  // CUmemAccessDesc: of a device, to read and to write
    int location = 1, device, flags = 3;
    explicit PoolAccess(int of) : device(of) {}
};
constexpr int kDeviceOfPointer = 9;  // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
struct KernelNode {                  // CUDA_KERNEL_NODE_PARAMS
    void* function = nullptr;
    unsigned grid[3], block[3], shared;
    void **params, **extra, *kernel, *context;
};
constexpr int kKernelNode = 0;  // CU_GRAPH_NODE_TYPE_KERNEL
constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kHostPortable = 1, kHostMapped = 2, kHostWriteCombined = 4;
constexpr unsigned kManagedGlobal = 1;
constexpr int kCaptureThreadLocal = 1, kCaptureRelaxed = 2;
constexpr unsigned long long kFreeOnLaunch = 1;          // what a graph allocates, where it is launched again
void* const kParamEnd = nullptr;                         // CU_LAUNCH_PARAM_END
void* const kParamPointer = reinterpret_cast<void*>(1);  // CU_LAUNCH_PARAM_BUFFER_POINTER
void* const kParamSize = reinterpret_cast<void*>(2);     // CU_LAUNCH_PARAM_BUFFER_SIZE
constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

// clang-format off
#define PYK_DRIVER_FUNCTIONS(F)                                                                                        \
    F(cuInit, (unsigned flags))                                                                                        \
    F(cuDriverGetVersion, (int* version))                                                                              \
    F(cuGetErrorName, (Code code, const char** name))                                                                  \
    F(cuGetErrorString, (Code code, const char** text))                                                                \
    F(cuDeviceGetCount, (int* count))                                                                                  \
    F(cuDeviceGet, (int* device, int index))                                                                           \
    F(cuDeviceGetName, (char* name, int size, int device))                                                             \
    F(cuDeviceGetAttribute, (int* value, int attribute, int device))                                                   \
    F(cuDeviceTotalMem_v2, (std::size_t* bytes, int device))                                                           \
    F(cuDevicePrimaryCtxRetain, (void** context, int device))                                                          \
    F(cuCtxGetCurrent, (void** context))                                                                               \
    F(cuCtxSetCurrent, (void* context))                                                                                \
    F(cuCtxPushCurrent_v2, (void* context))                                                                            \
    F(cuCtxPopCurrent_v2, (void** context))                                                                            \
    F(cuCtxSynchronize, ())                                                                                            \
    F(cuCtxEnablePeerAccess, (void* context, unsigned flags))                                                          \
    F(cuDeviceGetDefaultMemPool, (void** pool, int device))                                                            \
    F(cuMemPoolSetAccess, (void* pool, const PoolAccess* access, std::size_t count))                                   \
    F(cuThreadExchangeStreamCaptureMode, (int* mode))                                                                  \
    F(cuMemGetInfo_v2, (std::size_t* free, std::size_t* total))                                                        \
    F(cuMemAlloc_v2, (Address* address, std::size_t bytes))                                                            \
    F(cuMemFree_v2, (Address address))                                                                                 \
    F(cuMemAllocAsync, (Address* address, std::size_t bytes, void* stream))                                            \
    F(cuMemFreeAsync, (Address address, void* stream))                                                                 \
    F(cuMemAllocManaged, (Address* address, std::size_t bytes, unsigned flags))                                        \
    F(cuMemHostAlloc, (void** address, std::size_t bytes, unsigned flags))                                             \
    F(cuMemFreeHost, (void* address))                                                                                  \
    F(cuPointerGetAttribute, (void* value, int attribute, Address address))                                            \
    F(cuMemcpyAsync, (Address to, Address from, std::size_t bytes, void* stream))                                      \
    F(cuMemcpy2DAsync_v2, (const RowsCopy* copy, void* stream))                                                        \
    F(cuMemsetD8Async, (Address to, unsigned char value, std::size_t count, void* stream))                             \
    F(cuMemsetD16Async, (Address to, unsigned short value, std::size_t count, void* stream))                           \
    F(cuMemsetD32Async, (Address to, unsigned value, std::size_t count, void* stream))                                 \
    F(cuMemsetD2D8Async, (Address to, std::size_t pitch, unsigned char v, std::size_t w, std::size_t h, void* stream)) \
    F(cuMemsetD2D16Async, (Address to, std::size_t pitch, unsigned short v, std::size_t w, std::size_t h, void* stream)) \
    F(cuMemsetD2D32Async, (Address to, std::size_t pitch, unsigned v, std::size_t w, std::size_t h, void* stream))     \
    F(cuStreamCreateWithPriority, (void** stream, unsigned flags, int priority))                                       \
    F(cuStreamDestroy_v2, (void* stream))                                                                              \
    F(cuStreamSynchronize, (void* stream))                                                                             \
    F(cuStreamWaitEvent, (void* stream, void* event, unsigned flags))                                                  \
    F(cuStreamBeginCapture_v2, (void* stream, int mode))                                                               \
    F(cuStreamEndCapture, (void* stream, void** graph))                                                                \
    F(cuStreamIsCapturing, (void* stream, int* status))                                                                \
    F(cuStreamGetId, (void* stream, unsigned long long* id))                                                           \
    F(cuGraphInstantiateWithFlags, (void** exec, void* graph, unsigned long long flags))                               \
    F(cuGraphGetNodes, (void* graph, void** nodes, std::size_t* count))                                                \
    F(cuGraphNodeGetType, (void* node, int* type))                                                                     \
    F(cuGraphKernelNodeGetParams_v2, (void* node, KernelNode* params))                                                 \
    F(cuGraphLaunch, (void* exec, void* stream))                                                                       \
    F(cuGraphExecDestroy, (void* exec))                                                                                \
    F(cuGraphDestroy, (void* graph))                                                                                   \
    F(cuEventCreate, (void** event, unsigned flags))                                                                   \
    F(cuEventDestroy_v2, (void* event))                                                                                \
    F(cuEventRecord, (void* event, void* stream))                                                                      \
    F(cuEventSynchronize, (void* event))                                                                               \
    F(cuEventQuery, (void* event))                                                                                     \
    F(cuEventElapsedTime, (float* ms, void* start, void* end))                                                         \
    F(cuModuleLoadData, (void** module, const void* image))                                                            \
    F(cuModuleUnload, (void* module))                                                                                  \
    F(cuModuleGetFunction, (void** function, void* module, const char* name))                                          \
    F(cuModuleGetGlobal_v2, (Address* address, std::size_t* bytes, void* module, const char* name))                    \
    F(cuFuncGetModule, (void** module, void* function))                                                                \
    F(cuFuncGetAttribute, (int* value, int attribute, void* function))                                                 \
    F(cuFuncSetAttribute, (void* function, int attribute, int value))                                                  \
    F(cuOccupancyMaxPotentialBlockSize, (int* grid, int* block, void* function, void* of_block, std::size_t shared, int limit)) \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, void* function, int threads, std::size_t shared))     \
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

/// Opened once, from libcuda.so.1; kept to the end of the process, since destructors of static objects may still use
/// it. Its status says why it cannot be used.
const Api& api();

/// `what: CUDA_ERROR_… (in words)`.
Status failure(const Api& api, Code code, const std::string& what);

/// Where the driver was opened.
inline std::atomic<unsigned> opened_at_fork{0};

/// This process was forked off one that had opened the driver.
inline bool is_forked() { return forks() != opened_at_fork.load(std::memory_order_relaxed); }

}  // namespace pyk::driver::cuda
