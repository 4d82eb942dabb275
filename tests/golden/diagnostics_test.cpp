// Every diagnostic of pykc: where it is reported, by the comment on that line, and how it reads, by the .txt beside the
// file.
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "annotations.h"
#include "directive.h"
#include "golden.h"
#include "support/apply.h"
#include "targets/target.h"

namespace pyk::golden {
namespace fs = std::filesystem;
namespace {

class DiagnosticsGolden : public testing::TestWithParam<fs::path> {};

TEST_P(DiagnosticsGolden, IsAsAnnotated) {
    const auto file = std::make_shared<const SourceFile>(GetParam().filename().string(), read(GetParam()));
    const Directive directive = parse_directive(file->text());
    Diagnostics diagnostics(directive.warnings);
    compile(file, directive, cuda_target(), diagnostics);

    const auto expected = expected_findings(file->text());
    const auto found = findings(diagnostics, *file);
    EXPECT_EQ(missing_from(expected, found), "") << "annotated and not reported";
    EXPECT_EQ(missing_from(found, expected), "") << "reported and not annotated:\n" << render(diagnostics);
    EXPECT_TRUE(matches(fs::path(GetParam()).replace_extension(".txt"), render(diagnostics)));
}

// `x.fixed` beside `x.pyk`: what the machine-applicable suggestions make of it, one compilation after the other, until
// none is left.
TEST_P(DiagnosticsGolden, IsFixedAsWritten) {
    const fs::path fixed = fs::path(GetParam()).replace_extension(".fixed");
    auto file = std::make_shared<const SourceFile>(GetParam().filename().string(), read(GetParam()));
    const Directive directive = parse_directive(file->text());
    std::string text(file->text());
    for (int round = 0; round < 4; ++round) {
        Diagnostics diagnostics(directive.warnings);
        compile(file, directive, cuda_target(), diagnostics);
        const Applied applied = apply_suggestions(*file, diagnostics);
        text = applied.text;
        if (applied.suggestions == 0) break;
        file = std::make_shared<const SourceFile>(file->name(), text);
    }
    if (text == read(GetParam())) {
        EXPECT_FALSE(fs::exists(fixed)) << "nothing is suggested";
        return;
    }
    EXPECT_TRUE(matches(fixed, text));
    Diagnostics diagnostics(directive.warnings);
    compile(file, directive, cuda_target(), diagnostics);
    EXPECT_EQ(apply_suggestions(*file, diagnostics).suggestions, 0u) << "suggestions without end";
}

INSTANTIATE_TEST_SUITE_P(, DiagnosticsGolden, testing::ValuesIn(find_sources("tests/golden/diagnostics", ".pyk")),
                         [](const auto& info) { return info.param.stem().string(); });

// `id: reason` per line.
std::map<std::string, std::string> exemptions() {
    std::map<std::string, std::string> reasons;
    std::ifstream in(fs::path(PYK_SOURCE_DIR) / "tests/golden/diagnostics/exempt.txt");
    for (std::string line; std::getline(in, line);)
        if (const size_t colon = line.find(": "); colon != std::string::npos)
            reasons[line.substr(0, colon)] = line.substr(colon + 2);
    return reasons;
}

TEST(DiagnosticsCoverage, EveryIdIsShownOrExemptWithAReason) {
    std::set<std::string> shown;
    for (const auto& path : find_sources("tests/golden/diagnostics", ".pyk"))
        for (const Finding& f : expected_findings(read(path))) shown.insert(f.id);
    const auto exempt = exemptions();

    std::vector<std::string> neither, both;
    for (const DiagnosticInfo& info : all_diagnostics()) {
        const std::string id(info.id);
        if (!shown.count(id) && !exempt.count(id)) neither.push_back(id);
        if (shown.count(id) && exempt.count(id)) both.push_back(id);
    }
    EXPECT_THAT(neither, testing::IsEmpty()) << "no file of tests/golden/diagnostics shows these";
    EXPECT_THAT(both, testing::IsEmpty()) << "these are shown: drop them from exempt.txt";
}

// Rows may share an id when they say the same thing about different cases.
TEST(DiagnosticsCoverage, IdsAreKebabCaseAndHaveOneSeverity) {
    std::map<std::string_view, Severity> severities;
    for (const DiagnosticInfo& info : all_diagnostics()) {
        EXPECT_EQ(severities.emplace(info.id, info.severity).first->second, info.severity) << info.id;
        EXPECT_THAT(std::string(info.id), testing::MatchesRegex("[a-z0-9]+(-[a-z0-9]+)*"));
    }
}

}  // namespace
}  // namespace pyk::golden
