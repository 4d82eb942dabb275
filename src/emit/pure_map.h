// Kernels that are pure maps: each thread has the elements of its own index, and nothing else in memory.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/ir.h"

namespace pyk::emitter {

/// A kernel of the form
///     <prefix>; i = cuda.grid(1); if i < limit: <body>
/// with the index of `threadIdx.x + blockIdx.x * blockDim.x` as well, whose parts may have names, the guard as an early
/// return as well, with several limits, or without a guard. Elements are read and stored at `i` only, of contiguous
/// arrays of one axis; whatever is stored is stored for each `i`. A thread may then have several such indices, and move
/// their elements at once.
struct PureMap {
    struct Use {
        ir::LocalId array;
        bool reads = false, writes = false;
    };
    struct Limit {
        const ir::Expr* value;  ///< int64
        bool is_inclusive;      ///< `i <= limit`
    };
    using Range = std::pair<const ir::Stmt*, const ir::Stmt*>;  ///< first and end

    ir::LocalId index{};
    std::vector<const ir::Stmt*> prefix;  ///< does not depend on the index
    std::vector<Limit> limits;            ///< all of the guard: none where there is no guard
    Range body;
    std::vector<Use> uses;
    size_t expressions = 0;  ///< of the body, callees included
};

/// The kernel as a pure map, or why it is none: `it has a loop`.
std::variant<PureMap, std::string> pure_map(const ir::Module& module, const ir::Function& kernel);

}  // namespace pyk::emitter
