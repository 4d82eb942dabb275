// Suggestions to convert values where they are written: `float32(n)`.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "advice/written.h"
#include "ir/ir.h"

namespace pyk {

/// What stands at a place becomes a value as a type.
struct Cast {
    Span place, value;
    std::string_view type;
};

class CastSuggestions {
  public:
    CastSuggestions(const ir::Function& function, const Written& files, Diagnostics& diagnostics);

    /// How the file spells a type; nothing if it cannot, or a local variable hides the name.
    std::optional<Spelling> spelling(const SourceFile* file, std::string_view type) const;
    /// For the last finding, if all places are parts of `whole`, an expression's or the function's (and not taken over
    /// from elsewhere).
    void suggest(const std::vector<Cast>& casts, Span whole, bool is_sure) const;

  private:
    const Written& files_;
    Diagnostics& diagnostics_;
    std::unordered_set<std::string_view> names_;  ///< of the locals
};

}  // namespace pyk
