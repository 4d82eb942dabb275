// An iteration as the argument of a compiled loop (pyk/elementwise_loop.h), with the grid that runs it.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "array/iteration.h"
#include "pyk/module.h"

namespace pyk::arrays {

/// The bytes of a number, as the compiled function takes it.
struct Number {
    alignas(16) unsigned char bytes[16] = {};
};

struct PackedLoop {
    static constexpr std::size_t capacity = 4096;  ///< what a launch's arguments may have
    alignas(16) unsigned char bytes[capacity];
    std::size_t size = 0;
    unsigned blocks = 1, block_x = 1, block_y = 1;
    std::size_t shared_bytes = 0;
};

/// What the loop of an algorithm is told, for blocks of so many threads in a row.
PackedLoop packed_args(const void* args, std::size_t bytes, long long blocks, unsigned threads);

/// An output beside them, as many inputs as the arguments of a launch have room for.
inline constexpr std::size_t kMostOperands =
    (PackedLoop::capacity - offsetof(strided_loop<1>, operands)) / sizeof(strided_operand);

/// Precondition of all: an element per operand and axis at least, no more operands and axes than there is room for.
/// `numbers`: of each operand that has no data. `elements_per_thread`: as it was compiled.
/// The loop of so many operands, the output's last, which the caller fills in: numbers by put_number, of arrays the
/// element behind the head. Precondition: the elements before `head` are as many as aligned_head says.
flat_operand* begin_flat(std::size_t operands, long long count, long long head, int elements_per_thread,
                         PackedLoop& packed);
/// `number`: of `size` bytes; it may be in `to`.
void put_number(flat_operand& to, const unsigned char* number, std::size_t size);
void pack_flat(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread, PackedLoop& packed);
void pack_rows(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread, PackedLoop& packed);
void pack_strided(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread, PackedLoop& packed);
void pack_tiled(const Iteration& it, const std::vector<Number>& numbers, PackedLoop& packed);
void pack_for_cpu(const Iteration& it, const std::vector<Number>& numbers, int workers, PackedLoop& packed);

/// How it is launched.
LaunchConfig config_of(const PackedLoop& packed, StreamRef stream);

/// What a compiled loop takes.
struct LoopCode {
    Access access = Access::strided;
    bool is_cpu = false;  ///< has one loop for all ways to reach elements
    int multiprocessors = 1;
    int elements_per_thread = 1;
};
/// Packs and launches as often as it takes: a loop of a GPU goes through less than 2^31 elements where they do not lie
/// side by side, and no loop has more than `most_axes` axes. Fails where `launch` does.
Status launch_loops(Iteration whole, const std::vector<Number>& numbers, const LoopCode& code,
                    const std::function<Status(const PackedLoop&)>& launch);

}  // namespace pyk::arrays
