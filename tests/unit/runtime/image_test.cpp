// Which embedded code a device gets.
#include <gtest/gtest.h>

#include "pyk/image.h"

namespace pyk {
namespace {

// `sm_80`, `sm_90a`, `compute_75` …
std::string chosen(std::initializer_list<Image> images, int major, int minor) {
    const Images all{images.begin(), images.size()};
    const Image* image = choose(all, major, minor);
    if (!image) return "none";
    return (image->is_ptx ? "compute_" : "sm_") + std::to_string(image->sm) +
           (image->suffix ? std::string(1, image->suffix) : "");
}

constexpr Image code(int sm, char suffix = 0) { return {sm, suffix, false, "", 0}; }
constexpr Image ptx(int sm, char suffix = 0) { return {sm, suffix, true, "", 0}; }

TEST(ChooseImage, ExactThenFamilyThenPtx) {
    const auto images = {ptx(75), code(80), code(86), code(90)};
    EXPECT_EQ(chosen(images, 8, 6), "sm_86");
    EXPECT_EQ(chosen(images, 8, 9), "sm_86");
    EXPECT_EQ(chosen(images, 8, 0), "sm_80");
    EXPECT_EQ(chosen(images, 9, 0), "sm_90");
    EXPECT_EQ(chosen(images, 7, 5), "compute_75");
    EXPECT_EQ(chosen(images, 10, 0), "compute_75");
    EXPECT_EQ(chosen(images, 7, 0), "none");
}

TEST(ChooseImage, OfPtxTheLatestThatTheDeviceHas) {
    EXPECT_EQ(chosen({ptx(75), ptx(90), ptx(100)}, 9, 0), "compute_90");
    EXPECT_EQ(chosen({ptx(75), ptx(90)}, 12, 0), "compute_90");
}

TEST(ChooseImage, CodeOfOneArchitectureOrFamilyStaysThere) {
    EXPECT_EQ(chosen({code(90, 'a')}, 9, 0), "sm_90a");
    EXPECT_EQ(chosen({code(90), code(90, 'a')}, 9, 0), "sm_90a");
    EXPECT_EQ(chosen({ptx(90, 'a')}, 10, 0), "none");
    EXPECT_EQ(chosen({code(100, 'a'), ptx(90)}, 10, 3), "compute_90");
    EXPECT_EQ(chosen({code(100, 'f'), ptx(90)}, 10, 3), "sm_100f");
    EXPECT_EQ(chosen({ptx(100, 'f'), ptx(90)}, 12, 0), "compute_90");
}

TEST(ChooseImage, NothingOfNothing) { EXPECT_EQ(choose({nullptr, 0}, 9, 0), nullptr); }

}  // namespace
}  // namespace pyk
