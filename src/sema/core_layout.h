// The layout of `@guvectorize`: which of an operand's last axes one call gets, `(m,n),(n)->(m)`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// A name that stands for one extent wherever it occurs, or a number that is one.
struct CoreExtent {
    std::string name;
    int64_t fixed = 0;  ///< 0: of the operands
};

struct CoreLayout {
    std::vector<CoreExtent> extents;
    std::vector<std::vector<size_t>> operands;  ///< per axis its extent; the inputs come first
    size_t inputs = 0;

    std::string text() const;
};

/// `error`: what is wrong, where nothing comes back. As Numba reads it, with NumPy's numbers besides.
std::optional<CoreLayout> parse_core_layout(std::string_view text, std::string& error);

}  // namespace pyk
