// Value ranges, seen through the indices that may not, or must, wrap. A wrong claim that something is never negative
// fails here.
#pragma once

#include <string>

#include "pass_test.h"
#include "passes/elide_wraps.h"

namespace pyk::test {

/// The body of a kernel in which every index `wrap e` is as sema leaves it; `after` tells which of them remain.
inline void expect_wraps(const std::string& after) {
    const std::string head =
        "kernel k = k_(a: int64[::1], b: float32[:, ::1], n: int64, m: int32, u: uint64, w: uint8, f: float64) {\n"
        "var i: int64 var j: int64 var x: int64 temp c: int32 var v: uint64\n";
    std::string before;
    for (size_t at = 0; at < after.size(); ++at) {
        const bool opens = after[at] == '[' && after.compare(at, 6, "[wrap ") != 0;
        before += after[at];
        if (opens) before += "wrap ";
    }
    expect_pass(elide_wraps, head + before + "\n}", head + after + "\n}");
}

}  // namespace pyk::test
