// Where threads access an array, as sums in which the thread's own number is told apart.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "advice/assigned_once.h"
#include "ir/ir.h"

namespace pyk {

/// By which threads meet, or tell each other something.
inline constexpr Effects kMeeting = Effects::barrier | Effects::ordered | Effects::atomic;

/// A sum of multiples of expressions, and a number.
struct Linear {
    std::vector<std::pair<const ir::Expr*, int64_t>> terms;
    int64_t number = 0;

    void add(const ir::Expr& term, int64_t times);
    int64_t times(const ir::Expr& term) const;
};

/// The indices of an element, one for each axis.
using ThreadPlace = std::vector<Linear>;

ThreadPlace thread_place(const std::vector<ir::Index>& indices, const AssignedOnce& assigned);
/// Whether they differ by numbers alone, whatever the thread.
bool are_alike(const ThreadPlace& a, const ThreadPlace& b);

/// Along each axis of a place, how far it is from a thread's to its neighbour's; one for each of the thread's numbers.
std::vector<std::vector<int64_t>> strides_of(const ThreadPlace& place);
/// How far away from a thread others surely are: any number in the grid, fewer than a warp has in a block.
int64_t farthest_thread(const ThreadPlace& place);
/// Whether another thread is where this one is that far away, along each axis.
bool is_reached(const std::vector<std::vector<int64_t>>& strides, const std::vector<int64_t>& away,
                int64_t farthest = INT64_MAX);

}  // namespace pyk
