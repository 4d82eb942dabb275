#include "emit/type_names.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include "emit/cpp_types.h"
#include "support/fault.h"
#include "types/fp8.h"
#include "types/time.h"
#include "types/vector.h"

namespace pyk::emitter {
namespace {

/// `float4` of float32x4, `int3` of a dim3.
std::string vector_name(Type type) {
    const Type element = type.elements()[0];
    // The old names of the four 64-bit ones are deprecated: their alignment was to change.
    const bool is_long = type.size() == 4 && element.bits() == 64;
    return fmt::format("{}{}{}", cuda_component(element.scalar()), type.size(), is_long ? "_16a" : "");
}

}  // namespace

TypeNames::TypeNames(const std::vector<Struct>& structs, const Target& target, bool holds_kept_arrays)
    : structs_{{Type::xoroshiro128p_state(), "pyk::xoroshiro128p_state"}},
      vector_space_(target.vector_space),
      holds_kept_arrays_(holds_kept_arrays) {
    for (const Struct& declared : structs) structs_.emplace(declared.type, declared.name);
}

/// Empty: the type is no struct.
std::string TypeNames::struct_name(Type type) const {
    // CUDA's own, and what stands for them on other targets.
    const bool is_vector = type.is_tuple() && (type.is_vector() || type.tuple_kind() == TupleKind::dim3);
    if (is_vector) return std::string(vector_space_) + vector_name(type);
    const auto found = structs_.find(type);
    return found == structs_.end() ? std::string() : found->second;
}

std::string TypeNames::name(Type type) const {
    switch (type.kind()) {
        case Type::Kind::None:
            return "void";
        case Type::Kind::Scalar:
        case Type::Kind::Distinct:
            return std::string(scalar_name(type));
        case Type::Kind::Record:
            return struct_name(type);
        case Type::Kind::Text:
            return fmt::format("pyk::text<{}, {}>", type.element().bits() == 8 ? "char" : "char32_t", type.count());
        case Type::Kind::Pointer:
            return name(type.element()) + "*";
        case Type::Kind::Tuple:
            return tuple(type, false);
        case Type::Kind::Array:
            return array(type, type.readonly());
    }
    internal_error("a type without a C++ name");
}

std::string TypeNames::held(Type type) const {
    if (type.is_array() && holds_kept_arrays_) return fmt::format("pyk::kept<{}>", name(type));
    return name(type) + (type.is_record() ? "*" : "");
}

std::string TypeNames::host(Type type) const {
    if (type.is_complex()) return fmt::format("std::complex<{}>", type.bits() == 64 ? "float" : "double");
    if (const std::string_view unit = date_unit(type); !unit.empty())
        return fmt::format("pyk::{}<pyk::TimeUnit::{}>", is_datetime(type) ? "DateTime" : "TimeDelta", unit);
    if (fp8_count(type)) return fmt::format("pyk::{}", type.name());
    return name(type);
}

std::string TypeNames::element(Type array, bool is_const) const {
    const std::string type = name(array.element());
    return (is_const ? "const " : "") + (array.aligned() ? type : fmt::format("pyk::packed<{}>", type));
}

std::string TypeNames::array(Type array, bool is_const) const {
    static constexpr std::string_view kLayouts[] = {"", ", pyk::F", ", pyk::A"};
    const std::string elements = element(array, is_const);
    if (array.ndim() == 0) return fmt::format("pyk::array0<{}>", elements);
    return fmt::format(FMT_COMPILE("pyk::array<{}, {}{}>"), elements, array.ndim(),
                       kLayouts[static_cast<size_t>(array.layout())]);
}

std::string TypeNames::array32(Type array, bool is_const) const {
    return fmt::format("pyk::array32<{}, {}>", element(array, is_const), array.ndim());
}

std::string TypeNames::tuple(Type type, bool is_const) const {
    if (std::string known = struct_name(type); !known.empty()) return known;
    if (type.is_optional()) return fmt::format("pyk::optional<{}>", held(type.elements()[1]));
    const auto part = [&](Type element) {
        if (!is_const || holds_kept_arrays_) return held(element);
        if (element.is_array()) return const_array(element);
        if (element.is_tuple()) return tuple(element, true);
        return (element.is_record() ? "const " : "") + held(element);
    };
    std::string elements;
    for (Type element : type.elements()) elements += (elements.empty() ? "" : ", ") + part(element);
    return fmt::format("pyk::tuple<{}>", elements);
}

std::string TypeNames::given_tuple(Type type) const {
    TypeNames given = *this;
    given.holds_kept_arrays_ = false;
    return given.tuple(type, false);
}

}  // namespace pyk::emitter
