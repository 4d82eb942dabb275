// What a statement writes, whether that is made of what was there, and the atomic that does the same at once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/ir.h"

namespace pyk {

/// The elements and fields that the value of a variable was made of.
struct LoadOrigin {
    std::vector<const ir::Expr*> reads = {};
    bool is_copy = false;                       ///< of an element, as it was
    std::optional<BinaryOp> op = std::nullopt;  ///< `s = out[0]; s += x`: the only operation that it went through
};
using LoadOrigins = std::map<ir::LocalId, LoadOrigin>;

/// What a statement writes: an element of an array, or a field of a record. `cuda.stcs` and its like write too.
struct StoredPlace {
    const ir::Expr* base = nullptr;
    const std::vector<ir::Index>* indices = nullptr;  ///< of an element
    uint32_t field = 0;
    const ir::Expr* value = nullptr;  ///< that it gets

    static StoredPlace of(const ir::Stmt& stmt);

    /// Whether an expression is what the place holds, perhaps converted.
    bool is_value_of(const ir::Expr& expr) const;
    /// Not where it only says which other element is read, as in `p[i] = p[p[i]]`. `held`: what variables got of
    /// elements.
    bool is_read_by(const ir::Expr& expr, const LoadOrigins& held) const;
};

/// What is known of variables whose values come from elements.
class LoadedVariables {
  public:
    using IsPart = std::function<bool(const ir::Expr&)>;

    const LoadOrigins& held() const { return held_; }
    void assign(ir::LocalId target, const ir::Expr& value);
    /// What is assigned until `leave` may be assigned or not.
    void enter() { branches_.emplace_back(); }
    void leave();

    bool is_copy(const ir::Expr& expr) const;
    /// `a - x` is one operation on `a`, `x - a` and `2 * a + x` are none.
    std::optional<BinaryOp> op_on(const ir::Expr& expr, const IsPart& is_part) const;

  private:
    void forget_exchanged(const ir::Expr& value);
    LoadOrigin origin(ir::LocalId local) const;
    void set(ir::LocalId local, LoadOrigin to);

    LoadOrigins held_;
    std::vector<LoadOrigins> branches_;  ///< that were entered: what was known of what they assign
};

/// The greater, or the lesser, of two.
bool is_maximum(const Builtin& builtin);
bool is_minimum(const Builtin& builtin);

inline constexpr std::string_view kAtomicMax = "`cuda.atomic.max`", kAtomicMin = "`cuda.atomic.min`";
inline constexpr std::string_view kNoAtomic = "`cuda.atomic.cas` in a loop, or a reduction such as `@cuda.reduce`";

/// What makes the same of the place at once, as a message has it. `condition`: of the branch that it is in, or null.
std::string_view atomic_for(const StoredPlace& place, const LoadedVariables& variables, const ir::Expr* condition);

/// Whether a statement writes to an array or a record.
bool has_store(const ir::Block& body);

}  // namespace pyk
