#include "driver/load.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "compile/temp_folder.h"
#include "driver/pipeline.h"
#include "support/files.h"

namespace pyk {
namespace {

TEST(Load, GivesTheBytesAsTheyAre) {
    const TempFolder folder;
    const std::string_view text("\xef\xbb\xbf# x\r\n\0\xff", 10);
    ASSERT_TRUE(write_file(folder.file("a.pyk"), text));
    std::string error;
    const SourceFilePtr source = load(folder.file("a.pyk"), error);
    ASSERT_TRUE(source) << error;
    EXPECT_EQ(source->text(), text);
    EXPECT_EQ(source->name(), folder.file("a.pyk"));
}

TEST(Load, TakesTheCodeOfNotebooks) {
    std::string error;
    const SourceFilePtr source = decode("a.ipynb", R"({
 "cells": [
  {"cell_type": "markdown", "source": ["# No code\n", "x = 1"]},
  {"cell_type": "code", "source": ["%matplotlib inline\n", "import numba\n", "!pip install numba\n", "\n", "numba.cuda?"]},
  {"cell_type": "code", "source": "%%time\nk[1, 1](a)\nif a:\n    %timeit -n 10 -r2 k[1, 1](a)\n    !ls\nb = 7 %3\n"},
  {"cell_type": "code", "source": ["%%bash\n", "rm x\n"]},
  {"cell_type": "code", "source": []},
  {"cell_type": "raw", "source": ["no\n"]}
 ],
 "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5})",
                                        error);
    ASSERT_TRUE(source) << error;
    EXPECT_EQ(source->text(),
              "# cell 1\n# %matplotlib inline\nimport numba\n# !pip install numba\n\n# numba.cuda?\n"
              "# cell 2\n# %%time\nk[1, 1](a)\nif a:\n    k[1, 1](a)\n    pass  # !ls\nb = 7 %3\n"
              "# cell 3\n# %%bash\n# rm x\n"
              "# cell 4\n");
}

std::string notebook_of(const std::vector<std::string>& cells) {
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& cell : cells) all.push_back({{"cell_type", "code"}, {"source", cell}});
    return nlohmann::json{{"cells", all}, {"nbformat", 4}}.dump();
}

TEST(Load, TakesTheCommandsOfNotebooksForWhatTheyAre) {
    const auto code_of = [](const std::string& cell) {
        std::string error;
        const SourceFilePtr source = decode("a.ipynb", notebook_of({cell}), error);
        return source ? std::string(source->text()) : error;
    };
    EXPECT_EQ(code_of("t = %timeit -o -n 3 k[1, 2](x)"),
              "# cell 1\nk[1, 2](x); t = get_ipython()  # %timeit -o -n 3 k[1, 2](x)\n");
    EXPECT_EQ(code_of("files = !ls *.cu\nif a:\n    home = %env HOME"),
              "# cell 1\nfiles = get_ipython()  # !ls *.cu\nif a:\n    home = get_ipython()  # %env HOME\n");
    EXPECT_EQ(code_of("!nvcc a.cu \\\n  -o a\nx = 1"), "# cell 1\n# !nvcc a.cu \\\n#   -o a\nx = 1\n");
    EXPECT_EQ(code_of("pip install numba"), "# cell 1\n# pip install numba\n");
    EXPECT_EQ(code_of("from __future__ import division"), "# cell 1\n# from __future__ import division\n");
    for (const std::string python : {"pip = 3", "x = y % z", "d['a'] = 7 %3", "x = (3 if a != b else 2)", "a = b = c"})
        EXPECT_EQ(code_of(python), "# cell 1\n" + python + "\n");
}

TEST(Load, LeavesOutCellsThatAreNoPython) {
    const std::string ready = "@cuda.jit('void(float32[::1])')\ndef ready(x):\n    x[0] = 1\n";
    std::string error;
    SourceFilePtr source = decode(
        "a.ipynb",
        notebook_of({"from numba import cuda", "@cuda.jit\ndef todo(x, y):\n    # TODO \u00e9", ready, "print 1"}),
        error);
    ASSERT_TRUE(source) << error;
    Diagnostics findings;
    const auto program = read_program(source, {}, findings);
    ASSERT_TRUE(program) << render(findings);
    ASSERT_EQ(program->kernels.size(), 1u);
    EXPECT_EQ(program->kernels[0].name, "ready");
    EXPECT_EQ(program->kernels[0].span.line(), 9u) << "of all cells";
    EXPECT_THAT(
        render(findings),
        ::testing::AllOf(::testing::StartsWith("a.ipynb:6:13: warning: cell 2 of the notebook is left out, since "
                                               "it is no Python: expected an indented block after this `def`"),
                         ::testing::HasSubstr("a.ipynb:12:1: warning: cell 4 of the notebook is left out")));
    // A comment that reads like the beginning of a cell is none.
    source = decode("b.ipynb", notebook_of({"N = 3\n# cell 2\nM = N", "print 1"}), error);
    Diagnostics others;
    ASSERT_TRUE(read_program(source, {}, others));
    EXPECT_THAT(render(others), ::testing::StartsWith("b.ipynb:6:1: warning: cell 2 of the notebook is left out"));
    // Elsewhere a syntax error is one.
    Diagnostics errors;
    EXPECT_FALSE(read_program(std::make_shared<SourceFile>("a.py", std::string(source->text())), {}, errors));
}

TEST(Load, SaysWhatIsWrong) {
    std::string error;
    EXPECT_FALSE(load("/nowhere/a.pyk", error));
    EXPECT_THAT(error, ::testing::HasSubstr("cannot read /nowhere/a.pyk: No such file"));
    EXPECT_FALSE(load("/usr", error));
    EXPECT_THAT(error, ::testing::HasSubstr("directory"));
    EXPECT_FALSE(decode("a.ipynb", "{\"worksheets\": [], \"nbformat\": 3}", error));
    EXPECT_THAT(error, ::testing::StartsWith("a.ipynb is no notebook of nbformat 4"));
    EXPECT_FALSE(decode("a.ipynb", "{\"nbformat\": 4, \"cells\": [", error));
    EXPECT_FALSE(
        decode("a.ipynb", R"({"cells": [], "metadata": {"language_info": {"name": "julia"}}, "nbformat": 4})", error));
    EXPECT_THAT(error, ::testing::HasSubstr("a notebook of julia, not of Python"));
    EXPECT_FALSE(decode("a\nint evil.pyk", "", error)) << "it would leave a comment of what is emitted";
    EXPECT_THAT(error, ::testing::HasSubstr("has a line break"));
}

}  // namespace
}  // namespace pyk
