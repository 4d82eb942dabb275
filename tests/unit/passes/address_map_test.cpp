#include "support/address_map.h"

#include <gtest/gtest.h>

#include <unordered_map>

namespace pyk {
namespace {

TEST(AddressMap, KnowsWhatItWasGivenAndNothingElse) {
    const int objects[3] = {};
    AddressMap<int, int> map;
    EXPECT_EQ(map.find(&objects[0]), nullptr);
    map.set(&objects[0], 5);
    map.set(&objects[1], 6);
    map.set(&objects[0], 7);
    ASSERT_NE(map.find(&objects[0]), nullptr);
    EXPECT_EQ(*map.find(&objects[0]), 7);
    EXPECT_EQ(*map.find(&objects[1]), 6);
    EXPECT_EQ(map.find(&objects[2]), nullptr);
}

TEST(AddressMap, GrowsLikeTheStandardLibrarys) {
    const std::vector<int> objects(20'000);
    AddressMap<int, size_t> map;
    std::unordered_map<const int*, size_t> expected;
    for (size_t i = 0; i < objects.size(); ++i) {
        const int* key = &objects[i * 7919 % objects.size() / 3 * 3];  // each several times, in a wild order
        map.set(key, i);
        expected[key] = i;
    }
    for (const int& object : objects) {
        const auto known = expected.find(&object);
        const size_t* found = map.find(&object);
        ASSERT_EQ(found != nullptr, known != expected.end());
        if (found) {
            EXPECT_EQ(*found, known->second);
        }
    }
}

}  // namespace
}  // namespace pyk
