#include "pyk/cpu_module.h"

#include <dlfcn.h>

#include <memory>

namespace pyk {

Result<CpuModule> CpuModule::load(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return Status::failure(std::string("shared object could not be opened: ") + dlerror());
    CpuModule module;
    module.library_ = std::shared_ptr<void>(library, dlclose);
    return module;
}

Result<cpu::Entry> CpuModule::entry(const std::string& symbol) const {
    void* address = library_ ? dlsym(library_.get(), symbol.c_str()) : nullptr;
    if (!address) return Status::failure("shared object has no kernel '" + symbol + "'");
    return reinterpret_cast<cpu::Entry>(address);
}

}  // namespace pyk
