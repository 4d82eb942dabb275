// What names an entry of the cache: SHA-256 over everything that shapes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyk::cache {

/// Two lower-case hexadecimal digits for each byte.
std::string hex(std::string_view bytes);

/// A SHA-256.
struct Digest {
    std::array<unsigned char, 32> bytes{};

    /// 64 digits.
    std::string hex() const;
    /// The inverse of `hex`; nullopt for anything else.
    static std::optional<Digest> from_hex(std::string_view text);

    friend bool operator==(const Digest& a, const Digest& b) { return a.bytes == b.bytes; }
    friend bool operator!=(const Digest& a, const Digest& b) { return a.bytes != b.bytes; }
    friend bool operator<(const Digest& a, const Digest& b) { return a.bytes < b.bytes; }
};

Digest digest_of(std::string_view bytes);
/// Of a file's content; nullopt if it cannot be read wholly.
std::optional<Digest> digest_of_file(const std::string& path);

/// A file that was read, and what was in it then: it may be another when somebody asks.
struct FileRead {
    std::string path;
    std::string digest;  ///< of its bytes, in hexadecimal; empty: they could not be read
};

/// Names with values, in order; a name may come more than once.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Builds the key of an entry from named fields: the one key function of the project. Names, values, their kinds and
/// their order all count, and no two different lists of fields give the same input to the hash.
class KeyBuilder {
  public:
    KeyBuilder& add(std::string_view name, std::string_view value);
    KeyBuilder& add(std::string_view name, std::uint64_t value);

    /// Over all fields added so far.
    Digest digest() const;
    /// The fields as a person reads them: of values that are longer than `kLongestValue` bytes or more than a line,
    /// `sha256:` and their digest.
    const Fields& fields() const { return fields_; }

    static constexpr std::size_t kLongestValue = 256;

  private:
    KeyBuilder& append(char kind, std::string_view name, std::string value);

    Fields fields_;
    std::string hashed_;
};

}  // namespace pyk::cache
