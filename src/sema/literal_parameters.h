// Parameters whose values a function has to know when it is compiled: the shapes of its arrays, the size of its tiles.
#pragma once

#include <map>
#include <string_view>
#include <utility>

#include "module/entity.h"

namespace pyk {

/// Of every function that is asked about, once. Not for several threads.
class LiteralParameters {
  public:
    /// Whether a constant argument is known in the function itself, as Numba's literals are: what must be known there
    /// is computed of the parameter, or a function that it calls with it has such a one. A function with signatures has
    /// none, nor has one that assigns the parameter.
    bool has(const FunctionInfo& info, std::string_view parameter);

  private:
    bool find(const FunctionInfo& info, std::string_view parameter);

    std::map<std::pair<const FunctionInfo*, std::string_view>, bool> known_;
};

}  // namespace pyk
