#include "cuda_api.h"

#include <dlfcn.h>

namespace pyk::driver::cuda {
namespace {

Api open_driver() {
    Api api;
    const auto missing_driver = [](std::string text) {
        return Status::failure(std::move(text), Error::Kind::input_output);
    };
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        api.status = missing_driver(std::string("no CUDA driver: libcuda.so.1 could not be opened: ") + dlerror());
        return api;
    }
    std::string missing;
#define PYK_LOOK_UP(name, params)                                       \
    api.name = reinterpret_cast<Code(*) params>(dlsym(library, #name)); \
    if (!api.name && missing.empty()) missing = #name;
    PYK_DRIVER_FUNCTIONS(PYK_LOOK_UP)
#undef PYK_LOOK_UP
    if (!missing.empty())
        api.status = missing_driver("the CUDA driver is too old: libcuda.so.1 has no " + missing);
    else if (const Code code = api.cuInit(0); code != 0)
        api.status = missing_driver(failure(api, code, "the CUDA driver could not be started").message());
    else
        opened_at_fork = forks();
    return api;
}

}  // namespace

Status failure(const Api& api, Code code, const std::string& what) {
    const char* name = nullptr;
    const char* text = nullptr;
    api.cuGetErrorName(code, &name);
    api.cuGetErrorString(code, &text);
    return Status::failure(what + ": " + (name ? name : "CUDA error " + std::to_string(code)) +
                               (text ? std::string(" (") + text + ")" : ""),
                           code == kOutOfMemory ? Error::Kind::memory : Error::Kind::execution);
}

const Api& api() {
    static const Api& opened = *new Api(open_driver());
    return opened;
}

}  // namespace pyk::driver::cuda
