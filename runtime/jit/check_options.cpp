#include "jit/check_options.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pyk::jit {
namespace {

namespace fs = std::filesystem;

Status wrong_option(const std::string& text) { return refuse("Options::" + text); }

Status check_link(const std::string& link) {
    std::error_code error;
    if (fs::is_directory(link, error)) return wrong_option("links: " + link + " is a folder");
    errno = 0;
    if (std::ifstream(link).is_open()) return {};
    return wrong_option("links: cannot read " + link + ": " + std::strerror(errno));
}

}  // namespace

Status check_options(const Options& options) {
    if (options.backend > Backend::cpu) return wrong_option("backend is none of automatic, cuda, cpu");
    if (options.typing != Typing::numba && options.typing != Typing::narrow)
        return wrong_option("typing is none of numba, narrow");
    if (options.check_races && options.backend == Backend::cuda)
        return wrong_option("check_races is for the CPU (backend cpu, or automatic)");
    if (options.print_buffer_bytes > kMostPrintBuffer)
        return wrong_option("print_buffer_bytes is " + std::to_string(options.print_buffer_bytes) + ", of at most " +
                            std::to_string(kMostPrintBuffer));
    const CodeOptions& code = options.code;
    if (code.optimization < 0 || code.optimization > 3)
        return wrong_option("code.optimization is " + std::to_string(code.optimization) + ", of 0 to 3");
    if (code.max_registers < 0 || code.max_registers > 255)
        return wrong_option("code.max_registers is " + std::to_string(code.max_registers) +
                            ", of 1 to 255; 0: as many as the compiler likes");
    for (const std::string& folder : options.import_folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error)) return wrong_option("import_folders: there is no folder " + folder);
    }
    for (const std::string& link : options.links)
        if (Status s = check_link(link); !s) return s;
    return {};
}

}  // namespace pyk::jit
