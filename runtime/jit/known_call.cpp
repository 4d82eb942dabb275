// Calls of array functions that need no thought: what a launch costs beside the driver's own time counts for small
// arrays.
#include <array>
#include <cstdint>

#include "driver.h"
#include "jit/array_call.h"
#include "jit/elements.h"

namespace pyk::jit {
namespace {

constexpr std::size_t kFewOperands = 16;

/// The types of a call: an array's element whatever its rank, a number's. The output's is the last.
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
    types.codes[call.count] = code_of_operand(*call.out);
    return types;
}

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }

bool is_plain_array(const Argument& array) {
    return array.is_array() && array.order == Order::c && array.named == nullptr && array.data &&
           is_aligned(array.data);
}

bool has_shape_of(const Argument& array, const Argument& out) {
    if (array.ndim != out.ndim) return false;
    for (int axis = 0; axis < out.ndim; ++axis)
        if (array.shape[axis] != out.shape[axis]) return false;
    return true;
}

/// Or they are the same elements.
bool are_apart(const Argument& array, const Argument& out, long long count) {
    const auto a = reinterpret_cast<std::uintptr_t>(array.data), b = reinterpret_cast<std::uintptr_t>(out.data);
    const auto bytes = [&](const Argument& x) { return row_of(x.element).size * static_cast<std::size_t>(count); };
    if (a == b) return row_of(array.element).size == row_of(out.element).size;
    return a + bytes(array) <= b || b + bytes(out) <= a;
}

}  // namespace

bool call_known(const ArrayFunction& function, const detail::ArrayCall& call, Status& status) {
    if (!call.out || call.count + 1 > kFewOperands || call.count != function.summary.params.size()) return false;
    const Argument& out = *call.out;
    const driver::Context* const device = out.device;
    if (!device || device->info.is_cpu || (call.stream.device && call.stream.device != device)) return false;
    if (!is_plain_array(out) || out.readonly) return false;
    long long count = 1;
    for (int axis = 0; axis < out.ndim; ++axis) count *= out.shape[axis];
    if (count <= 0) return false;
    for (std::size_t i = 0; i < call.count; ++i) {
        const Argument& argument = call.arguments[i];
        if (!argument.is_array() ? argument.named != nullptr
                                 : !is_plain_array(argument) || argument.device != device ||
                                       !has_shape_of(argument, out) || !are_apart(argument, out, count))
            return false;
    }
    const Types types = types_of(call);
    const Instance* const instance =
        function.calls.find(hash_of_codes(types.codes.data(), types.count), types.codes.data(), types.count, device);
    if (!instance) return false;
    arrays::PackedLoop packed;
    flat_operand* const operands =
        arrays::begin_flat(types.count, count, 0, instance->entry.elements_per_thread, packed);
    for (std::size_t i = 0; i < call.count; ++i) {
        const Argument& argument = call.arguments[i];
        if (argument.is_array())
            operands[i].data = static_cast<char*>(argument.data);
        else if (!write_scalar(operands[i].value, instance->types[i].element, argument))
            return false;
    }
    operands[call.count].data = static_cast<char*>(out.data);
    status = launch(*instance, packed, call.stream);
    return true;
}

void remember_call(ArrayFunction& function, const detail::ArrayCall& call, const Instance& instance) {
    if (!call.out || call.count + 1 > kFewOperands || instance.device->info.is_cpu || instance.entry.has_checks) return;
    const Types types = types_of(call);
    const std::uint64_t hash = hash_of_codes(types.codes.data(), types.count);
    const std::lock_guard lock(function.instances.mutex);
    if (function.calls.find(hash, types.codes.data(), types.count, instance.device)) return;
    function.calls.add({types.codes.begin(), types.codes.begin() + static_cast<std::ptrdiff_t>(types.count)},
                       &instance);
}

}  // namespace pyk::jit
