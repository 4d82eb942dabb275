// What the headers of array functions compiled ahead of time stand on: their functions pass what they are given to
// `aot::call`, which finds out how the elements lie, and launches the code that was compiled for that.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "pyk/aot.h"

namespace pyk {
namespace aot {

/// An array of any number of axes, or a number.
struct AnyOperand {
    const void* data = nullptr;
    driver::Context* device = nullptr;  ///< whose kernels reach it; null: host memory
    std::size_t element_bytes = 0;
    int ndim = 0;  ///< more than max_ndim: it has too many
    bool is_number = false;
    bool fits = true;                              ///< the number is one of the function's type
    long long shape[max_ndim], strides[max_ndim];  ///< the first ndim count; strides in bytes
    alignas(16) unsigned char value[16] = {};      ///< of a number

  protected:
    void set_axes(int count, const long long* extents, const long long* byte_strides) {
        ndim = count;
        for (int axis = 0; axis < count && axis < max_ndim; ++axis) {
            shape[axis] = extents[axis];
            strides[axis] = byte_strides[axis];
        }
    }
    void set_axes(const std::vector<long long>& extents) {
        ndim = extents.size() > max_ndim ? max_ndim + 1 : static_cast<int>(extents.size());
        long long step = static_cast<long long>(element_bytes);
        for (int axis = ndim > max_ndim ? -1 : ndim - 1; axis >= 0; --axis) {
            shape[axis] = extents[static_cast<std::size_t>(axis)];
            strides[axis] = step;
            step *= shape[axis];
        }
    }
    template <class T>
    void set_memory(T* elements, driver::Context* on) {
        data = elements;
        device = on;
        element_bytes = sizeof(T);
    }
};

/// Whether a number of C++ stands for one of an array function's type: not one with a fraction for an integer.
template <class T, class U>
constexpr bool is_number_for() {
    if (is_date<T> || (std::is_same_v<T, bool> && !std::is_same_v<U, bool>)) return false;
    return std::is_arithmetic_v<U> && std::is_constructible_v<T, U> &&
           (!std::is_integral_v<T> || std::is_integral_v<U>);
}

}  // namespace aot

/// An array as array functions take it: of up to 32 axes, as many as the program likes, and any strides; in host memory
/// or a device's, not owned.
template <class T>
class AnyView : public aot::AnyOperand {
  public:
    template <class U, int N, class = std::enable_if_t<are_elements<U, T>>>
    AnyView(const View<U, N>& array) {  // NOLINT: it is one
        set_memory(array.data, array.device);
        set_axes(N, array.shape.data(), array.strides.data());
    }
    template <class U, int N, class = std::enable_if_t<are_elements<U, T>>>
    AnyView(const Array<U, N>& array) : AnyView(array.view()) {}  // NOLINT
    template <class C, class = void, class = std::enable_if_t<are_elements<typename HostArray<C>::Element, T>>>
    AnyView(C& host) : AnyView(View<T, HostArray<C>::ndim>(host)) {}  // NOLINT
    template <class C, class = void, class = std::enable_if_t<are_elements<typename HostArray<const C>::Element, T>>>
    AnyView(const C& host) : AnyView(View<T, HostArray<const C>::ndim>(host)) {}  // NOLINT
    template <class U, class = std::enable_if_t<are_elements<U, T> && !std::is_same_v<U, T>>>
    AnyView(const AnyView<U>& array) : AnyOperand(array) {}  // NOLINT
    /// In C order; without axes it is one element.
    AnyView(T* elements, const std::vector<long long>& extents) : AnyView(elements, extents, nullptr) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<C, driver::Context*>>>
    AnyView(T* elements, const std::vector<long long>& extents, C on) {
        set_memory(elements, on);
        set_axes(extents);
    }
    /// Precondition: as many strides, in bytes, as extents.
    AnyView(T* elements, const std::vector<long long>& extents, const std::vector<long long>& byte_strides,
            driver::Context* on = nullptr) {
        set_memory(elements, on);
        set_axes(static_cast<int>(extents.size()), extents.data(), byte_strides.data());
    }
};

/// An input of an array function: an array of any number of axes and any strides, or a number, which stands for every
/// element. A number's own type does not matter, but that it has a fraction where an integer is wanted.
template <class T>
class Operand : public aot::AnyOperand {
  public:
    template <class U, class = std::enable_if_t<aot::is_number_for<T, U>()>>
    Operand(U number) : Operand(Value{static_cast<T>(number)}) {  // NOLINT: it is one
        fits = aot::holds<T>(number);
    }
    template <class U, class = void, class = std::enable_if_t<std::is_same_v<U, T> && !std::is_arithmetic_v<U>>>
    Operand(const U& number) : Operand(Value{number}) {}  // NOLINT
    template <class U, int N, class = std::enable_if_t<are_elements<U, const T>>>
    Operand(const View<U, N>& array) : AnyOperand(AnyView<const T>(array)) {}  // NOLINT
    template <class U, int N, class = std::enable_if_t<are_elements<U, const T>>>
    Operand(const Array<U, N>& array) : AnyOperand(AnyView<const T>(array)) {}  // NOLINT
    template <class C, class = void, class = void,
              class = std::enable_if_t<are_elements<typename HostArray<const C>::Element, const T>>>
    Operand(const C& host) : AnyOperand(AnyView<const T>(host)) {}  // NOLINT
    template <class U, class = std::enable_if_t<are_elements<U, const T>>>
    Operand(const AnyView<U>& array) : AnyOperand(array) {}  // NOLINT

  private:
    struct Value {
        T number;
    };
    explicit Operand(const Value& of) {
        static_assert(
            sizeof(T) <= sizeof value && std::is_trivially_copyable_v<T>,
            "a record of more than 16 bytes is given in an array; an AnyView(&record, {}) is one without axes");
        is_number = true;
        element_bytes = sizeof(T);
        std::memcpy(value, &of.number, sizeof(T));
    }
};

namespace aot {

/// A function of elements for one signature.
struct ElementFunction {
    const char* name;
    const char* parameters;   ///< names, separated by commas; the output's last
    const char* flat;         ///< on GPUs: for elements that lie side by side
    const char* any;          ///< for all others
    cpu::Entry entry;         ///< on the CPU; null: it was not compiled for it
    int elements_per_thread;  ///< of a GPU
};

/// The inputs, then the output. Inputs are broadcast to the output's shape as in NumPy, and read as they were before
/// the call where the output overlaps them. On the stream's device, else that of the arrays; of host memory alone, on
/// the CPU. Queued on the stream; on the CPU it has run when this returns. Fails by value, where shapes do not fit,
/// memory is not where the device reaches it, or code is missing for the device. Thread-safe.
Status call_elements(File& file, const ElementFunction& function, StreamRef stream, const AnyOperand* const* operands,
                     std::size_t count);

/// What `@cuda.reduce` makes of a function of two, for one type of elements.
struct ReduceFunction {
    const char* name;
    const char* parameters;  ///< names, separated by commas: the array's, the output's, and what it starts with
    const char* kernel;      ///< on GPUs
    cpu::Entry entry;        ///< on the CPU; null: it was not compiled for it
};

/// Of an array of one axis: `init` and all elements combined, into the first element of the output. `init`: null where
/// the elements are no numbers; an array without elements is an error then. Where it runs, and what fails, as of
/// call_elements. Thread-safe.
Status call_reduction(File& file, const ReduceFunction& function, StreamRef stream, const AnyOperand& array,
                      const AnyOperand& out, const AnyOperand* init);

template <class Array, class Out, class Init>
Status call(File& file, const ReduceFunction& function, StreamRef stream, const Array& array, const Out& out,
            const Init& init) {
    return call_reduction(file, function, stream, array, out, &init);
}
template <class Array, class Out>
Status call(File& file, const ReduceFunction& function, StreamRef stream, const Array& array, const Out& out) {
    return call_reduction(file, function, stream, array, out, nullptr);
}

template <class... T>
Status call(File& file, const ElementFunction& function, StreamRef stream, const T&... operands) {
    const std::array<const AnyOperand*, sizeof...(T)> all{&operands...};
    return call_elements(file, function, stream, all.data(), all.size());
}

}  // namespace aot
}  // namespace pyk
