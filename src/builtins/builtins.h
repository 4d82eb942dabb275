// Builtin functions and values as rows of builtins.def: the one place where a name of Python, `math` or `numba.cuda`
// meets its typing, its effects and its spelling in the targets. Nobody switches on a builtin's name.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "builtins/rule.h"
#include "types/type.h"

namespace pyk {

/// What evaluating something does beside giving a value. A set of flags.
enum class Effects : uint8_t {
    none = 0,
    reads = 1,        ///< reads memory that another thread or statement may write
    writes = 2,       ///< writes memory (through an array argument)
    barrier = 4,      ///< waits for other threads of the block
    ordered = 8,      ///< must keep its place among other effects (clock, print, fences)
    grid = 16,        ///< waits for all threads of the grid: the launch must be cooperative; comes with `barrier`
    atomic = 32,      ///< reads and writes at once: what threads tell each other by; comes with `reads` and `writes`
    block = 64,       ///< waits for all threads of the block, which operations of warps do not; comes with `barrier`
    exchanges = 128,  ///< gives what other threads of the warp hold; comes with `barrier`
};
/// As the IR's text names them.
inline constexpr std::pair<Effects, std::string_view> kEffectNames[] = {
    {Effects::reads, "reads"},     {Effects::writes, "writes"},       {Effects::barrier, "barrier"},
    {Effects::ordered, "ordered"}, {Effects::grid, "grid"},           {Effects::atomic, "atomic"},
    {Effects::block, "block"},     {Effects::exchanges, "exchanges"},
};
constexpr Effects operator|(Effects a, Effects b) {
    return static_cast<Effects>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr Effects operator&(Effects a, Effects b) {
    return static_cast<Effects>(static_cast<uint8_t>(a) & static_cast<uint8_t>(b));
}
constexpr bool any(Effects e) { return e != Effects::none; }
/// Changes something: may not be repeated, dropped or reordered.
constexpr bool is_action(Effects e) { return any(e & (Effects::writes | Effects::barrier | Effects::ordered)); }

/// Calls that a typing rule over values cannot say: special.def. A row names one in its rule, `special(shared_array)`;
/// cases after it say what sema makes of the call (`min` of two values of one type). A cast is no row: it is a call of
/// a type's name (scalar_from_name).
enum class Special : uint8_t {
    none,
#define PYK_SPECIAL(name, method) name,
#include "builtins/special.def"
};

/// Which target a spelling is for; the record of each is in targets/.
enum class TargetId : uint8_t { cuda, cpu };
inline constexpr size_t kTargetCount = 2;

/// A number that a launch gives each thread, or all of them.
enum class LaunchValue : uint8_t {
    none,
    thread_index,      ///< in its block
    block_index,       ///< in the grid
    grid_index,        ///< of the thread in the grid
    threads_of_block,  ///< along an axis
    blocks_of_grid,
    threads_of_grid,
    lane,
    lanes_of_warp,
};
/// Which one a builtin is, and along which axis (x is 0): `cuda.grid.y` in any width.
struct LaunchPart {
    LaunchValue value = LaunchValue::none;
    uint8_t axis = 0;

    bool operator==(const LaunchPart&) const = default;
};

struct Builtin {
    uint16_t index;         ///< of the row
    std::string_view name;  ///< canonical dotted name: `math.sqrt`, `cuda.threadIdx.x`, `cuda.atomic.add`, `abs`
    std::string_view rule;  ///< see rule.h; of a value (`cuda.threadIdx.x`, `math.pi`): `-> type`
    Special special;        ///< none: `rule` says it all, and the call is a BuiltinCall
    Effects effects;
    /// C++ per target, a primary expression; see `spell` for its placeholders. Empty: the target lacks it, or sema
    /// never leaves a call of it (`special`).
    std::array<std::string_view, kTargetCount> spelling;
    /// The C++ type that CUDA's text has when it is not the rule's result (`threadIdx.x` is unsigned), or invalid.
    Type spelled_type;
    int min_sm;              ///< lowest compute capability ×10 (75 …); 0: any
    std::string_view doc;    ///< one line
    LaunchPart launch = {};  ///< what its name says

    std::string_view spelling_for(TargetId target) const { return spelling[static_cast<size_t>(target)]; }
};

std::span<const Builtin> all_builtins();
/// By canonical name; module/scope_paths.cpp maps what a file imported (`from math import sqrt as s`) to it. Null: no
/// such builtin.
const Builtin* find_builtin(std::string_view name);
/// Names that start with `prefix.`: is `cuda.atomic` something that has members?
bool is_builtin_namespace(std::string_view name);

/// A value (`math.pi`) rather than a function.
bool is_value(const Builtin& builtin);
/// The thread in the C++ for the CPU.
inline constexpr std::string_view kThreadOnCpu = "pyk_t";
/// Whether it asks for the thread that calls it.
bool takes_thread(const Builtin& builtin);
/// A function of the C library's on the CPU: what a core computes in it, it computes one at a time.
bool is_of_c_library(const Builtin& builtin);
/// Makes an array, which functions that the host calls can alone.
bool is_for_host(const Builtin& builtin);
/// Gives an array in the shared memory that a launch sizes.
bool is_part_of_shared(const Builtin& builtin);
/// Of a value that is an integer on every target, as `cuda.warpsize` is.
std::optional<long long> integer_value(const Builtin& builtin);

/// Operand and result types of a call by the row's rule. A `ref T` parameter takes one operand here: the element's
/// type. Operands of parameters left out are included. nullopt: no case fits (or the row is special and has no cases).
std::optional<Resolution> resolve(const Builtin& builtin, std::span<const Type> args);
/// The number of arguments that the rule takes: least and most (a `ref` counts as one). Of special rows without cases:
/// 0 and INT_MAX, sema knows.
std::pair<int, int> arity(const Builtin& builtin);
/// Whether parameter `i` is a `ref`: in Python two arguments, array and index. With a default (`default_of`) it is one,
/// the array, and the default is the index.
bool is_ref(const Builtin& builtin, size_t i);
/// Whether parameter `i` takes integers alone.
bool is_integer(const Builtin& builtin, size_t i);
/// The types that parameter `i` has in the cases of the row's rule, each once.
std::vector<Type> types_of_parameter(const Builtin& builtin, size_t i);
/// The constant that stands for a parameter left out, as text, or empty.
std::string_view default_of(const Builtin& builtin, size_t i);

/// What a spelling may ask about a call beside its arguments.
struct CallContext {
    Type first;                            ///< of the first argument, invalid when there is none
    std::string_view result_element = {};  ///< C++ type of the result: of its elements, where it is an array
    uint32_t line = 0;
};

/// The C++ text of a call. Placeholders of `spelling`: `{0}`, `{1}` … an argument (always a whole argument of a C++
/// call, so that no argument needs parentheses of its own), `{args}` all of them, `{f}` an `f` when the first argument
/// is float32, as in `sqrt{f}({0})`, `{width}` a `_small` when it is an integer of 8 or 16 bits,
/// a `_complex` when it is complex and a `_half` when it is a float of 16 bits, `{ordered}` the same without
/// `_small`, `{T}` the C++ type of the result or of its elements, `{line}` the line of the call in the source,
/// `{2:order}` and `{2:scope}` the prelude's name of the memory order or scope that the argument numbers, `{0:bits}` an
/// argument of an unsigned parameter. A brace before a space is one of C++.
std::string spell(std::string_view spelling, std::span<const std::string> args, const CallContext& call);

}  // namespace pyk
