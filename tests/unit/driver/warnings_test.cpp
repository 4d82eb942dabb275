#include "driver/warnings.h"

#include <gmock/gmock.h>

namespace pyk {
namespace {

WarningOptions options_of(const std::vector<std::string>& texts) {
    WarningOptions options;
    for (const std::string& text : texts) EXPECT_EQ(apply_warning(options, text), "") << text;
    return options;
}

TEST(Warnings, TextsMakeTheSameOptions) {
    const std::vector<std::string> all[] = {
        {}, {"perf"}, {"no-race"}, {"error=race"}, {"error", "no-error=race"}, {"none"}, {"perf", "no-race", "error"}};
    for (const std::vector<std::string>& texts : all)
        EXPECT_THAT(texts_of(options_of(texts)), ::testing::UnorderedElementsAreArray(texts));
}

TEST(Warnings, OfOtherCompilersSayNothing) {
    for (const std::string_view name : kIgnoredWarnings)
        EXPECT_THAT(texts_of(options_of({std::string(name)})), ::testing::IsEmpty()) << name;
}

}  // namespace
}  // namespace pyk
