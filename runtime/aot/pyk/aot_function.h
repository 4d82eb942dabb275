// What the headers of functions for the CPU (`@njit`) that were compiled ahead of time stand on.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "pyk/aot.h"
#include "pyk/given_cpu.h"

namespace pyk::aot {

/// Runs on the CPU, in this thread; loops over `prange` on all cores. Fails by value, where an array does not fit the
/// function's layouts or is not in host memory, and where the function raises. Thread-safe.
Status call_passed(const char* file, const Kernel& function, const Passed* arguments, std::size_t count);

/// An array of one element.
template <class T>
Passed pass_place(T& element) {
    static constexpr long long one = 1, step = sizeof(T);
    return {&element, sizeof(T), alignof(T), 1, true, &one, &step, nullptr};
}

/// Where a result goes, behind the arguments: `add` passes as many places as it has, `take` makes the result of them.
template <class R>
struct Place {
    static constexpr std::size_t count = 1;
    R value{};

    void add(Passed*& to) { *to++ = pass_place(value); }
    Status take(R& result) {
        result = std::move(value);
        return {};
    }
};
/// New memory of the caller's own, in C order.
template <class T, int N>
struct Place<Array<T, N>> {
    static constexpr std::size_t count = 1;
    given_array given{};

    Place() = default;
    Place(const Place&) = delete;
    ~Place() { let_go(given.block); }
    void add(Passed*& to) {
        *to = pass_place(given);
        to++->size = sizeof(T);
    }
    Status take(Array<T, N>& result) {
        if (is_whole(given, sizeof(T))) {
            memory_block* const block = std::exchange(given.block, nullptr);
            typename Array<T, N>::Shape shape;
            std::copy(given.shape, given.shape + N, shape.begin());
            Result<Array<T, N>> taken = Array<T, N>::adopt(
                Buffer::adopt(Device::cpu(), given.data, static_cast<std::size_t>(block->bytes), MemoryKind::device,
                              block, [](void* memory) { let_go(static_cast<memory_block*>(memory)); }),
                shape);
            if (taken) result = *std::move(taken);
            return taken ? Status() : taken.status();
        }
        View<const T, N> from;
        from.data = static_cast<const T*>(given.data);
        for (std::size_t axis = 0; axis < N; ++axis) {
            from.shape[axis] = given.shape[axis];
            from.strides[axis] = given.strides[axis];
        }
        Result<Array<T, N>> made = Array<T, N>::allocate(Device::cpu(), from.shape);
        if (!made) return made.status();
        result = *std::move(made);
        return from.size() == 0 ? Status() : result.copy_from(from);
    }
};
/// A number, or None.
template <class T>
struct Place<std::optional<T>> {
    static constexpr std::size_t count = 2;
    bool has_value = false;
    T value{};

    void add(Passed*& to) {
        *to++ = pass_place(has_value);
        *to++ = pass_place(value);
    }
    Status take(std::optional<T>& result) {
        if (has_value) result = value;
        return {};
    }
};
template <class... R>
struct Place<std::tuple<R...>> {
    static constexpr std::size_t count = (std::size_t{0} + ... + Place<R>::count);
    std::tuple<Place<R>...> places;

    void add(Passed*& to) {
        std::apply([&](auto&... each) { (each.add(to), ...); }, places);
    }
    Status take(std::tuple<R...>& result) { return take(result, std::index_sequence_for<R...>()); }

  private:
    template <std::size_t... I>
    Status take(std::tuple<R...>& result, std::index_sequence<I...>) {
        Status status;
        ((status = status ? std::get<I>(places).take(std::get<I>(result)) : std::move(status)), ...);
        return status;
    }
};

/// `R`: what the function returns: nothing, a number or None, an array, or a tuple of what it may return.
template <class R>
struct Call {
    template <class... T>
    static Result<R> run(const char* file, const Kernel& function, const T&... arguments) {
        Place<R> place;
        std::array<Passed, sizeof...(T) + Place<R>::count> passed{pass(arguments)...};
        Passed* next = passed.data() + sizeof...(T);
        place.add(next);
        R result{};
        Status status = call_passed(file, function, passed.data(), passed.size());
        if (status) status = place.take(result);
        return status ? Result<R>(std::move(result)) : Result<R>(std::move(status));
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

}  // namespace pyk::aot
