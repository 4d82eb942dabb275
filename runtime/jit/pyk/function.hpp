// Plain functions (`@njit`) of a .pyk file, called on the CPU.
//
//   const auto mean = pyk::function<double(const std::vector<float>&)>(module, "mean").value();
//   const double m = mean(x);
//
// Arguments are what kernels take (pyk/argument.hpp), arrays in host memory, where they are. Results are numbers,
// dates, arrays (AnyArray, pyk::Array, std::vector), std::optional where it may be None, and tuples of these:
// std::tuple, std::pair, std::array. An array that is returned is the caller's own, also where it was an argument. A
// loop over `prange` of a function with `parallel=True` runs on all cores. Every call here may come from any thread;
// calls run one at a time.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pyk/pyk.hpp"
#include "pyk/ufunc.hpp"

namespace pyk::jit {

// Private.
struct KernelState;

namespace detail {

/// A number, a date or an array that a function returned.
struct Returned {
    Element element = Element::none;
    const NamedType* named = nullptr;  ///< of dates
    alignas(16) unsigned char bytes[16] = {};
    bool is_array = false;
    bool has_value = true;  ///< false: None
    AnyArray array = {};
};
Status call_function(KernelState& function, const Argument* arguments, std::size_t count, Returned* results,
                     std::size_t result_count);
/// Writes it as another type: an integer as a float, a narrower number as a wider one. `named`: of a date.
Status read_returned(const KernelState& function, const Returned& returned, Element as, const NamedType* named,
                     void* to);
/// Fails where a number was returned.
Status check_returned_array(const KernelState& function, const Returned& returned);

template <class Signature>
struct ArgumentCount;
template <class R, class... Args>
struct ArgumentCount<R(Args...)> {
    static constexpr std::size_t value = sizeof...(Args);
};

/// How many numbers and arrays an R takes, one behind the other, and how it is made of them.
template <class R, class = void>
struct ResultsOf {
    static constexpr std::size_t count = 1;
    static Status read(const KernelState& function, Returned* returned, R& result) {
        return read_returned(function, returned[0], element_of<R>(), named_type_of<R>(), &result);
    }
};
template <class R, class Indices>
struct CountOf;
template <class R, std::size_t... I>
struct CountOf<R, std::index_sequence<I...>> {
    static constexpr std::size_t value = (std::size_t{0} + ... + ResultsOf<std::tuple_element_t<I, R>>::count);
};
/// A value or None, which is told of each of its parts.
template <class T>
struct ResultsOf<std::optional<T>> {
    static constexpr std::size_t count = ResultsOf<T>::count;
    static Status read(const KernelState& function, Returned* returned, std::optional<T>& result) {
        result.reset();
        return returned[0].has_value ? ResultsOf<T>::read(function, returned, result.emplace()) : Status();
    }
};
template <>
struct ResultsOf<AnyArray> {
    static constexpr std::size_t count = 1;
    static Status read(const KernelState& function, Returned* returned, AnyArray& result) {
        if (Status s = check_returned_array(function, returned[0]); !s) return s;
        result = std::move(returned[0].array);
        return {};
    }
};
template <class T, int N>
struct ResultsOf<Array<T, N>> {
    static constexpr std::size_t count = 1;
    static Status read(const KernelState& function, Returned* returned, Array<T, N>& result) {
        if (Status s = check_returned_array(function, returned[0]); !s) return s;
        Result<Array<T, N>> typed = std::move(returned[0].array).template as<T, N>();
        if (typed) result = *std::move(typed);
        return typed.status();
    }
};
template <class T>
struct ResultsOf<std::vector<T>> {
    static constexpr std::size_t count = 1;
    static Status read(const KernelState& function, Returned* returned, std::vector<T>& result) {
        if (Status s = check_returned_array(function, returned[0]); !s) return s;
        Result<std::vector<T>> elements = returned[0].array.template to_host<T>();
        if (elements) result = *std::move(elements);
        return elements.status();
    }
};
template <class R>
struct ResultsOf<R, std::void_t<decltype(std::tuple_size<R>::value)>> {
    static constexpr std::size_t count = CountOf<R, std::make_index_sequence<std::tuple_size<R>::value>>::value;
    static Status read(const KernelState& function, Returned* returned, R& result) {
        return read(function, returned, result, std::make_index_sequence<std::tuple_size<R>::value>());
    }

  private:
    template <std::size_t... I>
    static Status read(const KernelState& function, Returned* returned, R& result, std::index_sequence<I...>) {
        Status status;
        ((status =
              status ? ResultsOf<std::tuple_element_t<I, R>>::read(function, returned, std::get<I>(result)) : status,
          returned += ResultsOf<std::tuple_element_t<I, R>>::count),
         ...);
        return status;
    }
};

}  // namespace detail

template <class Signature>
class Function;

/// A function of a module. Copies share what was compiled: once per tuple of argument types, at the first call.
template <class R, class... Args>
class Function<R(Args...)> {
  public:
    explicit Function(Shared<KernelState> function) : function_(std::move(function)) {}

    /// What the function returns. Throws what it raises, as pyk::Exception's kind `execution`.
    R operator()(Args... args) const {
        if constexpr (std::is_void_v<R>)
            call(args...).or_throw();
        else
            return call(args...).value();
    }
    /// The same as a value: a Status where the function returns nothing, else a Result.
    auto call(Args... args) const {
        const Argument arguments[] = {make_argument(args)..., Argument()};
        if constexpr (std::is_void_v<R>) {
            return detail::call_function(*function_, arguments, sizeof...(Args), nullptr, 0);
        } else {
            using Results = detail::ResultsOf<R>;
            detail::Returned returned[Results::count];
            R result{};
            Status status = detail::call_function(*function_, arguments, sizeof...(Args), returned, Results::count);
            if (status) status = Results::read(*function_, returned, result);
            return status ? Result<R>(std::move(result)) : Result<R>(std::move(status));
        }
    }

  private:
    Shared<KernelState> function_;
};

namespace detail {

Result<Shared<KernelState>> find_function(const Module& module, std::string_view name, std::size_t arguments);

}  // namespace detail

/// The function of that name in the module's file; parameters with defaults may be left out at the end. Fails where
/// there is none, or it takes another number of arguments.
template <class Signature>
Result<Function<Signature>> function(const Module& module, std::string_view name) {
    Result<Shared<KernelState>> found = detail::find_function(module, name, detail::ArgumentCount<Signature>::value);
    if (!found) return found.status();
    return Function<Signature>(*std::move(found));
}
/// Of all of them, in the order of the file.
std::vector<std::string> function_names(const Module& module);
/// Of one of them; none where there is no such function.
std::vector<std::string> function_params(const Module& module, std::string_view name);

/// How many of its last parameters have defaults.
std::size_t function_defaults(const Module& module, std::string_view name);

/// What a call gave whose types are known only when the program runs.
struct FunctionReport {
    std::vector<detail::Returned> results;  ///< none, one, or the elements of a tuple, of tuples in it too
    std::vector<bool> written;              ///< per argument: an array whose elements the function may have changed
    std::string warnings;                   ///< of its compilation
};
Result<FunctionReport> call_function(const Module& module, std::string_view name,
                                     const std::vector<Argument>& arguments);

}  // namespace pyk::jit

namespace pyk {

using jit::call_function;
using jit::Function;
using jit::function;

}  // namespace pyk
