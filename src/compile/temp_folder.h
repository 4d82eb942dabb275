// A private folder for a tool's files, gone with the scope.
#pragma once

#include <string>
#include <string_view>

#include "compile/artifact.h"

namespace pyk {

class TempFolder {
  public:
    /// Makes a folder that only this user may enter, under $TMPDIR or /tmp. Check `ok()`.
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    bool ok() const { return !path_.empty(); }
    std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
    const std::string& path() const { return path_; }
    /// `cannot write a temporary file in /tmp: No space left on device`, from errno.
    std::string why_unwritable() const;

  private:
    std::string path_;
};

/// What a tool says that read emitted text from such a folder and made nothing of it.
ToolError refusal(const std::string& tool, std::string log);

}  // namespace pyk
