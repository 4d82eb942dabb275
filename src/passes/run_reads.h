// Of variables that have two types: what sees a value that the one is assigned, where that is nothing beyond the
// statements behind it in its block.
#pragma once

#include <optional>
#include <unordered_map>

#include "passes/usage.h"

namespace pyk {

class RunReads {
  public:
    RunReads(const ir::Function& function, const Usage& usage);

    /// How many reads see what an assignment's target is given by it; nullopt: that is not known.
    std::optional<uint32_t> of(const ir::Assign& assign) const;

  private:
    friend class RunReadsBuilder;
    std::unordered_map<const ir::Expr*, uint32_t> reads_;  ///< by the value that is assigned
};

}  // namespace pyk
