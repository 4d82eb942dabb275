#pragma once

#include <optional>
#include <vector>

#include "passes/ranges.h"

namespace pyk {

/// What the device functions of a module are called with: of `put(out, i, j)`, where `i` and `j` are places in the grid
/// whoever calls it, no index has to be wrapped. Gathered from callers, which are analysed before their callees.
class ParameterRanges {
  public:
    /// `closed`: nothing but the module's own functions calls its device functions.
    ParameterRanges(const ir::Module& module, bool closed);

    /// Takes over what an analysed function calls others with.
    void add_calls(const ir::Function& function, const Ranges& ranges);
    /// Says in a device function what its parameters are, once all callers were taken over.
    void note_in(ir::Function& function) const;

  private:
    void open(ir::FunctionId id) { is_open_[static_cast<size_t>(id)] = true; }

    const ir::Module& module_;
    std::vector<bool> is_open_;                             ///< by function: others call it than those seen before it
    std::vector<std::optional<std::vector<Interval>>> of_;  ///< by function: of all calls so far
};

}  // namespace pyk
