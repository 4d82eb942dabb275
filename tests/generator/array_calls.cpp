// Calls of array functions for judge_arrays.py, by ctypes. An operand is cut out of memory of Python's; on a GPU that
// is copied there as a whole for the call, and back.
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "pyk/gufunc.hpp"
#include "pyk/ufunc.hpp"

using pyk::AnyArray;
using pyk::Status;
using pyk::jit::Argument;

extern "C" {

struct Operand {
    int element;       ///< of pyk::jit::Element
    int ndim;          ///< -1: a number
    void* memory;      ///< all of it; null: the number
    long long bytes;   ///< of the memory
    long long offset;  ///< of the first element
    long long shape[pyk::max_ndim], strides[pyk::max_ndim];
    long long integer;
    double real;
    const char* type;  ///< of what is no number: its text, size and alignment
    long long type_bytes, type_alignment;
};

struct Outcome {
    int element, ndim;
    long long shape[pyk::max_ndim];
    void* bytes;  ///< until the next call
    long long size;
    const char* type;  ///< of what is no number
};

}  // extern "C"

namespace {

std::string last_error;
std::vector<std::vector<unsigned char>> kept;

/// What a call needs on a GPU.
struct Copies {
    std::map<void*, pyk::Buffer> buffers;
    bool on_gpu = false;

    unsigned char* address_of(const Operand& operand) {
        if (!on_gpu) return static_cast<unsigned char*>(operand.memory);
        auto found = buffers.find(operand.memory);
        if (found == buffers.end()) {
            const auto bytes = static_cast<std::size_t>(operand.bytes);
            found = buffers.emplace(operand.memory, pyk::Buffer::allocate(pyk::Device(), bytes).value()).first;
            found->second.upload(operand.memory, bytes).or_throw();
        }
        return static_cast<unsigned char*>(found->second.address());
    }
    void bring_back() {
        for (auto& [memory, buffer] : buffers) buffer.download(memory, buffer.size()).or_throw();
        if (on_gpu) pyk::Device().synchronize().or_throw();
    }
};

long long size_of(pyk::jit::ElementType type) {
    constexpr long long sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
    return type.named ? static_cast<long long>(type.named->size) : sizes[static_cast<int>(type.element)];
}

Argument argument_of(const Operand& operand, Copies& copies) {
    Argument argument;
    argument.element = static_cast<pyk::jit::Element>(operand.element);
    if (argument.element == pyk::jit::Element::named)
        argument.named = pyk::jit::named_type(operand.type, static_cast<std::size_t>(operand.type_bytes),
                                              static_cast<std::size_t>(operand.type_alignment));
    if (operand.ndim < 0) {
        if (argument.named)
            argument.data = operand.memory;
        else if (argument.element == pyk::jit::Element::float64)
            argument.real = operand.real;
        else if (argument.element == pyk::jit::Element::boolean)
            argument.boolean = operand.integer != 0;
        else
            argument.integer = operand.integer;
        return argument;
    }
    argument.ndim = static_cast<unsigned char>(operand.ndim);
    argument.data = copies.address_of(operand) + operand.offset;
    if (copies.on_gpu) argument.device = &pyk::Device().context();
    std::memcpy(argument.shape, operand.shape, sizeof operand.shape);
    std::memcpy(argument.strides, operand.strides, sizeof operand.strides);
    argument.order = operand.ndim == 0 ? pyk::jit::Order::cell
                                       : pyk::jit::order_of(operand.shape, operand.strides, operand.ndim,
                                                            size_of(argument.element_type()));
    return argument;
}

void keep(const AnyArray& array, Outcome& outcome) {
    outcome.element = static_cast<int>(array.element());
    outcome.ndim = static_cast<int>(array.shape().size());
    for (std::size_t k = 0; k < array.shape().size(); ++k) outcome.shape[k] = array.shape()[k];
    outcome.type = array.named() ? array.named()->text.c_str() : "";
    std::vector<unsigned char>& bytes =
        kept.emplace_back(static_cast<std::size_t>(array.size() * size_of(array.element_type())));
    if (!bytes.empty()) array.buffer().download(bytes.data(), bytes.size()).or_throw();
    pyk::Device().synchronize().or_throw();
    outcome.bytes = bytes.data();
    outcome.size = static_cast<long long>(bytes.size());
}

}  // namespace

extern "C" {

const char* calls_error() { return last_error.c_str(); }

/// Null: calls_error says why.
void* calls_load(const char* file, int on_gpu) try {
    pyk::jit::Options options;
    options.backend = on_gpu ? pyk::jit::Backend::cuda : pyk::jit::Backend::cpu;
    if (!on_gpu) pyk::Device::cpu().make_current();
    return new pyk::jit::Module(pyk::load(file, options).value());
} catch (const std::exception& e) {
    last_error = e.what();
    return nullptr;
}

/// `what`: "call", "into" (the last operand is the output), "outer", "reduce" or "accumulate" of a ufunc, "parts" (new
/// outputs) or "apply" (all operands) of a gufunc. How many outcomes there are; negative: calls_error says why.
int calls_make(void* loaded, const char* name, const char* what, const Operand* operands, int count, int axis, int all,
               int keepdims, int on_gpu, Outcome* outcomes) try {
    const pyk::jit::Module& module = *static_cast<pyk::jit::Module*>(loaded);
    kept.clear();
    Copies copies;
    copies.on_gpu = on_gpu != 0;
    std::vector<Argument> arguments;
    for (int k = 0; k < count; ++k) arguments.push_back(argument_of(operands[k], copies));
    const std::string kind = what;
    std::vector<AnyArray> results;
    if (kind == "parts" || kind == "apply") {
        const pyk::Gufunc function = pyk::gufunc(module, name).value();
        if (kind == "parts")
            results = function.call_all(arguments).value();
        else
            function.apply_all(arguments).or_throw();
    } else {
        const pyk::Ufunc function = pyk::ufunc(module, name).value();
        if (kind == "call")
            results.push_back(function.call_all(arguments).value());
        else if (kind == "into")
            function.into_all(arguments.back(), {arguments.begin(), arguments.end() - 1}).or_throw();
        else if (kind == "outer")
            results.push_back(function.outer(arguments[0], arguments[1]).value());
        else if (kind == "reduce")
            results.push_back(function.reduce(arguments[0], {axis, all != 0, keepdims != 0}).value());
        else
            results.push_back(function.accumulate(arguments[0], axis).value());
    }
    copies.bring_back();
    for (std::size_t k = 0; k < results.size(); ++k) keep(results[k], outcomes[k]);
    return static_cast<int>(results.size());
} catch (const std::exception& e) {
    last_error = e.what();
    return -1;
}

}  // extern "C"
