// An entry that is not exactly what was written is a miss, and gone.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cache_test.h"
#include "entry_file.h"
#include "folder.h"

namespace pyk::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CorruptionTest : public CacheTest {
  protected:
    void SetUp() override {
        CacheTest::SetUp();
        ASSERT_TRUE(store().put(key_, entry_of("one", "payload")));
        path_ = path_of(key_);
        good_ = read_bytes(path_);
    }

    void replace_with(const std::string& bytes) {
        std::filesystem::remove(path_);
        write_bytes(path_, bytes);
        ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
    }

    void expect_miss(const std::string& what) {
        const Store store = this->store();
        EXPECT_FALSE(store.find(key_)) << what;
        EXPECT_FALSE(exists(path_)) << what;
    }

    void expect_repaired() {
        const Store store = this->store();
        EXPECT_TRUE(store.put(key_, entry_of("one", "payload")));
        EXPECT_EQ(read_bytes(path_), good_);
        EXPECT_TRUE(store.find(key_));
    }

    const Digest key_ = key_of("one");
    std::string path_, good_;
};

TEST_F(CorruptionTest, AnyFlippedBitIsAMiss) {
    ASSERT_LT(good_.size(), 400u);
    for (std::size_t at = 0; at < good_.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string bad = good_;
            bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
            replace_with(bad);
            expect_miss("byte " + std::to_string(at));
        }
    expect_repaired();
}

TEST_F(CorruptionTest, AnyOtherLengthIsAMiss) {
    for (std::size_t size = 0; size < good_.size(); ++size) {
        replace_with(good_.substr(0, size));
        expect_miss("of " + std::to_string(size) + " bytes");
    }
    replace_with(good_ + '\0');
    expect_miss("one byte more");
    replace_with(good_ + good_);
    expect_miss("twice");
    expect_repaired();
}

// Not what an accident makes: the checksum is right, and the lengths lead astray.
TEST_F(CorruptionTest, LengthsAreNotTrusted) {
    const std::string content = good_.substr(0, good_.size() - sizeof(Digest::bytes));
    const auto with_checksum = [](std::string bytes) {
        const Digest digest = digest_of(bytes);
        return bytes.append(digest.bytes.begin(), digest.bytes.end());
    };
    ASSERT_EQ(with_checksum(content), good_);
    for (const char byte : {'\x00', '\x01', '\x7f', '\x80', '\xff'})
        for (std::size_t width = 1; width <= 8; ++width)
            for (std::size_t at = 44; at + width <= content.size(); ++at) {  // behind the magic, the format and the key
                const std::string bad = with_checksum(std::string(content).replace(at, width, width, byte));
                const auto read = decode(bad);
                EXPECT_TRUE(!read || encode(read->key, read->entry) == bad) << "at " << at;
            }
    for (std::size_t size = 0; size < content.size(); ++size)
        EXPECT_FALSE(decode(with_checksum(content.substr(0, size))));
    EXPECT_FALSE(decode(with_checksum(content + '\0')));
}

TEST_F(CorruptionTest, AnotherFormatIsAMiss) {
    std::string content = good_.substr(0, good_.size() - sizeof(Digest::bytes));
    ASSERT_EQ(content[8], 1);
    content[8] = 2;
    const Digest digest = digest_of(content);
    replace_with(content.append(digest.bytes.begin(), digest.bytes.end()));
    expect_miss("format 2");
}

TEST_F(CorruptionTest, AnotherEntryInItsPlaceIsAMiss) {
    ASSERT_TRUE(store().put(key_of("two"), entry_of("two", "payload")));
    std::filesystem::remove(path_);
    std::filesystem::copy_file(path_of(key_of("two")), path_);
    ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
    expect_miss("the entry of another key");
    EXPECT_TRUE(store().find(key_of("two")));
}

TEST_F(CorruptionTest, WhatIsNoFileIsAMiss) {
    std::filesystem::remove(path_);
    ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
    expect_miss("a pipe");

    write_bytes(base_ + "/elsewhere", good_);
    ASSERT_EQ(chmod((base_ + "/elsewhere").c_str(), 0600), 0);
    ASSERT_EQ(symlink((base_ + "/elsewhere").c_str(), path_.c_str()), 0);
    expect_miss("a link to a good entry");
    EXPECT_EQ(read_bytes(base_ + "/elsewhere"), good_);
    expect_repaired();

    std::filesystem::remove(path_);
    std::filesystem::create_directory(path_);
    EXPECT_FALSE(store().find(key_));
    EXPECT_FALSE(store().put(key_, entry_of("one", "payload")));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(CorruptionTest, AHugeFileIsNotRead) {
    std::filesystem::resize_file(path_, kMaxFileBytes + 1);
    expect_miss("a huge file");
}

TEST_F(CorruptionTest, VerifyNamesAndRemovesTheBad) {
    ASSERT_TRUE(store().put(key_of("two"), entry_of("two", "payload")));
    replace_with(good_ + "x");

    StoreOptions read_only = options();
    read_only.read_only = true;
    EXPECT_THAT(Store(read_only).verify().bad, ElementsAre(path_));
    EXPECT_TRUE(exists(path_));

    const Store store = this->store();
    EXPECT_EQ(store.list().size(), 1u);
    const Verified first = store.verify();
    EXPECT_EQ(first.good, 1u);
    EXPECT_THAT(first.bad, ElementsAre(path_));
    const Verified second = store.verify();
    EXPECT_EQ(second.good, 1u);
    EXPECT_THAT(second.bad, IsEmpty());
}

// Between reading a bad entry and removing it another process may have put a good one in its place.
TEST_F(CorruptionTest, OnlyTheFileThatWasReadIsRemoved) {
    const Handle shard = open_folder(AT_FDCWD, std::filesystem::path(path_).parent_path(), false);
    const std::string name = std::filesystem::path(path_).filename();
    const FileState seen(open_file(shard.get(), name)->status);
    replace_with(good_);
    set_age(path_, 10);
    EXPECT_FALSE(remove_if_same(shard.get(), name, seen));
    EXPECT_TRUE(exists(path_));
    EXPECT_TRUE(remove_if_same(shard.get(), name, FileState(open_file(shard.get(), name)->status)));
    EXPECT_FALSE(exists(path_));
}

}  // namespace
}  // namespace pyk::cache
