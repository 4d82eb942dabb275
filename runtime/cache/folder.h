// Folders and files that only we may have written: every step is taken from an open folder, follows no link and looks
// at owner and mode.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>

#include "cache/file.h"

namespace pyk::cache {

/// Ours, and nobody else may write to it.
bool is_private(const struct stat& status);

/// Opens the folder `name` of `parent` (AT_FDCWD with a path), if it is private; with `create` makes it with mode 0700
/// where there is none. On failure errno says why.
Handle open_folder(int parent, const std::string& name, bool create);
/// Why `open_folder(AT_FDCWD, path, …)` gave nothing.
std::string why_not_private(const std::string& path);
/// Makes a folder and those above it that are missing, with mode 0700. Failure shows when it is opened.
void make_folders(const std::string& path);

/// A file as it was when it was opened or seen.
struct FileState {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    struct timespec modified {};
    explicit FileState(const struct stat& status);
    bool operator==(const FileState& other) const;
};

struct OpenFile {
    Handle handle;
    struct stat status;
};
/// Opens a file for reading. `status` of what is there is told even if it is not a private regular file, then without a
/// handle; nullopt: there is nothing.
std::optional<OpenFile> open_file(int folder, const std::string& name);
/// All `size` bytes; nullopt if there are fewer.
std::optional<std::string> read_whole(int file, std::size_t size);

/// Writes a new file of mode 0600 under a name that no other file has. nullopt: nothing is left of it.
std::optional<std::string> write_aside(int folder, std::string_view bytes);
/// Is this a name that `write_aside` gives?
bool is_temporary(std::string_view name);

/// Removes a file if it is still the one that was seen.
bool remove_if_same(int folder, const std::string& name, const FileState& seen);

/// Calls for each name in a folder, but for `.` and `..`.
void each_name(int folder, const std::function<void(const std::string&)>& visit);

}  // namespace pyk::cache
