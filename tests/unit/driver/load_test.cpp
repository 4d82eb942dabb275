#include "driver/load.h"

#include <gmock/gmock.h>

#include "compile/temp_folder.h"

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
