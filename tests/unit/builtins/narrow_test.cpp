// Narrow typing against NumPy's promotion with weak Python numbers (tests/oracle/data/narrow.tsv). Where we follow
// PyTorch, C or Numba instead, the exception is listed, with its reason.
#include <gtest/gtest.h>

#include <map>

#include "../types/oracle.h"
#include "builtins/narrow.h"

namespace pyk {
namespace {

using narrow::Operand;

Operand operand(const std::string& name) {
    if (name == "1") return {Scalar::int32, true, true, 1};
    if (name == "0.5") return {Scalar::float32, true, true};
    if (name == "1j") return {Scalar::complex64, true, true};
    return {name == "bool" ? Type(Scalar::boolean) : oracle::scalar(name)};
}

bool is_shift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr; }
bool is_bits(BinaryOp op) { return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor; }
bool is_wide(const Operand& o) { return !o.is_weak && (o.type.is(Scalar::float64) || o.type.is(Scalar::complex128)); }
bool is_whole(const Operand& o) { return o.type.is_integer() || o.type.is_boolean(); }

/// What we give in place of NumPy's type, and the reason.
struct Exception {
    const char* reason;
    bool (*applies)(BinaryOp op, const Operand& a, const Operand& b);
    Type (*result)(const Operand& a, const Operand& b);
};

const Exception kExceptions[] = {
    {"a shift has the type of what is shifted, as in C and Numba; NumPy promotes",
     [](BinaryOp op, const Operand& a, const Operand& b) { return is_shift(op) && is_whole(a) && is_whole(b); },
     [](const Operand& a, const Operand& b) {
         const bool wider = a.is_weak && b.type.bits() >= 32;
         return wider ? b.type : a.is_weak || a.type.is_boolean() ? Type(Scalar::int32) : a.type;
     }},
    {"int64 with uint64 stays an integer, int64 as in Numba: a float is no index",
     [](BinaryOp op, const Operand& a, const Operand& b) {
         return op != BinaryOp::TrueDiv && is_whole(a) && is_whole(b) && !a.is_weak && !b.is_weak &&
                a.type.is_signed() != b.type.is_signed() && !a.type.is_boolean() && !b.type.is_boolean() &&
                (a.type.is(Scalar::uint64) || b.type.is(Scalar::uint64));
     },
     [](const Operand&, const Operand&) { return Type(Scalar::int64); }},
    {"a boolean counts as an int32 in arithmetic, as in C; the default integer has 32 bits",
     [](BinaryOp op, const Operand& a, const Operand& b) {
         const auto small = [](const Operand& o) { return o.type.is_boolean() || (o.is_weak && is_whole(o)); };
         return op != BinaryOp::TrueDiv && small(a) && small(b) &&
                !(is_bits(op) && a.type.is_boolean() && b.type.is_boolean());
     },
     [](const Operand&, const Operand&) { return Type(Scalar::int32); }},
    {"the default float has 32 bits, as in PyTorch: an integer never makes a float64 or complex128",
     [](BinaryOp op, const Operand& a, const Operand& b) {
         const bool whole = is_whole(a) && is_whole(b);
         return !is_wide(a) && !is_wide(b) && (op == BinaryOp::TrueDiv || !whole) && !is_bits(op) && !is_shift(op);
     },
     [](const Operand& a, const Operand& b) {
         return a.type.is_complex() || b.type.is_complex() ? Type(Scalar::complex64) : Type(Scalar::float32);
     }},
};

TEST(NarrowTyping, IsNumPysButForTheExceptions) {
    std::map<std::string, int> used;
    size_t checked = 0;
    for (const auto& row : oracle::rows("narrow")) {
        const auto op = binary_op_from_name(row[0]);
        if (!op || row[2] == "-") continue;
        const Operand a = operand(row[1]), b = operand(row[2]);
        const std::string what = row[1] + " " + row[0] + " " + row[2];
        Type wanted = row[3] == "-" ? Type() : operand(row[3]).type;
        // Complex numbers: what Numba refuses.
        const bool is_complex = a.type.is_complex() || b.type.is_complex();
        if (is_complex && (*op == BinaryOp::Lt || *op == BinaryOp::FloorDiv || *op == BinaryOp::Mod)) wanted = Type();
        if (!is_comparison(*op) && (wanted || is_whole(a)))
            for (const Exception& exception : kExceptions)
                if (exception.applies(*op, a, b)) {
                    const Type ours = exception.result(a, b);
                    if (ours != wanted) ++used[exception.reason];
                    wanted = ours;
                    break;
                }
        if (is_complex && (*op == BinaryOp::FloorDiv || *op == BinaryOp::Mod)) wanted = Type();
        const auto found = narrow::resolve(*op, a, b);
        ++checked;
        EXPECT_EQ(found.has_value(), static_cast<bool>(wanted))
            << what << " gives " << (found ? found->result.name() : "none");
        if (found && wanted) {
            EXPECT_EQ(found->result, wanted) << what << " gave " << found->result.name();
        }
    }
    EXPECT_EQ(checked, 14u * (13 * 13 + 2 * 3 * 13));
    for (const Exception& exception : kExceptions) EXPECT_GT(used[exception.reason], 0) << exception.reason;
}

TEST(NarrowTyping, UnaryOperatorsKeepTheWidth) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("narrow")) {
        const auto op = unary_op_from_name(row[0]);
        if (!op || row[2] != "-") continue;
        const Type type = operand(row[1]).type;
        const auto found = narrow::resolve(*op, type);
        ++checked;
        // -True is an int32, as in C; NumPy refuses it.
        const bool counts = type.is_boolean() && *op != UnaryOp::Invert;
        const Type wanted = counts ? Type(Scalar::int32) : row[3] == "-" ? Type() : operand(row[3]).type;
        EXPECT_EQ(found.has_value(), static_cast<bool>(wanted)) << row[0] << row[1];
        if (found) {
            EXPECT_EQ(found->result, wanted) << row[0] << row[1];
        }
    }
    EXPECT_EQ(checked, 3u * 13);
}

/// Integers narrower than 32 bits are computed in 32 bits, as C does, and cut then.
TEST(NarrowTyping, ComputesInAtLeast32Bits) {
    const auto sum = narrow::resolve(BinaryOp::Add, {Scalar::uint8}, {Scalar::uint8});
    EXPECT_EQ(sum->operands, std::vector<Type>(2, Scalar::int32));
    EXPECT_EQ(sum->result, Type(Scalar::uint8));
    const auto wide = narrow::resolve(BinaryOp::Add, {Scalar::uint32}, {Scalar::uint32});
    EXPECT_EQ(wide->operands, std::vector<Type>(2, Scalar::uint32));
}

TEST(NarrowTyping, ANumberThatDoesNotFitIsNotWeak) {
    const auto add = [](Type type, __int128 value, Type own) {
        return narrow::resolve(BinaryOp::Add, {type}, {own, true, true, value})->result;
    };
    EXPECT_EQ(add(Scalar::uint8, 255, Scalar::int32), Type(Scalar::uint8));
    EXPECT_EQ(add(Scalar::uint8, 256, Scalar::int32), Type(Scalar::int32));
    EXPECT_EQ(add(Scalar::uint32, -1, Scalar::int32), Type(Scalar::int64));
    EXPECT_EQ(add(Scalar::int32, 5'000'000'000, Scalar::int64), Type(Scalar::int64));
}

/// A weak value that is not known has 32 bits at least, and takes what is wider.
TEST(NarrowTyping, WeakVariables) {
    const auto meet = [](Type type) { return narrow::promote({Scalar::int32, true}, {type}); };
    EXPECT_EQ(meet(Scalar::uint8), Type(Scalar::int32));
    EXPECT_EQ(meet(Scalar::uint32), Type(Scalar::uint32));
    EXPECT_EQ(meet(Scalar::int64), Type(Scalar::int64));
    EXPECT_EQ(meet(Scalar::float32), Type(Scalar::float32));
    EXPECT_EQ(narrow::settled({Scalar::int64, true}), Type(Scalar::int32)) << "an extent";
    EXPECT_EQ(narrow::settled({Scalar::float64, true, true}), Type(Scalar::float32));
}

}  // namespace
}  // namespace pyk
