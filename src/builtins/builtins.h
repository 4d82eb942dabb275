// Builtin functions and values as rows of builtins.def: the one place where a name of Python, `math` or `numba.cuda` meets
// its typing, its effects and its spelling in the targets. Nobody switches on a builtin's name.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "builtins/rule.h"
#include "types/type.h"

namespace pyk {

/// What evaluating something does beside giving a value. A set of flags.
enum class Effects : uint8_t {
    none = 0,
    reads = 1,     ///< reads memory that another thread or statement may write
    writes = 2,    ///< writes memory (through an array argument)
    barrier = 4,   ///< waits for other threads of the block
    ordered = 8,   ///< must keep its place among other effects (clock, print, fences)
};
constexpr Effects operator|(Effects a, Effects b) { return static_cast<Effects>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b)); }
constexpr Effects operator&(Effects a, Effects b) { return static_cast<Effects>(static_cast<uint8_t>(a) & static_cast<uint8_t>(b)); }
constexpr bool any(Effects e) { return e != Effects::none; }
/// Changes something: may not be repeated, dropped or reordered.
constexpr bool is_action(Effects e) { return any(e & (Effects::writes | Effects::barrier | Effects::ordered)); }

/// Calls that a typing rule over values cannot say (their arguments are types, shapes, tuples or iterables): sema has one
/// function for each. A row names it as its rule: `special(shared_array)`.
enum class Special : uint8_t {
    none, abs, cast, divmod, enumerate, grid, gridsize, int_, float_, bool_, len, local_array, max, min, pow, range, round, shared_array, zip
};

/// Which target a spelling is for; the record of each is in targets/.
enum class TargetId : uint8_t { cuda, cpu };
inline constexpr size_t kTargetCount = 2;

struct Builtin {
    uint16_t index;          ///< of the row
    std::string_view name;   ///< canonical dotted name: `math.sqrt`, `cuda.threadIdx.x`, `cuda.atomic.add`, `abs`
    std::string_view rule;   ///< see rule.h; of a value (`cuda.threadIdx.x`, `math.pi`): `-> type`
    Special special;         ///< none: `rule` says it all
    Effects effects;
    std::string_view parts;  ///< parts of the device prelude that the spelling needs, separated by blanks (`math atomics`)
    /// C++ per target: `{0}`, `{1}` … are arguments, `{T}` the C++ type of the result. Empty: the target lacks it.
    std::array<std::string_view, kTargetCount> spelling;
    /// The C++ type that the spelled text has when it is not the rule's result (`threadIdx.x` is unsigned), or invalid.
    Type spelled_type;
    int min_sm;              ///< lowest compute capability ×10 (75 …); 0: any
    std::string_view doc;    ///< one line

    std::string_view spelling_for(TargetId target) const { return spelling[static_cast<size_t>(target)]; }
};

std::span<const Builtin> all_builtins();
/// By canonical name; resolve.h maps what a file imported (`from math import sqrt as s`) to it. Null: no such builtin.
const Builtin* find_builtin(std::string_view name);
/// Names that start with `prefix.`: is `cuda.atomic` something that has members?
bool is_builtin_namespace(std::string_view name);

/// Operand and result types of a call by the row's rule. A `ref T` parameter takes one operand here: the element's type.
/// nullopt: no case fits.
std::optional<Resolution> resolve(const Builtin& builtin, std::span<const Type> args);
/// The number of arguments that the rule takes: least and most (a `ref` counts as one).
std::pair<int, int> arity(const Builtin& builtin);
/// Whether parameter `i` is a `ref`: in Python two arguments, array and index.
bool is_ref(const Builtin& builtin, size_t i);
/// The constant that stands for a parameter left out, as text, or empty.
std::string_view default_of(const Builtin& builtin, size_t i);

/// The closest name by edit distance, for "did you mean": empty when nothing is near.
std::string nearest_name(std::string_view wrong, std::span<const std::string_view> candidates);

}  // namespace pyk
