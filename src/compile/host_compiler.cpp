#include "compile/host_compiler.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "compile/process.h"
#include "compile/temp_folder.h"

namespace pyk {
namespace {

constexpr std::string_view kInput = "module.cpp";
constexpr std::string_view kOutput = "module.so";

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string word; stream >> word;) result.push_back(word);
    return result;
}

// -fwrapv: integers wrap, as they do on a GPU. -ffp-contract=off: one result on every machine, with or without fused
// multiply-add, and NumPy's. Errno is not part of what a kernel means. Traps are not either, but -fno-trapping-math
// makes g++ round trip a float through an integer as trunc, which keeps -0.0.
std::vector<std::string> options() {
    return {"-std=c++17", "-O3", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared", "-w"};
}

std::string joined(const std::vector<std::string>& argv) {
    std::string text;
    for (const std::string& word : argv) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::optional<ProcessResult> run_compiler(std::vector<std::string> argv, bool native, const TempFolder& folder) {
    for (std::string& option : options()) argv.push_back(std::move(option));
    if (native) argv.push_back("-march=native");
    argv.insert(argv.end(), {"-o", std::string(kOutput), std::string(kInput)});
    return run_process(argv, folder.path());
}

}  // namespace

std::optional<std::vector<std::string>> find_host_compiler() {
    if (const char* named = std::getenv("CXX"); named && *named) {
        std::vector<std::string> argv = words(named);
        const auto program = argv.empty() ? std::nullopt : find_program(argv[0]);
        if (!program) return std::nullopt;
        argv[0] = *program;
        return argv;
    }
    for (const char* name : {"c++", "g++", "clang++"})
        if (const auto program = find_program(name)) return std::vector<std::string>{*program};
    return std::nullopt;
}

Tooled<Artifact> compile_with_host_compiler(const Unit& unit) {
    const auto compiler = find_host_compiler();
    if (!compiler)
        return ToolError{
            ToolError::Kind::missing,
            "no C++ compiler was found, and the CPU target needs one: install g++ or clang++, or name one in $CXX",
            {}};

    const TempFolder folder;
    if (!folder.ok() || !write_file(folder.file(kInput), unit.text))
        return ToolError{
            ToolError::Kind::unusable, std::string("cannot write a temporary file: ") + std::strerror(errno), {}};

    std::optional<ProcessResult> result = run_compiler(*compiler, true, folder);
    if (result && result->exit_code != 0) result = run_compiler(*compiler, false, folder);
    if (!result)
        return ToolError{
            ToolError::Kind::unusable, "cannot run " + joined(*compiler) + ": " + std::strerror(errno), {}};
    if (result->exit_code != 0)
        return ToolError{ToolError::Kind::rejected, joined(*compiler) + " refused the emitted text",
                         result->output + result->messages};

    Artifact artifact{ArtifactKind::shared_library, {}, unit.entries, result->messages, joined(*compiler)};
    if (!read_file(folder.file(kOutput), artifact.bytes))
        return ToolError{ToolError::Kind::unusable, joined(*compiler) + " wrote no output", artifact.log};
    return artifact;
}

}  // namespace pyk
