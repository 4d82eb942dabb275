// docs/diagnostics/ID.md, what `pykc --explain ID` shows: each id of the table has a page, whose wrong example gives
// that very diagnostic, by the comment on the line, and whose right one gives none.
#include <gmock/gmock.h>

#include <regex>

#include "annotations.h"
#include "directive.h"
#include "golden.h"
#include "support/explain.h"
#include "targets/target.h"

namespace pyk::golden {
namespace fs = std::filesystem;
namespace {

fs::path page_of(std::string_view id) {
    return fs::path(PYK_SOURCE_DIR) / "docs/diagnostics" / (std::string(id) + ".md");
}

std::vector<std::string> ids() {
    std::set<std::string> all;
    for (const DiagnosticInfo& info : all_diagnostics()) all.emplace(info.id);
    return {all.begin(), all.end()};
}

struct Block {
    std::string language, text;
};
std::vector<Block> blocks_of(const std::string& page) {
    static const std::regex fenced("(?:^|\n)```([a-z]+)\n([^]*?\n)```(?=\n)");
    std::vector<Block> blocks;
    for (std::sregex_iterator it(page.begin(), page.end(), fenced), end; it != end; ++it)
        blocks.push_back({(*it)[1], (*it)[2]});
    return blocks;
}

// A file of its own, for the commands of the page: tests/docs/check_docs.py compiles it, and runs them.
bool is_named(const Block& block) { return std::regex_search(block.text, std::regex("^# \\w+\\.\\w+\n")); }

// Shown by commands, a program or a situation: only of what no source text gives.
bool is_shown_outside(const std::string& id, const std::vector<Block>& blocks) {
    return exemptions().count(id) && std::ranges::any_of(blocks, [&](const Block& block) {
               return block.language != "python" && (block.text.find("error: " + id + "\n") != std::string::npos ||
                                                     block.text.find("[" + id + "]") != std::string::npos);
           });
}

class Pages : public testing::TestWithParam<std::string> {};

TEST_P(Pages, ExamplesGiveWhatTheySay) {
    const std::string& id = GetParam();
    const std::vector<Block> blocks = blocks_of(read(page_of(id)));
    ASSERT_THAT(blocks, testing::Not(testing::IsEmpty())) << page_of(id) << " is missing or shows nothing";
    bool is_shown = is_shown_outside(id, blocks), has_right = is_shown;
    for (const Block& block : blocks) {
        if (block.language != "python" || is_named(block)) continue;
        SCOPED_TRACE(block.text);
        const auto file = std::make_shared<const SourceFile>(page_of(id).string(), block.text);
        const Directive directive = parse_directive(block.text);
        Diagnostics diagnostics(directive.warnings);
        const auto unit = compile(file, directive, directive.for_cpu ? cpu_target() : cuda_target(), diagnostics);

        const auto expected = expected_findings(block.text), found = findings(diagnostics, *file);
        EXPECT_EQ(missing_from(expected, found), "") << "announced and not reported";
        EXPECT_EQ(missing_from(found, expected), "") << "reported and not announced:\n" << render(diagnostics);
        EXPECT_TRUE(unit || diagnostics.has_errors());
        is_shown |= std::ranges::any_of(found, [&](const Finding& finding) { return finding.id == id; });
        has_right |= found.empty();
    }
    EXPECT_TRUE(is_shown) << "no example gives " << id;
    EXPECT_TRUE(has_right) << "no example is right";
}

TEST_P(Pages, ReadWellInATerminal) {
    const std::string& id = GetParam();
    EXPECT_THAT(read(page_of(id)), testing::StartsWith("# " + id + "\n\n"));
    const std::string text = explain(id).value_or("");
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("```")));
    const size_t page = text.find("\n\n");
    ASSERT_NE(page, std::string::npos) << "the page is not carried";
    EXPECT_THAT(text, testing::EndsWith("\n"));
    for (size_t begin = page; begin < text.size();) {
        const size_t end = text.find('\n', begin);
        EXPECT_LE(end - begin, 96u) << text.substr(begin, end - begin);
        begin = end + 1;
    }
}

INSTANTIATE_TEST_SUITE_P(, Pages, testing::ValuesIn(ids()), [](const auto& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(PagesOfDiagnostics, AreThoseOfTheTable) {
    std::vector<std::string> pages;
    for (const fs::path& path : find_sources("docs/diagnostics", ".md")) pages.push_back(path.stem());
    EXPECT_THAT(pages, testing::UnorderedElementsAreArray(ids()));
}

TEST(PagesOfDiagnostics, AreListedByGroup) {
    const std::string index = read(fs::path(PYK_SOURCE_DIR) / "docs/diagnostics.md");
    static const std::regex link("\\[`([a-z0-9-]+)`\\]\\(diagnostics/([a-z0-9-]+)\\.md\\)");
    std::vector<std::string> listed;
    for (std::sregex_iterator it(index.begin(), index.end(), link), end; it != end; ++it) {
        EXPECT_EQ((*it)[1], (*it)[2]);
        listed.push_back((*it)[1]);
    }
    EXPECT_THAT(listed, testing::UnorderedElementsAreArray(ids()));
}

TEST(PagesOfDiagnostics, NearMissesAreNamed) {
    EXPECT_EQ(nearest_id("unkown-name"), "unknown-name");
    EXPECT_EQ(nearest_id("race-condition-of-threads"), "");
}

}  // namespace
}  // namespace pyk::golden
