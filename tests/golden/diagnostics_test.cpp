// Every diagnostic of pykc: where it is reported, by the comment on that line, and how it reads, by the .txt beside the
// file.
#include <gmock/gmock.h>

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

// What only a person can decide is suggested as well, and not made unasked.
TEST(Suggestions, DoubtfulOnesAreMadeOnRequest) {
    const auto file = std::make_shared<const SourceFile>(
        "k.pyk",
        "from numba import cuda, float32\n\n\n@cuda.jit('void(float32[:], int32)')\ndef one(a, n):\n    a[0] = n\n\n\n"
        "@cuda.jit\ndef two(a: float32[:, :]):\n    a[0, 0] = 1\n\n\n"
        "@cuda.jit('void(float32[:], float32[:])')\ndef three(a, b):\n    a[0] = b[0]\n");
    Directive directive;
    directive.warnings.enabled.insert("perf");
    Diagnostics diagnostics(directive.warnings);
    compile(file, directive, cuda_target(), diagnostics);
    EXPECT_EQ(apply_suggestions(*file, diagnostics).text, file->text());
    const Applied applied = apply_suggestions(*file, diagnostics, true);
    EXPECT_THAT(applied.text, testing::HasSubstr("'void(float32[::1], int32)'"));
    EXPECT_THAT(applied.text, testing::HasSubstr("a: float32[:, ::1]"));
    EXPECT_THAT(applied.text, testing::HasSubstr("'void(float32[:], float32[:])'")) << "which of both is not known";
}

TEST(Suggestions, NamesThatAreNear) {
    const auto file = std::make_shared<const SourceFile>(
        "k.pyk",
        "import math\nfrom numba import cuda\n\n\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    count = 2\n"
        "    a[0] = math.sqroot(a[1]) + cout\n");
    Diagnostics diagnostics;
    compile(file, {}, cuda_target(), diagnostics);
    EXPECT_THAT(apply_suggestions(*file, diagnostics, true).text, testing::HasSubstr("math.sqrt(a[1]) + count"));
}

TEST(Suggestions, ThoseThatOverlapWait) {
    const SourceFile file("k.pyk", "one two three");
    Diagnostics diagnostics;
    const auto edit = [&](uint32_t begin, uint32_t end, const char* text) { return Edit{{&file, begin, end}, text}; };
    const auto report = [&](uint32_t at, std::vector<Edit> edits) {
        diagnostics.report(diag::unknown_name, {&file, at, at + 1}, "x").suggest({"", {}, std::move(edits)});
    };
    report(0, {edit(0, 3, "1"), edit(13, 13, "!")});
    report(1, {edit(4, 7, "2"), edit(13, 13, "!")});
    report(2, {edit(5, 6, "w"), edit(0, 0, "never")});
    report(3, {edit(8, 11, "3"), edit(9, 10, "h")});
    report(4, {});
    const Applied applied = apply_suggestions(file, diagnostics);
    EXPECT_EQ(applied.text, "1 2 three!");
    EXPECT_EQ(applied.suggestions, 2u);
    EXPECT_EQ(applied.conflicting, 2u);
}

INSTANTIATE_TEST_SUITE_P(, DiagnosticsGolden, testing::ValuesIn(find_sources("tests/golden/diagnostics", ".pyk")),
                         [](const auto& info) { return info.param.stem().string(); });

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
