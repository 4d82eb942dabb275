#include "support/files.h"

#include <unistd.h>

#include <cerrno>
#include <memory>

namespace pyk {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

bool read_file(const std::string& path, std::string& bytes, size_t most) {
    const File file(std::fopen(path.c_str(), "rbe"));
    return file && read_all(file.get(), bytes, most);
}

bool read_all(std::FILE* file, std::string& bytes, size_t most) {
    bytes.clear();
    char buffer[65536];
    while (const size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
        if (got > most - bytes.size()) {
            errno = EFBIG;
            return false;
        }
        bytes.append(buffer, got);
    }
    return std::ferror(file) == 0;
}

bool write_file(const std::string& path, std::string_view bytes) {
    File file(std::fopen(path.c_str(), "wbe"));
    if (!file) return false;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    return std::fclose(file.release()) == 0 && written;
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

}  // namespace pyk
