// PYK_CACHE and its like.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "cache_test.h"

namespace pyk::cache {
namespace {

using ::testing::HasSubstr;

class EnvironmentTest : public CacheTest {
  protected:
    void SetUp() override {
        CacheTest::SetUp();
        for (const char* name :
             {"PYK_CACHE", "PYK_CACHE_DIR", "PYK_CACHE_MAX_SIZE", "PYK_CACHE_MAX_AGE", "XDG_CACHE_HOME"})
            unsetenv(name);
        setenv("HOME", "/home/me", 1);
    }

    static StoreOptions with(const std::map<std::string, std::string>& variables) {
        for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
        return options_from_environment();
    }
};

TEST_F(EnvironmentTest, TheFolder) {
    EXPECT_EQ(with({}).folder, "/home/me/.cache/pyk");
    EXPECT_EQ(with({{"XDG_CACHE_HOME", "relative"}}).folder, "/home/me/.cache/pyk");
    EXPECT_EQ(with({{"XDG_CACHE_HOME", ""}}).folder, "/home/me/.cache/pyk");
    EXPECT_EQ(with({{"XDG_CACHE_HOME", "/var/me"}}).folder, "/var/me/pyk");
    EXPECT_EQ(with({{"PYK_CACHE_DIR", ""}}).folder, "/var/me/pyk");
    EXPECT_EQ(with({{"PYK_CACHE_DIR", "/scratch/kernels"}}).folder, "/scratch/kernels");
    EXPECT_EQ(with({{"PYK_CACHE_DIR", "kernels"}}).folder, "kernels");
    EXPECT_FALSE(with({}).off);
}

TEST_F(EnvironmentTest, WithoutAFolderItIsOff) {
    unsetenv("HOME");
    const StoreOptions options = with({});
    EXPECT_TRUE(options.off);
    EXPECT_EQ(Store(options).why_off(), "none of PYK_CACHE_DIR, XDG_CACHE_HOME and HOME names a folder");
}

TEST_F(EnvironmentTest, TheMode) {
    EXPECT_FALSE(with({{"PYK_CACHE", "1"}}).off);
    EXPECT_FALSE(with({{"PYK_CACHE", ""}}).off);
    EXPECT_FALSE(with({{"PYK_CACHE", ""}}).read_only);
    EXPECT_TRUE(with({{"PYK_CACHE", "ro"}}).read_only);
    EXPECT_EQ(Store(with({{"PYK_CACHE", "0"}})).why_off(), "PYK_CACHE=0");
    EXPECT_EQ(Store(with({{"PYK_CACHE", "of"}})).why_off(), "PYK_CACHE=of is none of 0, 1 and ro");
}

TEST_F(EnvironmentTest, OffTouchesNothing) {
    const Store store(with({{"PYK_CACHE", "0"}, {"PYK_CACHE_DIR", folder()}}));
    EXPECT_FALSE(store.put(key_of("one"), entry_of("one", "1")));
    EXPECT_FALSE(store.find(key_of("one")));
    EXPECT_FALSE(exists(folder()));
}

TEST_F(EnvironmentTest, ReadOnlyFindsAndChangesNothing) {
    EXPECT_THAT(Store(with({{"PYK_CACHE", "ro"}, {"PYK_CACHE_DIR", folder()}})).why_off(), HasSubstr("cannot use"));
    EXPECT_FALSE(exists(folder()));

    ASSERT_TRUE(store().put(key_of("one"), entry_of("one", "1")));
    ASSERT_TRUE(store().put(key_of("two"), entry_of("two", "2")));
    set_age(path_of(key_of("one")), 1000000);
    const std::int64_t time = time_of(path_of(key_of("one")));
    std::filesystem::resize_file(path_of(key_of("two")), 20);
    const auto before = files();

    const Store store(with({{"PYK_CACHE", "ro"}, {"PYK_CACHE_DIR", folder()}, {"PYK_CACHE_MAX_AGE", "1"}}));
    EXPECT_EQ(store.why_off(), "");
    EXPECT_EQ(store.find(key_of("one"))->payload, "1");
    EXPECT_FALSE(store.find(key_of("two")));
    EXPECT_FALSE(store.put(key_of("three"), entry_of("three", "3")));
    EXPECT_FALSE(store.erase(key_of("one")));
    EXPECT_EQ(store.clear().entries, 0u);
    EXPECT_EQ(store.prune().entries, 0u);
    EXPECT_EQ(files(), before);
    EXPECT_EQ(time_of(path_of(key_of("one"))), time);
}

TEST_F(EnvironmentTest, TheSize) {
    const auto size = [](const std::string& text) { return with({{"PYK_CACHE_MAX_SIZE", text}}).max_bytes; };
    EXPECT_EQ(size(""), std::uint64_t{1} << 30);
    EXPECT_EQ(size("0"), 0u);
    EXPECT_EQ(size("12345"), 12345u);
    EXPECT_EQ(size("3K"), 3072u);
    EXPECT_EQ(size("500M"), std::uint64_t{500} << 20);
    EXPECT_EQ(size("2G"), std::uint64_t{2} << 30);
    EXPECT_EQ(size("1T"), std::uint64_t{1} << 40);
    for (const std::string bad :
         {"2GB", "G", "-1", " 1", "1 G", "1.5G", "2g", "99999999999999999999", "9999999999T", "0x10"}) {
        const StoreOptions options = with({{"PYK_CACHE_MAX_SIZE", bad}});
        EXPECT_TRUE(options.off) << bad;
        EXPECT_EQ(options.why_off, "PYK_CACHE_MAX_SIZE=" + bad + " is no size, such as 500M or 2G");
    }
}

TEST_F(EnvironmentTest, TheAge) {
    const auto age = [](const std::string& text) { return with({{"PYK_CACHE_MAX_AGE", text}}).max_age; };
    EXPECT_EQ(age(""), std::chrono::hours(90 * 24));
    EXPECT_EQ(age("7"), std::chrono::hours(7 * 24));
    EXPECT_EQ(age("7d"), std::chrono::hours(7 * 24));
    EXPECT_EQ(age("12h"), std::chrono::hours(12));
    EXPECT_EQ(age("5m"), std::chrono::minutes(5));
    EXPECT_EQ(age("30s"), std::chrono::seconds(30));
    EXPECT_EQ(age("0"), std::chrono::seconds(0));
    const StoreOptions options = with({{"PYK_CACHE_MAX_AGE", "1w"}});
    EXPECT_TRUE(options.off);
    EXPECT_EQ(options.why_off, "PYK_CACHE_MAX_AGE=1w is no time, such as 30d or 12h");
}

TEST_F(EnvironmentTest, ASetuidProgramTrustsNone) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a program to another user";
    const std::string program = base_ + "/program", output = base_ + "/output";
    std::filesystem::copy_file(PYK_CACHE_ENVIRONMENT, program);
    ASSERT_EQ(chmod(base_.c_str(), 0755), 0);
    ASSERT_EQ(chown(program.c_str(), 65534, 65534), 0);
    setenv("PYK_CACHE_DIR", "/trap", 1);

    ASSERT_EQ(chmod(program.c_str(), 0755), 0);
    ASSERT_EQ(std::system((program + " > " + output).c_str()), 0);
    EXPECT_EQ(read_bytes(output), "secure=0 off=0 /trap\n");

    ASSERT_EQ(chmod(program.c_str(), 04755), 0);
    ASSERT_EQ(std::system((program + " > " + output).c_str()), 0);
    if (read_bytes(output).starts_with("secure=0")) GTEST_SKIP() << "setuid programs have no effect here";
    EXPECT_EQ(read_bytes(output), "secure=1 off=1 the program runs with the rights of another user\n");
}

}  // namespace
}  // namespace pyk::cache
