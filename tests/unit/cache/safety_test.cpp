// What others may have written is not used.
#include <gmock/gmock.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cache_test.h"

namespace pyk::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uid_t kNobody = 65534;

class SafetyTest : public CacheTest {
  protected:
    void SetUp() override {
        CacheTest::SetUp();
        ASSERT_TRUE(store().put(key_, entry_of("one", "1")));
    }

    void change_mode(const std::string& path, mode_t mode) { ASSERT_EQ(chmod(path.c_str(), mode), 0) << path; }
    std::string shard() const { return std::filesystem::path(path_of(key_)).parent_path(); }

    /// The store says why it is off, finds nothing, and leaves all as it is.
    void expect_off(const StoreOptions& options, const std::string& why) {
        const auto before = files();
        const Store store(options);
        EXPECT_THAT(store.why_off(), HasSubstr(why));
        EXPECT_FALSE(store.find(key_));
        EXPECT_FALSE(store.put(key_of("two"), entry_of("two", "2")));
        EXPECT_FALSE(store.erase(key_));
        EXPECT_THAT(store.list(), IsEmpty());
        EXPECT_EQ(store.stats().entries, 0u);
        EXPECT_EQ(store.clear().entries, 0u);
        EXPECT_EQ(store.prune().entries, 0u);
        EXPECT_EQ(store.verify().good, 0u);
        EXPECT_EQ(files(), before);
    }

    const Digest key_ = key_of("one");
};

TEST_F(SafetyTest, AFolderThatOthersMayWriteToIsRefused) {
    change_mode(folder(), 0770);
    expect_off(options(), "others may write to " + folder() + " (mode 0770)");
    change_mode(folder(), 0702);
    expect_off(options(), "others may write to " + folder() + " (mode 0702)");
    change_mode(folder(), 0700);
    change_mode(folder() + "/v1", 0720);
    expect_off(options(), "others may write to " + folder() + "/v1 (mode 0720)");
    change_mode(folder() + "/v1", 0755);
    EXPECT_TRUE(store().find(key_));
}

TEST_F(SafetyTest, ALinkInPlaceOfAFolderIsRefused) {
    StoreOptions options = this->options();
    options.folder = base_ + "/link";
    ASSERT_EQ(symlink(folder().c_str(), options.folder.c_str()), 0);
    expect_off(options, base_ + "/link is a symbolic link");
    options.folder += "/";
    expect_off(options, base_ + "/link is a symbolic link");

    std::filesystem::rename(folder() + "/v1", base_ + "/v1");
    ASSERT_EQ(symlink((base_ + "/v1").c_str(), (folder() + "/v1").c_str()), 0);
    expect_off(this->options(), folder() + "/v1 is a symbolic link");
}

TEST_F(SafetyTest, AFileInPlaceOfAFolderIsRefused) {
    StoreOptions options = this->options();
    options.folder = base_ + "/file";
    write_bytes(options.folder, "");
    expect_off(options, base_ + "/file is not a folder");
    options.folder = base_ + "/file/below";
    expect_off(options, "cannot use " + base_ + "/file/below");
}

TEST_F(SafetyTest, AShardThatOthersMayHaveMadeIsRefused) {
    const Store store = this->store();
    change_mode(shard(), 0777);
    EXPECT_FALSE(store.find(key_));
    EXPECT_FALSE(store.put(key_, entry_of("one", "2")));
    EXPECT_EQ(store.stats().entries, 0u);
    EXPECT_THAT(store.stats().refused, ElementsAre("others may write to " + shard() + " (mode 0777)"));
    change_mode(shard(), 0700);
    EXPECT_EQ(store.find(key_)->payload, "1");
    EXPECT_THAT(store.stats().refused, IsEmpty());

    std::filesystem::rename(shard(), base_ + "/elsewhere");
    ASSERT_EQ(symlink((base_ + "/elsewhere").c_str(), shard().c_str()), 0);
    EXPECT_FALSE(store.find(key_));
    EXPECT_FALSE(store.put(key_, entry_of("one", "2")));
    EXPECT_THAT(store.stats().refused, ElementsAre(shard() + " is a symbolic link"));
    EXPECT_EQ(store.clear().entries, 0u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(base_ + "/elsewhere"), {}), 1);
}

TEST_F(SafetyTest, AFileThatOthersMayWriteToIsAMiss) {
    change_mode(path_of(key_), 0620);
    EXPECT_FALSE(store().find(key_));
    EXPECT_FALSE(exists(path_of(key_)));
}

// A folder that becomes unsafe while a program runs.
TEST_F(SafetyTest, EveryCallLooksAgain) {
    const Store store = this->store();
    change_mode(folder(), 0777);
    EXPECT_FALSE(store.find(key_));
    EXPECT_FALSE(store.put(key_, entry_of("one", "2")));
    change_mode(folder(), 0700);
    EXPECT_EQ(store.find(key_)->payload, "1");
}

TEST_F(SafetyTest, ALinkAsTemporaryOrLockIsNotFollowed) {
    write_bytes(base_ + "/victim", "");
    std::filesystem::remove(folder() + "/v1/lock");
    ASSERT_EQ(symlink((base_ + "/victim").c_str(), (folder() + "/v1/lock").c_str()), 0);
    EXPECT_TRUE(store().put(key_of("two"), entry_of("two", "2")));
    EXPECT_EQ(read_bytes(base_ + "/victim"), "");
}

TEST_F(SafetyTest, WhatBelongsToOthersIsRefused) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    const Store store = this->store();
    ASSERT_EQ(chown(path_of(key_).c_str(), kNobody, kNobody), 0);
    EXPECT_FALSE(store.find(key_));
    ASSERT_EQ(chown((folder() + "/v1").c_str(), kNobody, kNobody), 0);
    expect_off(options(), folder() + "/v1 belongs to another user");
    ASSERT_EQ(chown(folder().c_str(), kNobody, kNobody), 0);
    expect_off(options(), folder() + " belongs to another user");
}

/// Root may write everywhere, so this runs as nobody there.
TEST_F(SafetyTest, AFolderThatMayOnlyBeReadIsRead) {
    if (geteuid() == 0) {
        for (const auto& item : std::filesystem::recursive_directory_iterator(base_))
            ASSERT_EQ(lchown(item.path().c_str(), kNobody, kNobody), 0);
        ASSERT_EQ(chown(base_.c_str(), kNobody, kNobody), 0);
    }
    const std::string folders[] = {shard(), folder() + "/v1", folder()};
    for (const std::string& path : folders) change_mode(path, 0500);
    set_age(path_of(key_), 200000);
    const int result = in_child([&] {
        if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
                               setresuid(kNobody, kNobody, kNobody) != 0))
            return 1;
        const Store store = this->store();
        if (!store.why_off().empty()) return 2;
        const auto found = store.find(key_);
        if (!found || found->payload != "1") return 3;
        if (store.put(key_of("two"), entry_of("two", "2")) || store.put(key_, entry_of("one", "2"))) return 4;
        if (store.erase(key_) || store.clear().entries != 0) return 5;
        return store.verify().good == 1 ? 0 : 6;
    });
    for (const std::string& path : folders) change_mode(path, 0700);
    EXPECT_EQ(result, 0);
    EXPECT_THAT(files(), ElementsAre(path_of(key_)));
}

TEST_F(SafetyTest, AFolderThatCannotBeMadeTurnsItOff) {
    StoreOptions options = this->options();
    options.folder = "/proc/no/such/folder";
    expect_off(options, "cannot use /proc/no/such/folder: ");
}

}  // namespace
}  // namespace pyk::cache
