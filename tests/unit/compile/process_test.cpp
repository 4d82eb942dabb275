#include "compile/process.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "compile/temp_folder.h"
#include "environment.h"
#include "support/files.h"

namespace pyk {
namespace {

TEST(Process, CapturesBothStreamsAndTheExitCode) {
    const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 7"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 7);
    EXPECT_EQ(result->output, "out\n");
    EXPECT_EQ(result->messages, "err\n");
}

TEST(Process, PassesArgumentsAsTheyAre) {
    const std::string odd = "a b'\"$HOME`;&|\n*";
    const auto result = run_process({"printf", "%s", odd});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, odd);
}

TEST(Process, DrainsMoreThanPipesHold) {
    const auto result = run_process({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output.size(), 300000u);
    EXPECT_EQ(result->messages.size(), 300000u);
}

TEST(Process, StdinIsEmpty) {
    const auto result = run_process({"cat"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "");
    EXPECT_EQ(result->exit_code, 0);
}

TEST(Process, SaysWhichSignalEndedIt) {
    const auto result = run_process({"sh", "-c", "kill -TERM $$"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 128 + 15);
}

// As daemons do; the child then starts others itself, as compilers do.
TEST(Process, RunsWhereSignalsAreIgnored) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const auto result = run_process({"sh", "-c", "sh -c 'exit 3'; echo $?"});
    std::signal(SIGCHLD, before);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "3\n");
    EXPECT_EQ(result->exit_code, 0);
}

TEST(Process, RunsInAFolder) {
    const auto result = run_process({"pwd"}, "/usr");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "/usr\n");
}

TEST(Process, AProgramThatIsNotThere) {
    EXPECT_FALSE(run_process({"/nowhere/at-all"}));
    EXPECT_EQ(errno, ENOENT);
}

TEST(FindProgram, LooksInPathAndTakesPaths) {
    EXPECT_TRUE(find_program("sh"));
    EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
    EXPECT_FALSE(find_program("/bin"));
    EXPECT_FALSE(find_program("no-such-program-anywhere"));
    EXPECT_FALSE(find_program(""));
    const ScopedVariable path("PATH", "/nowhere:/dev");
    EXPECT_FALSE(find_program("sh"));
}

// It may be run in another folder than this one.
TEST(FindProgram, GivesAbsolutePaths) {
    const TempFolder folder;
    const std::string name = std::filesystem::path(folder.path()).filename().string();
    std::filesystem::copy_file(find_program("true").value(), folder.file("tool"));
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(std::filesystem::path(folder.path()).parent_path());
    const ScopedVariable path("PATH", name.c_str());
    EXPECT_EQ(find_program("tool"), folder.file("tool"));
    EXPECT_EQ(find_program(name + "/tool"), folder.file("tool"));
    std::filesystem::current_path(folder.path());
    const ScopedVariable here("PATH", ":/nowhere");
    EXPECT_EQ(find_program("tool"), folder.file("tool"));
    std::filesystem::current_path(before);
}

TEST(TempFolder, IsPrivateAndGoesAway) {
    std::string path;
    {
        const TempFolder folder;
        ASSERT_TRUE(folder.ok());
        path = folder.path();
        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
        EXPECT_TRUE(write_file(folder.file("x"), std::string_view("a\0b", 3)));
        std::string back;
        EXPECT_TRUE(read_file(folder.file("x"), back));
        EXPECT_EQ(back, std::string_view("a\0b", 3));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TempFolder, SaysWhenItCannot) {
    const ScopedVariable tmp("TMPDIR", "/nowhere");
    EXPECT_FALSE(TempFolder().ok());
}

}  // namespace
}  // namespace pyk
