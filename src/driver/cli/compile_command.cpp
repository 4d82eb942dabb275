// `pykc FILE…`
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "compile/trace.h"
#include "driver/cli/arch_words.h"
#include "driver/cli/commands.h"
#include "driver/cli/compilation.h"
#include "driver/cli/fix.h"
#include "driver/cli/list.h"
#include "driver/cli/output.h"
#include "driver/cli/spelling.h"
#include "driver/cli/terminal.h"

namespace pyk {
namespace {

void check_outputs(const CompileOptions& options) {
    const bool writes = !options.check && !options.list;
    if (options.files.size() > 1 && writes && options.output_folder.empty())
        throw UsageError("several inputs are written to a folder; give -d DIR");
    if (options.files.size() > 1 && options.dependencies.wanted && !options.dependencies.file.empty())
        throw UsageError("-MF names one file, but there are several inputs");
    std::set<std::string> paths;
    for (const std::string& file : options.files)
        for (const PlannedOutput& output : plan_outputs(options, file)) {
            if (info(output.kind).is_binary && output.path == "-" && writes && stdout_is_terminal())
                throw UsageError("this output is binary and standard output is a terminal; give -o FILE");
            if (writes && !paths.insert(output.path).second)
                throw UsageError(fmt::format("two inputs would be written to {}", output.path));
        }
}

struct Outcome {
    CompilationResult result;
    std::exception_ptr failure;
};

// Every input, on several cores; each outcome in its input's place.
std::vector<Outcome> compile_all(const CompileOptions& options) {
    std::vector<Outcome> outcomes(options.files.size());
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < outcomes.size(); i = next++) try {
                outcomes[i].result = compile_file(options, options.files[i]);
            } catch (...) {
                outcomes[i].failure = std::current_exception();
            }
    };
    const size_t cores = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> others;
    for (size_t i = 1; i < std::min(cores, outcomes.size()); ++i) others.emplace_back(work);
    work();
    others.clear();
    return outcomes;
}

// Before anything is written: an output that is the same file as an input would be the end of the user's source.
void check_no_input_is_lost(const std::vector<Outcome>& outcomes) {
    const auto identity = [](const std::string& path) -> std::optional<std::pair<dev_t, ino_t>> {
        struct stat file;
        return stat(path.c_str(), &file) == 0 ? std::optional(std::pair(file.st_dev, file.st_ino)) : std::nullopt;
    };
    std::map<std::pair<dev_t, ino_t>, std::string> inputs;
    for (const Outcome& outcome : outcomes)
        for (const std::string& input : outcome.result.inputs)
            if (const auto file = identity(input)) inputs.emplace(*file, input);
    for (const Outcome& outcome : outcomes)
        for (const std::string& path : outcome.result.outputs.paths()) {
            const auto file = identity(path);
            const auto same = file ? inputs.find(*file) : inputs.end();
            if (same != inputs.end())
                throw UsageError(fmt::format("the output {} is the same file as the input {}", path, same->second));
        }
}

void show_tools(const CompileOptions& options) {
    if (!options.verbose && !options.show_commands) return;
    set_tool_trace({[](const std::string& line) { show_rendered(line + "\n"); }, !options.show_commands});
}

void write_or_say(const CompileOptions& options, const Outputs& outputs) {
    if (options.dry_run || options.show_commands) {
        for (const std::string& path : outputs.paths())
            show_remark(fmt::format("would write {}\n", path == "-" ? "the standard output" : path));
        return;
    }
    if (!options.output_folder.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.output_folder, error);
        if (error) throw InputOutputError(fmt::format("cannot make {}: {}", options.output_folder, error.message()));
    }
    outputs.write();
}

}  // namespace

ExitCode run_compile(const CompileOptions& options) {
    if (!options.template_folder.empty() && !std::filesystem::is_directory(options.template_folder))
        throw InputOutputError(fmt::format("there is no folder of templates {}", options.template_folder));
    check_outputs(options);
    show_tools(options);
    if (options.fix) fix_files(options);
    std::vector<Outcome> outcomes = compile_all(options);
    check_no_input_is_lost(outcomes);

    ExitCode code = ExitCode::fine;
    std::vector<TimeReportRow> times;
    std::exception_ptr failure;
    for (Outcome& outcome : outcomes) {
        if (outcome.failure) {
            if (!failure) failure = outcome.failure;
            continue;
        }
        show(outcome.result.diagnostics);
        if (!outcome.result.good) code = ExitCode::diagnostics;
        TimeReportRow& row = outcome.result.times;
        if (outcome.result.good) row.measure("write", [&] { write_or_say(options, outcome.result.outputs); });
        times.push_back(std::move(row));
    }
    if (options.time_report != TimeReport::none) show_rendered(time_report(times, options.time_report));
    if (failure) std::rethrow_exception(failure);
    return code;
}

ExitCode run_list_builtins() {
    write_output("-", list_builtins());
    return ExitCode::fine;
}

ExitCode run_list_archs() {
    write_output("-", list_archs());
    return ExitCode::fine;
}

}  // namespace pyk
