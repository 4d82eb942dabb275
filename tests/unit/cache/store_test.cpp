// What is put is found: by whom, where, and with which rights.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cache_test.h"

namespace pyk::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using StoreTest = CacheTest;

mode_t mode_of(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777;
}

TEST_F(StoreTest, GivesBackWhatWasPut) {
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
    const Entry entry = {
        "manifest", {{"a", "1"}, {"", ""}, {"a", every_byte}}, every_byte + every_byte, {{"file", "/x"}}};
    const Store store = this->store();
    ASSERT_EQ(store.why_off(), "");
    ASSERT_TRUE(store.put(key_of("one"), entry));
    const auto found = store.find(key_of("one"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, entry.kind);
    EXPECT_EQ(found->fields, entry.fields);
    EXPECT_EQ(found->payload, entry.payload);
    EXPECT_EQ(found->notes, entry.notes);
    EXPECT_FALSE(store.find(key_of("two")));
}

TEST_F(StoreTest, KeepsAnEntryWithNothingInIt) {
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), Entry{}));
    const auto found = store.find(key_of("one"));
    ASSERT_TRUE(found);
    EXPECT_THAT(found->kind + found->payload, IsEmpty());
    EXPECT_THAT(found->fields, IsEmpty());
}

TEST_F(StoreTest, AnotherStoreFindsIt) {
    ASSERT_TRUE(store().put(key_of("one"), entry_of("one", "binary")));
    EXPECT_EQ(store().find(key_of("one"))->payload, "binary");
}

TEST_F(StoreTest, APutReplaces) {
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "old")));
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "new")));
    EXPECT_EQ(store.find(key_of("one"))->payload, "new");
    EXPECT_THAT(files(), ElementsAre(path_of(key_of("one"))));
}

TEST_F(StoreTest, EraseForgetsOne) {
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    ASSERT_TRUE(store.put(key_of("two"), entry_of("two", "2")));
    EXPECT_TRUE(store.erase(key_of("one")));
    EXPECT_FALSE(store.erase(key_of("one")));
    EXPECT_FALSE(store.find(key_of("one")));
    EXPECT_TRUE(store.find(key_of("two")));
}

TEST_F(StoreTest, OnlyTheOwnerMayReadIt) {
    const mode_t old = umask(0);
    StoreOptions options = this->options();
    options.folder = base_ + "/new/parents/cache/";
    const Store store(options);
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    umask(old);
    for (const auto& item : std::filesystem::recursive_directory_iterator(base_ + "/new"))
        EXPECT_EQ(mode_of(item.path()), item.is_directory() ? 0700u : 0600u) << item.path();
    EXPECT_EQ(mode_of(base_ + "/new"), 0700u);
}

TEST_F(StoreTest, ARelativeFolderIsTheOneOfTheStart) {
    const std::string old = std::filesystem::current_path();
    std::filesystem::current_path(base_);
    StoreOptions options;
    options.folder = "cache";
    const Store store(options);
    std::filesystem::current_path(old);
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    EXPECT_THAT(files(), ElementsAre(path_of(key_of("one"))));
    EXPECT_TRUE(store.find(key_of("one")));
}

TEST_F(StoreTest, KeepsNoFileOpen) {
    const auto open_files = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto before = open_files();
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    EXPECT_TRUE(store.find(key_of("one")));
    EXPECT_FALSE(store.find(key_of("two")));
    store.list();
    store.verify();
    store.prune();
    EXPECT_EQ(open_files(), before);
}

TEST_F(StoreTest, SurvivesTheLossOfItsFolder) {
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    std::filesystem::remove_all(folder());
    EXPECT_FALSE(store.find(key_of("one")));
    EXPECT_TRUE(store.put(key_of("one"), entry_of("one", "1")));
    EXPECT_TRUE(store.find(key_of("one")));
}

TEST_F(StoreTest, ListsAndCountsAndClears) {
    const Store store = this->store();
    ASSERT_TRUE(store.put(key_of("one"), entry_of("one", "12345")));
    ASSERT_TRUE(store.put(key_of("two"), entry_of("two", "")));
    set_age(path_of(key_of("one")), 1000);

    const auto list = store.list();
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].key, key_of("two"));
    EXPECT_EQ(list[1].key, key_of("one"));
    EXPECT_EQ(list[1].kind, "cuda");
    EXPECT_EQ(list[1].fields, entry_of("one", "").fields);
    EXPECT_EQ(list[1].notes, entry_of("one", "").notes);
    EXPECT_EQ(list[1].payload_bytes, 5u);
    EXPECT_EQ(std::chrono::system_clock::to_time_t(list[1].last_used), time_of(path_of(key_of("one"))));

    const Stats stats = store.stats();
    EXPECT_EQ(stats.entries, 2u);
    EXPECT_EQ(stats.bytes,
              std::filesystem::file_size(path_of(key_of("one"))) + std::filesystem::file_size(path_of(key_of("two"))));
    EXPECT_EQ(stats.temporaries, 0u);

    write_bytes(folder() + "/v1/notes.txt", "not ours");
    const Removed removed = store.clear();
    EXPECT_EQ(removed.entries, 2u);
    EXPECT_EQ(removed.bytes, stats.bytes);
    EXPECT_THAT(files(), ElementsAre(folder() + "/v1/notes.txt"));
}

// SHA-256 comes from libcrypto.a: programs that embed pyk load no other library for it.
TEST(Linking, LoadsNoLibcrypto) {
    const std::string maps = read_bytes("/proc/self/maps");
    EXPECT_NE(maps.find("libc.so"), std::string::npos);
    EXPECT_EQ(maps.find("libcrypto"), std::string::npos);
}

}  // namespace
}  // namespace pyk::cache
