#include "pyk/device.h"

#include "driver.h"

namespace pyk {
namespace {

driver::Context& first_device() {
    static driver::Context& chosen = []() -> driver::Context& {
        const Result<driver::Context*> gpu = driver::cuda_context(0);
        return gpu ? **gpu : driver::cpu_context();
    }();
    return chosen;
}

thread_local driver::Context* this_threads_device = nullptr;

}  // namespace

Result<int> Device::count() { return driver::cuda_device_count(); }

Result<Device> Device::get(int index) {
    Result<driver::Context*> context = driver::cuda_context(index);
    if (!context) return context.status();
    return Device(**context);
}

Device Device::cpu() { return Device(driver::cpu_context()); }

void Device::make_current() const { this_threads_device = context_; }
Device Device::current() { return Device(this_threads_device ? *this_threads_device : first_device()); }

const DeviceInfo& Device::info() const { return context_->info; }
Result<std::size_t> Device::free_memory() const { return context_->free_memory(); }
Status Device::synchronize() const { return context_->synchronize(); }
Status Device::enable_access_to(const Device& other) const { return context_->enable_access_to(*other.context_); }

}  // namespace pyk
