// Files that are written together: whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// What is to be written; moves and does nothing until `write`.
class Outputs {
  public:
    /// `path`: a file, or `-` for stdout.
    void add(std::string path, std::string bytes) { files_.push_back({std::move(path), std::move(bytes)}); }

    std::vector<std::string> paths() const;
    /// Writes every file aside, then renames them all: a failure before leaves what was there.
    /// What is no regular file (a pipe, /dev/null) and stdout are written in place, last. Throws InputOutputError.
    void write() const;

  private:
    struct File {
        std::string path, bytes;
    };
    std::vector<File> files_;
};

}  // namespace pyk
