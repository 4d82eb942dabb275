// Array functions of libpyk for elementwise.py, on_cpu.py and parts/parts.py, which call them by ctypes.
#include <cstring>
#include <string>
#include <vector>

#include "pyk/gufunc.hpp"

using pyk::jit::Argument;

extern "C" {

struct BenchArray {
    void* data;  ///< null: the number
    double number;
    int element;  ///< 0: float32, 1: float64, 2: int32
    int is_host, ndim;
    long long shape[4], strides[4];
};

}  // extern "C"

namespace {

std::string last_error;

Argument argument_of(const BenchArray& array) {
    Argument argument;
    using pyk::jit::Element;
    constexpr Element elements[] = {Element::float32, Element::float64, Element::int32};
    argument.element = elements[array.element];
    if (!array.data) {
        argument.real = array.number;
        return argument;
    }
    argument.ndim = static_cast<unsigned char>(array.ndim);
    argument.data = array.data;
    if (!array.is_host) argument.device = &pyk::Device().context();
    argument.order = pyk::jit::order_of(array.shape, array.strides, array.ndim, array.element == 1 ? 8 : 4);
    std::memcpy(argument.shape, array.shape, sizeof array.shape);
    std::memcpy(argument.strides, array.strides, sizeof array.strides);
    return argument;
}

struct Call {
    pyk::Ufunc function;
    std::vector<Argument> inputs;
    Argument out;
};

struct PartsCall {
    pyk::Gufunc function;
    std::vector<Argument> operands;
};

}  // namespace

extern "C" {

/// A call that `bench_run` makes again and again; null: bench_error says why not.
void* bench_prepare(const char* file, const char* name, int inputs, const BenchArray* arrays, int is_fast) {
    pyk::jit::Options options;
    options.code.fastmath = is_fast != 0;
    if (arrays[inputs].is_host) options.backend = pyk::jit::Backend::cpu;
    const auto module = pyk::load(file, options);
    if (!module) return last_error = module.message(), nullptr;
    const auto function = pyk::ufunc(*module, name);
    if (!function) return last_error = function.message(), nullptr;
    auto* call = new Call{*function, {}, argument_of(arrays[inputs])};
    for (int i = 0; i < inputs; ++i) call->inputs.push_back(argument_of(arrays[i]));
    return call;
}

int bench_run(void* call) {
    const auto* prepared = static_cast<const Call*>(call);
    const pyk::Status done = prepared->function.into_all(prepared->out, prepared->inputs);
    if (!done) last_error = done.message();
    return done.ok();
}

/// So many calls, one after the other.
int bench_run_calls(void* call, int calls) {
    for (int i = 0; i < calls; ++i)
        if (!bench_run(call)) return 0;
    return 1;
}

void* bench_prepare_parts(const char* file, const char* name, int operands, const BenchArray* arrays) {
    const auto module = pyk::load(file);
    if (!module) return last_error = module.message(), nullptr;
    const auto function = pyk::gufunc(*module, name);
    if (!function) return last_error = function.message(), nullptr;
    auto* call = new PartsCall{*function, {}};
    for (int i = 0; i < operands; ++i) call->operands.push_back(argument_of(arrays[i]));
    return call;
}

int bench_run_parts(void* call) {
    const auto* prepared = static_cast<const PartsCall*>(call);
    const pyk::Status done = prepared->function.apply_all(prepared->operands);
    if (!done) last_error = done.message();
    return done.ok();
}

const char* bench_error() { return last_error.c_str(); }

}  // extern "C"
