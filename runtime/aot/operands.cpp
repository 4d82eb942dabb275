#include "operands.h"

#include <algorithm>

namespace pyk::aot {
namespace {

bool is_empty(const AnyOperand& array) {
    return std::find(array.shape, array.shape + array.ndim, 0) != array.shape + array.ndim;
}

Status check(const Operands& operands, std::size_t k) {
    const AnyOperand& operand = operands[k];
    if (!operand.fits) return refuse("the value of " + operands.which(k) + " does not fit its type");
    if (operand.ndim > max_ndim)
        return refuse(operands.which(k) + " has more than " + std::to_string(max_ndim) + " axes");
    const char* const fault =
        operand.is_number ? nullptr : pyk::detail::fault_of(operand.data, operand.shape, operand.ndim);
    return fault ? refuse(operands.which(k) + " " + fault) : Status();
}

}  // namespace

std::string Operands::which(std::size_t k) const {
    return "argument " + std::to_string(k + 1) + " (`" + name_at(names, k) + "`) of `" + function + "`";
}

Result<driver::Context*> device_for(const Operands& operands, StreamRef stream) {
    driver::Context* device = stream.device;
    for (std::size_t k = 0; k < operands.count; ++k) {
        if (Status s = check(operands, k); !s) return s;
        const bool is_on_gpu = operands[k].device && !operands[k].device->info.is_cpu;
        if (!device && is_on_gpu) device = operands[k].device;
    }
    if (!device) device = &driver::cpu_context();
    for (std::size_t k = 0; k < operands.count; ++k)
        if (!operands[k].is_number && !is_empty(operands[k]) && !reaches(*device, operands[k].device))
            return unreachable(operands.which(k), *device, operands[k].device);
    return device;
}

arrays::Layout layout_of(const AnyOperand& operand) {
    arrays::Layout layout;
    layout.element_bytes = static_cast<long long>(operand.element_bytes);
    if (operand.is_number) return layout;
    layout.data = static_cast<char*>(const_cast<void*>(operand.data));
    layout.shape.assign(operand.shape, operand.shape + operand.ndim);
    layout.strides.assign(operand.strides, operand.strides + operand.ndim);
    return layout;
}

std::vector<arrays::Number> numbers_of(const Operands& operands) {
    std::vector<arrays::Number> numbers(operands.count);
    for (std::size_t k = 0; k < operands.count; ++k)
        std::copy(std::begin(operands[k].value), std::end(operands[k].value), numbers[k].bytes);
    return numbers;
}

Status launch(const Loaded& code, const arrays::PackedLoop& packed, StreamRef stream) {
    return code.module->launch(code.function, arrays::config_of(packed, stream), code.static_shared, packed.bytes,
                               packed.size);
}

}  // namespace pyk::aot
