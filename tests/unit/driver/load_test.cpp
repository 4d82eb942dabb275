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

TEST(Load, SaysWhatIsWrong) {
    std::string error;
    EXPECT_FALSE(load("/nowhere/a.pyk", error));
    EXPECT_THAT(error, ::testing::HasSubstr("cannot read /nowhere/a.pyk: No such file"));
    EXPECT_FALSE(load("/usr", error));
    EXPECT_THAT(error, ::testing::HasSubstr("directory"));
    EXPECT_FALSE(decode("a.ipynb", "{\n \"cells\": [],\n \"nbformat\": 4\n}\n", error));
    EXPECT_NE(error.find("jupyter nbconvert --to script a.ipynb"), std::string::npos) << error;
    EXPECT_FALSE(decode("a\nint evil.pyk", "", error)) << "it would leave a comment of what is emitted";
    EXPECT_THAT(error, ::testing::HasSubstr("has a line break"));
}

}  // namespace
}  // namespace pyk
