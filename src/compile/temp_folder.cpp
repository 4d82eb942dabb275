#include "compile/temp_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cache/environment.h"

namespace pyk {
namespace {

std::string root() { return environment("TMPDIR").value_or("/tmp"); }

}  // namespace

TempFolder::TempFolder() {
    std::string pattern = root() + "/pyk-XXXXXX";
    if (mkdtemp(pattern.data())) path_ = pattern;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    if (ok()) std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::why_unwritable() const {
    return "cannot write a temporary file in " + root() + ": " + std::strerror(errno);
}

ToolError refusal(const std::string& tool, std::string log) {
    if (log.find(std::strerror(ENOSPC)) != std::string::npos)
        return {ToolError::Kind::unusable, tool + " found no space left for its files in " + root(), std::move(log)};
    // What is said of the text is called an error.
    for (const int lack : {ENOMEM, EMFILE, ENFILE, EAGAIN})
        if (log.find(std::strerror(lack)) != std::string::npos)
            return {ToolError::Kind::unusable, tool + " failed: " + std::strerror(lack), std::move(log)};
    if (log.find("error") == std::string::npos)
        return {ToolError::Kind::unusable, tool + " failed and did not say why", std::move(log)};
    return {ToolError::Kind::rejected, tool + " refused the emitted text", std::move(log)};
}

}  // namespace pyk
