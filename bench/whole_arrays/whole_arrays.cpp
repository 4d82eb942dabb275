// Functions of whole arrays of libpyk for whole_arrays.py, which calls them by ctypes.
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "pyk/function.hpp"

namespace {

using Input = pyk::View<const double>;
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

template <class R>
Call call_of(const pyk::jit::Module& module, const char* name, int inputs) {
    if (inputs == 1) return call_of<R, Input>(module, name);
    if (inputs == 2) return call_of<R, Input, Input>(module, name);
    return call_of<R, Input, Input, Input>(module, name);
}

}  // namespace

extern "C" {

/// Null: whole_error says why not.
void* whole_prepare(const char* file, const char* name, int inputs, int gives_number) try {
    const pyk::jit::Module module = pyk::load_or_throw(file);
    return new Call(gives_number ? call_of<double>(module, name, inputs) : call_of<New>(module, name, inputs));
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

const char* whole_error() { return last_error.c_str(); }

}  // extern "C"
