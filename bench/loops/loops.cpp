// Functions of the CPU for loops.py, which calls them by ctypes.
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pyk/function.hpp"

namespace {

std::string last_error;

/// An argument as ctypes passes it; numbers have no axes.
struct Operand {
    int element;  ///< of pyk::jit::Element
    int ndim;
    const void* data;
    double real;
    long long integer;
    long long shape[3];
};

pyk::jit::Argument argument_of(const Operand& operand) {
    pyk::jit::Argument made;
    made.element = static_cast<pyk::jit::Element>(operand.element);
    made.ndim = static_cast<unsigned char>(operand.ndim);
    if (operand.ndim > 0)
        made.data = const_cast<void*>(operand.data);
    else if (made.element == pyk::jit::Element::float64)
        made.real = operand.real;
    else
        made.integer = operand.integer;
    for (int k = 0; k < operand.ndim; ++k) made.shape[k] = operand.shape[k];
    return made;
}

}  // namespace

extern "C" {

/// Null: loops_error says why.
void* loops_load(const char* file) try {
    return new pyk::jit::Module(pyk::load_or_throw(file));
} catch (const std::exception& e) {
    last_error = e.what();
    return nullptr;
}

/// The seconds that the call takes a C++ program; the bytes of the number that the function returns, if it does, are
/// written to `result`, of 16. Negative: loops_error says why.
double loops_call(void* module, const char* name, const Operand* operands, int count, void* result) try {
    std::vector<pyk::jit::Argument> arguments;
    for (int k = 0; k < count; ++k) arguments.push_back(argument_of(operands[k]));
    const auto start = std::chrono::steady_clock::now();
    const pyk::jit::FunctionReport report =
        pyk::call_function(*static_cast<pyk::jit::Module*>(module), name, arguments).value();
    const auto end = std::chrono::steady_clock::now();
    if (!report.results.empty()) std::memcpy(result, report.results[0].bytes, sizeof report.results[0].bytes);
    return std::chrono::duration<double>(end - start).count();
} catch (const std::exception& e) {
    last_error = e.what();
    return -1;
}

const char* loops_error() { return last_error.c_str(); }

}  // extern "C"
