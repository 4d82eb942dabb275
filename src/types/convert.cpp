#include "types/convert.h"

#include <algorithm>
#include <array>
#include <vector>

#include "types/none.h"

namespace pyk {
namespace {

bool is_nothing(Type type) { return type.is_none() || is_none_value(type); }

constexpr Scalar kNumbers[] = {
#define PYK_SCALAR(name, ...) Scalar::name,
#include "types/types.def"
};
constexpr size_t kScalarCount = std::size(kNumbers);
using Ratings = std::array<std::array<Conversion, kScalarCount>, kScalarCount>;

struct Edge {
    Scalar from, to;
    Conversion rating;
};

/// numba.cuda.typeconv.rules; the way back along an edge is always unsafe. `int64 → float64` and `uint64 → float64`
/// count as safe so that mixed arithmetic prefers float64 to int64.
constexpr Edge kEdges[] = {
    {Scalar::boolean, Scalar::int8, Conversion::safe},
    {Scalar::boolean, Scalar::uint8, Conversion::safe},
    {Scalar::int8, Scalar::int16, Conversion::promote},
    {Scalar::uint8, Scalar::uint16, Conversion::promote},
    {Scalar::int16, Scalar::int32, Conversion::promote},
    {Scalar::uint16, Scalar::uint32, Conversion::promote},
    {Scalar::int32, Scalar::int64, Conversion::promote},
    {Scalar::uint32, Scalar::uint64, Conversion::promote},
    {Scalar::uint8, Scalar::int16, Conversion::safe},
    {Scalar::uint16, Scalar::int32, Conversion::safe},
    {Scalar::uint32, Scalar::int64, Conversion::safe},
    {Scalar::int16, Scalar::float32, Conversion::safe},
    {Scalar::int32, Scalar::float64, Conversion::safe},
    {Scalar::int64, Scalar::float64, Conversion::safe},
    {Scalar::uint64, Scalar::float64, Conversion::safe},
    {Scalar::float32, Scalar::float64, Conversion::promote},
    {Scalar::int8, Scalar::float16, Conversion::safe},
    {Scalar::int16, Scalar::float16, Conversion::unsafe},
    {Scalar::float16, Scalar::float32, Conversion::promote},
    {Scalar::int32, Scalar::float32, Conversion::unsafe},
    {Scalar::float32, Scalar::complex64, Conversion::safe},
    {Scalar::float64, Scalar::complex128, Conversion::safe},
    {Scalar::complex64, Scalar::complex128, Conversion::promote},
};

/// The transitive closure of the edges: a path is as good as its worst edge, the best path counts.
constexpr Ratings close_graph() {
    Ratings ratings{};
    for (size_t a = 0; a < kScalarCount; ++a) {
        for (size_t b = 0; b < kScalarCount; ++b) ratings[a][b] = a == b ? Conversion::exact : Conversion::unsafe;
    }
    for (const Edge& e : kEdges) ratings[static_cast<size_t>(e.from)][static_cast<size_t>(e.to)] = e.rating;
    for (size_t via = 0; via < kScalarCount; ++via) {
        for (size_t a = 0; a < kScalarCount; ++a) {
            for (size_t b = 0; b < kScalarCount; ++b) {
                ratings[a][b] = std::min(ratings[a][b], std::max(ratings[a][via], ratings[via][b]));
            }
        }
    }
    return ratings;
}

constexpr Ratings kRatings = close_graph();

/// numba.cuda.types.ext_types: it stands beside the graph, no path leads through it.
std::optional<Conversion> bfloat16_conversion(Type from, Type to) {
    const bool is_source = from.is(Scalar::bfloat16);
    const Type other = is_source ? to : from;
    if (!other.is_integer() && !other.is_float()) return std::nullopt;
    const bool keeps = is_source ? other.is_float() && other.bits() >= 32 : other.is_integer() && other.bits() == 8;
    return keeps ? Conversion::safe : Conversion::unsafe;
}

std::optional<Conversion> scalar_conversion(Type from, Type to) {
    const Scalar a = from.scalar(), b = to.scalar();
    if (a == Scalar::bfloat16 || b == Scalar::bfloat16) return bfloat16_conversion(from, to);
    if (info(a).kind == ScalarKind::complex && info(b).kind != ScalarKind::complex) return std::nullopt;
    return kRatings[static_cast<size_t>(a)][static_cast<size_t>(b)];
}

std::optional<Conversion> array_conversion(Type from, Type to) {
    const bool same_shape =
        from.element() == to.element() && from.ndim() == to.ndim() && from.aligned() == to.aligned();
    const bool layout_fits = from.layout() == to.layout() || to.layout() == Layout::A;
    const bool access_fits = to.readonly() || !from.readonly();
    if (!same_shape || !layout_fits || !access_fits) return std::nullopt;
    return Conversion::safe;
}

std::optional<Conversion> tuple_conversion(Type from, Type to) {
    if (from.size() != to.size() || from.tuple_name() != to.tuple_name()) return std::nullopt;
    Conversion worst = Conversion::exact;
    for (size_t i = 0; i < from.size(); ++i) {
        const auto one = conversion(from.elements()[i], to.elements()[i]);
        if (!one) return std::nullopt;
        worst = std::max(worst, *one);
    }
    return worst;
}

std::optional<Conversion> optional_conversion(Type from, Type to) {
    const auto inner = [](Type type) { return type.is_optional() ? type.elements()[1] : type; };
    if (is_nothing(from)) return Conversion::promote;
    const auto rating = conversion(inner(from), inner(to));
    if (!rating || from.is_optional() == to.is_optional()) return rating;
    return std::max(*rating, from.is_optional() ? Conversion::safe : Conversion::promote);
}

Type signed_of(int bits) {
    switch (bits) {
        case 8:
            return Scalar::int8;
        case 16:
            return Scalar::int16;
        case 32:
            return Scalar::int32;
        default:
            return Scalar::int64;
    }
}

/// np.promote_types of two different integer types.
Type unify_integers(Type a, Type b) {
    if (a.is_signed() == b.is_signed()) return a.bits() > b.bits() ? a : b;
    const Type with_sign = a.is_signed() ? a : b, without = a.is_signed() ? b : a;
    if (with_sign.bits() > without.bits()) return with_sign;
    if (without.bits() == 64) return Scalar::float64;
    return signed_of(2 * without.bits());
}

Type unify_scalars(Type a, Type b);

/// The complex type whose parts hold those of the one and the other, or the real number.
Type unify_complex(Type a, Type b) {
    const auto part = [](Type t) { return t.is_complex() ? t.component() : t; };
    const Type x = part(a), y = part(b), met = x == y ? x : unify_scalars(x, y);
    return met.is(Scalar::float64) ? Scalar::complex128 : Scalar::complex64;
}

/// np.promote_types of two different scalars.
Type unify_scalars(Type a, Type b) {
    if (a.is(Scalar::bfloat16) || b.is(Scalar::bfloat16)) return {};
    if (a.is_complex() || b.is_complex()) return unify_complex(a, b);
    if (a.is_boolean()) return b;
    if (b.is_boolean()) return a;
    if (a.is_integer() && b.is_integer()) return unify_integers(a, b);
    if (a.is_float() && b.is_float()) return a.bits() > b.bits() ? a : b;
    const Type integer = a.is_integer() ? a : b, floating = a.is_integer() ? b : a;
    if (integer.bits() > 16) return Scalar::float64;
    return floating.is(Scalar::float16) && integer.bits() == 16 ? Type(Scalar::float32) : floating;
}

Type unify_arrays(Type a, Type b) {
    if (a.element() != b.element() || a.ndim() != b.ndim() || a.aligned() != b.aligned()) return {};
    return Type::array(a.element(), a.ndim(), a.layout() == b.layout() ? a.layout() : Layout::A,
                       a.readonly() || b.readonly(), a.aligned());
}

Type unify_tuples(Type a, Type b) {
    if (a.size() != b.size() || a.tuple_name() != b.tuple_name()) return {};
    std::vector<Type> elements;
    for (size_t i = 0; i < a.size(); ++i) {
        elements.push_back(unify(a.elements()[i], b.elements()[i]));
        if (!elements.back()) return {};
    }
    if (a.tuple_kind() == TupleKind::plain) return Type::tuple(elements);
    return Type::named_tuple(a.tuple_kind(), std::string(a.tuple_name()),
                             {a.element_names().begin(), a.element_names().end()}, elements);
}

/// Where one may be None, so may both.
Type unify_optional(Type a, Type b) {
    const auto inner = [](Type type) { return type.is_optional() ? type.elements()[1] : type; };
    const Type unified = is_nothing(a) ? inner(b) : is_nothing(b) ? inner(a) : unify(inner(a), inner(b));
    return unified ? Type::optional(unified) : Type();
}

}  // namespace

std::optional<Conversion> conversion(Type from, Type to) {
    if (!from || !to) return std::nullopt;
    if (from == to) return Conversion::exact;
    if (from.is_scalar() && to.is_scalar()) return scalar_conversion(from, to);
    if (from.is_distinct() && from.converts()) return conversion(from.scalar(), to);
    if (from.is_optional() || to.is_optional()) return optional_conversion(from, to);
    if (from.kind() != to.kind()) return std::nullopt;
    switch (from.kind()) {
        case Type::Kind::Array:
            return array_conversion(from, to);
        case Type::Kind::Tuple:
            return tuple_conversion(from, to);
        case Type::Kind::None:
        case Type::Kind::Scalar:
        case Type::Kind::Record:
        case Type::Kind::Distinct:
        case Type::Kind::Pointer:
        case Type::Kind::Text:
            return std::nullopt;
    }
    return std::nullopt;
}

bool casts_safely(Type from, Type to) {
    if (!from.is_scalar() || !to.is_scalar()) return false;
    if (from == to || from.is_boolean()) return true;
    if (to.is_boolean()) return false;
    if (from.is_integer() && to.is_integer())
        return from.is_signed() == to.is_signed() ? from.bits() < to.bits() : to.is_signed() && from.bits() < to.bits();
    if (to.is_integer() || (from.is_complex() && !to.is_complex())) return false;
    const auto width = [](Type t) { return t.is_complex() ? t.component().bits() : t.bits(); };
    if (from.is_integer()) return width(to) == 64 || 2 * width(from) <= width(to);
    return from.is(Scalar::bfloat16) || to.is(Scalar::bfloat16) ? width(from) < width(to) : width(from) <= width(to);
}

Type unify(Type a, Type b) {
    if (!a || !b) return {};
    if (a == b) return a;
    if (is_nothing(a) || is_nothing(b) || a.is_optional() || b.is_optional()) return unify_optional(a, b);
    if (a.kind() != b.kind()) return {};
    if (a.is_scalar()) return unify_scalars(a, b);
    if (a.is_array()) return unify_arrays(a, b);
    if (a.is_tuple()) return unify_tuples(a, b);
    return {};
}

Type unify(std::span<const Type> types) {
    // Numba sorts by `bitwidth`, which booleans and aggregates lack.
    const auto width = [](Type t) { return t.is_scalar() && !t.is_boolean() ? t.bits() : 0; };
    std::vector<Type> sorted(types.begin(), types.end());
    std::ranges::stable_sort(sorted, {}, width);
    if (sorted.empty()) return {};
    Type unified = sorted[0];
    for (Type t : std::span(sorted).subspan(1)) unified = unify(unified, t);
    return unified;
}

}  // namespace pyk
