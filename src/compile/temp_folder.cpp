#include "compile/temp_folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace pyk {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

TempFolder::TempFolder() {
    const char* root = std::getenv("TMPDIR");
    std::string pattern = std::string(root && *root ? root : "/tmp") + "/pyk-XXXXXX";
    if (mkdtemp(pattern.data())) path_ = pattern;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    if (ok()) std::filesystem::remove_all(path_, ignored);
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
