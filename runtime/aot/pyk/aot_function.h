// What the headers of functions for the CPU (`@njit`) that were compiled ahead of time stand on.
#pragma once

#include <tuple>
#include <utility>

#include "pyk/aot.h"

namespace pyk::aot {

/// Runs on the CPU, in this thread; loops over `prange` on all cores. Fails by value, where an array does not fit the
/// function's layouts or is not in host memory, and where the function raises. Thread-safe.
Status call_passed(const char* file, const Kernel& function, const Passed* arguments, std::size_t count);

/// Where results go: behind the arguments, an array of one element each.
template <class... R, std::size_t... I, class... T>
Status call_with_results(const char* file, const Kernel& function, std::tuple<R...>& results, std::index_sequence<I...>,
                         const T&... arguments) {
    const std::tuple<View<R, 1>...> places{View<R, 1>(&std::get<I>(results), {1})...};
    const std::array<Passed, sizeof...(T) + sizeof...(R)> passed{pass(arguments)..., pass(std::get<I>(places))...};
    return call_passed(file, function, passed.data(), passed.size());
}

/// `R`: what the function returns: nothing, a number, or a tuple of them.
template <class R>
struct Call {
    template <class... T>
    static Result<R> run(const char* file, const Kernel& function, const T&... arguments) {
        std::tuple<R> results{};
        Status status = call_with_results(file, function, results, std::make_index_sequence<1>(), arguments...);
        return status ? Result<R>(std::get<0>(std::move(results))) : Result<R>(std::move(status));
    }
};
template <>
struct Call<void> {
    template <class... T>
    static Status run(const char* file, const Kernel& function, const T&... arguments) {
        const std::array<Passed, sizeof...(T)> passed{pass(arguments)...};
        return call_passed(file, function, passed.data(), passed.size());
    }
};
template <class... R>
struct Call<std::tuple<R...>> {
    template <class... T>
    static Result<std::tuple<R...>> run(const char* file, const Kernel& function, const T&... arguments) {
        std::tuple<R...> results{};
        Status status = call_with_results(file, function, results, std::index_sequence_for<R...>(), arguments...);
        return status ? Result<std::tuple<R...>>(std::move(results)) : Result<std::tuple<R...>>(std::move(status));
    }
};

}  // namespace pyk::aot
