// No room: nothing is kept, nothing is left behind, and what was there still is.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cache_test.h"

namespace pyk::cache {
namespace {

using ::testing::ElementsAre;

using FullDiskTest = CacheTest;

constexpr int kCannotMount = 100;

/// Makes this process root in a user namespace of its own.
void become_root_of_own_namespace(uid_t user, gid_t group) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
}

/// A tmpfs of 64 KiB in the cache's place, which only this process sees.
bool mount_small_disk(const std::string& folder) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
    if (user != 0) become_root_of_own_namespace(user, group);
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
    std::filesystem::create_directory(folder);
    return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0;
}

TEST_F(FullDiskTest, APutFailsAndLeavesNothing) {
    const int result = in_child([&] {
        if (!mount_small_disk(folder())) return kCannotMount;
        const Store store = this->store();
        if (!store.why_off().empty()) return 1;
        const auto entry = [](int i) {
            return entry_of(std::to_string(i), std::string(10000, static_cast<char>('a' + i)));
        };
        const auto put = [&](int i) { return store.put(key_of(std::to_string(i)), entry(i)); };
        int count = 0;
        while (count < 20 && put(count)) ++count;
        if (count == 0 || count == 20) return 2;
        if (put(count) || store.find(key_of(std::to_string(count)))) return 3;
        if (store.stats().temporaries != 0 || store.stats().entries != static_cast<std::uint64_t>(count)) return 4;
        for (int i = 0; i < count; ++i) {
            const auto found = store.find(key_of(std::to_string(i)));
            if (!found || found->payload != entry(i).payload) return 5;
        }
        // An entry in place of one that is there needs room for both, and the old one stays.
        if (store.put(key_of("0"), entry(1)) || store.find(key_of("0"))->payload != entry(0).payload) return 6;
        store.erase(key_of("0"));
        return put(count) ? 0 : 7;
    });
    if (result == kCannotMount) GTEST_SKIP() << "no file system may be mounted here";
    EXPECT_EQ(result, 0);
}

// SIGXFSZ would end the process.
TEST_F(FullDiskTest, ALimitOnFileSizesIsRespected) {
    ASSERT_TRUE(store().put(key_of("one"), entry_of("one", "1")));
    const int result = in_child([&] {
        const struct rlimit limit = {4096, 4096};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
        const Store store = this->store();
        if (store.put(key_of("two"), entry_of("two", std::string(10000, 'x')))) return 2;
        return store.put(key_of("three"), entry_of("three", "3")) && store.find(key_of("one")) ? 0 : 3;
    });
    EXPECT_EQ(result, 0);
    EXPECT_EQ(files().size(), 2u);
}

}  // namespace
}  // namespace pyk::cache
