// What a kernel can be launched with.
//
//   bool, integers, float, double, std::complex   a scalar of that type: int is int32, long and long long are int64
//   pyk::float16, pyk::bfloat16 (<pyk/half.h>)     the same; __half and __nv_bfloat16 as well
//   pyk::fp8_e4m3 (<pyk/fp8_types.h>), its like    an 8-bit float or a pack of them; CUDA's own as well
//   pyk::float4 (<pyk/vector.h>), its like         a vector; CUDA's own, and what has its shape, as well
//   a struct that PYK_RECORD names                 a record, by its value
//   pyk::DateTime, pyk::TimeDelta                  a date or a duration
//   pyk::none, std::optional                       None; the value, or None
//   std::tuple, std::pair                          a tuple of numbers, dates, arrays and tuples
//   pyk::Array, pyk::View                          an array where it is; a View of host memory is copied
//   std::vector, std::array, span                  a 1-D array in host memory; const elements may only be read
//   float a[8], float a[4][4]                      a C array: of as many axes as it has
//   pyk::host(pointer, {rows, columns})            an N-D array in host memory, C order
//   pyk::cell(x)                                   an array without axes: one element
//   pyk::in(x), pyk::out(x), pyk::inout(x)         the same, saying which copies are needed: without, what the
//                                                  kernel may write is copied back, and all is copied in
//
// For a type of your own, specialise pyk::jit::MakeArgument.
#pragma once

#include "pyk/argument_data.hpp"
#include "pyk/argument_tuple.hpp"

namespace pyk {
namespace jit {

/// How a type becomes an argument: `static Argument from(T& value)`.
template <class T, class = void>
struct MakeArgument {
    static_assert(
        !std::is_same_v<T, T>,
        "no argument of a kernel: these are numbers, std::complex, arrays (pyk::Array, std::vector, spans), structs "
        "of PYK_RECORD, dates, pyk::none and std::optional; an enumeration is cast to its integer, a pointer is passed "
        "as pyk::host(pointer, {count}), and std::vector<bool> has no elements to point to");
    static Argument from(const T& value);
};

template <class T>
struct MakeArgument<T, std::enable_if_t<std::is_arithmetic_v<T> || IsComplex<std::remove_cv_t<T>>::value>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = element_of<T>();
        if constexpr (IsComplex<std::remove_cv_t<T>>::value) {
            argument.complex[0] = value.real();
            argument.complex[1] = value.imag();
        } else if constexpr (std::is_same_v<std::remove_cv_t<T>, bool>)
            argument.boolean = value;
        else if constexpr (std::is_floating_point_v<T>)
            argument.real = value;
        else if constexpr (std::is_signed_v<T>)
            argument.integer = value;
        else
            argument.natural = value;
        return argument;
    }
};

template <class T>
struct MakeArgument<T, std::enable_if_t<is_half<T>>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = element_of<T>();
        argument.real = static_cast<double>(static_cast<float>(value));
        return argument;
    }
};

template <class T>
struct MakeArgument<T, std::enable_if_t<Named<std::remove_cv_t<T>>::value>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = Element::named;
        argument.named = named_type_of<T>();
        argument.data = const_cast<std::remove_cv_t<T>*>(&value);
        return argument;
    }
};

template <>
struct MakeArgument<None> {
    static Argument from(const None&) {
        Argument argument;
        argument.element = Element::none;
        return argument;
    }
};
template <>
struct MakeArgument<const None> : MakeArgument<None> {};

// std::optional, by its shape.
template <class T>
struct MakeArgument<T, typename Void<decltype(std::declval<const T&>().has_value()), typename T::value_type>::type> {
    static Argument from(const T& value) {
        if (!value.has_value()) return MakeArgument<None>::from(none);
        return MakeArgument<const typename T::value_type>::from(*value);
    }
};

template <class T, int N>
struct MakeArgument<Array<T, N>> {
    static Argument from(const Array<T, N>& array) {
        return array_argument(array.data(), N, array.shape().data(), array.buffer().device());
    }
};
template <class T, int N>
struct MakeArgument<const Array<T, N>> {
    static Argument from(const Array<T, N>& array) {
        return array_argument(static_cast<const T*>(array.data()), N, array.shape().data(), array.buffer().device());
    }
};

template <class T, int N>
struct MakeArgument<View<T, N>> {
    static Argument from(const View<T, N>& view) {
        Argument argument = array_argument(view.data, N, view.shape.data(), view.device);
        argument.order = order_of(view.shape.data(), view.strides.data(), N, sizeof(T));
        if (argument.order == Order::strided)
            for (int axis = 0; axis < N; ++axis) argument.strides[axis] = view.strides[static_cast<std::size_t>(axis)];
        return argument;
    }
};
template <class T, int N>
struct MakeArgument<const View<T, N>> : MakeArgument<View<T, N>> {};

template <class T>
struct MakeArgument<T, std::enable_if_t<is_host_array<T>>> {
    static Argument from(T& array) {
        using Host = HostArray<T>;
        return array_argument(Host::data(array), Host::ndim, Host::shape(array).data(), nullptr);
    }
};

template <class T>
struct MakeArgument<T, std::enable_if_t<IsTuple<std::remove_cv_t<T>>::value>> {
    using Tuple = TupleElement<std::remove_cv_t<T>>;
    static Argument from(const T& value) {
        Argument argument;
        argument.element = Element::tuple;
        argument.named = tuple_type<std::remove_cv_t<T>>();
        argument.tuple = {
            &value,
            [](const void* object, unsigned char* to) { Tuple::write(*static_cast<const T*>(object), to); },
            {}};
        Tuple::find_memory(value, argument.tuple.memory);
        return argument;
    }
};

template <>
struct MakeArgument<Argument> {
    static Argument from(const Argument& argument) { return argument; }
};
template <>
struct MakeArgument<const Argument> : MakeArgument<Argument> {};

template <class T>
Argument make_argument(T& value) {
    return MakeArgument<T>::from(value);
}

}  // namespace jit

/// A number that the kernel is compiled for, as if the file had it as a constant: loops over it unroll, shapes of
/// shared and local arrays may have it. Each value makes a specialisation of its own.
template <class T>
jit::Argument constant(const T& number) {
    static_assert(std::is_arithmetic_v<T>, "constants are numbers");
    jit::Argument argument = jit::make_argument(number);
    argument.is_constant = true;
    return argument;
}

/// An array without axes (NumPy's 0-d array), whose element is the number, copied in and back, or the first one of an
/// array where that is. Precondition: the array has one.
template <class T>
jit::Argument cell(T& of) {
    jit::Argument argument;
    if constexpr (std::is_arithmetic_v<T> || jit::is_half<T> || jit::IsComplex<std::remove_cv_t<T>>::value ||
                  jit::Named<std::remove_cv_t<T>>::value)
        argument = jit::array_argument(&of, 0, nullptr, nullptr);
    else
        argument = jit::make_argument(of);
    argument.ndim = 0;
    argument.order = jit::Order::cell;
    return argument;
}

/// An array that the kernel only reads. Of the host's memory it gets a copy, which is not copied back, whatever the
/// kernel does to it; of a device's memory a launch fails whose kernel writes to it.
template <class T>
jit::Argument in(const T& array) {
    jit::Argument argument = jit::make_argument(array);
    argument.copy_out = false;
    argument.readonly = argument.device != nullptr;
    return argument;
}
/// A host array of which the kernel writes every element: not copied in. It changes nothing for a device's memory.
template <class T>
jit::Argument out(T&& array) {
    jit::Argument argument = jit::make_argument(array);
    argument.copy_in = false;
    return argument;
}

}  // namespace pyk
