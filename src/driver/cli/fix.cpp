#include "driver/cli/fix.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "driver/cli/compilation.h"
#include "driver/cli/failure.h"
#include "driver/cli/outputs.h"
#include "driver/cli/terminal.h"
#include "support/apply.h"
#include "support/files.h"

namespace pyk {
namespace {

// A suggestion may bring another, and two that overlap are made one after the other.
constexpr int kMostRounds = 10;

std::set<const SourceFile*> files_with_suggestions(const Diagnostics& diagnostics) {
    std::set<const SourceFile*> files;
    for (const Diagnostic& diagnostic : diagnostics.all())
        for (const Suggestion& suggestion : diagnostic.suggestions)
            for (const Edit& edit : suggestion.edits)
                if (edit.span) files.insert(edit.span.file);
    return files;
}

// The file's bytes must be its text: another encoding is not written back.
bool is_as_read(const SourceFile& file) {
    std::string bytes;
    return read_file(file.name(), bytes) && bytes == file.text();
}

// How many suggestions were made in each file.
std::map<std::string, size_t> fix_once(const CompileOptions& options, const std::string& input) {
    const CompilationResult result = compile_file(options, input);
    std::map<std::string, size_t> made;
    Outputs outputs;
    for (const SourceFile* file : files_with_suggestions(result.diagnostics)) {
        Applied applied = apply_suggestions(*file, result.diagnostics);
        if (applied.suggestions == 0) continue;
        if (!is_as_read(*file))
            throw InputOutputError(fmt::format("{} is not changed: it is {}", file->name(),
                                               file->name().ends_with(".ipynb") ? "a notebook" : "not plain UTF-8"));
        made[file->name()] = applied.suggestions;
        outputs.add(file->name(), std::move(applied.text));
    }
    if (!options.dry_run) outputs.write();
    return made;
}

}  // namespace

void fix_files(const CompileOptions& options) {
    CompileOptions check = options;
    check.check = true;
    check.list = false;
    std::map<std::string, size_t> total;
    for (const std::string& input : options.files) {
        if (input == "-") throw UsageError("--fix changes files, and standard input is none");
        for (int round = 0; round < kMostRounds; ++round) {
            const std::map<std::string, size_t> made = fix_once(check, input);
            for (const auto& [file, count] : made) total[file] += count;
            if (made.empty() || options.dry_run) break;
        }
    }
    for (const auto& [file, count] : total)
        show_remark(fmt::format("{}: {} {}\n", file, options.dry_run ? "would fix" : "fixed", count));
}

}  // namespace pyk
