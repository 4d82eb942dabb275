// Entries of the cache as a person reads them, and `pykc cache why`.
#pragma once

#include <string>
#include <vector>

#include "cache/store.h"

namespace pyk {

/// With control characters, which a file found in the cache may hold, as `\x1b`.
std::string printable(std::string_view text);
/// The first twelve digits of the key.
std::string short_key(const cache::EntryInfo& entry);
/// When it was used last: `2026-11-21`, UTC.
std::string day_text(const cache::EntryInfo& entry);
/// The kernel and the file that it is of, as far as its notes say them.
std::string about(const cache::EntryInfo& entry);

/// Which entries are of the file, by its path or by its content, and which fields of their keys differ: why a compile
/// was not found there.
std::string why_text(const std::vector<cache::EntryInfo>& entries, const std::string& file);

}  // namespace pyk
