#include "driver/load.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "driver/notebook.h"
#include "syntax/encoding.h"

namespace pyk {
namespace {

// Spans are 32-bit offsets; a kernel file is far below either limit.
constexpr size_t kLargestFile = size_t{1} << 30;

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};

bool read_all(std::FILE* file, std::string& text) {
    char buffer[65536];
    while (const size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
        text.append(buffer, got);
        if (text.size() > kLargestFile) {
            errno = EFBIG;
            return false;
        }
    }
    return std::ferror(file) == 0;
}

}  // namespace

SourceFilePtr load(const std::string& path, std::string& error, const std::string& stdin_name) {
    const bool is_stdin = path == "-";
    const std::unique_ptr<std::FILE, CloseFile> file(is_stdin ? stdin : std::fopen(path.c_str(), "rbe"));
    std::string text;
    if (!file || !read_all(file.get(), text)) {
        error = "cannot read " + path + ": " + std::strerror(errno);
        return nullptr;
    }
    return decode(is_stdin ? stdin_name : path, std::move(text), error);
}

SourceFilePtr decode(const std::string& name, std::string bytes, std::string& error) {
    // Comments of emitted texts name it.
    if (name.find_first_of("\n\r") != std::string::npos) {
        error = "the name of a file has a line break; rename it: " + name;
        return nullptr;
    }
    if (is_notebook(bytes)) {
        std::string why;
        bytes = code_of_notebook(bytes, why);
        if (!why.empty()) {
            error = name + " " + why;
            return nullptr;
        }
    }
    Diagnostics findings;
    SourceFilePtr source = decode_source(name, std::move(bytes), findings);
    if (!findings.has_errors()) return source;
    error = render(findings);
    return nullptr;
}

}  // namespace pyk
