#include "pyk/module.h"

#include "driver.h"
#include "report.h"

namespace pyk {

Result<Module> Module::load(const Device& device, const void* image, std::size_t size) {
    Module module;
    module.state_ = std::make_shared<driver::ModuleState>();
    if (Status s = driver::load(*module.state_, device.context(), image, size); !s) return s;
    return module;
}

Result<Kernel> Module::kernel(const std::string& symbol) const {
    Result<void*> function = driver::function(*state_, symbol);
    if (!function) return function.status();
    Result<KernelResources> resources = driver::resources(*state_, *function);
    if (!resources) return resources.status();
    Kernel kernel;
    kernel.module_ = state_;
    kernel.function_ = *function;
    kernel.symbol_ = symbol;
    kernel.resources_ = *resources;
    return kernel;
}

Status Kernel::launch(const LaunchConfig& config, const ArgBuffer& args) const {
    return driver::launch(*module_, function_, config, resources_.shared_bytes, args.data(), args.size());
}

Result<std::optional<CheckReport>> Module::take_check_report() const {
    if (!state_->check_report) return std::optional<CheckReport>();
    driver::Context& context = *state_->context;
    if (Status s = driver::synchronize(context); !s) return s;
    check_report report{};
    if (Status s = driver::download(context, &report, state_->check_report, sizeof report, nullptr); !s) return s;
    if (!report.filled) return std::optional<CheckReport>();
    if (Status s = driver::fill(context, state_->check_report, 0, sizeof report, nullptr); !s) return s;
    return std::optional(to_report(report));
}

}  // namespace pyk
