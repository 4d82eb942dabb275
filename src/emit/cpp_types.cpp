#include "emit/cpp_types.h"

#include "types/time.h"

namespace pyk::emitter {
namespace {

int value_bits(Type type) {
    if (type.is_boolean()) return 1;
    if (type.is_float()) return type.bits() == 32 ? 24 : 53;
    return type.is_signed() ? type.bits() - 1 : type.bits();
}

}  // namespace

std::string_view scalar_name(Type type) { return info(type.scalar()).cpp; }

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

}  // namespace pyk::emitter
