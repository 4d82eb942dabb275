#include "folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "cache/digest.h"

namespace pyk::cache {
namespace {

constexpr std::string_view kTemporary = ".tmp-";

Handle open_existing_folder(int parent, const std::string& name) {
    return Handle(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::string mode_text(mode_t mode) {
    std::string text = "0000";
    for (int digit = 3; digit > 0; --digit, mode >>= 3) text[digit] = static_cast<char>('0' + (mode & 7));
    return text;
}

std::optional<std::string> random_name() {
    std::array<unsigned char, 16> bytes;
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return std::nullopt;
    std::string name(kTemporary);
    for (const unsigned char byte : bytes) {
        name += static_cast<char>('a' + (byte >> 4));
        name += static_cast<char>('a' + (byte & 15));
    }
    return name;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// A process that exceeds its limit on file sizes is killed by a signal: not by us.
bool exceeds_file_size_limit(std::size_t size) {
    struct rlimit limit {};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur;
}

struct CloseDirectory {
    void operator()(DIR* directory) const { closedir(directory); }
};

}  // namespace

bool is_private(const struct stat& status) {
    return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Handle open_folder(int parent, const std::string& name, bool create) {
    Handle folder = open_existing_folder(parent, name);
    if (!folder && create && errno == ENOENT) {
        mkdirat(parent, name.c_str(), S_IRWXU);  // another may have made it meanwhile
        folder = open_existing_folder(parent, name);
    }
    struct stat status {};
    if (!folder || fstat(folder.get(), &status) != 0) return {};
    if (is_private(status)) return folder;
    errno = EPERM;
    return {};
}

std::string why_not_private(const std::string& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return "cannot use " + path + ": " + std::strerror(errno);
    if (S_ISLNK(status.st_mode)) return path + " is a symbolic link";
    if (!S_ISDIR(status.st_mode)) return path + " is not a folder";
    if (status.st_uid != geteuid()) return path + " belongs to another user";
    if (!is_private(status)) return "others may write to " + path + " (mode " + mode_text(status.st_mode) + ")";
    const Handle folder = open_existing_folder(AT_FDCWD, path);
    return "cannot open " + path + (folder ? "" : std::string(": ") + std::strerror(errno));
}

void make_folders(const std::string& path) {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), S_IRWXU);
    mkdir(path.c_str(), S_IRWXU);
}

FileState::FileState(const struct stat& status)
    : device(status.st_dev), inode(status.st_ino), size(status.st_size), modified(status.st_mtim) {}

bool FileState::operator==(const FileState& other) const {
    return device == other.device && inode == other.inode && size == other.size &&
           modified.tv_sec == other.modified.tv_sec && modified.tv_nsec == other.modified.tv_nsec;
}

std::optional<OpenFile> open_file(int folder, const std::string& name) {
    // Not to wait for a writer, should it be a pipe.
    OpenFile file{Handle(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)), {}};
    const bool seen = file.handle ? fstat(file.handle.get(), &file.status) == 0
                                  : fstatat(folder, name.c_str(), &file.status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!seen) return std::nullopt;
    if (!S_ISREG(file.status.st_mode) || !is_private(file.status)) file.handle = {};
    return file;
}

std::optional<std::string> read_whole(int file, std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t done = 0; done < size;) {
        const ssize_t got = read(file, bytes.data() + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::optional<std::string> write_aside(int folder, std::string_view bytes) {
    if (exceeds_file_size_limit(bytes.size())) return std::nullopt;
    const auto name = random_name();
    if (!name) return std::nullopt;
    const Handle file(
        openat(folder, name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) return std::nullopt;
    if (!write_all(file.get(), bytes)) {
        unlinkat(folder, name->c_str(), 0);
        return std::nullopt;
    }
    return name;
}

bool is_temporary(std::string_view name) { return name.starts_with(kTemporary); }

bool remove_if_same(int folder, const std::string& name, const FileState& seen) {
    struct stat status {};
    return fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && FileState(status) == seen &&
           unlinkat(folder, name.c_str(), 0) == 0;
}

void each_name(int folder, const std::function<void(const std::string&)>& visit) {
    const int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0) return;
    const std::unique_ptr<DIR, CloseDirectory> directory(fdopendir(own));
    if (!directory) {
        close(own);
        return;
    }
    std::vector<std::string> names;  // read before any is removed
    while (const dirent* item = readdir(directory.get())) names.emplace_back(item->d_name);
    for (const std::string& name : names)
        if (name != "." && name != "..") visit(name);
}

}  // namespace pyk::cache
