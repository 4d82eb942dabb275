#include "jit/packing.h"

#include <cstring>

#include "jit/elements.h"
#include "jit/host_arrays.h"

namespace pyk::jit {
namespace {

// Gives where the next parameter may begin.
std::size_t lay_out(PackedParam& packed, const Param& param, const ArgumentType& argument, std::size_t at) {
    const ElementRow& row = row_of(param.type.element);
    const NamedType* const named = param.type.named;
    std::size_t alignment = named ? named->alignment : row.alignment, size = element_bytes(param.type);
    packed.kind = PackedParam::Kind::convert;
    packed.element = param.type.element;
    packed.size = static_cast<std::uint32_t>(size);
    packed.ndim = param.type.ndim;
    packed.written = param.written;
    if (param.type.is_array()) {
        const bool is_strided = param.type.order == Order::strided;
        packed.kind = is_strided ? PackedParam::Kind::strided : PackedParam::Kind::array;
        alignment = 8;
        size = 8 + 8u * param.type.ndim * (is_strided ? 2 : 1);
    } else if (param.type == argument) {
        const bool is_half = row.kind == ElementRow::Kind::real && row.size == 2;
        if (named)
            packed.kind = PackedParam::Kind::copied;
        else if (param.type.element == Element::float32)
            packed.kind = PackedParam::Kind::float32;
        else if (param.type.element != Element::complex64 && row.kind != ElementRow::Kind::record && !is_half)
            packed.kind = PackedParam::Kind::bytes;
    }
    at = (at + alignment - 1) / alignment * alignment;
    packed.offset = static_cast<std::uint32_t>(at);
    return at + size;
}

}  // namespace

ArgumentType type_of(const Argument& argument) {
    ArgumentType type{argument.element, argument.ndim, argument.order, {}, argument.named};
    if (!argument.is_constant) return type;
    switch (row_of(argument.element).kind) {
        case ElementRow::Kind::boolean:
            type.constant = argument.boolean;
            break;
        case ElementRow::Kind::integer:
            type.constant = argument.integer;
            break;
        case ElementRow::Kind::natural:
            type.constant = argument.natural;
            break;
        default:
            type.constant = argument.real;
            break;
    }
    return type;
}

void lay_out(Instance& instance) {
    std::size_t at = 0;
    auto param = instance.entry.params.begin();
    instance.is_plain = !instance.entry.has_checks && instance.request.types.size() <= 64;
    for (const ArgumentType& type : instance.request.types) {
        PackedParam packed{PackedParam::Kind::nothing};
        if (!type.is_compiled_in()) {
            at = lay_out(packed, *param, type, at);
            instance.is_plain &= type == param->type;
            ++param;
        }
        if (packed.written && instance.params.size() < 64)
            instance.written |= std::uint64_t{1} << instance.params.size();
        instance.params.push_back(packed);
    }
    for (; param != instance.entry.params.end(); ++param) {
        PackedParam packed{PackedParam::Kind::nothing};
        at = lay_out(packed, *param, param->type, at);
        instance.params.push_back(packed);
    }
    instance.packed_bytes = at;
    instance.may_index32 = may_index32(instance.request.types);
    instance.is_apart = instance.request.disjoint;
    instance.is_special = instance.entry.elements_per_thread > 0 || instance.entry.cooperative;
}

bool pack(const PackedParam& param, const Argument& argument, void* data, unsigned char* packed) {
    unsigned char* const to = packed + param.offset;
    switch (param.kind) {
        case PackedParam::Kind::copied:
            if (argument.element == Element::tuple)
                argument.tuple.write(argument.tuple.object, to);
            else
                std::memcpy(to, argument.data, param.size);
            return true;
        case PackedParam::Kind::bytes:
            std::memcpy(to, &argument.integer, param.size);
            return true;
        case PackedParam::Kind::float32: {
            const auto narrow = static_cast<float>(argument.real);
            std::memcpy(to, &narrow, sizeof narrow);
            return true;
        }
        case PackedParam::Kind::convert:
            return argument.element < Element::named && write_scalar(to, param.element, argument);
        case PackedParam::Kind::nothing:
            return true;
        case PackedParam::Kind::array:
        case PackedParam::Kind::strided:
            break;
    }
    const std::size_t extents = argument.ndim * sizeof argument.shape[0];
    std::memcpy(to, &data, sizeof data);
    std::memcpy(to + sizeof data, argument.shape, extents);
    if (param.kind == PackedParam::Kind::strided) {
        const bool is_dense = data != argument.data || argument.order != Order::strided;
        const Strides dense = is_dense ? dense_strides(argument) : Strides{};
        std::memcpy(to + sizeof data + extents, is_dense ? dense.data() : argument.strides, extents);
    }
    return true;
}

}  // namespace pyk::jit
