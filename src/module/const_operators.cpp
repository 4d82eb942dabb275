// Python's operators on constants.
#include <algorithm>
#include <cmath>
#include <complex>

#include "module/const_arithmetic.h"
#include "module/const_numbers.h"
#include "module/const_text.h"
#include "module/const_time.h"
#include "module/constant.h"
#include "module/host_values.h"
#include "types/convert.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Complex = std::complex<double>;

std::optional<Const> apply_complex(ast::BinaryOp op, const Const& a, const Const& b) {
    const auto result = complex_op(op, as_complex(a), as_complex(b));
    if (!result) return std::nullopt;
    const Const value{*result, {}};
    if (!a.typed && !b.typed) return value;
    if (a.typed && b.typed) return cast(value, unify(a.typed, b.typed));
    const Type strong = a.typed ? a.typed : b.typed;
    const bool is_single = strong.is(Scalar::complex64) || strong.is(Scalar::float32);
    return cast(value, is_single ? Scalar::complex64 : Scalar::complex128);
}

// A time or a member of an enumeration: no number, though it is made of one.
bool is_of_its_own(const Const& c) { return c.typed && c.typed.is_distinct(); }

/// The IntFlag that `Flags.A | Flags.B` is one of, or `Flags.A & 1`; invalid: it is a number.
Type flags_of(ast::BinaryOp op, const Const& a, const Const& b) {
    const bool joins = op == ast::BinaryOp::BitOr || op == ast::BinaryOp::BitAnd || op == ast::BinaryOp::BitXor;
    if (!joins || (!a.member_of && !b.member_of) || !a.as<Int>() || !b.as<Int>()) return {};
    const Type flags = a.member_of ? a.member_of : b.member_of;
    const bool is_one = !a.member_of || !b.member_of || a.member_of == b.member_of;
    return is_one && flags.name().starts_with("IntFlag<") ? flags : Type();
}

const std::vector<Const>* items_in(const Const& c) {
    const auto* list = c.as<Const::List>();
    return list ? &(*list)->items : c.as<Const::Tuple>();
}

// `(1, 2) + (3,)`, `[0] * 4`, `"ab" * 2`.
std::optional<Const> of_sequences(ast::BinaryOp op, const Const& a, const Const& b) {
    const auto *left = items_in(a), *right = items_in(b);
    if (op == ast::BinaryOp::Add && left && right && a.value.index() == b.value.index()) {
        if (left->size() + right->size() > kMostHostItems) return std::nullopt;
        std::vector<Const> joined = *left;
        joined.insert(joined.end(), right->begin(), right->end());
        return a.as<Const::List>() ? list_of(std::move(joined)) : Const{std::move(joined), {}};
    }
    if (op != ast::BinaryOp::Mult) return std::nullopt;
    const bool swapped = !left && !a.as<std::string>();
    const Const &what = swapped ? b : a, &count = swapped ? a : b;
    const auto* items = items_in(what);
    const auto* text = what.as<std::string>();
    const auto times = to_int(count);
    const size_t length = items ? items->size() : text ? text->size() : 0;
    if ((!items && !text) || !times || !may_repeat(length, *times)) return std::nullopt;
    std::vector<Const> repeated;
    std::string copies;
    for (int64_t i = 0; length > 0 && i < *times; ++i) {
        if (items) repeated.insert(repeated.end(), items->begin(), items->end());
        if (text) copies += *text;
    }
    if (text) return Const{std::move(copies), {}};
    return what.as<Const::List>() ? list_of(std::move(repeated)) : Const{std::move(repeated), {}};
}

// By their first items that are not equal.
std::optional<bool> compare_sequences(ast::CompareOp op, const std::vector<Const>& a, const std::vector<Const>& b) {
    using Op = ast::CompareOp;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const auto equal = compare(Op::Eq, a[i], b[i]);
        if (!equal) return std::nullopt;
        if (*equal) continue;
        return op == Op::Eq || op == Op::NotEq ? op == Op::NotEq : compare(op, a[i], b[i]);
    }
    const auto size = [](size_t n) { return Const{static_cast<Int>(n), {}}; };
    return compare(op, size(a.size()), size(b.size()));
}

std::optional<bool> is_in(const Const& a, const Const& b) {
    const auto* text = a.as<std::string>();
    if (const auto* all = b.as<std::string>(); all && text) return all->find(*text) != all->npos;
    const auto* dict = b.as<Const::Dict>();
    const auto* items = dict ? &dict->keys : items_in(b);
    if (!items) return std::nullopt;
    bool found = false;
    for (const Const& item : *items) {
        const bool has_member = is_of_its_own(a) || is_of_its_own(item);
        const bool comparable = has_member || (is_number(a) == is_number(item) && a.value.index() != 0);
        const bool are_none = a.as<Const::None>() && item.as<Const::None>();
        const auto equal = comparable ? compare(ast::CompareOp::Eq, a, item) : std::optional(are_none);
        if (!equal) return std::nullopt;
        found = found || *equal;
    }
    return found;
}

// Python compares an integer with a float as they are, without rounding.
int exact_order(Int integer, double number) {
    constexpr double kBeyond = 0x1p126;
    if (std::fabs(number) >= kBeyond) return number > 0 ? -1 : 1;
    const Int whole = static_cast<Int>(number);
    if (integer != whole) return integer < whole ? -1 : 1;
    const double rest = number - static_cast<double>(whole);
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

}  // namespace

Type common_type(const Const& a, const Const& b) {
    if (a.typed && b.typed) return unify(a.typed, b.typed);
    const Const& weak = a.typed ? b : a;
    const Type strong = a.typed ? a.typed : b.typed;
    if (strong && weak.as<double>() && !strong.is_float()) return Scalar::float64;
    if (strong && weak.as<Int>() && strong.is_boolean()) return Scalar::int64;
    return strong;
}

std::optional<Const> apply(ast::BinaryOp op, const Const& lhs, const Const& rhs) {
    if (is_time(lhs) || is_time(rhs)) return apply_to_time(op, lhs, rhs);
    if (is_of_its_own(lhs) || is_of_its_own(rhs)) return std::nullopt;
    if (const Type flags = flags_of(op, lhs, rhs)) {
        auto made = apply(op, Const{lhs.value, lhs.typed}, Const{rhs.value, rhs.typed});
        if (made) made->member_of = flags;
        return made;
    }
    if (is_number(lhs) && is_number(rhs) && !(is_real(lhs) && is_real(rhs))) return apply_complex(op, lhs, rhs);
    if (const Type common = is_number(lhs) && is_number(rhs) ? common_type(lhs, rhs) : Type();
        common.is_float() && (lhs.typed != common || rhs.typed != common)) {
        const auto a = cast(lhs, common), b = cast(rhs, common);
        return apply(op, *a, *b);
    }
    const Const &a = lhs, &b = rhs;
    if (auto made = of_sequences(op, a, b)) return made;
    if (const auto* text = a.as<std::string>()) {
        const auto* more = b.as<std::string>();
        if (op == ast::BinaryOp::Add && more && text->size() + more->size() <= kLongestText)
            return Const{*text + *more, {}};
        if (op != ast::BinaryOp::Mod) return std::nullopt;
        auto made =
            percent(*text, b.as<Const::Tuple>() ? std::span<const Const>(*b.as<Const::Tuple>()) : std::span(&b, 1));
        return made ? std::optional(Const{std::move(*made), {}}) : std::nullopt;
    }
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    const Type common = common_type(a, b);
    std::optional<Const> result;
    if (op == ast::BinaryOp::Pow && !common && as_double(a) < 0 && std::isfinite(as_double(a)) &&
        as_double(b) != std::floor(as_double(b)))
        return apply_complex(op, a, b);
    if (a.as<double>() || b.as<double>()) {
        if (const auto v = float_op(op, as_double(a), as_double(b))) result = Const{*v, {}};
    } else if (a.as<bool>() && b.as<bool>() &&
               (op == ast::BinaryOp::BitAnd || op == ast::BinaryOp::BitOr || op == ast::BinaryOp::BitXor)) {
        result = Const{as_int(*integer_op(op, as_int(a), as_int(b))) != 0, {}};
    } else {
        result = integer_op(op, as_int(a), as_int(b));
    }
    if (!result || !common) return result;
    return cast(*result, result->as<double>() && !common.is_float() ? Type(Scalar::float64) : common);
}

std::optional<Const> apply(ast::UnaryOp op, const Const& c) {
    if (op == ast::UnaryOp::Not) return Const{!truth(c), {}};
    if (is_time(c)) return apply_to_time(op, c);
    if (!is_number(c) || is_of_its_own(c)) return std::nullopt;
    if (op == ast::UnaryOp::Invert && c.typed.is_boolean()) return Const{!truth(c), c.typed};  // NumPy's, not Python's
    std::optional<Const> result;
    if (const double* d = c.as<double>()) {
        if (op == ast::UnaryOp::Invert) return std::nullopt;
        result = Const{op == ast::UnaryOp::USub ? -*d : *d, {}};
    } else if (const Complex* z = c.as<Complex>()) {
        if (op == ast::UnaryOp::Invert) return std::nullopt;
        result = Const{op == ast::UnaryOp::USub ? -*z : *z, {}};
    } else {
        const Int i = as_int(c);
        result = Const{op == ast::UnaryOp::USub ? -i : op == ast::UnaryOp::Invert ? ~i : i, {}};
    }
    return c.typed ? cast(*result, c.typed) : result;
}

std::optional<bool> compare(ast::CompareOp op, const Const& a, const Const& b) {
    using Op = ast::CompareOp;
    // A member of an enumeration is itself only, whatever it stands for.
    const auto is_member = [](const Const& c) { return is_of_its_own(c) && !is_time(c); };
    if (op != Op::In && op != Op::NotIn && (is_member(a) || is_member(b))) {
        const bool is_same =
            a.typed == b.typed && compare(Op::Eq, Const{a.value, {}}, Const{b.value, {}}).value_or(false);
        if (op == Op::Eq || op == Op::Is) return is_same;
        if (op == Op::NotEq || op == Op::IsNot) return !is_same;
        return std::nullopt;
    }
    if (a.member_of && b.member_of && (op == Op::Is || op == Op::IsNot))
        return (a.member_of == b.member_of && compare(Op::Eq, a, b).value_or(false)) == (op == Op::Is);
    if (a.as<Type>() && b.as<Type>() && (op == Op::Eq || op == Op::NotEq || op == Op::Is || op == Op::IsNot))
        return (*a.as<Type>() == *b.as<Type>()) == (op == Op::Eq || op == Op::Is);
    // There is one True and one False; those of NumPy are others.
    if ((op == Op::Is || op == Op::IsNot) && (a.as<bool>() || b.as<bool>()) && !a.typed && !b.typed) {
        const bool *one = a.as<bool>(), *other = b.as<bool>();
        return (one && other && *one == *other) == (op == Op::Is);
    }
    const bool is_membership = op == Op::In || op == Op::NotIn;
    if (op == Op::Is || op == Op::IsNot || (!is_membership && (a.as<Const::None>() || b.as<Const::None>()))) {
        const bool is_order = op == Op::Lt || op == Op::LtE || op == Op::Gt || op == Op::GtE;
        if (is_order || (!a.as<Const::None>() && !b.as<Const::None>())) return std::nullopt;
        const bool same = a.as<Const::None>() && b.as<Const::None>();
        return (op == Op::Is || op == Op::Eq) ? same : !same;
    }
    if (is_membership) {
        const auto found = is_in(a, b);
        return found ? std::optional(*found == (op == Op::In)) : std::nullopt;
    }
    if (a.as<std::string>() && b.as<std::string>()) {
        const int order = a.as<std::string>()->compare(*b.as<std::string>());
        return compare(op, Const{static_cast<Int>(order), {}}, Const{Int(0), {}});
    }
    if (items_in(a) && items_in(b))
        return a.value.index() == b.value.index() ? compare_sequences(op, *items_in(a), *items_in(b)) : op == Op::NotEq;
    if (is_time(a) || is_time(b)) return compare_times(op, a, b);
    const bool is_text_and_number = (a.as<std::string>() && is_number(b)) || (is_number(a) && b.as<std::string>());
    if (is_text_and_number && (op == Op::Eq || op == Op::NotEq)) return op == Op::NotEq;
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    // A number of NumPy's makes one of its own kind of a number of Python's, as in arithmetic.
    if (const Type common = common_type(a, b); common.is_float() && (a.typed != common || b.typed != common)) {
        const auto left = cast(a, common), right = cast(b, common);
        return left && right ? compare(op, *left, *right) : std::nullopt;
    }
    if (!is_real(a) || !is_real(b)) {
        if (op != Op::Eq && op != Op::NotEq) return std::nullopt;
        return (as_complex(a) == as_complex(b)) == (op == Op::Eq);
    }
    const bool floats = a.as<double>() || b.as<double>();
    const auto decide = [&](auto x, auto y) -> std::optional<bool> {
        switch (op) {
            case Op::Eq:
                return x == y;
            case Op::NotEq:
                return x != y;
            case Op::Lt:
                return x < y;
            case Op::LtE:
                return x <= y;
            case Op::Gt:
                return x > y;
            case Op::GtE:
                return x >= y;
            default:
                return std::nullopt;
        }
    };
    if (floats && !a.typed && !b.typed && !std::isnan(as_double(a)) && !std::isnan(as_double(b))) {
        if (!b.as<double>()) return decide(-exact_order(as_int(b), as_double(a)), 0);
        if (!a.as<double>()) return decide(exact_order(as_int(a), as_double(b)), 0);
    }
    return floats ? decide(as_double(a), as_double(b)) : decide(as_int(a), as_int(b));
}

}  // namespace pyk
