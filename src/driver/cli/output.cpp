#include "driver/cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "driver/cli/failure.h"

namespace pyk {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw InputOutputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

void write_in_place(const std::string& path, std::string_view bytes) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail(path);
    const bool written = write_all(fd, bytes);
    const int reason = errno;
    const bool closed = close(fd) == 0;
    if (!written) errno = reason;
    if (!written || !closed) fail(path);
}

// The mode that open() would have given a new file, or that the old one has.
mode_t mode_for(const struct stat* old) {
    if (old) return old->st_mode & 07777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

void replace(const std::string& path, std::string_view bytes, mode_t mode) {
    std::string temporary = path + ".XXXXXX";
    const int fd = mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0) fail(path);
    bool good = write_all(fd, bytes) && fchmod(fd, mode) == 0;
    int reason = errno;
    if (close(fd) != 0 && good) good = false, reason = errno;
    if (good && rename(temporary.c_str(), path.c_str()) != 0) good = false, reason = errno;
    if (good) return;
    unlink(temporary.c_str());
    errno = reason;
    fail(path);
}

// A link stays a link: what it points to is replaced.
std::string followed(const std::string& path) {
    char* real = realpath(path.c_str(), nullptr);
    std::string result = real ? real : path;
    free(real);
    return result;
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
    if (path == "-") {
        if (!write_all(STDOUT_FILENO, bytes)) fail("the standard output");
        return;
    }
    struct stat old;
    const bool exists = stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        fail(path);
    }
    if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes);
    replace(followed(path), bytes, mode_for(exists ? &old : nullptr));
}

}  // namespace pyk
