// Places that threads beyond a bound share: `x[min(i, 10)]`.
#pragma once

#include <set>

#include "advice/thread_variables.h"
#include "advice/updates.h"

namespace pyk {

class ClampedPlaces {
  public:
    explicit ClampedPlaces(const ThreadVariables& variables);

    /// The axes along which an element's place tells threads apart up to a bound only, at which the others meet.
    ThreadAxes axes(const StoredPlace& element) const;

  private:
    ThreadAxes axes(const ir::Expr& number, int depth) const;
    ThreadAxes axes(const ir::BuiltinCall& call, int depth) const;

    const ThreadVariables& variables_;
    std::set<ir::LocalId> tested_;  ///< variables that conditions ask about
};

}  // namespace pyk
