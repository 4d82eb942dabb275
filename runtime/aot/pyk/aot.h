// What the headers of kernels compiled ahead of time stand on (`pykc --emit=…,header`): their functions pass their
// arguments to `aot::launch`, which finds the code for the device, loads it at the first call, and launches it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <type_traits>

#include "pyk/array_view.h"
#include "pyk/cpu_module.h"
#include "pyk/dates.h"
#include "pyk/image.h"
#include "pyk/module.h"
#include "pyk/ndarray.h"
#include "pyk/scalar.h"

namespace pyk {

/// Grid, block, dynamic shared memory, and the stream or the device: `{{blocks}, {256}, 0, stream}`. Where it names
/// none, the launch is on the device of its arrays; of arrays in host memory, on the CPU.
using Launch = LaunchConfig;

namespace aot {

/// Gives a kernel that the program is linked with, by its symbol, on the current CUDA device; else a code of CUDA's.
using Find = int (*)(const char* symbol, void** function);

/// A kernel for one signature.
struct Instance {
    const char* symbol;
    const char* disjoint;  ///< its variant for arrays that do not overlap; null: there is none
    cpu::Entry entry;      ///< on the CPU; null: it was not compiled for it
    const char* layouts;   ///< of each parameter: `c`, `f`, `a` (any strides), or `.` where it is no array
    bool is_cooperative;
    bool index32 = false;  ///< the variant indexes in 32 bits: arrays and grids are to be small enough for it
};

/// Signatures of a kernel that have the same types in C++.
struct Kernel {
    const char* name;
    const char* parameters;  ///< names, separated by commas
    const Instance* instances;
    int count;
    const char* kind = "kernel";  ///< in messages
};

struct Loaded;

/// The code of one `.pyk` file, and what of it is loaded: on each device where it was used, to the end of the program.
/// Thread-safe.
class File {
  public:
    constexpr File(const char* file_name, const Images* file_images, Find finder, bool is_checked)
        : name(file_name), images(file_images), find(finder), has_checks(is_checked) {}

    const char* const name;
    const Images* const images;  ///< null: none
    const Find find;             ///< null: none
    const bool has_checks;       ///< launches wait, and give what the kernel found as an error
    std::atomic<Loaded*> loaded{nullptr};
};

/// One argument of a call.
struct Passed {
    const void* data = nullptr;           ///< of an array: its elements; else the value itself
    std::size_t size = 0, alignment = 1;  ///< of the value, or of an element
    int ndim = 0;                         ///< 0: a value
    bool is_written = false;
    const long long *shape = nullptr, *strides = nullptr;
    driver::Context* device = nullptr;
    bool fits = true;  ///< the value is one of the parameter's type
};

template <class T>
Passed pass(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "a value that kernels take");
    return {&value, sizeof value, alignof(T), 0, false, nullptr, nullptr, nullptr};
}
template <class T>
Passed pass(const Scalar<T>& number) {
    Passed passed = pass(number.value);
    passed.fits = number.fits;
    return passed;
}
template <class T>
Passed pass(const Value<T>& given) {
    Passed passed = pass(given.value);
    passed.fits = given.fits;
    return passed;
}
template <class T, int N>
Passed pass(const View<T, N>& array) {
    return {array.data,          sizeof(T),          alignof(T),           N,
            !std::is_const_v<T>, array.shape.data(), array.strides.data(), array.device};
}

/// Fails, by value, where an array does not fit the kernel's layouts or is not where the device reaches it, where the
/// file was not compiled for the device, and where the launch fails. Thread-safe. Queued on the stream; on the CPU it
/// has run when this returns.
Status launch_passed(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments,
                     std::size_t count);

template <class... T>
Status launch(File& file, const Kernel& kernel, const Launch& launch, const T&... arguments) {
    const std::array<Passed, sizeof...(T)> passed{pass(arguments)...};
    return launch_passed(file, kernel, launch, passed.data(), passed.size());
}

}  // namespace aot
}  // namespace pyk
