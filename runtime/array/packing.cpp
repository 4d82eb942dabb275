#include "array/packing.h"

#include <algorithm>
#include <cstring>

namespace pyk::arrays {
namespace {

constexpr long long kThreads = 256;
constexpr long long kMostElementsOfStrided = 4;  // of a thread: pyk::for_each_strided

long long divided_up(long long a, long long b) { return (a + b - 1) / b; }

// The head of the struct as it is for one operand; the operands follow.
template <class Head, class Operand>
Head& begin(PackedLoop& packed, std::size_t operands) {
    packed.size = offsetof(Head, operands) + operands * sizeof(Operand);
    std::memset(packed.bytes, 0, packed.size);
    return *reinterpret_cast<Head*>(packed.bytes);
}

strided_loop<1>& begin_strided(const Iteration& it, const std::vector<Number>& numbers, PackedLoop& packed) {
    using Head = strided_loop<1>;
    Head& loop = begin<Head, strided_operand>(packed, it.data.size());
    loop.count = it.count();
    loop.rank = static_cast<int>(it.axes.size());
    for (std::size_t axis = 0; axis < it.axes.size(); ++axis) {
        loop.extents[axis] = it.axes[axis].extent;
        loop.by[axis] = divide_by(std::min<long long>(it.axes[axis].extent, 0x7FFFFFFF));
    }
    for (std::size_t k = 0; k < it.data.size(); ++k) {
        strided_operand& of_loop = reinterpret_cast<strided_operand*>(packed.bytes + offsetof(Head, operands))[k];
        of_loop.data = it.data[k];
        if (!it.data[k]) std::memcpy(of_loop.value, numbers[k].bytes, sizeof of_loop.value);
        for (std::size_t axis = 0; axis < it.axes.size(); ++axis) of_loop.strides[axis] = it.axes[axis].strides[k];
    }
    return loop;
}

}  // namespace

PackedLoop packed_args(const void* args, std::size_t bytes, long long blocks, unsigned threads) {
    PackedLoop packed;
    std::memcpy(packed.bytes, args, bytes);
    packed.size = bytes;
    packed.blocks = static_cast<unsigned>(blocks);
    packed.block_x = threads;
    return packed;
}

void put_number(flat_operand& to, const unsigned char* number, std::size_t size) {
    for (std::size_t at = 0; at + size <= sizeof to.value; at += size) std::memmove(to.value + at, number, size);
}

flat_operand* begin_flat(std::size_t operands, long long count, long long head, int elements_per_thread,
                         PackedLoop& packed) {
    using Head = flat_loop<1>;
    Head& loop = begin<Head, flat_operand>(packed, operands);
    loop.vectors = (count - head) / elements_per_thread;
    loop.head = head;
    loop.rest = count - loop.vectors * elements_per_thread;
    // What is not of 16 bytes needs a block even where nothing else is there.
    packed.blocks = static_cast<unsigned>(std::max(1ll, divided_up(loop.vectors, kThreads)));
    packed.block_x = kThreads;
    packed.block_y = 1;
    return reinterpret_cast<flat_operand*>(packed.bytes + offsetof(Head, operands));
}

void pack_flat(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread, PackedLoop& packed) {
    const long long count = it.count();
    const long long head =
        elements_per_thread == 1 ? 0 : std::min<long long>(aligned_head(it, elements_per_thread).value(), count);
    flat_operand* const operands = begin_flat(it.data.size(), count, head, elements_per_thread, packed);
    for (std::size_t k = 0; k < it.data.size(); ++k)
        if (it.data[k])
            operands[k].data = it.data[k] + head * it.element_bytes[k];
        else
            put_number(operands[k], numbers[k].bytes, static_cast<std::size_t>(it.element_bytes[k]));
}

void pack_rows(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread, PackedLoop& packed) {
    strided_loop<1>& loop = begin_strided(it, numbers, packed);
    const long long lanes = elements_per_thread == 1 ? 1 : lanes_of(it);
    loop.is_aligned = elements_per_thread != 1 && rows_are_aligned(it, lanes);
    loop.access = rows_access;
    const long long of_thread = static_cast<long long>(elements_per_thread) * row_rounds;
    long long threads = 8;
    while (threads < kThreads && threads * of_thread < loop.extents[0]) threads *= 2;
    const long long rows = loop.count / loop.extents[0];
    const long long parts = divided_up(loop.extents[0], threads * of_thread);
    loop.by[0] = divide_by(parts);
    packed.blocks = static_cast<unsigned>(parts * divided_up(rows, kThreads / threads));
    packed.block_x = static_cast<unsigned>(threads);
    packed.block_y = static_cast<unsigned>(kThreads / threads);
}

void pack_strided(const Iteration& it, const std::vector<Number>& numbers, int elements_per_thread,
                  PackedLoop& packed) {
    const strided_loop<1>& loop = begin_strided(it, numbers, packed);
    const long long of_thread = std::min<long long>(elements_per_thread, kMostElementsOfStrided);
    packed.blocks = static_cast<unsigned>(divided_up(loop.count, kThreads * of_thread));
    packed.block_x = kThreads;
    packed.block_y = 1;
}

void pack_tiled(const Iteration& it, const std::vector<Number>& numbers, PackedLoop& packed) {
    constexpr long long kTile = 32, kTileThreads = 128;
    strided_loop<1>& loop = begin_strided(it, numbers, packed);
    const long long tiles0 = divided_up(loop.extents[0], kTile), tiles1 = divided_up(loop.extents[1], kTile);
    loop.access = tiled_access;
    loop.by[0] = divide_by(tiles0);
    loop.by[1] = divide_by(tiles1);
    packed.blocks = static_cast<unsigned>(tiles0 * tiles1 * (loop.count / (loop.extents[0] * loop.extents[1])));
    packed.block_x = kTileThreads;
    packed.block_y = 1;
    packed.shared_bytes = shared_bytes_of_tile(it);
}

void pack_for_cpu(const Iteration& it, const std::vector<Number>& numbers, int workers, PackedLoop& packed) {
    constexpr long long kSmallestChunk = 16384, kChunksOfWorker = 8;
    strided_loop<1>& loop = begin_strided(it, numbers, packed);
    loop.chunk = std::max(kSmallestChunk, divided_up(loop.count, workers * kChunksOfWorker));
    packed.blocks = static_cast<unsigned>(divided_up(loop.count, loop.chunk));
    packed.block_x = packed.block_y = 1;
}

namespace {

void pack(const Iteration& it, const std::vector<Number>& numbers, const LoopCode& code, PackedLoop& packed) {
    if (code.is_cpu) return pack_for_cpu(it, numbers, code.multiprocessors, packed);
    switch (code.access) {
        case Access::flat:
            return pack_flat(it, numbers, code.elements_per_thread, packed);
        case Access::rows:
            return pack_rows(it, numbers, code.elements_per_thread, packed);
        case Access::tiled:
            return pack_tiled(it, numbers, packed);
        case Access::strided:
            return pack_strided(it, numbers, code.elements_per_thread, packed);
    }
}

}  // namespace

LaunchConfig config_of(const PackedLoop& packed, StreamRef stream) {
    LaunchConfig config;
    config.grid.x = packed.blocks;
    config.block = {packed.block_x, packed.block_y, 1};
    config.shared_bytes = packed.shared_bytes;
    config.stream = stream;
    return config;
}

Status launch_loops(Iteration whole, const std::vector<Number>& numbers, const LoopCode& code,
                    const std::function<Status(const PackedLoop&)>& launch) {
    const long long limit = code.is_cpu || code.access == Access::flat ? kAnyCount : kCountedIn32Bits;
    return for_each_part(std::move(whole), limit, [&](Iteration& part) {
        if (code.access == Access::tiled && !code.is_cpu) bring_turned_axis_second(part);
        PackedLoop packed;
        pack(part, numbers, code, packed);
        return launch(packed);
    });
}

}  // namespace pyk::arrays
