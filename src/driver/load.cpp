#include "driver/load.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "driver/notebook.h"
#include "support/files.h"
#include "syntax/encoding.h"

namespace pyk {
namespace {

// Spans are 32-bit offsets; a kernel file is far below either limit.
constexpr size_t kLargestFile = size_t{1} << 30;

}  // namespace

SourceFilePtr load(const std::string& path, std::string& error, const std::string& stdin_name) {
    if (path != "-") {
        std::optional<std::string> bytes = bytes_of({}, path, error);
        return bytes ? decode(path, *std::move(bytes), error) : nullptr;
    }
    std::string text;
    if (read_all(stdin, text, kLargestFile)) return decode(stdin_name, std::move(text), error);
    error = std::string("cannot read -: ") + std::strerror(errno);
    return nullptr;
}

std::optional<std::string> bytes_of(const std::filesystem::path& base, const std::string& path, std::string& error) {
    std::string bytes;
    if (read_file((base / path).string(), bytes, kLargestFile)) return bytes;
    error = "cannot read " + path + ": " + std::strerror(errno);
    return std::nullopt;
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
