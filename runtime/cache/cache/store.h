// The cache on disk: one file per entry, written aside and renamed, verified when read. A cache that cannot be used is
// off and says why; no call here throws but for lack of memory, and none prints.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/digest.h"

namespace pyk::cache {

struct Entry {
    std::string kind;     ///< `manifest`, `cuda`, `cpu`
    Fields fields;        ///< the full key, readable: `KeyBuilder::fields()`
    std::string payload;  ///< any bytes
    Fields notes;         ///< for people only, no part of the key: `file`, the path of the source; `kernel`
};

struct StoreOptions {
    std::string folder;                                      ///< empty: the store is off
    std::uint64_t max_bytes = std::uint64_t{1} << 30;        ///< of all entries; 0: no limit
    std::chrono::seconds max_age{90 * std::int64_t{86400}};  ///< since the last use; 0: no limit
    bool read_only = false;                                  ///< finds entries, changes nothing
    bool off = false;
    bool is_wanted_off = false;  ///< with `off`: by who runs the program, not for want of something
    std::string why_off;         ///< with `off`
};

/// By `PYK_CACHE_DIR`, else `XDG_CACHE_HOME/pyk`, else `HOME/.cache/pyk`; `PYK_CACHE` (`0` is off, `ro` read-only);
/// `PYK_CACHE_MAX_SIZE` (bytes, or with K, M, G, T); `PYK_CACHE_MAX_AGE` (days, or with h, m, s). Off for setuid
/// programs and for values that make no sense.
StoreOptions options_from_environment();

/// What is known of an entry without its payload.
struct EntryInfo {
    Digest key;
    std::string kind;
    Fields fields, notes;
    std::uint64_t payload_bytes = 0;
    std::uint64_t file_bytes = 0;
    std::chrono::system_clock::time_point last_used;  ///< to the day
};

struct Stats {
    std::uint64_t entries = 0, bytes = 0;
    std::uint64_t temporaries = 0;     ///< left over by processes that were killed, or being written
    std::vector<std::string> refused;  ///< of folders whose entries are not used: why not
};

struct Removed {
    std::uint64_t entries = 0, bytes = 0, temporaries = 0;
};

struct Verified {
    std::uint64_t good = 0;
    std::vector<std::string> bad;   ///< paths; removed unless the store is read-only
    std::vector<std::string> left;  ///< those of them that could not be removed: folders
};

/// Every call may come from any thread and any number of processes at once; none waits for another. The store keeps no
/// file open between calls.
class Store {
  public:
    /// Makes the folder if there is none. Never fails: see `why_off`.
    explicit Store(StoreOptions options);
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Empty: in use. Else why nothing is found and nothing kept.
    const std::string& why_off() const { return why_off_; }
    bool is_wanted_off() const { return options_.is_wanted_off; }
    const StoreOptions& options() const { return options_; }

    /// The entry, checked against its checksum and `key`; whatever is wrong with it is a miss, and it is removed.
    std::optional<Entry> find(const Digest& key) const;
    /// Keeps an entry, in place of one with that key; now and then removes what exceeds the limits. False: it was not
    /// kept, for whatever reason; nothing is left behind.
    bool put(const Digest& key, const Entry& entry) const;
    /// Removes an entry: for those that proved useless though their checksum is right.
    bool erase(const Digest& key) const;

    /// All entries that can be read, those used last first.
    std::vector<EntryInfo> list() const;
    Stats stats() const;
    /// Reads every entry.
    Verified verify() const;
    /// Removes all entries and temporaries of this format.
    Removed clear() const;
    /// Removes what is too old, what is used least while all is too big, and old temporaries.
    Removed prune() const;

  private:
    void prune_sometimes(std::uint64_t just_written) const;

    StoreOptions options_;
    std::string why_off_;
    mutable std::atomic<std::uint64_t> written_{0};  ///< bytes since this process last pruned
};

}  // namespace pyk::cache
