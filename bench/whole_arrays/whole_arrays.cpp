// Functions of whole arrays of libpyk for whole_arrays.py, which calls them by ctypes.
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "pyk/function.hpp"

namespace {

using Input = pyk::View<const double>;
using Output = pyk::View<double>;
using New = pyk::Array<double>;

std::string last_error;

/// Makes the call; gives the address of the result's first element, which is there until the next call.
struct Call {
    std::function<const double*(const double* const* inputs, long long n)> run;
};

template <class R, class... Inputs>
Call call_of(const pyk::jit::Module& module, const char* name) {
    return {[function = pyk::function<R(Inputs...)>(module, name).value(), kept = std::make_shared<R>()](
                const double* const* inputs, long long n) -> const double* {
        const auto next = [&] { return Input(*inputs++, {n}); };
        R& result = *kept;
        result = R();  // its memory is free for the next one
        result = std::apply(function, std::tuple<Inputs...>{(static_cast<void>(sizeof(Inputs)), next())...});
        if constexpr (std::is_same_v<R, double>)
            return &result;
        else
            return static_cast<const double*>(result.data());
    }};
}

/// Of one that stores to its first argument.
template <class... Inputs>
Call storing_call_of(const pyk::jit::Module& module, const char* name) {
    return {[function = pyk::function<void(Output, Inputs...)>(module, name).value()](const double* const* arrays,
                                                                                      long long n) -> const double* {
        double* const out = const_cast<double*>(*arrays);
        const auto next = [&] { return Input(*++arrays, {n}); };
        std::apply(function,
                   std::tuple<Output, Inputs...>{Output(out, {n}), (static_cast<void>(sizeof(Inputs)), next())...});
        return out;
    }};
}

template <class R>
Call call_of(const pyk::jit::Module& module, const char* name, int inputs) {
    if (inputs == 1) return call_of<R, Input>(module, name);
    if (inputs == 2) return call_of<R, Input, Input>(module, name);
    return call_of<R, Input, Input, Input>(module, name);
}

}  // namespace

extern "C" {

/// Of a function that gives a new "array", a "number", or stores to its first argument and gives "nothing". Null:
/// whole_error says why not.
void* whole_prepare(const char* file, const char* name, int inputs, const char* gives) try {
    const pyk::jit::Module module = pyk::load_or_throw(file);
    if (gives == std::string("nothing")) return new Call(storing_call_of<Input, Input>(module, name));
    return new Call(gives == std::string("number") ? call_of<double>(module, name, inputs)
                                                   : call_of<New>(module, name, inputs));
} catch (const std::exception& e) {
    last_error = e.what();
    return nullptr;
}

const double* whole_run(void* call, const double* const* inputs, long long n) try {
    return static_cast<Call*>(call)->run(inputs, n);
} catch (const std::exception& e) {
    last_error = e.what();
    return nullptr;
}

/// The microseconds that the call takes a C++ program. Negative: whole_error says why.
double whole_time(void* call, const double* const* inputs, long long n) {
    const auto start = std::chrono::steady_clock::now();
    if (!whole_run(call, inputs, n)) return -1;
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

const char* whole_error() { return last_error.c_str(); }

}  // extern "C"
