// Threads that make one call of an array function for parts of arrays together: a warp, or a block of several. All run
// the function; `lane` tells them apart where they share a loop's iterations.
//
// Defines: team, for_each_core_by
#ifndef PYK_TEAM_H
#define PYK_TEAM_H

#include "pyk/core.h"
#include "pyk/minmax.h"

#ifdef __CUDACC__

namespace pyk {

/// What the lane whose number differs in the bit `step` passes.
template <class T>
PYK_DEVICE T from_lane(const T& value, int step) {
    unsigned words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof value);
#pragma unroll
    for (unsigned& word : words) word = __shfl_xor_sync(0xFFFFFFFFu, word, step);
    T other;
    memcpy(&other, words, sizeof other);
    return other;
}

/// The values of `Lanes` neighbours as one, in all of them: with the same bits, as f(a, b) and f(b, a) have.
template <int Lanes, class T, class F>
PYK_DEVICE T joined_in_warp(T value, F f) {
#pragma unroll
    for (int step = 1; step < Lanes; step *= 2) value = f(value, from_lane(value, step));
    return value;
}

/// The pairs of a row below `rows` and a column below `columns`, one after the other; of them a lane has each
/// `Size`-th.
template <int Size>
class shared_pairs {
  public:
    struct pair {
        long long row, column;
    };
    struct end_of_pairs {};

    PYK_DEVICE shared_pairs(long long rows, long long columns, int lane)
        : rows_(columns > 0 ? rows : 0),
          columns_(columns),
          row_step_(columns > 0 && columns <= Size ? Size / static_cast<int>(columns) : 0),
          column_step_(columns > 0 && columns <= Size ? Size % static_cast<int>(columns) : Size),
          at_{columns > 0 && columns <= lane ? lane / static_cast<int>(columns) : 0,
              columns > 0 && columns <= lane ? lane % static_cast<int>(columns) : lane} {}

    PYK_DEVICE shared_pairs begin() const { return *this; }
    PYK_DEVICE end_of_pairs end() const { return {}; }
    PYK_DEVICE bool operator!=(end_of_pairs) const { return at_.row < rows_; }
    PYK_DEVICE pair operator*() const { return at_; }
    PYK_DEVICE void operator++() {
        at_.row += row_step_;
        at_.column += column_step_;
        if (at_.column < columns_) return;
        at_.column -= columns_;
        ++at_.row;
    }

  private:
    long long rows_, columns_;
    int row_step_, column_step_;
    pair at_;
};

/// Whether an array's elements lie side by side.
template <class T>
PYK_DEVICE bool is_row(const array<T, 1, C>&) {
    return true;
}
template <class T, class Layout>
PYK_DEVICE bool is_row(const array<T, 1, Layout>& a) {
    return a.strides[0] == sizeof(T);
}

/// Elements that are moved together.
template <class T, int Width>
struct alignas(sizeof(T) * Width) neighbours {
    T values[Width];
};

/// `Items`: so many elements of a part each lane holds, at most, where it holds any. It has `Width` neighbours, then
/// the next that no other lane has.
template <int Size, int Items = 0, int Width = 1>
struct team {
    static constexpr int size = Size, items = Items;
    int lane;
    int half = 0;   ///< of the memory through which the warps of a block join
    int shift = 0;  ///< elements in memory from where neighbours can begin to the first

    /// The place of a lane's item in an array: some are before its first element, or behind its last.
    PYK_DEVICE int nth(int item) const { return (item / Width * Size + lane) * Width + item % Width - shift; }
    /// Whether that is one of `start`, …, `stop` - 1.
    PYK_DEVICE bool has(int item, long long start, long long stop) const {
        const int first = static_cast<int>(start), count = static_cast<int>(stop > start ? stop - start : 0);
        return static_cast<unsigned>(nth(item) - first) < static_cast<unsigned>(count);
    }

    /// Neighbours are to be those that one access moves in this array, and in all that begin as it does.
    template <class Array>
    PYK_DEVICE void align(const Array& a) {
        shift = static_cast<int>(shift_of(a));
    }

    template <class Array, class T>
    PYK_DEVICE void load(const Array& a, T* to) const {
        const bool is_wide = moves_neighbours(a);
#pragma unroll
        for (int item = 0; item < Items; item += Width) {
            if (!is_wide || !has_neighbours(item, a)) continue;
            const auto moved = *reinterpret_cast<const neighbours<T, Width>*>(a.data + nth(item));
            memcpy(to + item, &moved, sizeof moved);
        }
        for_each_alone(a, is_wide, [&](int item) { to[item] = a(nth(item)); });
    }

    template <class T, class Array>
    PYK_DEVICE void store(const T* from, const Array& a) const {
        const bool is_wide = moves_neighbours(a);
#pragma unroll
        for (int item = 0; item < Items; item += Width) {
            if (!is_wide || !has_neighbours(item, a)) continue;
            neighbours<T, Width> moved;
            memcpy(&moved, from + item, sizeof moved);
            *reinterpret_cast<neighbours<T, Width>*>(a.data + nth(item)) = moved;
        }
        for_each_alone(a, is_wide, [&](int item) { a(nth(item)) = from[item]; });
    }

    /// Waits for all lanes, and sees what they stored.
    PYK_DEVICE void sync() const {
        if (Size == 32)
            __syncwarp();
        else
            __syncthreads();
    }

    template <class T>
    PYK_DEVICE T sum(T part) {
        return joined(part, [](T a, T b) { return static_cast<T>(a + b); });
    }
    template <class T>
    PYK_DEVICE T product(T part) {
        return joined(part, [](T a, T b) { return static_cast<T>(a * b); });
    }
    template <class T>
    PYK_DEVICE T least(T part) {
        return joined(part, [](T a, T b) { return min(a, b); });
    }
    template <class T>
    PYK_DEVICE T greatest(T part) {
        return joined(part, [](T a, T b) { return max(a, b); });
    }

    PYK_DEVICE shared_pairs<Size> pairs(long long rows, long long columns) const { return {rows, columns, lane}; }

  private:
    template <class Array>
    static PYK_DEVICE unsigned long long shift_of(const Array& a) {
        return reinterpret_cast<unsigned long long>(a.data) / sizeof *a.data % Width;
    }

    template <class Array>
    PYK_DEVICE bool moves_neighbours(const Array& a) const {
        return is_row(a) && shift_of(a) == static_cast<unsigned long long>(shift);
    }

    template <class Array>
    PYK_DEVICE bool has_neighbours(int item, const Array& a) const {
        return has(item, 0, a.shape[0] - (Width - 1));
    }

    /// Those that no neighbours' access moves.
    template <class Array, class F>
    PYK_DEVICE void for_each_alone(const Array& a, bool is_wide, F f) const {
        if (is_wide && shift == 0 && a.shape[0] % Width == 0) return;
#pragma unroll
        for (int item = 0; item < Items; ++item)
            if (has(item, 0, a.shape[0]) && !(is_wide && has_neighbours(item - item % Width, a))) f(item);
    }

    static constexpr int warps = Size / 32;
    static_assert(Size % 32 == 0 && (warps & (warps - 1)) == 0 && warps <= 32, "a warp or a block of them");

    /// Through one half of the memory after the other: a lane that comes here again has seen all leave the half before.
    template <class T, class F>
    PYK_DEVICE T joined(T part, F f) {
        const T of_warp = joined_in_warp<32>(part, f);
        if (warps == 1) return of_warp;
        static_assert(sizeof(T) <= sizeof(uint4), "a number");
        __shared__ uint4 halves[2][warps];
        uint4* const places = halves[half];
        half ^= 1;
        if (lane % 32 == 0) memcpy(&places[lane / 32], &of_warp, sizeof of_warp);
        __syncthreads();
        T of_other;
        memcpy(&of_other, &places[lane % warps], sizeof of_other);
        return joined_in_warp<warps>(of_other, f);
    }
};

/// Each call by a team, whose lanes all get it.
template <class Team, int Operands, class F>
PYK_DEVICE void for_each_core_by(const core_loop<Operands>& loop, F f) {
    const unsigned index = blockIdx.x * (blockDim.x / Team::size) + threadIdx.x / Team::size;
    if (index < static_cast<unsigned>(loop.count))
        f(core_place_of(loop, index), Team{static_cast<int>(threadIdx.x % Team::size)});
}

}  // namespace pyk

#endif

#endif  // PYK_TEAM_H
