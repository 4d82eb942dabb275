// Headers in programs: what C++ passes to their functions, on the CPU.
#include <gmock/gmock.h>

#include "cli.h"
#include "compile/host_compiler.h"
#include "compile/nvcc.h"

namespace pyk {
namespace {

constexpr const char* kHeaders = "-I. -I '" PYK_SOURCE_DIR "/runtime/aot' -I '" PYK_SOURCE_DIR
                                 "/runtime/host' -I '" PYK_SOURCE_DIR "/runtime/device'";
constexpr const char* kStrict = " -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ";

class CliHeaders : public Cli, public ::testing::WithParamInterface<const char*> {
  protected:
    void SetUp() override {
        Cli::SetUp();
        for (const char* extension : {".pyk", ".cpp"})
            shell("cp '" PYK_SOURCE_DIR "/tests/cli/headers/" + name_ + extension + "' .");
    }
    void expect_builds(const std::string& line) const {
        const auto built = shell(line);
        EXPECT_EQ(built.exit_code, 0) << line << "\n" << built.messages;
    }

    const std::string name_ = GetParam();
};

TEST_P(CliHeaders, ProgramsPassWhatTheyTake) {
    if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler";
    const auto emitted =
        pykc({name_ + ".pyk", "--emit=cpp=k.cpp", "--emit=header=" + name_ + ".h", "--prelude=include"});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.messages;
    const std::string own = name_ + ".cpp ";
    expect_builds(std::string("c++ -std=c++17 ") + kHeaders + " -w -fwrapv -ffp-contract=off -c k.cpp");
    expect_builds(std::string("c++ -std=c++17 ") + kHeaders + kStrict + own +
                  "k.o '" PYK_RUNTIME "' -ldl -lpthread -o program");
    if (shell("command -v clang++").exit_code == 0)
        expect_builds(std::string("clang++ -std=c++17 -fsyntax-only ") + kHeaders + kStrict + own);
    const auto ran = shell("./program");
    EXPECT_EQ(ran.exit_code, 0) << ran.messages;
}

TEST_P(CliHeaders, NvccTakesThemToo) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc on this machine";
    const auto emitted = pykc({name_ + ".pyk", "--emit=cu=k.cu", "--emit=header=" + name_ + ".h", "--prelude=include"});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.messages;
    const std::string nvcc = "'" + *find_nvcc() + "' -std=c++17 -arch=sm_90 -Werror all-warnings -c ";
    expect_builds(nvcc + kHeaders + " k.cu");
    expect_builds(nvcc + kHeaders + " -x cu " + name_ + ".cpp");
}

INSTANTIATE_TEST_SUITE_P(Types, CliHeaders, ::testing::Values("values", "records"));

}  // namespace
}  // namespace pyk
