// Integers of 64 bits of which 32 are enough.
#pragma once

#include <optional>
#include <vector>

#include "passes/ranges.h"

namespace pyk {

inline constexpr Wide kLastShiftOfWord = 31;

inline bool is_wide(Type type) { return type == Type(Scalar::int64) || type == Type(Scalar::uint64); }
inline bool is_word(const Interval& values) { return fits(values, Scalar::uint32); }
/// `int64(u)` of a u: uint64, and the other way; null: something else.
const ir::Convert* with_other_sign(const ir::Expr& expr);
/// `e & 65535`: nobody asks for the upper half of e.
bool is_masked(const ir::Binary& n, const Ranges& ranges);

/// Computes in 32 unsigned bits what needs no more, of u, v: uint32 and w: uint8:
///
///   uint32((uint64(u) ^ (uint64(u) CShr 13)))    ((uint64(u) + uint64(w)) & 4294967295)    (uint64(u) TruncMod 7)
///   (u ^ (u CShr 13))                            uint64((u + uint32(w)))                   uint64((u TruncMod
///   7:uint32))
///
/// There is a uint32 in it: other integers are ints where they may be. `ranges` are still right afterwards.
class Words {
  public:
    explicit Words(Ranges& ranges) : ranges_(ranges) {}

    /// Of an expression, whose parts were changed before.
    void change(ir::ExprPtr& expr);

  private:
    bool computes_words(const ir::Expr& expr) const;
    bool compares_words(const ir::Binary& n) const;
    bool has_word(const ir::Expr& expr) const;
    bool is_made_of_small(const ir::Expr& expr) const;
    bool divides_words(const ir::Binary& n) const;
    bool shifts_up(const ir::Binary& n) const;
    template <typename Test>
    bool any_operand(const ir::Expr& expr, const Test& test) const;
    ir::ExprPtr word(ir::ExprPtr expr);
    ir::ExprPtr word(ir::Binary& n, Span span);

    Ranges& ranges_;
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace pyk
