#include "cache/digest.h"

#include "cache/file.h"

// The low-level functions pull five objects out of libcrypto.a; those of EVP pull all of it. The build renames them.
#define OPENSSL_SUPPRESS_DEPRECATED
#define SHA256_Init pyk_SHA256_Init
#define SHA256_Update pyk_SHA256_Update
#define SHA256_Final pyk_SHA256_Final
#include <openssl/sha.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cache/bytes.h"

namespace pyk::cache {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

class Hash {
  public:
    Hash() { SHA256_Init(&state_); }
    void add(const void* bytes, std::size_t size) { SHA256_Update(&state_, bytes, size); }
    Digest digest() {
        Digest result;
        SHA256_Final(result.bytes.data(), &state_);
        return result;
    }

  private:
    SHA256_CTX state_;
};

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

}  // namespace

std::string hex(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += kHexDigits[byte >> 4];
        text += kHexDigits[byte & 15];
    }
    return text;
}

std::string Digest::hex() const { return cache::hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }

std::optional<Digest> Digest::from_hex(std::string_view text) {
    Digest result;
    if (text.size() != 2 * result.bytes.size()) return std::nullopt;
    for (std::size_t i = 0; i < result.bytes.size(); ++i) {
        const std::size_t high = kHexDigits.find(text[2 * i]), low = kHexDigits.find(text[2 * i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        result.bytes[i] = static_cast<unsigned char>(high << 4 | low);
    }
    return result;
}

Digest digest_of(std::string_view bytes) {
    Hash hash;
    hash.add(bytes.data(), bytes.size());
    return hash.digest();
}

std::optional<Digest> digest_of_file(const std::string& path) {
    const File file(std::fopen(path.c_str(), "rbe"));
    if (!file) return std::nullopt;
    Hash hash;
    std::array<char, 1 << 14> part;
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), file.get())) hash.add(part.data(), size);
    if (std::ferror(file.get())) return std::nullopt;
    return hash.digest();
}

KeyBuilder& KeyBuilder::add(std::string_view name, std::string_view value) {
    const bool readable = value.size() <= kLongestValue && std::none_of(value.begin(), value.end(), is_control);
    if (!readable) return append('d', name, "sha256:" + digest_of(value).hex());
    return append('t', name, std::string(value));
}

KeyBuilder& KeyBuilder::add(std::string_view name, std::uint64_t value) {
    return append('n', name, std::to_string(value));
}

KeyBuilder& KeyBuilder::append(char kind, std::string_view name, std::string value) {
    hashed_ += kind;
    append_text(hashed_, name);
    append_text(hashed_, value);
    fields_.emplace_back(name, std::move(value));
    return *this;
}

Digest KeyBuilder::digest() const { return digest_of(hashed_); }

}  // namespace pyk::cache
