#include "pyk/aot.h"

#include "code.h"
#include "memory_range.h"
#include "passed.h"

namespace pyk::aot {

namespace {

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
        const bool is_disjoint = !device_->info.is_cpu && instance_->disjoint && are_apart();
        const Result<const Loaded*> code = loaded_code(
            file_, *device_, launch_.stream.handle,
            {is_disjoint ? instance_->disjoint : instance_->symbol, instance_->entry, "kernel", kernel_.name});
        if (!code) return code.status();
        return launch_code(**code);
    }

  private:
    bool are_apart() const {
        ApartArrays arrays(instance_->index32, launch_.grid.x);
        for (const Passed* a = arguments_; a != arguments_ + count_; ++a)
            if (a->ndim != 0) arrays.add(a->data, a->size, a->shape, a->strides, a->ndim, a->is_written);
        return bool(arrays);
    }

    Status launch_code(const Loaded& code) const {
        const PackedArguments packed(*instance_, arguments_, count_);
        Launch launch = launch_;
        launch.cooperative |= instance_->is_cooperative;
        if (Status s = code.module->launch(code.function, launch, code.static_shared, packed.bytes(), packed.size());
            !s)
            return s;
        return finish(file_, code, launch_.stream.handle, true);
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
