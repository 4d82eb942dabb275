// Suggestions made in the text.
#pragma once

#include <string>

#include "support/diagnostics.h"

namespace pyk {

struct Applied {
    std::string text;        ///< the file's text with the edits
    size_t suggestions = 0;  ///< how many were made
    size_t conflicting = 0;  ///< how many overlap one that was made, or themselves: they are not
};

/// Makes the first suggestion of each diagnostic that changes this file, in the order of the diagnostics.
/// `with_doubtful`: also those that are not machine-applicable.
Applied apply_suggestions(const SourceFile& file, const Diagnostics& diagnostics, bool with_doubtful = false);

}  // namespace pyk
