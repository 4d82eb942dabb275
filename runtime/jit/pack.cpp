#include "jit/pack.h"

#include "jit/types.h"
#include "support/fault.h"

namespace pyk::jit {
namespace {

// The bytes from one element to the next along each axis.
std::array<long long, Argument::max_ndim> strides_of(const Argument& array) {
    if (array.order == Order::strided) return array.strides;
    std::array<long long, Argument::max_ndim> strides{};
    long long step = static_cast<long long>(type_of(array).element().byte_size());
    for (int i = 0; i < array.ndim; ++i) {
        const auto axis = static_cast<size_t>(array.order == Order::c ? array.ndim - 1 - i : i);
        strides[axis] = step;
        step *= array.shape[axis];
    }
    return strides;
}

void push_scalar(ArgBuffer& buffer, Type type, const Argument& argument) {
    std::string bytes;
    append_bytes(bytes, *convert_number(value_of(argument), type.scalar()), type.scalar());
    buffer.put(bytes.data(), bytes.size(), type.alignment());
}

}  // namespace

ArgBuffer pack_arguments(const EntryPoint& entry, const std::vector<Argument>& arguments,
                         const std::vector<void*>& data) {
    ArgBuffer buffer;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const Type type = entry.params[i].type;
        const Argument& argument = arguments[i];
        if (type.is_scalar())
            push_scalar(buffer, type, argument);
        else if (!type.is_array())
            internal_error("a parameter of type " + type.name() + " has no argument");
        else if (type.layout() == Layout::A)
            buffer.push_array(data[i], argument.shape.data(), strides_of(argument).data(), argument.ndim);
        else
            buffer.push_array(data[i], argument.shape.data(), argument.ndim);
    }
    return buffer;
}

}  // namespace pyk::jit
