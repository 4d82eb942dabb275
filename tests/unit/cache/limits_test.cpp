// What is removed: by size, by age, and in which order.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>

#include "cache_test.h"
#include "folder.h"

namespace pyk::cache {
namespace {

using ::testing::IsEmpty;

constexpr std::int64_t kHour = 3600, kDay = 24 * kHour;
constexpr std::size_t kBytes = 10000;

class LimitsTest : public CacheTest {
  protected:
    void put(const Store& store, const std::string& name) {
        ASSERT_TRUE(store.put(key_of(name), entry_of(name, std::string(kBytes, 'x'))));
    }
    std::string path(const std::string& name) const { return path_of(key_of(name)); }
    /// The names of the entries that are there, of those of one letter.
    std::string names() const {
        std::string result;
        for (char name = 'a'; name <= 'z'; ++name)
            if (exists(path(std::string(1, name)))) result += name;
        return result;
    }
    /// Entries a, b, c …, used last that many days ago.
    void fill(std::initializer_list<int> days) {
        const Store store = this->store();
        char name = 'a';
        for (const int day : days) {
            put(store, std::string(1, name));
            set_age(path(std::string(1, name)), day * kDay + 10);
            ++name;
        }
    }
    void mark_as_pruned(std::int64_t seconds_ago) {
        write_bytes(folder() + "/v1/lock", "1");
        set_age(folder() + "/v1/lock", seconds_ago);
    }
};

TEST_F(LimitsTest, TheLeastUsedGoUntilAFifthIsFree) {
    fill({3, 1, 5, 2, 4});
    StoreOptions options = this->options();
    options.max_bytes = 5 * kBytes;  // the five and what stands around them are more
    const Removed removed = Store(options).prune();
    EXPECT_EQ(names(), "abd");
    EXPECT_EQ(removed.entries, 2u);
    EXPECT_GT(removed.bytes, 2 * kBytes);
    EXPECT_EQ(Store(options).prune().entries, 0u);
}

TEST_F(LimitsTest, AUseCounts) {
    fill({3, 1, 5, 2, 4});
    EXPECT_TRUE(store().find(key_of("c")));
    StoreOptions options = this->options();
    options.max_bytes = 5 * kBytes;
    Store(options).prune();
    EXPECT_EQ(names(), "bcd");
}

TEST_F(LimitsTest, AUseIsNotedOnceADay) {
    fill({0, 2});
    const std::int64_t fresh = time_of(path("a")), now = std::time(nullptr);
    const Store store = this->store();
    EXPECT_TRUE(store.find(key_of("a")));
    EXPECT_TRUE(store.find(key_of("b")));
    EXPECT_EQ(time_of(path("a")), fresh);
    EXPECT_GE(time_of(path("b")), now);
}

TEST_F(LimitsTest, TheFutureIsSetRight) {
    fill({-100});
    EXPECT_TRUE(store().find(key_of("a")));
    // std::time is that of the last tick.
    EXPECT_LE(time_of(path("a")), std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
}

TEST_F(LimitsTest, TheOldGo) {
    fill({0, 29, 31, 400, -100});
    StoreOptions options = this->options();
    options.max_age = std::chrono::hours(30 * 24);
    EXPECT_EQ(Store(options).prune().entries, 2u);
    EXPECT_EQ(names(), "abe");
}

TEST_F(LimitsTest, ZeroIsNoLimit) {
    fill({0, 10000});
    StoreOptions options = this->options();
    options.max_bytes = 0;
    options.max_age = std::chrono::seconds(0);
    EXPECT_EQ(Store(options).prune().entries, 0u);
    EXPECT_EQ(names(), "ab");
}

TEST_F(LimitsTest, OneEntryDoesNotPushOutAllOthers) {
    StoreOptions options = this->options();
    options.max_bytes = kBytes;
    const Store store(options);
    EXPECT_FALSE(store.put(key_of("a"), entry_of("a", std::string(kBytes / 2, 'x'))));
    EXPECT_TRUE(store.put(key_of("a"), entry_of("a", std::string(kBytes / 4, 'x'))));
}

TEST_F(LimitsTest, PuttingKeepsToTheLimit) {
    StoreOptions options = this->options();
    options.max_bytes = 10 * kBytes;
    const Store store(options);
    for (int i = 0; i < 100; ++i) {
        put(store, std::to_string(i));
        EXPECT_TRUE(store.find(key_of(std::to_string(i))));
        // Looked at after each eighth.
        EXPECT_LT(store.stats().bytes, options.max_bytes + options.max_bytes / 8 + 2 * kBytes);
    }
    EXPECT_GT(store.stats().entries, 5u);
}

TEST_F(LimitsTest, PuttingLooksForTheOldOnceAMinute) {
    fill({400});
    const Store store = this->store();
    mark_as_pruned(5);
    put(store, "b");
    EXPECT_EQ(names(), "ab");
    mark_as_pruned(100);
    put(store, "c");
    EXPECT_EQ(names(), "bc");
    EXPECT_LE(std::time(nullptr) - time_of(folder() + "/v1/lock"), 50);
}

TEST_F(LimitsTest, NobodyWaitsForWhoPrunes) {
    fill({400});
    mark_as_pruned(100);
    const Handle lock(open((folder() + "/v1/lock").c_str(), O_RDWR | O_CLOEXEC));
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    ASSERT_EQ(fcntl(lock.get(), F_OFD_SETLK, &range), 0);
    put(store(), "b");
    EXPECT_EQ(names(), "ab");
    range.l_type = F_UNLCK;
    ASSERT_EQ(fcntl(lock.get(), F_OFD_SETLK, &range), 0);
    put(store(), "c");
    EXPECT_EQ(names(), "bc");
}

TEST_F(LimitsTest, LeftOverTemporariesGoAfterAnHour) {
    fill({0});
    const Store store = this->store();
    const std::string shard = std::filesystem::path(path("a")).parent_path();
    const Handle folder = open_folder(AT_FDCWD, shard, false);
    const std::string old = shard + "/" + *write_aside(folder.get(), "half an ent");
    const std::string young = shard + "/" + *write_aside(folder.get(), "half an ent");
    set_age(old, 2 * kHour);
    EXPECT_EQ(store.stats().temporaries, 2u);
    EXPECT_EQ(store.prune().temporaries, 1u);
    EXPECT_FALSE(exists(old));
    EXPECT_TRUE(exists(young));
    EXPECT_EQ(names(), "a");
    EXPECT_EQ(store.clear().temporaries, 1u);
    EXPECT_THAT(files(), IsEmpty());
}

}  // namespace
}  // namespace pyk::cache
