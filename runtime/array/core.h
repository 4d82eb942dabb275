// Array functions for parts of arrays: which axes of the operands are parts, and the argument of the compiled loop
// (pyk/core_loop.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "array/iteration.h"
#include "array/packing.h"
#include "pyk/core_loop.h"

namespace pyk::arrays {

/// The part of an operand that one call gets.
struct Part {
    Shape shape;
    Shape strides;          ///< in bytes
    bool is_known = false;  ///< its shape is compiled in
    bool is_staged = false;
    bool is_loaded = true, is_stored = false;  ///< of one that is staged

    long long elements() const;
    bool is_dense(long long element_bytes) const;
};

/// Up to such an extent of a part the function may be compiled for it: its loops can be unrolled.
inline constexpr long long kMostCompiledExtent = 8;

/// Takes the last `axes` axes of an operand. Precondition: it has as many.
Part split(Layout& operand, std::size_t axes);

/// The operands of a function without its parts.
inline constexpr std::size_t kMostCoreOperands =
    (PackedLoop::capacity - offsetof(core_loop<1>, operands)) / sizeof(core_operand);

/// Loops go by the last operand, which is an input where there are no outputs: it gets the shape of all calls. `outer`:
/// operands without their parts. Precondition: it can be broadcast to that.
void repeat_last(std::vector<Layout>& outer, const Shape& calls);

/// Bytes that a block may have of shared memory: every GPU of compute capability 7.5 and later gives it so much, an
/// H200 three of a multiprocessor's blocks.
inline constexpr std::size_t kMostSharedOfBlock = 64 * 1024;

/// Which parts go through shared memory, where one thread makes one call: those that lie one behind the other, so that
/// threads that lie side by side would reach memory that does not. Precondition: the parts of the iteration's operands.
void choose_staged(const Iteration& it, std::vector<Part>& parts);

/// Threads that make a call together.
struct Team {
    int threads = 1;
    int items = 0;  ///< elements of a part that each holds in registers, at most; 0: they stay in memory
};

/// Who should make a call together, on a device with so many multiprocessors: the first for which the function has a
/// form; none: one thread. Where several do, nothing is staged.
std::vector<Team> choose_teams(const Iteration& it, const std::vector<Part>& parts, int multiprocessors);

/// Whether what may be stored to overlaps another operand, or itself.
bool have_overlaps(const std::vector<Layout>& operands, const std::vector<bool>& writable);

/// What a compiled loop takes.
struct CoreCode {
    bool is_cpu = false;
    int multiprocessors = 1;
    int team = 1;  ///< threads of a call
};
/// Packs and launches as often as it takes: a loop of a GPU makes less than 2^31 calls, and no loop has more
/// than `most_axes` axes. Fails where `launch` does.
Status launch_core_loops(Iteration whole, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                         const CoreCode& code, const std::function<Status(const PackedLoop&)>& launch);

/// Preconditions of all: as of pack_flat and its like. `team`: threads of a call.
void pack_core(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
               PackedLoop& packed);
void pack_core_for_team(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                        int team, PackedLoop& packed);
void pack_core_for_cpu(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                       int workers, PackedLoop& packed);

}  // namespace pyk::arrays
