#include "driver/cli/jit_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cli/failure.h"
#include "driver/warnings.h"
#include "jit/compiler/types.h"
#include "support/fault.h"

namespace pyk {
namespace {

jit::Backend backend_of(DeviceChoice device) {
    switch (device) {
        case DeviceChoice::automatic:
            return jit::Backend::automatic;
        case DeviceChoice::cuda:
            return jit::Backend::cuda;
        case DeviceChoice::cpu:
            return jit::Backend::cpu;
    }
    internal_error("a device that nobody knows");
}

jit::Define define_of(const DefineValue& value) {
    const auto constant = [](const ConstantValue& v) {
        return std::visit([](auto number) { return jit::Constant(number); }, v);
    };
    if (const ConstantValue* number = std::get_if<ConstantValue>(&value)) return constant(*number);
    if (const Type* type = std::get_if<Type>(&value)) return jit::TypeName{type->signature()};
    std::vector<jit::Constant> items;
    for (const ConstantValue& item : std::get<std::vector<ConstantValue>>(value)) items.push_back(constant(item));
    return items;
}

jit::Argument argument_of(const ScalarArgument& scalar) {
    jit::Argument argument;
    const auto type = jit::argument_type(scalar.type);
    if (!type) internal_error("a number of type " + scalar.type.name());
    argument.element = type->element;
    argument.complex[1] = scalar.imaginary;  // of any other number it is not looked at
    std::visit(
        [&](auto value) {
            using T = decltype(value);
            if constexpr (std::is_same_v<T, bool>)
                argument.boolean = value;
            else if constexpr (std::is_same_v<T, int64_t>)
                argument.integer = value;
            else if constexpr (std::is_same_v<T, uint64_t>)
                argument.natural = value;
            else
                argument.real = value;
        },
        scalar.value);
    return argument;
}

jit::Argument argument_of(NpyArray& array) {
    if (array.shape.size() > max_ndim) throw UsageError(fmt::format("an array has at most {} axes", max_ndim));
    const auto element = jit::argument_type(array.element);
    if (!element) throw UsageError(fmt::format("arrays of {} cannot be passed", array.element.name()));
    jit::Argument argument;
    argument.element = element->element;
    argument.named = element->named;
    argument.ndim = static_cast<unsigned char>(array.shape.size());
    argument.data = array.bytes.data();
    argument.order = array.shape.empty()           ? jit::Order::cell
                     : array.layout() == Layout::F ? jit::Order::fortran
                                                   : jit::Order::c;
    std::copy(array.shape.begin(), array.shape.end(), argument.shape);
    return argument;
}

jit::Argument argument_of(const TupleArgument& tuple) {
    jit::Argument argument;
    const auto type = jit::argument_type(tuple.type);
    if (!type) internal_error("a tuple of type " + tuple.type.name());
    argument.element = type->element;
    argument.named = type->named;
    argument.tuple = {&tuple.bytes,
                      [](const void* object, unsigned char* to) {
                          const auto& bytes = *static_cast<const std::string*>(object);
                          std::copy(bytes.begin(), bytes.end(), to);
                      },
                      {}};
    return argument;
}

jit::Argument argument_of(NoneArgument) {
    jit::Argument argument;
    argument.element = jit::Element::none;
    return argument;
}

}  // namespace

jit::Options jit_options(const RunOptions& options) {
    jit::Options result;
    for (const auto& [name, value] : options.defines) result.defines[name] = define_of(value);
    result.backend = backend_of(options.device);
    result.typing = options.typing == Typing::narrow ? jit::Typing::narrow : jit::Typing::numba;
    result.check_bounds = options.check_bounds;
    result.check_races = options.check_races;
    result.debug = options.debug;
    result.coarsen = options.coarsen;
    result.code.fastmath = options.code.fastmath;
    result.code.fmad = !options.code.no_fmad;
    result.code.lineinfo = options.code.lineinfo;
    result.code.device_debug = options.code.device_debug;
    result.code.optimization = options.code.optimization.value_or(3);
    result.code.max_registers = options.code.max_registers;
    result.import_folders = options.import_folders;
    result.links = options.links;
    result.warnings = texts_of(options.warnings);
    return result;
}

jit::Argument launch_argument(RunArgument& argument) {
    return std::visit([](auto& value) { return argument_of(value); }, argument.value);
}

}  // namespace pyk
