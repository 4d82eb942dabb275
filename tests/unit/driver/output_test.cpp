#include "driver/cli/output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compile/temp_folder.h"
#include "driver/cli/failure.h"
#include "support/files.h"

namespace pyk {
namespace {

std::string content(const std::string& path) {
    std::string bytes;
    EXPECT_TRUE(read_file(path, bytes));
    return bytes;
}

size_t files_in(const std::string& folder) {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

TEST(Output, WritesAFileAndNothingElse) {
    const TempFolder folder;
    write_output(folder.file("a"), std::string_view("x\0y", 3));
    EXPECT_EQ(content(folder.file("a")), std::string_view("x\0y", 3));
    write_output(folder.file("a"), "new");
    EXPECT_EQ(content(folder.file("a")), "new");
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(Output, HasTheModeOfAnyNewFileAndKeepsThatOfAnOldOne) {
    const TempFolder folder;
    std::ofstream(folder.file("reference")) << "x";
    write_output(folder.file("a"), "x");
    struct stat reference, made;
    ASSERT_EQ(stat(folder.file("reference").c_str(), &reference), 0);
    ASSERT_EQ(stat(folder.file("a").c_str(), &made), 0);
    EXPECT_EQ(made.st_mode, reference.st_mode);
    ASSERT_EQ(chmod(folder.file("a").c_str(), 0600), 0);
    write_output(folder.file("a"), "y");
    ASSERT_EQ(stat(folder.file("a").c_str(), &made), 0);
    EXPECT_EQ(made.st_mode & 0777, 0600u);
}

TEST(Output, FailsWithoutATrace) {
    const TempFolder folder;
    EXPECT_THROW(write_output(folder.file("no/such/folder"), "x"), InputOutputError);
    std::filesystem::create_directory(folder.file("d"));
    EXPECT_THROW(write_output(folder.file("d"), "x"), InputOutputError);
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(Output, AFullDiskIsAnError) {
    EXPECT_THROW(write_output("/dev/full", std::string(100000, 'x')), InputOutputError);
}

TEST(Output, DevicesAreWrittenInPlace) {
    write_output("/dev/null", "x");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Output, ALinkStaysALink) {
    const TempFolder folder;
    write_output(folder.file("real"), "x");
    std::filesystem::create_symlink(folder.file("real"), folder.file("link"));
    write_output(folder.file("link"), "y");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(content(folder.file("real")), "y");
}

}  // namespace
}  // namespace pyk
