#include "pyk/aot.h"

#include <cstring>
#include <string>
#include <vector>

#include "code.h"
#include "memory_range.h"

namespace pyk::aot {

namespace {

constexpr std::size_t kSmallBuffer = 1024, kMostArrays = 64;

std::string which(const Kernel& kernel, std::size_t index) {
    return "argument " + std::to_string(index + 1) + " (`" + name_at(kernel.parameters, index) + "`) of kernel `" +
           kernel.name + "`";
}

long long count_of(const Passed& array) {
    long long count = 1;
    for (int axis = 0; axis < array.ndim; ++axis) count *= array.shape[axis];
    return count;
}

/// Whether the elements lie side by side, the last axis (C) or the first (F) the fastest.
bool is_dense(const Passed& array, char layout) {
    long long step = static_cast<long long>(array.size);
    for (int k = 0; k < array.ndim; ++k) {
        const int axis = layout == 'f' ? k : array.ndim - 1 - k;
        if (array.shape[axis] != 1 && array.strides[axis] != step) return count_of(array) == 0;
        step *= array.shape[axis];
    }
    return true;
}

bool fits(const Passed& array, char layout) { return layout == '.' || layout == 'a' || is_dense(array, layout); }

MemoryRange range_of(const Passed& array) {
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    if (count_of(array) == 0) return {at, at, array.is_written};
    long long least = 0, most = static_cast<long long>(array.size);
    for (int axis = 0; axis < array.ndim; ++axis) {
        const long long reach = (array.shape[axis] - 1) * array.strides[axis];
        (reach < 0 ? least : most) += reach;
    }
    return {at + static_cast<std::uintptr_t>(least), at + static_cast<std::uintptr_t>(most), array.is_written};
}

class Call {
  public:
    Call(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments, std::size_t count)
        : file_(file), kernel_(kernel), launch_(launch), arguments_(arguments), count_(count) {}

    Status run() {
        if (Status s = choose_device(); !s) return s;
        if (Status s = choose_instance(); !s) return s;
        const bool is_disjoint = !device_->info.is_cpu && instance_->disjoint && !overlap();
        const Result<const Loaded*> code = loaded_code(
            file_, *device_, launch_.stream.handle,
            {is_disjoint ? instance_->disjoint : instance_->symbol, instance_->entry, "kernel", kernel_.name});
        if (!code) return code.status();
        return launch_code(**code);
    }

  private:
    Status choose_device() {
        device_ = launch_.stream.device;
        bool has_host_arrays = false;
        for (std::size_t i = 0; i < count_; ++i) {
            const Passed& array = arguments_[i];
            if (array.ndim == 0) continue;
            if (!array.data && count_of(array) != 0)
                return refuse(which(kernel_, i) + " has no memory: it was moved from or freed");
            has_host_arrays |= !array.device;
            if (!device_) device_ = array.device;
        }
        if (!device_) device_ = has_host_arrays ? &driver::cpu_context() : &Device().context();
        for (std::size_t i = 0; i < count_; ++i)
            if (arguments_[i].ndim != 0 && !reaches(*device_, arguments_[i].device))
                return unreachable(which(kernel_, i), *device_, arguments_[i].device);
        return {};
    }

    Status choose_instance() {
        std::string why;
        for (int k = 0; k < kernel_.count; ++k) {
            const Instance& instance = kernel_.instances[k];
            std::size_t i = 0;
            while (i < count_ && fits(arguments_[i], instance.layouts[i])) ++i;
            if (i == count_) {
                instance_ = &instance;
                return {};
            }
            why =
                which(kernel_, i) + " does not lie in " + (instance.layouts[i] == 'f' ? "Fortran" : "C") +
                " order without gaps, as its signature says; a signature with `:` in place of `::1` takes any strides";
        }
        return refuse(why);
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
        std::size_t size = 0;
        for (std::size_t i = 0; i < count_; ++i) size = add(i, size, nullptr);
        alignas(16) unsigned char small[kSmallBuffer];
        std::vector<std::max_align_t> large;
        unsigned char* packed = small;
        if (size > kSmallBuffer) {
            large.resize(size / sizeof(std::max_align_t) + 1);
            packed = reinterpret_cast<unsigned char*>(large.data());
        }
        std::size_t at = 0;
        for (std::size_t i = 0; i < count_; ++i) at = add(i, at, packed);

        Launch launch = launch_;
        launch.cooperative |= instance_->is_cooperative;
        if (Status s = code.module->launch(code.function, launch, code.static_shared, packed, size); !s) return s;
        return finish(file_, code, launch_.stream.handle);
    }

    /// Packs one argument behind the `at` bytes before it; gives where it ends. Without a buffer: only that.
    std::size_t add(std::size_t i, std::size_t at, unsigned char* packed) const {
        const Passed& argument = arguments_[i];
        const auto put = [&](const void* from, std::size_t size, std::size_t alignment) {
            at = (at + alignment - 1) / alignment * alignment;
            if (packed) std::memcpy(packed + at, from, size);
            at += size;
        };
        if (argument.ndim == 0) {
            put(argument.data, argument.size, argument.alignment);
            return at;
        }
        const std::size_t words = static_cast<std::size_t>(argument.ndim) * sizeof(long long);
        put(&argument.data, sizeof argument.data, alignof(void*));
        put(argument.shape, words, alignof(long long));
        if (instance_->layouts[i] == 'a') put(argument.strides, words, alignof(long long));
        return at;
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
    return Call(file, kernel, launch, arguments, count).run();
}

}  // namespace pyk::aot
