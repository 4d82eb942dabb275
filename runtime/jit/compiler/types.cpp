#include "jit/compiler/types.h"

namespace pyk::jit {
namespace {

constexpr Scalar kScalars[] = {Scalar::boolean, Scalar::int8,      Scalar::int16,     Scalar::int32,
                               Scalar::int64,   Scalar::uint8,     Scalar::uint16,    Scalar::uint32,
                               Scalar::uint64,  Scalar::float16,   Scalar::bfloat16,  Scalar::float32,
                               Scalar::float64, Scalar::complex64, Scalar::complex128};
constexpr std::pair<Order, Layout> kLayouts[] = {
    {Order::c, Layout::C}, {Order::fortran, Layout::F}, {Order::strided, Layout::A}};

Type element_type(Element element) {
    if (element == Element::xoroshiro128p) return Type::xoroshiro128p_state();
    return kScalars[static_cast<size_t>(element)];
}

std::optional<Element> element_of(Type type) {
    if (type == Type::xoroshiro128p_state()) return Element::xoroshiro128p;
    if (!type.is_scalar()) return std::nullopt;
    for (size_t i = 0; i < std::size(kScalars); ++i)
        if (type.is(kScalars[i])) return static_cast<Element>(i);
    return std::nullopt;
}

}  // namespace

Type type_of(const ArgumentType& type) {
    const Type element = element_type(type.element);
    if (type.ndim == 0) return element;
    for (const auto& [order, layout] : kLayouts)
        if (order == type.order) return Type::array(element, type.ndim, layout);
    return element;
}

std::optional<ArgumentType> argument_type(Type type) {
    const std::optional<Element> element = element_of(type.is_array() ? type.element() : type);
    if (!element) return std::nullopt;
    if (!type.is_array()) return ArgumentType{*element, 0, Order::c};
    if (type.ndim() < 1 || type.ndim() > Argument::max_ndim) return std::nullopt;
    for (const auto& [order, layout] : kLayouts)
        if (layout == type.layout()) return ArgumentType{*element, static_cast<unsigned char>(type.ndim()), order};
    return std::nullopt;
}

}  // namespace pyk::jit
