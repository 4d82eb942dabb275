// GPUs through the driver.
#include <atomic>
#include <mutex>
#include <vector>

#include "cuda_context.h"

namespace pyk::driver {
namespace {

using namespace cuda;  // NOLINT: this file is about nothing else

int attribute(int device, Attribute which) {
    int value = 0;
    api().cuDeviceGetAttribute(&value, which, device);
    return value;
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

std::atomic<bool> has_context{false};

}  // namespace

Status check_not_forked() {
    if (!is_forked()) return {};
    return Status::failure(
        "this process was forked off one that used the GPU: CUDA does not work here (start a new program, or fork "
        "before the first use)");
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
    if (!fresh) return fresh;
    opened.push_back(*fresh);
    has_context = true;
    return fresh;
}

bool is_cuda_in_use() { return has_context; }

Result<Context*> cuda_context_of(const void* address) {
    int index = -1;
    if (!api().status || api().cuPointerGetAttribute(&index, kDeviceOfPointer, address_of(address)) != 0 || index < 0)
        return static_cast<Context*>(nullptr);
    return cuda_context(index);
}

}  // namespace pyk::driver
