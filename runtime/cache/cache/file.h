// Files that are open, closed with their scope.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <utility>

namespace pyk::cache {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A file descriptor that is closed at the end.
class Handle {
  public:
    Handle() = default;
    explicit Handle(int fd) : fd_(fd) {}
    Handle(Handle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Handle() {
        if (fd_ >= 0) close(fd_);
    }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

}  // namespace pyk::cache
