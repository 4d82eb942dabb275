#include "advice/cast_suggestions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace pyk {

CastSuggestions::CastSuggestions(const ir::Function& function, const Written& files, Diagnostics& diagnostics)
    : files_(files), diagnostics_(diagnostics) {
    for (const ir::Local& local : function.locals) names_.insert(local.name);
}

std::optional<Spelling> CastSuggestions::spelling(const SourceFile* file, std::string_view type) const {
    std::optional<Spelling> found = files_.spelling(file, type);
    const std::string_view text = found ? std::string_view(found->text) : std::string_view();
    if (names_.contains(text.substr(0, text.find('.')))) return std::nullopt;
    return found;
}

void CastSuggestions::suggest(const std::vector<Cast>& casts, Span whole, bool is_sure) const {
    Suggestion suggestion;
    if (!is_sure) suggestion.applicability = Applicability::maybe_incorrect;
    std::vector<std::string> written;
    std::vector<Edit> imports;
    for (const auto& [place, value, type] : casts) {
        const std::optional<Spelling> name = spelling(whole.file, type);
        const bool is_part = place.file == whole.file && place.begin >= whole.begin && place.end <= whole.end;
        if (!name || !is_part || value.file != whole.file || value.text().empty()) return;
        const std::string text = fmt::format("{}({})", name->text, value.text());
        suggestion.edits.push_back({place, text});
        written.push_back("`" + text + "`");
        if (name->import && std::ranges::find(imports, *name->import) == imports.end())
            imports.push_back(*name->import);
    }
    suggestion.text = fmt::format("write {}", fmt::join(written, " and "));
    std::ranges::copy(imports, std::back_inserter(suggestion.edits));
    diagnostics_.suggest(std::move(suggestion));
}

}  // namespace pyk
