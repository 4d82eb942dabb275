// What is found to race, and how much of it is told.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// An update that another thread may undo, or a store that it may replace.
struct RaceFinding {
    Span span;
    const ir::Function* function;
    ir::LocalId array;
    std::string_view who;
    std::optional<std::string_view> atomic;  ///< that makes the update; none: what was there is not read
};

class RaceFindings {
  public:
    /// One for each statement, which an unrolled loop has several times.
    void add(const RaceFinding& finding);
    /// Those of one array in one function have one cause and one cure: of hundreds of such lines the first are shown.
    void report(Diagnostics& diagnostics) const;

  private:
    std::vector<RaceFinding> findings_;
    std::set<std::pair<const ir::Function*, uint32_t>> statements_;
};

}  // namespace pyk
