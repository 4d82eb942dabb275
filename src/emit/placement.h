// Where each local is declared: at its first assignment where that reaches every use, in the head of its loop, or
// without a value in the innermost block around all uses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"

namespace pyk::emitter {

struct Declaration {
    ir::LocalId local;
    bool is_const = false;  ///< its one assignment is the declaration
    bool as_zero = false;   ///< starts as zero: read on a path that does not assign it
};

/// From the declaration to the end of its block, in preorder numbers of statements.
struct Scope {
    uint32_t begin, end;
};

struct Placement {
    /// Of assignments and loops that declare what they assign.
    std::unordered_map<const ir::Stmt*, Declaration> at;
    /// Declared without a value before a statement.
    std::unordered_map<const ir::Stmt*, std::vector<Declaration>> before;
    std::vector<std::vector<Scope>> scopes;  ///< per local
    std::vector<bool> used;                  ///< per local: it occurs in a statement
};

Placement place_declarations(const ir::Function& function);

}  // namespace pyk::emitter
