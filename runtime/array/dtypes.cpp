#include "array/dtypes.h"

#include <algorithm>
#include <iterator>

namespace pyk::arrays {
namespace {

enum class Kind : unsigned char { boolean, natural, integer, real, complex, other };

// `bits`: of what is kept exactly: a float of so many takes integers of `whole` bits.
struct Row {
    const char* name;
    Kind kind;
    int bits, whole;
};
constexpr Row kRows[] = {
    {"bool", Kind::boolean, 8, 0},        {"int8", Kind::integer, 8, 0},        {"int16", Kind::integer, 16, 0},
    {"int32", Kind::integer, 32, 0},      {"int64", Kind::integer, 64, 0},      {"uint8", Kind::natural, 8, 0},
    {"uint16", Kind::natural, 16, 0},     {"uint32", Kind::natural, 32, 0},     {"uint64", Kind::natural, 64, 0},
    {"float16", Kind::real, 16, 8},       {"bfloat16", Kind::real, 16, 8},      {"float32", Kind::real, 32, 16},
    {"float64", Kind::real, 64, 64},      {"complex64", Kind::complex, 32, 16}, {"complex128", Kind::complex, 64, 64},
    {"xoroshiro128p", Kind::other, 0, 0}, {"record", Kind::other, 0, 0},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(Element::named) + 1, "one for each element of an array");
const Row& row(ElementType type) { return kRows[static_cast<std::size_t>(type.element)]; }

bool casts(const OperandType& type, ElementType to) {
    if (!type.is_weak) return can_cast_safely(type.element, to);
    // Python's bool is NumPy's; its other numbers take any type of their kind or a later one.
    const Kind from = row(type.element).kind, kind = row(to).kind;
    switch (from) {
        case Kind::boolean:
            return can_cast_safely(type.element, to);
        case Kind::natural:
        case Kind::integer:
            return kind != Kind::boolean && kind != Kind::other;
        case Kind::real:
            return kind == Kind::real || kind == Kind::complex;
        default:
            return kind == from;
    }
}

}  // namespace

bool can_cast_safely(ElementType from, ElementType to) {
    if (from == to) return true;
    const Row &a = row(from), &b = row(to);
    if (a.kind == Kind::other || b.kind == Kind::other) return false;
    switch (b.kind) {
        case Kind::natural:
            return a.kind == Kind::boolean || (a.kind == Kind::natural && a.bits < b.bits);
        case Kind::integer:
            return a.kind == Kind::boolean || ((a.kind == Kind::natural || a.kind == Kind::integer) && a.bits < b.bits);
        case Kind::real:
        case Kind::complex:
            if (a.kind == Kind::boolean) return true;
            if (a.kind == Kind::natural || a.kind == Kind::integer) return a.bits <= b.whole;
            if (a.kind == Kind::complex && b.kind == Kind::real) return false;
            return a.bits < b.bits || (a.bits == b.bits && a.kind < b.kind);
        default:
            return false;
    }
}

bool can_cast_same_kind(ElementType from, ElementType to) {
    if (can_cast_safely(from, to)) return true;
    const Kind a = row(from).kind, b = row(to).kind;
    // NumPy has no unsigned integer take a signed one.
    return a != Kind::other && b != Kind::other && a != Kind::boolean && a <= b;
}

namespace {

// Of booleans, integers, and numbers that are not exact.
int category(ElementType type) {
    switch (row(type).kind) {
        case Kind::boolean:
            return 0;
        case Kind::natural:
        case Kind::integer:
            return 1;
        default:
            return 2;
    }
}

// The type that a number has by itself: Python's own of its kind.
Element strong_type(ElementType weak) {
    switch (row(weak).kind) {
        case Kind::boolean:
            return Element::boolean;
        case Kind::natural:
        case Kind::integer:
            return Element::int64;
        case Kind::real:
            return Element::float64;
        default:
            return Element::complex128;
    }
}

// A number stays weak beside arrays of its category or a later one; else it has Python's type. Numbers alone are no
// weaker than each other: NumPy makes arrays of them.
std::vector<OperandType> settled(std::vector<OperandType> types) {
    int latest = -1;
    for (const OperandType& type : types)
        if (!type.is_weak) latest = std::max(latest, category(type.element));
    for (OperandType& type : types) {
        if (!type.is_weak || category(type.element) <= latest) continue;
        if (latest >= 0) type.element = strong_type(type.element);
        type.is_weak = false;
    }
    return types;
}

template <class Fits>
std::optional<std::size_t> first_that(const std::vector<Loop>& loops, const std::vector<OperandType>& types,
                                      const Fits& fits) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        bool all = loops[i].size() == types.size();
        for (std::size_t k = 0; all && k < types.size(); ++k) all = fits(types[k], loops[i][k]);
        if (all) return i;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::size_t> first_safe_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& given) {
    const std::vector<OperandType> types = settled(given);
    return first_that(loops, types, casts);
}

Result<std::size_t> exact_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types) {
    for (const bool with_numbers : {true, false}) {
        std::optional<std::size_t> match;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            bool fits = loops[i].size() == types.size();
            for (std::size_t k = 0; fits && k < types.size(); ++k)
                fits = (types[k].is_weak && !with_numbers) || types[k].element == loops[i][k];
            if (!fits) continue;
            if (match)
                return Status::failure("(" + names_of(types) + ") fits several signatures: too many untyped numbers",
                                       Error::Kind::arguments);
            match = i;
        }
        if (match) return *match;
    }
    return Status::failure(
        "no signature takes (" + names_of(types) + "): with target='cuda' arrays must have exactly the types of one",
        Error::Kind::arguments);
}

std::optional<std::size_t> exact_or_safe_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types) {
    const auto exact = first_that(loops, types, [](const OperandType& type, ElementType of_loop) {
        return !type.is_weak && type.element == of_loop;
    });
    return exact ? exact : first_safe_loop(loops, types);
}

Result<std::size_t> exact_or_narrower_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types) {
    if (const auto exact = first_that(
            loops, types, [](const OperandType& type, ElementType of_loop) { return type.element == of_loop; }))
        return *exact;
    if (const auto narrower = first_that(loops, types, [](const OperandType& type, ElementType of_loop) {
            return can_cast_safely(of_loop, type.element) && can_cast_same_kind(type.element, of_loop);
        }))
        return *narrower;
    return exact_loop(loops, types);
}

std::string name_of(ElementType type) { return type.named ? type.named->text : row(type).name; }

std::string names_of(const std::vector<OperandType>& types) {
    std::string text;
    for (const OperandType& type : types) text += (text.empty() ? "" : ", ") + name_of(type.element);
    return text;
}

}  // namespace pyk::arrays
