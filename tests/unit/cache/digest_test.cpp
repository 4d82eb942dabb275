// SHA-256 and the key function.
#include <gmock/gmock.h>

#include <locale>
#include <set>

#include "cache_test.h"

namespace pyk::cache {
namespace {

// FIPS 180-2, appendix B, and the empty message.
TEST(Digest, IsSha256) {
    EXPECT_EQ(digest_of("").hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest_of("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex(),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest_of(std::string(1000000, 'a')).hex(),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, ReadsItsOwnDigits) {
    const Digest digest = digest_of("abc");
    EXPECT_EQ(Digest::from_hex(digest.hex()), digest);
    EXPECT_FALSE(Digest::from_hex(digest.hex().substr(1)));
    EXPECT_FALSE(Digest::from_hex(digest.hex() + "0"));
    EXPECT_FALSE(Digest::from_hex(std::string(63, '0') + "G"));
    EXPECT_FALSE(Digest::from_hex(std::string(63, '0') + "A"));
}

class DigestOfFile : public CacheTest {};

TEST_F(DigestOfFile, IsThatOfItsContent) {
    const std::string bytes = std::string(100000, 'x') + '\0' + "end";
    write_bytes(base_ + "/file", bytes);
    EXPECT_EQ(digest_of_file(base_ + "/file"), digest_of(bytes));
    write_bytes(base_ + "/empty", "");
    EXPECT_EQ(digest_of_file(base_ + "/empty"), digest_of(""));
    EXPECT_FALSE(digest_of_file(base_ + "/missing"));
    EXPECT_FALSE(digest_of_file(base_));
}

TEST(Key, EveryDifferenceCounts) {
    const std::string text(KeyBuilder::kLongestValue + 1, 'x');
    const std::string digest_text = "sha256:" + digest_of(text).hex();
    const std::vector<KeyBuilder> keys = {
        KeyBuilder(),
        KeyBuilder().add("a", "b"),
        KeyBuilder().add("a", "c"),
        KeyBuilder().add("c", "b"),
        KeyBuilder().add("a", "b").add("a", "b"),
        KeyBuilder().add("a", "b").add("c", "d"),
        KeyBuilder().add("c", "d").add("a", "b"),
        KeyBuilder().add("a", "d").add("c", "b"),
        KeyBuilder().add("ab", ""),
        KeyBuilder().add("", "ab"),
        KeyBuilder().add("a", "").add("b", ""),
        KeyBuilder().add("a", "bt"),
        KeyBuilder().add("a", "b").add("", ""),
        KeyBuilder().add("a", std::string_view("b\0", 2)),
        KeyBuilder().add("a", "5"),
        KeyBuilder().add("a", 5),
        KeyBuilder().add("a", 50),
        KeyBuilder().add("a", text),
        KeyBuilder().add("a", text + "x"),
        KeyBuilder().add("a", digest_text),
    };
    std::set<Digest> digests;
    for (const KeyBuilder& key : keys) digests.insert(key.digest());
    EXPECT_EQ(digests.size(), keys.size());
}

TEST(Key, EveryByteOfEveryFieldCounts) {
    const std::vector<std::pair<std::string, std::string>> fields = {{"build", "1f2e3d"},
                                                                     {"source", std::string(1000, 's')},
                                                                     {"signature", "void(float32[::1])"},
                                                                     {"arch", "sm_90a"}};
    const auto digest = [](const auto& all) {
        KeyBuilder key;
        for (const auto& [name, value] : all) key.add(name, value);
        return key.digest();
    };
    std::set<Digest> digests = {digest(fields)};
    std::size_t count = 1;
    for (std::size_t field = 0; field < fields.size(); ++field) {
        for (std::size_t at = 0; at < fields[field].first.size(); ++at, ++count) {
            auto changed = fields;
            changed[field].first[at] ^= 1;
            digests.insert(digest(changed));
        }
        for (std::size_t at = 0; at < fields[field].second.size(); ++at, ++count) {
            auto changed = fields;
            changed[field].second[at] ^= 1;
            digests.insert(digest(changed));
        }
    }
    EXPECT_EQ(digests.size(), count);
}

TEST(Key, FieldsAreReadable) {
    const std::string source(1000, 's');
    const KeyBuilder key = KeyBuilder().add("arch", "sm_90").add("source", source).add("opt", 3).add("lines", "a\nb");
    EXPECT_THAT(key.fields(), ::testing::ElementsAre(
                                  std::pair("arch", "sm_90"), std::pair("source", "sha256:" + digest_of(source).hex()),
                                  std::pair("opt", "3"), std::pair("lines", "sha256:" + digest_of("a\nb").hex())));
}

struct GroupedDigits : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Key, LocaleDoesNotCount) {
    const Digest before = KeyBuilder().add("size", 1234567).digest();
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new GroupedDigits));
    EXPECT_EQ(KeyBuilder().add("size", 1234567).digest(), before);
    std::locale::global(old);
}

// By Python's hashlib, over kind, length, name, length and value of each field: what one build of pyk kept another
// finds.
TEST(Key, StaysTheSame) {
    EXPECT_EQ(KeyBuilder().add("a", "b").add("n", 258).digest().hex(),
              "69b7a82dbb79782a055b60d458f8ec1f621b6137e58241ec6e2fea337e101e9f");
}

}  // namespace
}  // namespace pyk::cache
