// Which locals a piece of a function reads and assigns.
#pragma once

#include <vector>

#include "passes/local_set.h"

namespace pyk {

/// How often each local is read and assigned in the text of a function (a loop's counter is assigned by the loop).
struct Usage {
    std::vector<uint32_t> reads, writes;

    explicit Usage(const ir::Function& function);
    uint32_t& reads_of(ir::LocalId id) { return reads[static_cast<size_t>(id)]; }
    uint32_t& writes_of(ir::LocalId id) { return writes[static_cast<size_t>(id)]; }
};

/// The local that a statement itself assigns: an assignment's target or a loop's counter.
std::optional<ir::LocalId> assigned_by(const ir::Stmt& stmt);

LocalSet assigned_in(const ir::Function& function, const ir::Block& block);
bool reads(const ir::Expr& expr, ir::LocalId id);
bool reads_any(const ir::Expr& expr, const LocalSet& locals);
/// Arithmetic of numbers, bounds of arrays included, that code which assigns just `changed` leaves alone: it reads no
/// element and has no effect.
bool is_invariant(const ir::Expr& expr, const LocalSet& changed);
uint32_t count_reads(const ir::Block& block, ir::LocalId id);
uint32_t count_writes(const ir::Block& block, ir::LocalId id);
/// With the blocks in it.
uint32_t count_reads(const ir::Stmt& stmt, ir::LocalId id);
uint32_t count_writes(const ir::Stmt& stmt, ir::LocalId id);

}  // namespace pyk
