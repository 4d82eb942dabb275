#include "compile/toolkit.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "compile/temp_folder.h"
#include "environment.h"
#include "support/files.h"

namespace pyk {
namespace {

class Toolkits : public ::testing::Test {
  protected:
    // A program of a toolkit that is in a folder of this name.
    std::string make(const std::string& toolkit, const std::string& program) const {
        const std::string bin = folder.file(toolkit) + "/bin";
        std::filesystem::create_directories(bin);
        const std::string path = bin + "/" + program;
        EXPECT_TRUE(write_file(path, "#!/bin/sh\n"));
        EXPECT_EQ(chmod(path.c_str(), 0755), 0);
        return path;
    }

    const TempFolder folder;
    const std::string home = folder.file("home"), other = folder.file("other"), path = folder.file("path/bin");
    const ScopedVariable cuda_home{"CUDA_HOME", home.c_str()}, cuda_path{"CUDA_PATH", other.c_str()},
        searched{"PATH", path.c_str()}, nvcc{"PYK_NVCC", nullptr};
};

TEST_F(Toolkits, OneThatIsNamedGoesBeforePath) {
    EXPECT_FALSE(find_toolkit_program("pyk-no-tool"));
    for (const char* toolkit : {"path", "other", "home"}) {
        const std::string made = make(toolkit, "pyk-no-tool");
        EXPECT_EQ(find_toolkit_program("pyk-no-tool"), made);
    }
}

TEST_F(Toolkits, AnNvccThatIsNamedIsOfTheToolkitToUse) {
    const std::string compiler = make("mine", "nvcc"), beside = make("mine", "fatbinary");
    make("home", "fatbinary");
    const std::string elsewhere = make("home", "nvdisasm");
    const ScopedVariable named("PYK_NVCC", compiler.c_str());
    EXPECT_EQ(find_toolkit_program("fatbinary"), beside);
    EXPECT_EQ(find_toolkit_program("nvdisasm"), elsewhere);
}

}  // namespace
}  // namespace pyk
