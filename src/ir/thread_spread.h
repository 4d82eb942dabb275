// How the values of expressions differ between the threads of a launch.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "ir/doers.h"
#include "ir/ir.h"

namespace pyk {

/// Along which axes of the block and of the grid threads differ, as bits.
using ThreadAxes = uint8_t;
inline constexpr ThreadAxes kBlockAxes = 0b000'111;  ///< `threadIdx`: threads of one block
inline constexpr ThreadAxes kGridAxes = 0b111'000;   ///< `blockIdx`: threads of different blocks
inline constexpr ThreadAxes kAllAxes = kBlockAxes | kGridAxes;

/// Of a value: the axes along which it is another for each thread; along which it follows the thread, but comes again
/// (`i // 2`); along which it is what memory held for the thread; and along which threads come to it on ways of their
/// own. Where nothing is known, it tells threads apart. `moved`: along which it is not the thread's number as it is,
/// but `i + 1` or `3 * i`, which a remainder may bring to a place of its own.
struct Spread {
    ThreadAxes apart = 0, repeated = 0, loaded = 0, uneven = 0, moved = 0;

    ThreadAxes axes() const { return apart | repeated | loaded | uneven; }
    auto operator<=>(const Spread&) const = default;
    /// Of a variable that has now the one value, now the other.
    Spread& operator|=(Spread other);
    /// Of a value, or of a place, that both are parts of: a quotient and a remainder tell threads apart together.
    Spread with(Spread other) const;
};

/// The axes that a builtin's value tells apart; 0: it is the same for all threads.
ThreadAxes axes_of(const Builtin& builtin);
/// An array of run-time shape in shared memory: each block has its own.
bool is_part_of_shared(const ir::Expr& expr);
/// Those that a function reads, its callees included: along them its author expects several threads.
ThreadAxes axes_read(const ir::Module& module, const ir::Function& function);

/// Whether code makes more than its operands say: what differs between threads by itself, or what they tell each other.
bool asks_threads(const ir::Block& body);

/// Expressions of one function, by what its locals are so far.
class Spreads {
  public:
    /// `askers`: functions with `asks_threads`.
    Spreads(const ir::Function& function, const ir::Doers& askers);

    Spread of(const ir::Expr& expr) const;
    Spread of(const std::vector<ir::Index>& indices) const;
    /// What a local may also be. Whether that is new.
    bool add(ir::LocalId local, Spread spread);

  private:
    Spread of_binary(const ir::Binary& expr) const;
    Spread of_loaded(const ir::Expr& array, Spread place) const;
    Spread of_arithmetic(const ir::Binary& expr, Spread lhs) const;
    Spread of_remainder(const ir::Binary& expr, Spread lhs) const;
    bool is_size_of_launch(const ir::Expr& expr) const;

    const ir::Function& function_;
    const ir::Doers& askers_;
    std::vector<Spread> locals_;
    std::vector<bool> launch_sizes_;  ///< locals that may hold `cuda.blockDim.x` or its like
};

}  // namespace pyk
