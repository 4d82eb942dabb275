#include "driver/cli/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "driver/cli/failure.h"
#include "driver/cli/output.h"
#include "support/files.h"

namespace pyk {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw InputOutputError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
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

// A file that is complete under another name.
class Aside {
  public:
    Aside(const std::string& path, std::string_view bytes, mode_t mode) : path_(path), temporary_(path + ".XXXXXX") {
        const int fd = mkostemp(temporary_.data(), O_CLOEXEC);
        if (fd < 0) fail(path);
        bool good = write_all(fd, bytes) && fchmod(fd, mode) == 0;
        int reason = errno;
        if (close(fd) != 0 && good) good = false, reason = errno;
        if (good) return;
        unlink(temporary_.c_str());
        errno = reason;
        fail(path);
    }
    Aside(Aside&& other) noexcept
        : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, std::string())) {}
    ~Aside() {
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }

    void publish() {
        if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_);
        temporary_.clear();
    }

  private:
    std::string path_, temporary_;
};

// A link stays a link: what it points to is replaced.
std::string followed(const std::string& path) {
    char* real = realpath(path.c_str(), nullptr);
    std::string result = real ? real : path;
    free(real);
    return result;
}

// Nothing for what is written in place.
std::optional<Aside> aside(const std::string& path, std::string_view bytes) {
    if (path == "-") return std::nullopt;
    struct stat old;
    const bool exists = stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        fail(path);
    }
    if (exists && !S_ISREG(old.st_mode)) return std::nullopt;
    return Aside(followed(path), bytes, mode_for(exists ? &old : nullptr));
}

}  // namespace

std::vector<std::string> Outputs::paths() const {
    std::vector<std::string> paths;
    for (const File& file : files_) paths.push_back(file.path);
    return paths;
}

void Outputs::write() const {
    std::vector<Aside> ready;
    std::vector<const File*> in_place;
    for (const File& file : files_) {
        if (std::optional<Aside> written = aside(file.path, file.bytes))
            ready.push_back(std::move(*written));
        else
            in_place.push_back(&file);
    }
    for (Aside& file : ready) file.publish();
    for (const File* file : in_place) {
        if (file->path != "-")
            write_in_place(file->path, file->bytes);
        else if (!write_all(STDOUT_FILENO, file->bytes))
            fail("the standard output");
    }
}

void write_output(const std::string& path, std::string_view bytes) {
    Outputs outputs;
    outputs.add(path, std::string(bytes));
    outputs.write();
}

}  // namespace pyk
