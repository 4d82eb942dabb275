#include "builtins/narrow.h"

#include <algorithm>
#include <vector>

#include "types/convert.h"

namespace pyk::narrow {
namespace {

const Type kInt = Scalar::int32, kFloat = Scalar::float32;

bool is_whole(Type type) { return type.is_integer() || type.is_boolean(); }
bool is_real(Type type) { return is_whole(type) || type.is_float(); }

Type signed_of(int bits) { return bits <= 16 ? Scalar::int16 : bits == 32 ? Scalar::int32 : Scalar::int64; }

/// Where signs mix, the signed type that holds both. None holds int64 and uint64: int64, as a float could not be an
/// index.
Type promote_integers(Type a, Type b) {
    if (a.is_signed() == b.is_signed()) return a.bits() >= b.bits() ? a : b;
    const Type with_sign = a.is_signed() ? a : b, without = a.is_signed() ? b : a;
    return with_sign.bits() > without.bits() ? with_sign : signed_of(std::min(64, 2 * without.bits()));
}

Type promote_strong(Type a, Type b) {
    if (a == b || b.is_boolean()) return a;
    if (a.is_boolean()) return b;
    if (a.is_integer() && b.is_integer()) return promote_integers(a, b);
    if (a.is_float() && b.is_float()) return a.bits() == b.bits() ? kFloat : a.bits() > b.bits() ? a : b;
    return a.is_float() ? a : b;
}

bool holds(Type type, __int128 value) {
    const __int128 values = static_cast<__int128>(1) << type.bits();
    return type.is_unsigned() ? value >= 0 && value < values : value >= -(values / 2) && value < values / 2;
}

Type at_least_32(Type type) { return type.bits() < 32 ? (type.is_float() ? kFloat : kInt) : type; }

/// An integer that is not known may have any 32-bit value: it does not become narrower.
Type weak_meets(const Operand& weak, Type other) {
    const Type own = settled(weak);
    if (own.is_float()) return !other.is_float() ? own : weak.is_constant ? other : promote_strong(own, other);
    if (other.is_float()) return other;
    if (other.is_boolean()) return own;
    if (!weak.value) return at_least_32(other);
    return holds(other, *weak.value) ? other : promote_integers(weak.type, other);
}

/// What integers are computed in.
Type working(Type type) { return type.is_integer() ? at_least_32(type) : type.is_boolean() ? kInt : type; }

Resolution same(Type operands, Type result) { return {{operands, operands}, result}; }

/// The amount of a shift, an integer exponent: as it is.
Type by_itself(const Operand& operand) { return working(operand.is_weak ? settled(operand) : operand.type); }

std::optional<Resolution> resolve_shift(const Operand& lhs, const Operand& rhs) {
    if (!is_whole(lhs.type) || !is_whole(rhs.type)) return std::nullopt;
    const Type weak = lhs.is_weak ? at_least_32(promote(lhs, rhs)) : lhs.type;
    const Type result = weak.is_boolean() ? kInt : weak;
    return Resolution{{working(result), by_itself(rhs)}, result};
}

/// An integer exponent of a float stays one.
std::optional<Resolution> resolve_power(const Operand& lhs, const Operand& rhs) {
    const Type type = promote(lhs, rhs), result = type.is_boolean() ? kInt : type;
    const Type base = result.is_float() ? at_least_32(result) : working(result);
    return Resolution{{base, result.is_float() && is_whole(rhs.type) ? by_itself(rhs) : base}, result};
}

/// Integers by value, also where one is weak.
std::optional<Resolution> resolve_comparison(BinaryOp op, const Operand& lhs, const Operand& rhs) {
    const auto fits = [](const Operand& weak, Type other) { return weak.value && holds(other, *weak.value); };
    if (!lhs.type.is_integer() || !rhs.type.is_integer()) return same(promote(lhs, rhs), Scalar::boolean);
    if (lhs.is_weak && !rhs.is_weak && fits(lhs, rhs.type)) return same(rhs.type, Scalar::boolean);
    if (rhs.is_weak && !lhs.is_weak && fits(rhs, lhs.type)) return same(lhs.type, Scalar::boolean);
    const Type type = promote_integers(lhs.type, rhs.type);
    const bool mixed = lhs.type.is_signed() != rhs.type.is_signed() && (lhs.type.bits() == 64 || rhs.type.bits() == 64);
    return mixed ? pyk::resolve(op, lhs.type, rhs.type) : same(type, Scalar::boolean);
}

}  // namespace

Type settled(const Operand& weak) {
    if (weak.type.is(Scalar::float64)) return kFloat;
    if (weak.type.is(Scalar::complex128)) return Scalar::complex64;
    const bool stays = !weak.type.is(Scalar::int64) || (weak.value && !holds(kInt, *weak.value));
    return stays ? weak.type : kInt;
}

Type with_all_digits(Type type) {
    if (type.is(Scalar::float32)) return Scalar::float64;
    return type.is(Scalar::complex64) ? Type(Scalar::complex128) : type;
}

namespace {

/// The parts meet as numbers do.
Type promote_complex(const Operand& a, const Operand& b) {
    const auto part = [](const Operand& n) {
        return n.type.is_complex() ? Operand{n.type.component(), n.is_weak, n.is_constant} : n;
    };
    return promote(part(a), part(b)).is(Scalar::float64) ? Scalar::complex128 : Scalar::complex64;
}

}  // namespace

Type promote(const Operand& a, const Operand& b) {
    if (!a.type || !b.type) return {};
    if (a.type == b.type && a.type.is_tuple()) return a.type;  // with the names that it has
    if (a.type.is_tuple() && b.type.is_tuple() && a.type.size() == b.type.size()) {
        std::vector<Type> elements;
        for (size_t i = 0; i < a.type.size(); ++i)
            elements.push_back(promote({a.type.elements()[i]}, {b.type.elements()[i]}));
        return std::ranges::all_of(elements, [](Type t) { return bool(t); }) ? Type::tuple(elements) : Type();
    }
    if (a.type.is_scalar() && b.type.is_scalar() && (a.type.is_complex() || b.type.is_complex()))
        return promote_complex(a, b);
    if (!is_real(a.type) || !is_real(b.type)) return unify(a.type, b.type);
    if (a.is_weak && b.is_weak) return promote_strong(a.type, b.type);
    if (a.is_weak) return weak_meets(a, b.type);
    if (b.is_weak) return weak_meets(b, a.type);
    return promote_strong(a.type, b.type);
}

std::optional<Resolution> resolve(BinaryOp op, const Operand& lhs, const Operand& rhs) {
    if (lhs.type.is_complex() || rhs.type.is_complex()) {
        const Type type = promote(lhs, rhs);
        return pyk::resolve(op, type, type);
    }
    if (!is_real(lhs.type) || !is_real(rhs.type)) return pyk::resolve(op, lhs.type, rhs.type);
    if (is_comparison(op)) return resolve_comparison(op, lhs, rhs);
    const Type type = promote(lhs, rhs);
    // The prelude has these of 32 bits and more.
    if (type.is_float() && (op == BinaryOp::FloorDiv || op == BinaryOp::Mod)) return same(at_least_32(type), type);
    switch (op) {
        case BinaryOp::TrueDiv: {
            const Type quotient = type.is_float() ? type : kFloat;
            return same(quotient, quotient);
        }
        case BinaryOp::Pow:
            return resolve_power(lhs, rhs);
        case BinaryOp::Shl:
        case BinaryOp::Shr:
            return resolve_shift(lhs, rhs);
        case BinaryOp::BitAnd:
        case BinaryOp::BitOr:
        case BinaryOp::BitXor:
            if (type.is_float()) return std::nullopt;
            return same(type.is_boolean() ? type : working(type), type);
        default:
            return same(working(type), type.is_boolean() ? kInt : type);
    }
}

std::optional<Resolution> resolve(UnaryOp op, Type operand) {
    if (op == UnaryOp::Not || !is_real(operand)) return pyk::resolve(op, operand);
    if (op == UnaryOp::Invert && operand.is_float()) return std::nullopt;
    if (op == UnaryOp::Invert && operand.is_boolean()) return Resolution{{operand}, operand};
    return Resolution{{working(operand)}, operand.is_boolean() ? kInt : operand};
}

}  // namespace pyk::narrow
