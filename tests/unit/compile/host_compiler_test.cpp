#include "compile/host_compiler.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "compile/temp_folder.h"
#include "environment.h"
#include "support/files.h"

namespace pyk {
namespace {

Unit unit(std::string text) {
    Unit result;
    result.text = std::move(text);
    return result;
}

TEST(HostCompiler, MakesALibraryThatLoads) {
    const auto artifact = compile_with_host_compiler(unit("extern \"C\" int answer() { return 42; }\n"));
    ASSERT_TRUE(artifact) << artifact.error().text << artifact.error().log;
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder.file("a.so"), artifact->bytes));
    void* library = dlopen(folder.file("a.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    const auto answer = reinterpret_cast<int (*)()>(dlsym(library, "answer"));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer(), 42);
    dlclose(library);
}

TEST(HostCompiler, ReturnsTheLogOfTextThatDoesNotCompile) {
    const auto artifact = compile_with_host_compiler(unit("nonsense"));
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::rejected);
    EXPECT_NE(artifact.error().log.find("nonsense"), std::string::npos);
}

TEST(HostCompiler, MissingOneIsSaid) {
    const ScopedVariable cxx("CXX", "/nowhere/c++");
    const auto artifact = compile_with_host_compiler(unit(""));
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::missing);
    EXPECT_NE(artifact.error().text.find("CXX"), std::string::npos);
}

TEST(HostCompiler, ACompilerThatFailsForNoReasonIsNoFaultOfOurs) {
    const ScopedVariable cxx("CXX", "/bin/false");
    const auto artifact = compile_with_host_compiler(unit(""));
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::unusable);
    EXPECT_NE(artifact.error().text.find("/bin/false compiles no C++ program"), std::string::npos)
        << artifact.error().text;
}

TEST(HostCompiler, OptionsThatItDoesNotKnowAreNoFaultOfOurs) {
    const ScopedVariable cxx("CXX", "c++ --bogus");
    const auto artifact = compile_with_host_compiler(unit("int x;\n"));
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::unusable);
    EXPECT_NE(artifact.error().log.find("--bogus"), std::string::npos);
}

TEST(HostCompiler, TextThatItRefusesIs) {
    const auto artifact = compile_with_host_compiler(unit("int x = ;\n"));
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::rejected);
}

TEST(HostCompiler, CxxMayCarryOptions) {
    const ScopedVariable cxx("CXX", "c++ -DANSWER=7");
    const auto found = find_host_compiler();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 2u);
    EXPECT_TRUE(compile_with_host_compiler(unit("extern \"C\" int answer() { return ANSWER; }\n")));
}

}  // namespace
}  // namespace pyk
