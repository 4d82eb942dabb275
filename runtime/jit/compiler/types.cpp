#include "jit/compiler/types.h"

#include <algorithm>

#include "types/fp8.h"
#include "types/signature.h"

namespace pyk::jit {
namespace {

constexpr Scalar kScalars[] = {Scalar::boolean, Scalar::int8,      Scalar::int16,     Scalar::int32,
                               Scalar::int64,   Scalar::uint8,     Scalar::uint16,    Scalar::uint32,
                               Scalar::uint64,  Scalar::float16,   Scalar::bfloat16,  Scalar::float32,
                               Scalar::float64, Scalar::complex64, Scalar::complex128};
constexpr std::pair<Order, Layout> kLayouts[] = {
    {Order::c, Layout::C}, {Order::fortran, Layout::F}, {Order::strided, Layout::A}};

struct Extent {
    size_t size, alignment;
    bool operator==(const Extent&) const = default;
};

bool is_plain_tuple(Type type) { return type.is_tuple() && type.tuple_kind() == TupleKind::plain && type.size() > 0; }

// Of elements, and of tuples of numbers, dates and arrays: these lie as in a C struct. nullopt: of other types.
std::optional<Extent> extent_of(Type type) {
    if (type.is_element()) return Extent{type.byte_size(), type.alignment()};
    if (type.is_array()) {
        const auto axes = static_cast<size_t>(type.ndim());
        return type.aligned() ? std::optional(Extent{8 + 8 * axes * (type.layout() == Layout::A ? 2 : 1), 8})
                              : std::nullopt;
    }
    if (!is_plain_tuple(type) || std::ranges::any_of(type.elements(), &Type::is_record)) return std::nullopt;
    Extent all{0, 1};
    const auto behind = [](size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; };
    for (const Type element : type.elements()) {
        const auto part = extent_of(element);
        if (!part) return std::nullopt;
        all = {behind(all.size, part->alignment) + part->size, std::max(all.alignment, part->alignment)};
    }
    return Extent{behind(all.size, all.alignment), all.alignment};
}

// nullopt: a text that names no type, or one of another size.
std::optional<Type> named_type(const NamedType& named) {
    SignatureError ignored{};
    auto type = fp8_from_name(named.text);  // which signatures have from the file's imports
    if (!type) type = parse_type(named.text, ignored);
    if (!type || extent_of(*type) != Extent{named.size, named.alignment}) return std::nullopt;
    return type;
}

std::optional<Type> element_type(const ArgumentType& type) {
    if (type.named) return named_type(*type.named);
    if (type.element == Element::none) return Type::none();
    if (type.element == Element::xoroshiro128p) return Type::xoroshiro128p_state();
    if (type.element == Element::named) return std::nullopt;
    return kScalars[static_cast<size_t>(type.element)];
}

std::optional<Element> element_of(Type type) {
    if (type.is_none()) return Element::none;
    if (type == Type::xoroshiro128p_state()) return Element::xoroshiro128p;
    if (type.is_record() || type.is_distinct() || type.is_text() || type.is_vector()) return Element::named;
    if (is_plain_tuple(type)) return Element::tuple;
    if (!type.is_scalar()) return std::nullopt;
    for (size_t i = 0; i < std::size(kScalars); ++i)
        if (type.is(kScalars[i])) return static_cast<Element>(i);
    return std::nullopt;
}

}  // namespace

std::optional<Type> type_of(const ArgumentType& type) {
    const std::optional<Type> element = element_type(type);
    if (!element || !type.is_array()) return element;
    for (const auto& [order, layout] : kLayouts)
        if (order == type.order) return Type::array(*element, type.ndim, layout);
    return Type::array(*element, 0, Layout::C);
}

std::optional<ArgumentType> argument_type(Type type) {
    const std::optional<Element> element = element_of(type.is_array() ? type.element() : type);
    if (!element) return std::nullopt;
    ArgumentType result{*element};
    const Type one = type.is_array() ? type.element() : type;
    if (*element == Element::named || *element == Element::tuple) {
        const auto extent = extent_of(one);
        if (!extent) return std::nullopt;
        result.named = interned({one.signature(), extent->size, extent->alignment});
    }
    if (!type.is_array()) return result;
    if (type.ndim() > Argument::max_ndim || !type.aligned()) return std::nullopt;
    result.ndim = static_cast<unsigned char>(type.ndim());
    for (const auto& [order, layout] : kLayouts)
        if (layout == type.layout()) result.order = order;
    if (type.ndim() == 0) result.order = Order::cell;
    return result;
}

}  // namespace pyk::jit
