// What makes a function's values float64: float32 values that meet numbers and integers, or somebody's wish. So with
// complex128 of complex64, and with float64 of floats of 16 bits.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.h"

namespace pyk {

/// What costs: float64, and complex128, which is two of them.
bool is_double(Type type);
bool is_double(const ir::Expr& expr);
/// What would do: float32 and complex64, and floats of 16 bits.
bool is_narrow(Type type);
/// The type of 32 bits that a number or an integer is to have for it.
std::string_view narrow_name(Type wide);

/// The operand of a conversion, or null.
const ir::Expr* source_of(const ir::Expr& expr);
/// Without its conversion from float64 to complex128.
const ir::Expr& real_part(const ir::Expr& expr);
/// One that is written out, or has a name in the module. `2j` is made of two.
bool is_number(const ir::Expr& expr);
bool computes(const ir::Expr& expr);

struct Assignment {
    Span span;
    const ir::Expr* value;
};
/// Where the values of a variable come from.
struct Sources {
    std::vector<Assignment> assignments;
    bool real = false;  ///< a float64 of somebody's
    Type narrow = {};   ///< a float32, or its like; none: no such
    std::vector<ir::LocalId> others;
};

class Widening {
  public:
    Widening(const ir::Module& module, const ir::Function& function);

    const ir::Function& function() const { return function_; }
    const std::map<ir::LocalId, Sources>& variables() const { return sources_; }
    /// Of a variable; null: it is none, or nothing gives it a value.
    const Sources* sources_of(const ir::Expr& expr) const;

    /// Whether something of the function's own is a float64, so that one may be meant elsewhere.
    bool has_float64() const;
    /// Whether the author converts to the type here.
    bool is_cast_to(Span place, Scalar type) const;
    bool is_wanted(const ir::Expr& expr) const;
    /// It is a float32 already, taken over into a float64; `float32(n)` of an integer is one conversion then.
    bool is_float32(const ir::Expr& expr) const;
    bool widens_float32(const ir::Expr& expr) const;
    bool widens_integer(const ir::Expr& expr) const;

    /// A number that needs a float64, by its size: of float32 values 1e39 would be infinite, 1e-50 nothing.
    bool is_out_of_range(const ir::Expr& expr) const;
    /// What is a float64 for nothing but the float32 values in it: a variable too that only what meets them made one.
    bool is_single(const ir::Expr& whole) const;
    /// The type that a single value is of.
    std::string narrow_type(const ir::Expr& single) const;
    /// A float64 of nothing but numbers: `2.0`, `math.sqrt(2.0)`, a variable that gets no others.
    bool is_of_numbers(const ir::Expr& whole) const;
    /// The integer that a value is a float64 by, with nothing else in it that is one: of `n`, `math.sqrt(n)`, `1 / n`.
    const ir::Expr* integer_in(const ir::Expr& expr) const;

  private:
    void collect();
    void trace(const ir::Expr& whole, Sources& sources) const;
    void spread();

    const ir::Module& module_;
    const ir::Function& function_;
    std::map<ir::LocalId, Sources> sources_;
};

}  // namespace pyk
