// Every case of tests/run on the CPU target, through NVRTC, and on a GPU: one expected buffer for all.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "compile/host_compiler.h"
#include "compile/nvrtc.h"
#include "execute.h"
#include "launch.h"

namespace pyk::run_cases {
namespace {

void expect_results(const std::string& name, std::string (*run)(Case&)) {
    const Case before = read_case(name);
    Case c = read_case(name);
    if (!c.runs) {
        EXPECT_EQ(compile_for_cpu(c), "");
        return;
    }
    ASSERT_EQ(run(c), "");
    EXPECT_EQ(differences(before, c.args), "");
}

class Cpu : public testing::TestWithParam<std::string> {};
class Watched : public testing::TestWithParam<std::string> {};
class Nvrtc : public testing::TestWithParam<std::string> {};
class Gpu : public testing::TestWithParam<std::string> {};

TEST_P(Cpu, GivesWhatIsExpected) {
    if (!find_host_compiler()) GTEST_SKIP() << "there is no host compiler";
    expect_results(GetParam(), run_on_cpu);
}

// The kernels are right: nothing races in them, and being watched changes nothing.
TEST_P(Watched, HasNoRace) {
    if (!find_host_compiler()) GTEST_SKIP() << "there is no host compiler";
    if (!read_case(GetParam()).runs) GTEST_SKIP() << "nothing is expected";
    expect_results(GetParam(), run_on_cpu_watched);
}

TEST_P(Nvrtc, Compiles) {
    if (const auto nvrtc = nvrtc_info(); !nvrtc) GTEST_SKIP() << nvrtc.error().text;
    EXPECT_EQ(compile_for_gpus(read_case(GetParam())), "");
}

TEST_P(Gpu, GivesWhatIsExpected) {
    if (const std::string why = why_no_gpu(); !why.empty()) GTEST_SKIP() << why;
    if (!read_case(GetParam()).runs) GTEST_SKIP() << "nothing is expected";
    expect_results(GetParam(), run_on_gpu);
    expect_results(GetParam(), run_on_gpu_apart);
}

/// Of topics in which threads have something to do with each other.
std::vector<std::string> cases_of_threads() {
    constexpr std::string_view kTopics[] = {"atomics/", "groups/", "records/", "shared/", "threads/", "warp/"};
    std::vector<std::string> names = find_cases();
    std::erase_if(names, [&](const std::string& name) {
        return std::ranges::none_of(kTopics, [&](std::string_view topic) { return name.starts_with(topic); });
    });
    return names;
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '/') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(, Cpu, testing::ValuesIn(find_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(, Watched, testing::ValuesIn(cases_of_threads()), name_of);
INSTANTIATE_TEST_SUITE_P(, Nvrtc, testing::ValuesIn(find_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(, Gpu, testing::ValuesIn(find_cases()), name_of);

}  // namespace
}  // namespace pyk::run_cases
