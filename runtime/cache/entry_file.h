// The content of an entry's file:
//
//   magic "pykcache", u32 format, key (32 bytes), kind, u32 n and n fields, u32 n and n notes, payload, SHA-256 of all
//   that precedes
//
// with numbers little-endian, and each text (kind, name, value, payload) behind its length, a u64.
#pragma once

#include "cache/store.h"

namespace pyk::cache {

constexpr std::uint32_t kFormat = 1;
/// What is larger was not written by us, and nobody should wait for it to be read.
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{256} << 20;

struct KeyedEntry {
    Digest key;
    Entry entry;
};

std::string encode(const Digest& key, const Entry& entry);
/// nullopt: anything is wrong with it, or something follows it.
std::optional<KeyedEntry> decode(std::string_view bytes);

}  // namespace pyk::cache
