#include "advice/race_findings.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace pyk {

void RaceFindings::add(const RaceFinding& finding) {
    if (statements_.emplace(finding.function, finding.span.begin).second) findings_.push_back(finding);
}

void RaceFindings::report(Diagnostics& diagnostics) const {
    constexpr size_t kShown = 3;
    using Kind = std::tuple<const ir::Function*, ir::LocalId, std::optional<std::string_view>>;
    const auto kind = [](const RaceFinding& finding) { return Kind(finding.function, finding.array, finding.atomic); };
    std::map<Kind, std::vector<Span>> all;
    std::map<Kind, size_t> shown;
    for (const RaceFinding& finding : findings_) all[kind(finding)].push_back(finding.span);
    for (const RaceFinding& finding : findings_) {
        const std::vector<Span>& like = all[kind(finding)];
        const size_t number = ++shown[kind(finding)];
        if (number > kShown) continue;
        const std::string_view array = finding.function->local(finding.array).name;
        if (finding.atomic)
            diagnostics.report(diag::race, finding.span, finding.who, array, *finding.atomic);
        else
            diagnostics.report(diag::store_race, finding.span, finding.who, array);
        if (number < kShown || like.size() == kShown) continue;
        diagnostics.note(like[kShown], like.size() == kShown + 1
                                           ? "here is one more like it"
                                           : fmt::format("here is the first of {} more like it, the last in line {}",
                                                         like.size() - kShown, like.back().line()));
    }
}

}  // namespace pyk
