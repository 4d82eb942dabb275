#include "support/apply.h"

#include <algorithm>

namespace pyk {
namespace {

// Two insertions at one place overlap: their order would be arbitrary.
bool overlap(const Edit& a, const Edit& b) {
    if (a.span.begin == b.span.begin) return true;
    return a.span.begin < b.span.end && b.span.begin < a.span.end;
}

}  // namespace

Applied apply_suggestions(const SourceFile& file, const Diagnostics& diagnostics, bool with_doubtful) {
    Applied result;
    std::vector<Edit> edits;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        const auto wanted = [&](const Suggestion& s) {
            return (with_doubtful || s.applicability == Applicability::machine_applicable) && !s.edits.empty() &&
                   s.edits.front().span.file == &file;
        };
        const auto suggestion = std::ranges::find_if(diagnostic.suggestions, wanted);
        if (suggestion == diagnostic.suggestions.end()) continue;
        std::vector<Edit> added;
        std::ranges::copy_if(suggestion->edits, std::back_inserter(added),
                             [&](const Edit& edit) { return std::ranges::find(edits, edit) == edits.end(); });
        const bool conflicts = std::ranges::any_of(added, [&](const Edit& edit) {
            const auto meets = [&](const Edit& other) { return &other != &edit && overlap(edit, other); };
            return std::ranges::any_of(edits, meets) || std::ranges::any_of(added, meets);
        });
        ++(conflicts ? result.conflicting : result.suggestions);
        if (!conflicts) edits.insert(edits.end(), added.begin(), added.end());
    }
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.span.begin; });
    uint32_t done = 0;
    for (const Edit& edit : edits) {
        result.text += file.text().substr(done, edit.span.begin - done);
        result.text += edit.replacement;
        done = edit.span.end;
    }
    result.text += file.text().substr(done);
    return result;
}

}  // namespace pyk
