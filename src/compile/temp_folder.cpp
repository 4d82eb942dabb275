#include "compile/temp_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cache/environment.h"

namespace pyk {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

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

bool write_file(const std::string& path, std::string_view bytes) {
    File file(std::fopen(path.c_str(), "wbe"));
    if (!file) return false;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    return std::fclose(file.release()) == 0 && written;
}

bool read_file(const std::string& path, std::string& bytes) {
    const File file(std::fopen(path.c_str(), "rbe"));
    if (!file) return false;
    bytes.clear();
    char buffer[65536];
    while (const size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) bytes.append(buffer, got);
    return std::ferror(file.get()) == 0;
}

}  // namespace pyk
