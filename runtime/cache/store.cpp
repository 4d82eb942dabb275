#include "cache/store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "entry_file.h"
#include "folder.h"
#include "layout.h"

namespace pyk::cache {
namespace {

constexpr std::time_t kDay = 86400;

/// That an entry was used is noted once a day, whatever the file system does with access times.
void note_use(const OpenFile& file) {
    const std::time_t now = std::time(nullptr), noted = file.status.st_mtim.tv_sec;
    if (now - noted < kDay && noted - now < kDay) return;
    const struct timespec times[] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    futimens(file.handle.get(), times);
}

/// The entry in a file, if all of it is right.
std::optional<KeyedEntry> read_entry(const OpenFile& file, const Digest& key) {
    const auto size = static_cast<std::uint64_t>(file.status.st_size);
    if (!file.handle || size > kMaxFileBytes) return std::nullopt;
    const auto bytes = read_whole(file.handle.get(), size);
    if (!bytes) return std::nullopt;
    auto found = decode(*bytes);
    if (found && found->key != key) found.reset();
    return found;
}

std::string absolute(const std::string& path) {
    if (path.starts_with('/')) return path;
    char* const here = get_current_dir_name();
    if (!here) return path;
    std::string result = std::string(here) + "/" + path;
    std::free(here);
    return result;
}

std::string without_slashes_at_end(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

}  // namespace

Store::Store(StoreOptions options) : options_(std::move(options)) {
    if (options_.off || options_.folder.empty()) {
        why_off_ = options_.why_off.empty() ? "it is switched off" : options_.why_off;
        return;
    }
    options_.folder = without_slashes_at_end(absolute(options_.folder));
    const Handle root = open_root(options_.folder, !options_.read_only);
    if (!root)
        why_off_ = why_not_private(options_.folder);
    else if (!open_folder(root.get(), kFormatFolder, !options_.read_only))
        why_off_ = why_not_private(options_.folder + "/" + kFormatFolder);
}

std::optional<Entry> Store::find(const Digest& key) const {
    if (!why_off_.empty()) return std::nullopt;
    const Place place(key);
    const Handle shard = open_folder(open_format_folder(options_.folder, false).get(), place.shard, false);
    if (!shard) return std::nullopt;
    const auto file = open_file(shard.get(), place.name);
    if (!file) return std::nullopt;
    auto found = read_entry(*file, key);
    if (!found) {
        if (!options_.read_only) remove_if_same(shard.get(), place.name, FileState(file->status));
        return std::nullopt;
    }
    if (!options_.read_only) note_use(*file);
    return std::move(found->entry);
}

bool Store::put(const Digest& key, const Entry& entry) const {
    if (!why_off_.empty() || options_.read_only) return false;
    const std::string bytes = encode(key, entry);
    // One entry must not push out all others.
    if (bytes.size() > kMaxFileBytes || (options_.max_bytes != 0 && bytes.size() > options_.max_bytes / 2))
        return false;
    const Place place(key);
    const Handle shard = open_folder(open_format_folder(options_.folder, true).get(), place.shard, true);
    if (!shard) return false;
    const auto aside = write_aside(shard.get(), bytes);
    if (!aside) return false;
    if (renameat(shard.get(), aside->c_str(), shard.get(), place.name.c_str()) != 0) {
        unlinkat(shard.get(), aside->c_str(), 0);
        return false;
    }
    prune_sometimes(bytes.size());
    return true;
}

bool Store::erase(const Digest& key) const {
    if (!why_off_.empty() || options_.read_only) return false;
    const Place place(key);
    const Handle shard = open_folder(open_format_folder(options_.folder, false).get(), place.shard, false);
    return shard && unlinkat(shard.get(), place.name.c_str(), 0) == 0;
}

std::vector<EntryInfo> Store::list() const {
    std::vector<EntryInfo> result;
    if (!why_off_.empty()) return result;
    each_entry(options_.folder, [&](const Found& found) {
        const auto file = open_file(found.shard, found.place.name);
        auto read = file ? read_entry(*file, found.key) : std::nullopt;
        if (!read) return;
        Entry& entry = read->entry;
        result.push_back({found.key, std::move(entry.kind), std::move(entry.fields), std::move(entry.notes),
                          entry.payload.size(), static_cast<std::uint64_t>(file->status.st_size),
                          std::chrono::system_clock::from_time_t(file->status.st_mtim.tv_sec)});
    });
    std::stable_sort(result.begin(), result.end(),
                     [](const EntryInfo& a, const EntryInfo& b) { return a.last_used > b.last_used; });
    return result;
}

Verified Store::verify() const {
    Verified result;
    if (!why_off_.empty()) return result;
    each_entry(options_.folder, [&](const Found& found) {
        const auto file = open_file(found.shard, found.place.name);
        if (!file) return;  // removed meanwhile
        if (read_entry(*file, found.key)) {
            ++result.good;
            return;
        }
        result.bad.push_back(found.path(options_.folder));
        if (!options_.read_only && !remove_if_same(found.shard, found.place.name, FileState(file->status)))
            result.left.push_back(result.bad.back());
    });
    return result;
}

}  // namespace pyk::cache
