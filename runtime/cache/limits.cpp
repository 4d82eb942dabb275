// What is removed, and when.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>

#include "cache/store.h"
#include "layout.h"

namespace pyk::cache {
namespace {

/// Nobody takes longer to write an entry.
constexpr std::time_t kTemporaryLives = 3600;
/// How often all processes together look for what to remove …
constexpr std::time_t kPause = 60;
/// … unless one of them has written this part of the limit.
constexpr std::uint64_t kPartWritten = 8;

struct Candidate {
    Place place;
    FileState state;
};

std::vector<Candidate> candidates(const std::string& root) {
    std::vector<Candidate> result;
    each_entry(root, [&](const Found& found) {
        struct stat status {};
        if (fstatat(found.shard, found.place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
            result.push_back({found.place, FileState(status)});
    });
    return result;
}

bool used_before(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) { return std::pair(c.state.modified.tv_sec, c.state.modified.tv_nsec); };
    return key(a) < key(b);
}

std::uint64_t size_of(const Candidate& candidate) { return static_cast<std::uint64_t>(candidate.state.size); }

/// Those to go, of entries in the order of their last use: the too old, then so many that a fifth of the limit is free.
std::vector<Candidate> to_remove(std::vector<Candidate> entries, const StoreOptions& options) {
    std::sort(entries.begin(), entries.end(), used_before);
    std::uint64_t total = 0;
    for (const Candidate& entry : entries) total += size_of(entry);
    const bool too_big = options.max_bytes != 0 && total > options.max_bytes;
    const std::time_t oldest = std::time(nullptr) - static_cast<std::time_t>(options.max_age.count());
    std::size_t count = 0;
    for (; count < entries.size(); ++count) {
        const bool too_old = options.max_age.count() != 0 && entries[count].state.modified.tv_sec < oldest;
        if (!too_old && !(too_big && total > options.max_bytes / 5 * 4)) break;
        total -= size_of(entries[count]);
    }
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(count), entries.end());
    return entries;
}

std::uint64_t remove_temporaries(const std::string& root, std::time_t younger_than) {
    std::uint64_t removed = 0;
    each_temporary(root, [&](int shard, const std::string& name) {
        struct stat status {};
        if (fstatat(shard, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mtim.tv_sec < younger_than &&
            unlinkat(shard, name.c_str(), 0) == 0)
            ++removed;
    });
    return removed;
}

/// One process at a time is enough. Saves work only: two at once would do no harm.
class PruneLock {
  public:
    explicit PruneLock(const std::string& root)
        : file_(openat(open_format_folder(root, false).get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                       S_IRUSR | S_IWUSR)) {
        struct flock range {};
        range.l_type = F_WRLCK;
        range.l_whence = SEEK_SET;
        // A file system without locks is no reason never to remove anything.
        free_ = file_ && (fcntl(file_.get(), F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES));
    }

    bool free() const { return free_; }
    bool pruned_lately() const {
        struct stat status {};
        if (fstat(file_.get(), &status) != 0 || status.st_size == 0) return false;
        const std::time_t ago = std::time(nullptr) - status.st_mtim.tv_sec;
        return ago >= 0 && ago < kPause;
    }
    /// The file's time says when; a byte in it, that it ever was.
    void note() const { [[maybe_unused]] const ssize_t written = pwrite(file_.get(), "1", 1, 0); }

  private:
    Handle file_;
    bool free_ = false;
};

}  // namespace

Removed Store::prune() const {
    Removed removed;
    if (!why_off_.empty() || options_.read_only) return removed;
    removed.temporaries = remove_temporaries(options_.folder, std::time(nullptr) - kTemporaryLives);
    const Handle folder = open_format_folder(options_.folder, false);
    for (const Candidate& entry : to_remove(candidates(options_.folder), options_)) {
        const Handle shard = open_folder(folder.get(), entry.place.shard, false);
        if (!shard || !remove_if_same(shard.get(), entry.place.name, entry.state)) continue;
        ++removed.entries;
        removed.bytes += size_of(entry);
    }
    return removed;
}

void Store::prune_sometimes(std::uint64_t just_written) const {
    const std::uint64_t written = written_.fetch_add(just_written) + just_written;
    const bool much = options_.max_bytes != 0 && written > options_.max_bytes / kPartWritten;
    const PruneLock lock(options_.folder);
    if (!lock.free() || (!much && lock.pruned_lately())) return;
    written_ = 0;
    lock.note();
    prune();
}

Stats Store::stats() const {
    Stats stats;
    if (!why_off_.empty()) return stats;
    for (const Candidate& entry : candidates(options_.folder)) {
        ++stats.entries;
        stats.bytes += size_of(entry);
    }
    each_temporary(options_.folder, [&](int, const std::string&) { ++stats.temporaries; });
    each_refused(options_.folder, [&](const std::string& path) { stats.refused.push_back(why_not_private(path)); });
    std::sort(stats.refused.begin(), stats.refused.end());
    return stats;
}

Removed Store::clear() const {
    Removed removed;
    if (!why_off_.empty() || options_.read_only) return removed;
    each_entry(options_.folder, [&](const Found& found) {
        struct stat status {};
        if (fstatat(found.shard, found.place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            unlinkat(found.shard, found.place.name.c_str(), 0) != 0)
            return;
        ++removed.entries;
        removed.bytes += static_cast<std::uint64_t>(status.st_size);
    });
    removed.temporaries = remove_temporaries(options_.folder, std::numeric_limits<std::time_t>::max());
    return removed;
}

}  // namespace pyk::cache
