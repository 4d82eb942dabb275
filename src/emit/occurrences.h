// Where a function's statements stand and where each local occurs in them.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "emit/placement.h"
#include "ir/ir.h"

namespace pyk::emitter {

struct Occurrence {
    uint32_t at;  ///< the statement's number
    const ir::Stmt* stmt;
    bool reads = false;
    bool assigns = false;
};

/// Statements numbered in preorder, and per local its occurrences in that order.
struct Occurrences {
    explicit Occurrences(const ir::Function& function);

    Scope range(const ir::Stmt& stmt) const { return ranges.at(&stmt); }

    std::unordered_map<const ir::Stmt*, Scope> ranges;  ///< a statement and what it owns
    std::vector<std::vector<Occurrence>> of;            ///< by local
    uint32_t count = 0;
};

using OccurrenceSpan = std::span<const Occurrence>;

/// Those in a statement and in what it owns.
OccurrenceSpan within(OccurrenceSpan all, Scope range);

/// Every read in the block comes after an assignment in the block, on every path.
bool is_self_contained(const Occurrences& occurrences, ir::LocalId local, const ir::Block& block);

}  // namespace pyk::emitter
