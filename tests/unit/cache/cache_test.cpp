#include "cache_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pyk::cache {

Digest key_of(const std::string& name) { return KeyBuilder().add("name", name).digest(); }

Entry entry_of(const std::string& name, const std::string& payload) {
    return {"cuda", KeyBuilder().add("name", name).fields(), payload, {{"file", "/home/me/" + name + ".pyk"}}};
}

std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    EXPECT_TRUE(file.flush()) << path;
}

bool exists(const std::string& path) {
    struct stat status {};
    return lstat(path.c_str(), &status) == 0;
}

void set_age(const std::string& path, std::int64_t seconds_ago) {
    const struct timespec time = {std::time(nullptr) - seconds_ago, 0};
    const struct timespec times[] = {time, time};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0) << path;
}

std::int64_t time_of(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
    return status.st_mtim.tv_sec;
}

int in_child(const std::function<int()>& run) {
    const pid_t child = fork();
    if (child == 0) {
        int result = 126;
        try {
            result = run();
        } catch (...) {
        }
        _exit(result);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

void CacheTest::SetUp() {
    std::string name = std::filesystem::temp_directory_path() / "pyk-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    base_ = name;
}

void CacheTest::TearDown() {
    std::error_code error;
    std::filesystem::remove_all(base_, error);
}

StoreOptions CacheTest::options() const {
    StoreOptions options;
    options.folder = folder();
    return options;
}

std::string CacheTest::path_of(const Digest& key) const {
    const std::string hex = key.hex();
    return folder() + "/v1/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

std::vector<std::string> CacheTest::files() const {
    std::vector<std::string> result;
    for (const auto& item : std::filesystem::recursive_directory_iterator(folder()))
        if (item.is_regular_file() && item.path().filename() != "lock") result.push_back(item.path());
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace pyk::cache
