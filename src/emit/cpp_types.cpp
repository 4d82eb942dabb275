#include "emit/cpp_types.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <utility>

#include "emit/structs.h"
#include "support/fault.h"
#include "types/fp8.h"
#include "types/time.h"

namespace pyk::emitter {
namespace {

thread_local bool holds_kept_arrays = false;

int value_bits(Type type) {
    if (type.is_boolean()) return 1;
    if (type.is_float()) return type.bits() == 32 ? 24 : 53;
    return type.is_signed() ? type.bits() - 1 : type.bits();
}

}  // namespace

std::string_view date_unit(Type type) {
    return is_datetime(type) || is_timedelta(type) ? unit_word(unit_of(type)) : std::string_view();
}

bool is_class(Type type) { return type.is_complex() || type.is_small_float(); }

Type promoted(Type type) {
    if (type.is_boolean() || (type.is_integer() && type.bits() < 32)) return Scalar::int32;
    return type;
}

Type common(Type a, Type b) {
    if (is_class(a)) return a;
    if (is_class(b)) return b;
    if (a.is_float() || b.is_float()) {
        if (!a.is_float()) return b;
        if (!b.is_float()) return a;
        return a.bits() >= b.bits() ? a : b;
    }
    a = promoted(a);
    b = promoted(b);
    if (a.bits() != b.bits()) return a.bits() > b.bits() ? a : b;
    return a.is_unsigned() ? a : b;
}

bool holds(Type wide, Type narrow) {
    if (wide == narrow) return true;
    if (is_class(wide) || is_class(narrow)) return false;
    if (narrow.is_float() && !wide.is_float()) return false;
    if (narrow.is_signed() && (wide.is_unsigned() || wide.is_boolean())) return false;
    return value_bits(wide) >= value_bits(narrow);
}

std::string cpp_name(Type type) {
    switch (type.kind()) {
        case Type::Kind::None:
            return "void";
        case Type::Kind::Scalar:
            return std::string(info(type.scalar()).cpp);
        case Type::Kind::Record:
            return std::string(struct_name(type));
        case Type::Kind::Distinct:
            return std::string(info(type.scalar()).cpp);
        case Type::Kind::Text:
            return fmt::format("pyk::text<{}, {}>", type.element().bits() == 8 ? "char" : "char32_t", type.count());
        case Type::Kind::Pointer:
            return cpp_name(type.element()) + "*";
        case Type::Kind::Tuple:
            return tuple_name(type, false);
        case Type::Kind::Array:
            return array_name(type, type.readonly());
    }
    internal_error("a type without a C++ name");
}

std::string host_name(Type type) {
    if (type.is_complex()) return fmt::format("std::complex<{}>", type.bits() == 64 ? "float" : "double");
    if (const std::string_view unit = date_unit(type); !unit.empty())
        return fmt::format("pyk::{}<pyk::TimeUnit::{}>", is_datetime(type) ? "DateTime" : "TimeDelta", unit);
    if (fp8_count(type)) return fmt::format("pyk::{}", type.name());
    return cpp_name(type);
}

std::string held_name(Type type) {
    if (type.is_array() && holds_kept_arrays) return fmt::format("pyk::kept<{}>", cpp_name(type));
    return cpp_name(type) + (type.is_record() ? "*" : "");
}

void hold_kept_arrays(bool on) { holds_kept_arrays = on; }

std::string element_name(Type array, bool is_const) {
    const std::string element = cpp_name(array.element());
    return (is_const ? "const " : "") + (array.aligned() ? element : fmt::format("pyk::packed<{}>", element));
}

std::string array_name(Type array, bool is_const) {
    static constexpr std::string_view kLayouts[] = {"", ", pyk::F", ", pyk::A"};
    const std::string element = element_name(array, is_const);
    if (array.ndim() == 0) return fmt::format("pyk::array0<{}>", element);
    return fmt::format(FMT_COMPILE("pyk::array<{}, {}{}>"), element, array.ndim(),
                       kLayouts[static_cast<size_t>(array.layout())]);
}

std::string index32_array_name(Type array, bool is_const) {
    return fmt::format("pyk::array32<{}, {}>", element_name(array, is_const), array.ndim());
}

std::string tuple_name(Type type, bool is_const) {
    if (const std::string_view name = struct_name(type); !name.empty()) return std::string(name);
    if (type.is_optional()) return fmt::format("pyk::optional<{}>", held_name(type.elements()[1]));
    const auto held = [&](Type element) {
        if (!is_const || holds_kept_arrays) return held_name(element);
        if (element.is_array()) return array_name(element, true);
        if (element.is_tuple()) return tuple_name(element, true);
        return (element.is_record() ? "const " : "") + held_name(element);
    };
    std::string elements;
    for (Type element : type.elements()) elements += (elements.empty() ? "" : ", ") + held(element);
    return fmt::format("pyk::tuple<{}>", elements);
}

std::string given_tuple_name(Type type) {
    const bool before = std::exchange(holds_kept_arrays, false);
    std::string name = tuple_name(type, false);
    holds_kept_arrays = before;
    return name;
}

}  // namespace pyk::emitter
