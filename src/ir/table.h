// The elements of an array that is known when the kernel is compiled.
#pragma once

#include <cstdint>
#include <vector>

namespace pyk::ir {

struct Table {
    std::vector<int64_t> shape;
    std::vector<unsigned char> bytes;  ///< as in memory, the last axis fastest whatever the array's layout

    bool operator==(const Table&) const = default;
};

}  // namespace pyk::ir
