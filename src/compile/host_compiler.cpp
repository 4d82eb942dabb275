#include "compile/host_compiler.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cache/environment.h"
#include "compile/linked_text.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "support/files.h"

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

// cmake/PykFunctions.cmake says why; programs that are compiled with a project have the same.
std::vector<std::string> options() { return words("-std=c++17 -O3 -fPIC -shared " PYK_CPU_OPTIONS); }

std::string joined(const std::vector<std::string>& argv) {
    std::string text;
    for (const std::string& word : argv) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// `flags`: what the text asks for on the machines that have it.
std::optional<ProcessResult> run_compiler(std::vector<std::string> argv, bool native,
                                          const std::vector<std::string>& flags, const TempFolder& folder,
                                          const std::vector<std::string>& more) {
    for (std::string& option : options()) argv.push_back(std::move(option));
    if (native) argv.push_back("-march=native");
#ifdef __x86_64__
    if (native) argv.insert(argv.end(), flags.begin(), flags.end());
#endif
    argv.insert(argv.end(), {"-o", std::string(kOutput), std::string(kInput)});
    argv.insert(argv.end(), more.begin(), more.end());
    return run_process(argv, folder.path());
}

// Whether the fault is in the text: a program that includes what every emitted text does compiles.
bool can_compile(std::vector<std::string> argv, const TempFolder& folder) {
    if (!write_file(folder.file("small.cpp"), "#include <cmath>\nint main() { return 0; }\n")) return true;
    for (const char* option : {"-std=c++17", "-fPIC", "-shared", "-o", "small.so", "small.cpp"})
        argv.emplace_back(option);
    const auto result = run_process(argv, folder.path());
    return result && result->exit_code == 0;
}

using Kind = ir::LinkedCode::Kind;

// The code that the CPU can run: C++ where there is any, else CUDA C++ whose functions are plain C++ but for their
// marks.
std::vector<const ir::LinkedCode*> sources_in(const Unit& unit) {
    for (const Kind kind : {Kind::cpp, Kind::cuda}) {
        std::vector<const ir::LinkedCode*> sources;
        for (const ir::LinkedCode& link : unit.links)
            if (link.kind == kind) sources.push_back(&link);
        if (!sources.empty()) return sources;
    }
    return {};
}

// The objects of the user's own code, in the folder.
Tooled<std::vector<std::string>> compile_linked_code(const Unit& unit, const std::vector<std::string>& compiler,
                                                     const TempFolder& folder) {
    const std::vector<const ir::LinkedCode*> sources = sources_in(unit);
    if (sources.empty() && !unit.foreign.empty())
        return ToolError{ToolError::Kind::linking,
                         fmt::format("`{}` is code for GPUs: for the CPU, link a .cu or .cpp file that defines it",
                                     unit.foreign[0].first),
                         {},
                         unit.foreign[0].second};
    std::vector<std::string> objects;
    for (const ir::LinkedCode* source : sources) {
        const std::string input = fmt::format("linked_{}.cpp", objects.size());
        const std::string object = fmt::format("linked_{}.o", objects.size());
        if (!write_file(folder.file(input), text_for_compiler(*source)))
            return ToolError{ToolError::Kind::unusable, folder.why_unwritable(), {}};
        std::vector<std::string> argv = compiler;
        for (const char* option : {"-std=c++17", "-O3", "-fPIC", "-w", "-c",
                                   "-D__device__=", "-D__host__=", "-D__forceinline__=inline", "-D__noinline__="})
            argv.emplace_back(option);
        if (!source->path.empty()) {
            std::error_code ignored;
            const auto parent = std::filesystem::absolute(source->path, ignored).parent_path();
            argv.push_back("-I" + parent.string());
        }
        argv.insert(argv.end(), {"-o", object, input});
        const auto result = run_process(argv, folder.path());
        if (!result || result->exit_code != 0) {
            const std::string log = result ? result->output + result->messages : std::strerror(errno);
            return ToolError{ToolError::Kind::linking,
                             source->shown_name() + " does not compile as C++ for the CPU; link a .cpp file beside it",
                             log, place_of_error(*source, log)};
        }
        objects.push_back(object);
    }
    return objects;
}

}  // namespace

std::optional<std::vector<std::string>> find_host_compiler() {
    if (const auto named = environment("CXX")) {
        std::vector<std::string> argv = words(*named);
        const auto program = argv.empty() ? std::nullopt : find_program(argv[0]);
        if (!program) return std::nullopt;
        argv[0] = *program;
        return argv;
    }
    for (const char* name : {"c++", "g++", "clang++"})
        if (const auto program = find_program(name)) return std::vector<std::string>{*program};
    return std::nullopt;
}

std::vector<std::string> programs_in(const std::vector<std::string>& command) {
    std::vector<std::string> programs;
    for (const std::string& word : command)
        if (auto program = find_program(word)) programs.push_back(*std::move(program));
    return programs;
}

std::string why_no_host_compiler() {
    if (const auto named = environment("CXX"))
        return fmt::format("there is no C++ compiler `{}`, which $CXX names, and the CPU target needs one", *named);
    return "no C++ compiler was found, and the CPU target needs one: install g++ or clang++, or name one in $CXX";
}

Tooled<Artifact> compile_with_host_compiler(const Unit& unit) {
    const auto compiler = find_host_compiler();
    if (!compiler) return ToolError{ToolError::Kind::missing, why_no_host_compiler(), {}};

    const TempFolder folder;
    if (!folder.ok() || !write_file(folder.file(kInput), unit.text))
        return ToolError{ToolError::Kind::unusable, folder.why_unwritable(), {}};

    Tooled<std::vector<std::string>> linked = compile_linked_code(unit, *compiler, folder);
    if (!linked) return linked.error();
    // A function that nobody defines is found now rather than when the library is loaded.
    if (!unit.foreign.empty()) linked->emplace_back("-Wl,-z,defs");
    std::optional<ProcessResult> result = run_compiler(*compiler, true, unit.flags, folder, *linked);
    if (result && result->exit_code != 0) result = run_compiler(*compiler, false, {}, folder, *linked);
    if (!result)
        return ToolError{
            ToolError::Kind::unusable, "cannot run " + joined(*compiler) + ": " + std::strerror(errno), {}};
    const std::string log = result->output + result->messages;
    for (const auto& [name, span] : unit.foreign)
        if (result->exit_code != 0 && log.find(fmt::format("undefined reference to `{}'", name)) != std::string::npos)
            return ToolError{ToolError::Kind::linking, fmt::format("no linked code defines `{}`", name), {}, span};
    if (result->exit_code != 0 && !can_compile(*compiler, folder))
        return ToolError{ToolError::Kind::unusable,
                         joined(*compiler) + " compiles no C++ program here; $CXX names another", log};
    if (result->exit_code != 0) return refusal(joined(*compiler), log);

    Artifact artifact{ArtifactKind::shared_library, {}, unit.entries, result->messages, joined(*compiler)};
    if (!read_file(folder.file(kOutput), artifact.bytes))
        return ToolError{ToolError::Kind::unusable, joined(*compiler) + " wrote no output", artifact.log};
    return artifact;
}

}  // namespace pyk
