// `pykc cache`: the environment says where, the store says what.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "cache/store.h"
#include "cli.h"

namespace pyk {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CliCache : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        for (const char* name : {"PYK_CACHE", "PYK_CACHE_MAX_SIZE", "PYK_CACHE_MAX_AGE"}) unsetenv(name);
        setenv("PYK_CACHE_DIR", cache_folder().c_str(), 1);
        write("saxpy.pyk", kSaxpy);
    }

    std::string cache_folder() const { return folder_.file("cache"); }
    std::string source() const { return std::filesystem::canonical(folder_.file("saxpy.pyk")); }

    /// An entry as the runtime compiler keeps it.
    cache::Digest put(const std::string& kind, const std::string& text, const std::string& signature,
                      const std::string& file) const {
        cache::KeyBuilder key;
        key.add("build", "1f2e").add("kind", kind).add("source", text).add("signature", signature);
        cache::StoreOptions options;
        options.folder = cache_folder();
        const cache::Entry entry = {kind, key.fields(), "binary", {{"kernel", "saxpy"}, {"file", file}}};
        EXPECT_TRUE(cache::Store(options).put(key.digest(), entry));
        return key.digest();
    }
    std::string path_of(const cache::Digest& key) const {
        return cache_folder() + "/v1/" + key.hex().substr(0, 2) + "/" + key.hex().substr(2);
    }
    void set_day(const cache::Digest& key, std::time_t seconds) const {
        const struct timespec times[] = {{seconds, 0}, {seconds, 0}};
        ASSERT_EQ(utimensat(AT_FDCWD, path_of(key).c_str(), times, 0), 0);
    }

    std::string printed(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "cache");
        const ProcessResult result = pykc(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.messages;
        EXPECT_EQ(result.messages, "");
        return result.output;
    }
};

const std::string kTypes = "float32, float32[::1], float32[::1]";

TEST_F(CliCache, Stats) {
    put("manifest", kSaxpy, kTypes, source());
    const auto key = put("cuda", kSaxpy, kTypes, source());
    const auto size = std::filesystem::file_size(path_of(key));
    put("cuda", kSaxpy, kTypes, source());
    EXPECT_THAT(printed({"stats"}), AllOf(HasSubstr("folder     " + cache_folder() + "\n"), HasSubstr("entries    2\n"),
                                          HasSubstr(" bytes of 1.0 GiB\n"), HasSubstr("90 days after the last use\n")));
    put("cpu", kSaxpy, kTypes, source());
    const std::string json = printed({"stats", "--json"});
    EXPECT_THAT(json, AllOf(HasSubstr("\"entries\": 3,"), HasSubstr("\"max_bytes\": 1073741824,"),
                            HasSubstr("\"temporaries\": 0"), HasSubstr("\"folder\": \"" + cache_folder() + "\"")));
    EXPECT_GT(size, 0u);
    const std::string shard = std::filesystem::path(path_of(key)).parent_path();
    std::filesystem::permissions(shard, std::filesystem::perms::all);
    const std::string why = "others may write to " + shard + " (mode 0777)";
    EXPECT_THAT(printed({"stats"}), HasSubstr("not used   " + why + "\n"));
    EXPECT_THAT(printed({"stats", "--json"}), HasSubstr("\"" + why + "\""));
}

TEST_F(CliCache, StatsOfACacheThatIsOff) {
    setenv("PYK_CACHE", "0", 1);
    EXPECT_EQ(printed({"stats"}), "the cache is off: PYK_CACHE=0\n");
    EXPECT_EQ(printed({"stats", "--json"}), "{\n  \"off\": \"PYK_CACHE=0\"\n}\n");
    EXPECT_FALSE(exists("cache"));
    for (const char* action : {"list", "verify", "clear"}) {
        const ProcessResult result = pykc({"cache", action});
        EXPECT_EQ(result.exit_code, 3) << action;
        EXPECT_EQ(result.messages, "pykc: error: the cache is off: PYK_CACHE=0\n");
    }
}

TEST_F(CliCache, List) {
    EXPECT_EQ(printed({"list"}), "");
    EXPECT_EQ(printed({"list", "--json"}), "[]\n");
    const auto old = put("cuda", kSaxpy, kTypes, source());
    const auto young = put("cpu", kSaxpy, kTypes, "/tmp/\x1b[31mred.pyk");
    set_day(old, 1000000000);
    set_day(young, 1100000000);
    const std::string size = std::to_string(std::filesystem::file_size(path_of(old))) + " bytes";
    EXPECT_THAT(printed({"list"}),
                AllOf(HasSubstr(young.hex().substr(0, 12) + "  cpu       2004-11-09"),
                      HasSubstr("saxpy  /tmp/\\x1b[31mred.pyk\n" + old.hex().substr(0, 12) + "  cuda      2001-09-09"),
                      HasSubstr(size + "  saxpy  " + source() + "\n")));
    EXPECT_THAT(printed({"list", "--json"}),
                AllOf(HasSubstr("\"key\": \"" + old.hex() + "\""), HasSubstr("\"last_used\": \"2001-09-09T01:46:40Z\""),
                      HasSubstr("\"payload_bytes\": 6,"), HasSubstr("\"" + kTypes + "\"")));
}

TEST_F(CliCache, VerifyAndClear) {
    const auto key = put("cuda", kSaxpy, kTypes, source());
    put("cpu", kSaxpy, kTypes, source());
    EXPECT_EQ(printed({"verify"}), "2 entries are right\n");
    std::filesystem::resize_file(path_of(key), 10);
    const ProcessResult result = pykc({"cache", "verify"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.output, "bad: " + path_of(key) + "\n1 entry is right\n");
    EXPECT_EQ(result.messages, "pykc: error: 1 entry was damaged, and removed\n");
    // What is no file stays, and is named.
    std::filesystem::create_directory(path_of(key));
    const std::string left = "pykc: error: " + path_of(key) + " is no entry, and could not be removed\n";
    EXPECT_EQ(pykc({"cache", "verify"}).messages, left);
    EXPECT_EQ(pykc({"cache", "verify"}).messages, left);
    std::filesystem::remove(path_of(key));

    setenv("PYK_CACHE", "ro", 1);
    EXPECT_EQ(pykc({"cache", "clear"}).messages, "pykc: error: the cache is only read: PYK_CACHE=ro\n");
    unsetenv("PYK_CACHE");
    EXPECT_THAT(printed({"clear"}), HasSubstr("removed 1 entry, "));
    EXPECT_EQ(printed({"list"}), "");
}

TEST_F(CliCache, WhyNamesTheFieldsThatDiffer) {
    const auto one = put("manifest", kSaxpy, kTypes, source());
    const auto two = put("manifest", kSaxpy, "float64, float64[::1], float64[::1]", source());
    put("cuda", kSaxpy, kTypes, source());
    put("manifest", kScale, kTypes, "/elsewhere/scale.pyk");
    set_day(one, 1100000000);
    set_day(two, 1000000000);
    const std::string text = printed({"why", "saxpy.pyk"});
    EXPECT_THAT(text, HasSubstr(source() + ": 3 entries\n\nsaxpy, cuda\n  1. "));
    EXPECT_THAT(text, HasSubstr("\nsaxpy, manifest\n  1. " + one.hex().substr(0, 12) + ", used 2004-11-09\n  2. " +
                                two.hex().substr(0, 12) +
                                ", used 2001-09-09\n"
                                "  differ in\n"
                                "    signature    1. float32, float32[::1], float32[::1]\n"
                                "                 2. float64, float64[::1], float64[::1]\n"
                                "  are the same in build, kind, source\n"));
    EXPECT_THAT(text, Not(HasSubstr("compiled anew")));
}

TEST_F(CliCache, WhySeesThatTheFileChanged) {
    const std::string edited = std::string(kSaxpy) + "# edited\n";
    put("manifest", kSaxpy, kTypes, source());
    write("saxpy.pyk", edited);
    EXPECT_THAT(printed({"why", "saxpy.pyk"}), HasSubstr("None is of the file as it is now"));
    put("manifest", edited, kTypes, source());
    const std::string text = printed({"why", "./saxpy.pyk"});
    EXPECT_THAT(text, Not(HasSubstr("None is")));
    EXPECT_THAT(text, HasSubstr("sha256:" + cache::digest_of(edited).hex() + "  (the file as it is now)\n"));
    EXPECT_THAT(text, HasSubstr("sha256:" + cache::digest_of(kSaxpy).hex() + "\n"));
}

TEST_F(CliCache, WhyKnowsAFileByEachOfItsPaths) {
    std::filesystem::create_directory_symlink(folder_.path(), folder_.file("link"));
    put("manifest", kScale, kTypes, folder_.file("link/saxpy.pyk"));
    EXPECT_THAT(printed({"why", "saxpy.pyk"}), HasSubstr(source() + ": 1 entry\n"));
    EXPECT_THAT(printed({"why", "link/./saxpy.pyk"}), HasSubstr(source() + ": 1 entry\n"));
}

TEST_F(CliCache, WhyFindsAFileByItsContent) {
    put("manifest", kSaxpy, kTypes, "/where/it/was/before.pyk");
    EXPECT_THAT(printed({"why", "saxpy.pyk"}), HasSubstr(source() + ": 1 entry\n"));
    EXPECT_EQ(printed({"why", "missing.pyk"}),
              std::filesystem::canonical(folder_.path()).string() + "/missing.pyk: no entry is of this file\n");
}

TEST_F(CliCache, Usage) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {}, {"stat"}, {"why"}, {"clear", "--json"}, {"stats", "list"}, {"list", "x"}}) {
        std::vector<std::string> all = {"cache"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const ProcessResult result = pykc(all);
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_THAT(result.messages, HasSubstr("(see pykc cache --help)"));
    }
    EXPECT_THAT(printed({"--help"}), AllOf(HasSubstr("stats"), HasSubstr("why")));
    EXPECT_THAT(printed({"why", "--help"}), HasSubstr("FILE"));
    EXPECT_THAT(pykc({"--help"}).output, HasSubstr("pykc cache ACTION"));
}

}  // namespace
}  // namespace pyk
