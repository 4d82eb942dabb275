#include "jit/compiler/types.h"

#include <algorithm>

#include "types/fp8.h"
#include "types/signature.h"

namespace pyk::jit {
namespace {

/// Found by their element, in whose order they stand.
constexpr std::pair<Element, Scalar> kScalars[] = {
    {Element::boolean, Scalar::boolean},      {Element::int8, Scalar::int8},
    {Element::int16, Scalar::int16},          {Element::int32, Scalar::int32},
    {Element::int64, Scalar::int64},          {Element::uint8, Scalar::uint8},
    {Element::uint16, Scalar::uint16},        {Element::uint32, Scalar::uint32},
    {Element::uint64, Scalar::uint64},        {Element::float16, Scalar::float16},
    {Element::bfloat16, Scalar::bfloat16},    {Element::float32, Scalar::float32},
    {Element::float64, Scalar::float64},      {Element::complex64, Scalar::complex64},
    {Element::complex128, Scalar::complex128}};
static_assert([] {
    for (size_t i = 0; i < std::size(kScalars); ++i)
        if (kScalars[i].first != static_cast<Element>(i)) return false;
    return std::size(kScalars) == static_cast<size_t>(Element::complex128) + 1;
}());
constexpr std::pair<Order, Layout> kLayouts[] = {
    {Order::c, Layout::C}, {Order::fortran, Layout::F}, {Order::strided, Layout::A}};

struct Extent {
    size_t size, alignment;
    bool operator==(const Extent&) const = default;
};

bool is_class(Type type) {
    return type.is_tuple() && (type.tuple_kind() == TupleKind::named || type.tuple_kind() == TupleKind::structure);
}
bool is_plain_tuple(Type type) { return type.is_tuple() && type.tuple_kind() == TupleKind::plain && type.size() > 0; }

// Of elements, and of tuples and classes of elements and arrays: these lie as in a C struct. nullopt: of other types.
std::optional<Extent> extent_of(Type type) {
    if (type.is_element()) return Extent{type.byte_size(), type.alignment()};
    if (type.is_array()) {
        const auto axes = static_cast<size_t>(type.ndim());
        return type.aligned() ? std::optional(Extent{8 + 8 * axes * (type.layout() == Layout::A ? 2 : 1), 8})
                              : std::nullopt;
    }
    const bool is_struct = is_plain_tuple(type) || is_class(type);
    // A record in a tuple is a place elsewhere.
    if (!is_struct || std::ranges::any_of(type.elements(), &Type::is_record)) return std::nullopt;
    Extent all{0, 1};
    const auto behind = [](size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; };
    for (const Type element : type.elements()) {
        const auto part = extent_of(element);
        if (!part) return std::nullopt;
        all = {behind(all.size, part->alignment) + part->size, std::max(all.alignment, part->alignment)};
    }
    return Extent{behind(all.size, all.alignment), all.alignment};
}

constexpr int kDeepestClasses = 32;  ///< inside of each other, as signatures have it

// Of `x: float64, at: P(a: int64, b: int64)`.
std::vector<std::pair<std::string, std::string_view>> fields_of(std::string_view text) {
    std::vector<std::pair<std::string, std::string_view>> fields;
    int depth = 0;
    size_t begin = 0, colon = std::string_view::npos;
    for (size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == ':' && depth == 0) colon = at;
        if (c != ',' || depth != 0) continue;
        if (colon == std::string_view::npos || colon < begin || colon + 2 > at) return {};
        fields.emplace_back(text.substr(begin, colon - begin), text.substr(colon + 2, at - colon - 2));
        begin = at + 2;
        colon = std::string_view::npos;
    }
    return fields;
}

// The file's class of that name; a named tuple where it has none whose fields have types of their own. `level`: how
// many it is inside of.
std::optional<Type> class_of(std::string_view text, const TypeNames& names, int level = 0) {
    if (level > kDeepestClasses) return std::nullopt;
    const size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')') || text.find(": ") == std::string_view::npos)
        return std::nullopt;
    const std::string_view name = text.substr(0, open);
    if (const auto known = names ? names(name) : std::nullopt; known && is_class(*known))
        return class_text(*known) == text ? known : std::nullopt;
    std::vector<std::string> field_names;
    std::vector<Type> types;
    for (const auto& [field, type_text] : fields_of(text.substr(open + 1, text.size() - open - 2))) {
        SignatureError ignored{};
        const auto nested = class_of(type_text, names, level + 1);
        const auto type = nested ? nested : parse_type(type_text, ignored, names);
        if (!type) return std::nullopt;
        field_names.push_back(field);
        types.push_back(*type);
    }
    if (types.empty()) return std::nullopt;
    return Type::named_tuple(TupleKind::named, std::string(name), std::move(field_names), types);
}

// nullopt: a text that names no type, or one of another size.
std::optional<Type> named_type(const NamedType& named, const TypeNames& names) {
    SignatureError ignored{};
    auto type = fp8_from_name(named.text);  // which signatures have from the file's imports
    if (!type) type = class_of(named.text, names);
    if (!type) type = parse_type(named.text, ignored);
    if (!type || extent_of(*type) != Extent{named.size, named.alignment}) return std::nullopt;
    return type;
}

std::optional<Type> element_type(const ArgumentType& type, const TypeNames& names) {
    if (type.named) return named_type(*type.named, names);
    if (type.element == Element::none) return Type::none();
    if (type.element == Element::xoroshiro128p) return Type::xoroshiro128p_state();
    if (type.element == Element::named) return std::nullopt;
    return kScalars[static_cast<size_t>(type.element)].second;
}

std::optional<Element> element_of(Type type) {
    if (type.is_none()) return Element::none;
    if (type == Type::xoroshiro128p_state()) return Element::xoroshiro128p;
    if (type.is_record() || type.is_distinct() || type.is_text() || type.is_vector() || is_class(type))
        return Element::named;
    if (is_plain_tuple(type)) return Element::tuple;
    if (!type.is_scalar()) return std::nullopt;
    for (const auto& [element, scalar] : kScalars)
        if (type.is(scalar)) return element;
    return std::nullopt;
}

}  // namespace

std::string class_text(Type type) {
    if (!is_class(type)) return type.signature();
    std::string text(type.tuple_name());
    for (size_t i = 0; i < type.size(); ++i)
        text += (i ? ", " : "(") + type.element_names()[i] + ": " + class_text(type.elements()[i]);
    return text + ")";
}

std::optional<Type> type_of(const ArgumentType& type, const TypeNames& names) {
    const std::optional<Type> element = element_type(type, names);
    if (!element || !type.is_array()) return element;
    if (!element->is_element()) return std::nullopt;
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
        result.named = interned({class_text(one), extent->size, extent->alignment});
    }
    if (!type.is_array()) return result;
    if (type.ndim() > max_ndim || !type.aligned()) return std::nullopt;
    result.ndim = static_cast<unsigned char>(type.ndim());
    for (const auto& [order, layout] : kLayouts)
        if (layout == type.layout()) result.order = order;
    if (type.ndim() == 0) result.order = Order::cell;
    return result;
}

}  // namespace pyk::jit
