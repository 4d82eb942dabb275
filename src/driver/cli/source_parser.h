// The options that `pykc FILE` and `pykc run FILE` share.
#pragma once

#include <string>
#include <vector>

#include "driver/cli/parser.h"

namespace pyk {

/// Options whose values are read after CLI11 has taken their text.
class SourceParser : public Parser {
  public:
    using Parser::Parser;

  protected:
    void declare_source(SourceOptions& options);
    /// How diagnostics are shown: of commands that show them one by one.
    void declare_messages(SourceOptions& options);
    /// Throws UsageError.
    void finish_source(SourceOptions& options) const;

  private:
    std::vector<std::string> defines_, warnings_;
    std::string typing_ = "numba", fmad_ = "true", format_ = "text", color_ = "auto";
};

}  // namespace pyk
