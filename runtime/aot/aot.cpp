#include "pyk/aot.h"

#include <algorithm>

#include "code.h"
#include "memory_range.h"
#include "passed.h"

namespace pyk::aot {

namespace {

constexpr std::size_t kMostArrays = 64;

MemoryRange range_of(const Passed& array) {
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    if (count_of(array) == 0) return {at, at, array.is_written};
    return pyk::range_of(array.data, array.size, array.shape, array.strides, array.ndim, array.is_written);
}

class Call {
  public:
    Call(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments, std::size_t count)
        : file_(file), kernel_(kernel), launch_(launch), arguments_(arguments), count_(count) {}

    Status run() {
        const Result<driver::Context*> device = device_for(kernel_, launch_.stream, arguments_, count_);
        if (!device) return device.status();
        device_ = *device;
        const Result<const Instance*> instance = choose_instance(kernel_, arguments_, count_);
        if (!instance) return instance.status();
        instance_ = *instance;
        const bool is_disjoint =
            !device_->info.is_cpu && instance_->disjoint && are_aligned() && fits_index32() && !overlap();
        const Result<const Loaded*> code = loaded_code(
            file_, *device_, launch_.stream.handle,
            {is_disjoint ? instance_->disjoint : instance_->symbol, instance_->entry, "kernel", kernel_.name});
        if (!code) return code.status();
        return launch_code(**code);
    }

  private:
    bool are_aligned() const {
        return std::all_of(arguments_, arguments_ + count_, [](const Passed& a) {
            return a.ndim == 0 || is_aligned(reinterpret_cast<std::uintptr_t>(a.data), a.size);
        });
    }

    bool fits_index32() const {
        if (!instance_->index32) return true;
        return launch_.grid.x <= kMostBlocksInIndex32 &&
               std::all_of(arguments_, arguments_ + count_,
                           [](const Passed& a) { return pyk::fits_index32(a.shape, a.ndim); });
    }

    bool overlap() const {
        MemoryRange ranges[kMostArrays];
        std::size_t arrays = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if (arguments_[i].ndim == 0) continue;
            if (arrays == kMostArrays) return true;
            ranges[arrays++] = range_of(arguments_[i]);
        }
        return any_overlap(ranges, arrays);
    }

    Status launch_code(const Loaded& code) const {
        const PackedArguments packed(*instance_, arguments_, count_);
        Launch launch = launch_;
        launch.cooperative |= instance_->is_cooperative;
        if (Status s = code.module->launch(code.function, launch, code.static_shared, packed.bytes(), packed.size());
            !s)
            return s;
        return finish(file_, code, launch_.stream.handle);
    }

    File& file_;
    const Kernel& kernel_;
    const Launch& launch_;
    const Passed* arguments_;
    std::size_t count_;
    driver::Context* device_ = nullptr;
    const Instance* instance_ = nullptr;
};

}  // namespace

Status launch_passed(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments,
                     std::size_t count) {
    return guarded([&] { return Call(file, kernel, launch, arguments, count).run(); });
}

}  // namespace pyk::aot
