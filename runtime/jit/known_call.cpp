// Calls of array functions that need no thought: what a launch costs beside the driver's own time counts for small
// arrays.
#include <algorithm>
#include <array>
#include <cstdint>

#include "array/flat.h"
#include "driver.h"
#include "jit/array_call.h"
#include "jit/elements.h"

namespace pyk::jit {
namespace {

constexpr std::size_t kFewOperands = 16;
constexpr std::uint16_t kNewArray = 0xFFFF;  // no operand's code

/// The types of a call: an array's element whatever its rank, a number's; then the output's.
struct Types {
    std::array<std::uint16_t, kFewOperands> codes;
    std::size_t count;
};

std::uint16_t code_of_operand(const Argument& argument) {
    return code_of(argument.element, argument.is_array() ? 1 : 0, Order::c);
}

Types types_of(const detail::ArrayCall& call) {
    Types types{{}, call.count + 1};
    for (std::size_t i = 0; i < call.count; ++i) types.codes[i] = code_of_operand(call.arguments[i]);
    types.codes[call.count] = call.out ? code_of_operand(*call.out) : kNewArray;
    return types;
}

bool is_dense(const Argument& array) { return array.is_array() && array.order == Order::c && array.named == nullptr; }

arrays::DenseArray dense_array(const Argument& array) {
    return {array.data, row_of(array.element).size, array.ndim, array.shape};
}

}  // namespace

bool call_known(const ArrayFunction& function, const detail::ArrayCall& call, AnyArray* result, Status& status) {
    if (call.count + 1 > kFewOperands || call.count != function.summary.params.size()) return false;
    // Of a new output: what has its shape.
    const Argument* const end = call.arguments + call.count;
    const Argument* const like = call.out ? call.out : std::find_if(call.arguments, end, is_dense);
    if (like == end || !is_dense(*like) || (call.out && call.out->readonly)) return false;
    driver::Context* const device = like->device;
    if (!device || device->info.is_cpu || (call.stream.device && call.stream.device != device)) return false;
    std::array<arrays::DenseArray, kFewOperands> inputs;
    std::size_t found = 0;
    for (std::size_t i = 0; i < call.count; ++i) {
        const Argument& argument = call.arguments[i];
        if (!argument.is_array() && !argument.named) continue;
        if (!is_dense(argument) || argument.device != device) return false;
        inputs[found++] = dense_array(argument);
    }
    const auto elements = arrays::flat_elements(inputs.data(), found, dense_array(*like));
    if (!elements) return false;
    const Types types = types_of(call);
    const Instance* const known =
        function.calls.find(hash_of_codes(types.codes.data(), types.count), types.codes.data(), types.count, device);
    if (!known) return false;
    const Instance& instance = form_for(*known, *elements);
    arrays::PackedLoop packed;
    flat_operand* const operands =
        arrays::begin_flat(call.count + 1, *elements, 0, elements_of_thread(instance), packed);
    for (std::size_t i = 0; i < call.count; ++i) {
        const Argument& argument = call.arguments[i];
        const Element element = instance.request.types[i].element;
        if (argument.is_array()) {
            operands[i].data = static_cast<char*>(argument.data);
            continue;
        }
        if (!write_scalar(operands[i].value, element, argument)) return false;
        arrays::put_number(operands[i], operands[i].value, row_of(element).size);
    }
    void* to = call.out ? call.out->data : nullptr;
    if (!call.out) {
        Result<AnyArray> made = new_array(instance.entry.params.back().type.element_type(),
                                          {like->shape, like->shape + like->ndim}, *device, call.stream);
        if (!made) return status = made.status(), true;
        to = made->data();
        *result = *std::move(made);
    }
    operands[call.count].data = static_cast<char*>(to);
    status = launch(instance, packed, call.stream);
    return true;
}

void remember_call(ArrayFunction& function, const detail::ArrayCall& call, const Instance& instance) {
    if (call.count + 1 > kFewOperands || instance.device->info.is_cpu || instance.entry.has_checks) return;
    const std::vector<Param>& params = instance.entry.params;
    if (std::any_of(params.begin(), params.end(), [](const Param& param) { return param.type.named != nullptr; }))
        return;
    const Types types = types_of(call);
    const std::uint64_t hash = hash_of_codes(types.codes.data(), types.count);
    const std::lock_guard lock(function.instances.mutex);
    if (function.calls.find(hash, types.codes.data(), types.count, instance.device)) return;
    function.calls.add({types.codes.begin(), types.codes.begin() + static_cast<std::ptrdiff_t>(types.count)},
                       &instance);
}

}  // namespace pyk::jit
