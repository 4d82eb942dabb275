#include "support/files.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "compile/temp_folder.h"

namespace pyk {
namespace {

TEST(Files, NoMoreIsReadThanMayBe) {
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder.file("x"), "12345"));
    std::string bytes;
    EXPECT_TRUE(read_file(folder.file("x"), bytes, 5));
    EXPECT_EQ(bytes, "12345");
    EXPECT_FALSE(read_file(folder.file("x"), bytes, 4));
    EXPECT_EQ(errno, EFBIG);
    EXPECT_FALSE(read_file("/dev/zero", bytes, 1 << 20));
}

TEST(Files, AFolderIsNone) {
    std::string bytes;
    EXPECT_FALSE(read_file("/", bytes));
    EXPECT_EQ(errno, EISDIR);
    EXPECT_FALSE(write_file("/", "x"));
}

}  // namespace
}  // namespace pyk
