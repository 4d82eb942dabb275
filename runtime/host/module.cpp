#include "pyk/module.h"

#include "driver.h"

namespace pyk {

Result<Module> Module::load(const Device& device, const void* image, std::size_t size, const PrintSink& sink) {
    Result<std::shared_ptr<driver::LoadedModule>> loaded = device.context().load(image, size, sink);
    if (!loaded) return loaded.status();
    Module module;
    module.state_ = *std::move(loaded);
    return module;
}

namespace {

Status nothing_loaded() { return Status::failure("a module that was not loaded", Error::Kind::arguments); }
Status no_kernel() { return Status::failure("a kernel that was not taken from a module", Error::Kind::arguments); }

}  // namespace

Result<Kernel> Module::kernel(const std::string& symbol) const {
    if (!state_) return nothing_loaded();
    Result<void*> function = state_->function(symbol);
    if (!function) return function.status();
    Result<KernelResources> resources = state_->resources(*function);
    if (!resources) return resources.status();
    Kernel kernel;
    kernel.module_ = state_;
    kernel.function_ = *function;
    kernel.symbol_ = symbol;
    kernel.resources_ = *resources;
    return kernel;
}

[[gnu::hot]] Status Kernel::launch(const LaunchConfig& config, const void* args, std::size_t size) const {
    if (!module_) return no_kernel();
    if (config.stream.device && config.stream.device != &module_->context)
        return Status::failure("the stream is of another device than the kernel", Error::Kind::arguments);
    return module_->launch(function_, config, resources_.shared_bytes, args, size);
}

Result<int> Kernel::best_block(std::size_t shared_bytes) const {
    if (!module_) return no_kernel();
    return module_->best_block(function_, shared_bytes);
}

Result<int> Kernel::blocks_per_multiprocessor(int threads, std::size_t shared_bytes) const {
    if (!module_) return no_kernel();
    return module_->blocks_per_multiprocessor(function_, threads, shared_bytes);
}

Result<std::optional<CheckReport>> Module::take_check_report() const {
    if (!state_) return nothing_loaded();
    return state_->take_check_report();
}

}  // namespace pyk
