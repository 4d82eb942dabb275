#include "pyk/device.h"

#include "driver.h"

namespace pyk {

Result<int> Device::count() { return driver::device_count(); }

Result<Device> Device::get(int index) {
    Result<driver::Context*> context = driver::context(index);
    if (!context) return context.status();
    return Device(*context);
}

const DeviceInfo& Device::info() const { return context_->info; }
Result<std::size_t> Device::free_memory() const { return driver::free_memory(*context_); }
Status Device::synchronize() const { return driver::synchronize(*context_); }

}  // namespace pyk
