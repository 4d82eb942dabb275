#include "passed.h"

#include <cstring>

#include "code.h"

namespace pyk::aot {
namespace {

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

/// Packs one argument behind the `at` bytes before it; gives where it ends. Without a buffer: only that.
std::size_t add(const Passed& argument, char layout, std::size_t at, unsigned char* packed) {
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
    if (layout == 'a') put(argument.strides, words, alignof(long long));
    return at;
}

}  // namespace

std::string which(const Kernel& kernel, std::size_t index) {
    return "argument " + std::to_string(index + 1) + " (`" + name_at(kernel.parameters, index) + "`) of " +
           kernel.kind + " `" + kernel.name + "`";
}

long long count_of(const Passed& array) { return pyk::detail::count_of(array.shape, array.ndim); }

Status check_argument(const Kernel& kernel, const Passed* arguments, std::size_t index) {
    const Passed& array = arguments[index];
    if (!array.fits) return refuse("the value of " + which(kernel, index) + " does not fit its type");
    const char* const fault = array.ndim == 0 ? nullptr : pyk::detail::fault_of(array.data, array.shape, array.ndim);
    return fault ? refuse(which(kernel, index) + " " + fault) : Status();
}

Result<driver::Context*> device_for(const Kernel& kernel, StreamRef stream, const Passed* arguments,
                                    std::size_t count) {
    driver::Context* device = stream.device;
    bool has_host_arrays = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Passed& array = arguments[i];
        if (Status s = check_argument(kernel, arguments, i); !s) return s;
        if (array.ndim == 0) continue;
        has_host_arrays |= !array.device;
        if (!device) device = array.device;
    }
    if (!device) device = has_host_arrays ? &driver::cpu_context() : &Device().context();
    for (std::size_t i = 0; i < count; ++i)
        if (arguments[i].ndim != 0 && !reaches(*device, arguments[i].device))
            return unreachable(which(kernel, i), *device, arguments[i].device);
    return device;
}

Result<const Instance*> choose_instance(const Kernel& kernel, const Passed* arguments, std::size_t count) {
    std::string why;
    for (const Instance* instance = kernel.instances; instance != kernel.instances + kernel.count; ++instance) {
        std::size_t i = 0;
        while (i < count && fits(arguments[i], instance->layouts[i])) ++i;
        if (i == count) return instance;
        why = which(kernel, i) + " does not lie in " + (instance->layouts[i] == 'f' ? "Fortran" : "C") +
              " order without gaps, as its signature says; a signature with `:` in place of `::1` takes any strides";
    }
    return refuse(why);
}

PackedArguments::PackedArguments(const Instance& instance, const Passed* arguments, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) size_ = add(arguments[i], instance.layouts[i], size_, nullptr);
    unsigned char* packed = small_;
    if (size_ > sizeof small_) {
        large_.resize(size_ / sizeof(std::max_align_t) + 1);
        packed = reinterpret_cast<unsigned char*>(large_.data());
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) at = add(arguments[i], instance.layouts[i], at, packed);
}

}  // namespace pyk::aot
