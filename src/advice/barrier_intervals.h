// What a thread reads of shared memory while another stores it, the two in one barrier interval: between two barriers
// the threads of a block have no order.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk {

struct UnorderedRead {
    ir::LocalId array;
    Span read, store;
    bool is_stored_by_one;  ///< by one thread: `if t == 0`
};

/// Along straight lines of a kernel, by the constants that tests of a thread's number and distances between places are:
/// `if t < 32: s[t] += s[t + 32]` before `if t < 16: s[t] += s[t + 16]`.
std::vector<UnorderedRead> unordered_reads(const ir::Module& module, const ir::Function& kernel);

}  // namespace pyk
