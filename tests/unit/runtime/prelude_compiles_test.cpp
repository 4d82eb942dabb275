// Every part of the prelude alone, and all functions instantiated, through NVRTC, nvcc, g++ and clang++.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "compile/nvcc.h"
#include "compile/nvrtc.h"
#include "pyk_prelude.h"

namespace {

constexpr int kArchs[] = {75, 90, 100};

std::string read(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Text with each part that it includes pasted once.
std::string pasted(std::string_view text, std::set<std::string>& done) {
    constexpr std::string_view include = "#include \"pyk/";
    std::istringstream lines{std::string(text)};
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(include, 0) != 0) {
            result += line + '\n';
            continue;
        }
        const std::string name = line.substr(include.size(), line.find('.') - include.size());
        if (!done.insert(name).second) continue;
        for (const pyk::PreludePart& part : pyk::prelude_parts())
            if (part.name == name) result += pasted(part.text, done);
    }
    return result;
}
std::string pasted(std::string_view text) {
    std::set<std::string> done;
    return pasted(text, done);
}
std::string all_uses() { return pasted(read(PYK_SOURCE_DIR "/tests/unit/runtime/prelude_uses.cu")); }

bool is_for_the_cpu(std::string_view part) { return part == "cpu" || part.ends_with("_cpu"); }

pyk::Unit unit_of(std::string text) {
    pyk::Unit unit;
    unit.text = std::move(text);
    return unit;
}

void expect_nvrtc_takes(const std::string& text, const std::string& what) {
    for (int arch : kArchs) {
        const auto made = pyk::compile_with_nvrtc(unit_of(text), pyk::ArtifactKind::cubin, {.number = arch});
        if (!made && made.error().kind == pyk::ToolError::Kind::unusable) continue;
        EXPECT_TRUE(made) << what << " for sm_" << arch << ": " << made.error().text << "\n" << made.error().log;
        EXPECT_EQ(made ? made->log : "", "") << what;
    }
}

TEST(PreludeCompiles, EachPartThroughNvrtc) {
    if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    for (const pyk::PreludePart& part : pyk::prelude_parts())
        if (!is_for_the_cpu(part.name)) expect_nvrtc_takes(pasted(part.text), std::string(part.name));
}

TEST(PreludeCompiles, EveryFunctionThroughNvrtc) {
    if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    expect_nvrtc_takes(all_uses(), "all uses");
}

TEST(PreludeCompiles, EveryFunctionThroughNvcc) {
    if (!pyk::find_nvcc()) GTEST_SKIP() << "no nvcc";
    const auto made = pyk::compile_with_nvcc(unit_of(all_uses()), pyk::ArtifactKind::cubin, {{.number = 90}});
    if (!made && made.error().kind != pyk::ToolError::Kind::rejected) GTEST_SKIP() << made.error().text;
    EXPECT_TRUE(made) << made.error().log;
}

/// Runs a host compiler on a text, strictly; its complaints.
std::string complaints(const std::string& compiler, const std::string& text) {
    const std::string folder = ::testing::TempDir() + "pyk_prelude_" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/text.cpp") << text;
    const std::string command = compiler + " -std=c++17 -Wall -Wextra -Werror -pedantic -O2 -fwrapv -c -o " + folder +
                                "/text.o " + folder + "/text.cpp >" + folder + "/log 2>&1";
    const bool fine = std::system(command.c_str()) == 0;
    const std::string log = read(folder + "/log");
    std::filesystem::remove_all(folder);
    return fine ? "" : log.empty() ? "failed" : log;
}

class HostCompilers : public ::testing::TestWithParam<const char*> {};

TEST_P(HostCompilers, TakeEachPartAndEveryFunction) {
    if (std::system((std::string(GetParam()) + " --version >/dev/null 2>&1").c_str()) != 0)
        GTEST_SKIP() << "no " << GetParam();
    for (const pyk::PreludePart& part : pyk::prelude_parts())
        EXPECT_EQ(complaints(GetParam(), pasted(part.text)), "") << part.name;
    EXPECT_EQ(complaints(GetParam(), all_uses()), "");
}

INSTANTIATE_TEST_SUITE_P(PreludeCompiles, HostCompilers, ::testing::Values("g++", "clang++"));

}  // namespace
