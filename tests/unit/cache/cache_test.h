// A cache in a folder of its own, and looking at its files from outside.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cache/store.h"

namespace pyk::cache {

Digest key_of(const std::string& name);
Entry entry_of(const std::string& name, const std::string& payload);

std::string read_bytes(const std::string& path);
void write_bytes(const std::string& path, const std::string& bytes);
bool exists(const std::string& path);

/// Sets when a file was changed last, in seconds from now, and reads it (in seconds since 1970).
void set_age(const std::string& path, std::int64_t seconds_ago);
std::int64_t time_of(const std::string& path);

/// Runs a function in a process of its own and gives its result, at most 125; 126: it threw, 127: it was killed.
int in_child(const std::function<int()>& run);

class CacheTest : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    std::string folder() const { return base_ + "/cache"; }
    StoreOptions options() const;
    Store store() const { return Store(options()); }
    /// Where an entry lies.
    std::string path_of(const Digest& key) const;
    /// All regular files below the cache's folder but the lock, sorted.
    std::vector<std::string> files() const;

    std::string base_;
};

}  // namespace pyk::cache
