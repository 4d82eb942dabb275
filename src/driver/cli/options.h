// The command line as data.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compile/arch.h"
#include "emit/emit.h"
#include "sema/sema.h"
#include "support/diagnostics.h"

namespace pyk {

enum class EmitKind : uint8_t { cu, header, cpp, ptx, cubin, ltoir, fatbin, object, images, ast, ir };

/// One thing to make of an input.
struct EmitRequest {
    EmitKind kind = EmitKind::cu;
    std::string file;  ///< where to; empty: `-o`, or that with the kind's extension
};

/// `-MD` and its companions: a rule for make or Ninja that says what was read.
struct DependencyOptions {
    bool wanted = false;
    std::string file;                  ///< empty: the output with `.d`
    std::vector<std::string> targets;  ///< empty: the outputs
    bool phony = false;                ///< a rule without prerequisites for each file that was imported
};

enum class TimeReport : uint8_t { none, text, json };

/// Architectures by name, of CMake's or CUDA's spelling, or by a word that this machine explains.
struct ArchSelection {
    enum class Word : uint8_t { none, native, all, all_major };
    Word word = Word::none;
    std::vector<Arch> archs;   ///< with no word; empty: the lowest that the tool compiles for
    std::vector<Arch> images;  ///< the same for outputs that hold several, where a bare number is also PTX
};

enum class DiagnosticsFormat : uint8_t { text, brief, json, sarif };
enum class ColorChoice : uint8_t { automatic, always, never };

/// How diagnostics are shown.
struct MessageOptions {
    DiagnosticsFormat format = DiagnosticsFormat::text;
    ColorChoice color = ColorChoice::automatic;
    size_t error_limit = 20;  ///< 0: none
};

/// What the commands that read a source share.
struct SourceOptions {
    Defines defines;
    WarningOptions warnings;
    MessageOptions messages;
    bool check_bounds = false, check_races = false;
    bool debug = false;
    std::vector<std::string> import_folders;
    std::vector<std::string> links;  ///< the user's own code
    CodeOptions code;
    Typing typing = Typing::numba;
};

struct CompileOptions : SourceOptions {
    std::vector<std::string> files;  ///< `-`: stdin
    std::string stdin_name = "<stdin>";
    std::string output;  ///< empty: stdout
    std::string output_folder;
    std::vector<EmitRequest> emit;
    std::vector<std::string> signatures;
    bool skip_foreign_signatures = false;  ///< those of kernels that a file does not have
    std::vector<std::string> kernels;
    ArchSelection archs;
    DependencyOptions dependencies;
    bool check = false;  ///< diagnostics only
    bool fix = false;    ///< make suggestions in the files first
    bool list = false;
    bool include_prelude = false;
    bool line_directives = false;
    bool relocatable = false;  ///< objects whose device code nvcc links
    std::string template_folder;
    std::string name_space;
    bool verbose = false;        ///< show the tools that run
    bool show_commands = false;  ///< show them, and run none
    bool dry_run = false;        ///< show what would be written
    unsigned jobs = 0;           ///< 0: all cores
    TimeReport time_report = TimeReport::none;
};

enum class DeviceChoice : uint8_t { automatic, cuda, cpu };
using Dimensions = std::array<unsigned, 3>;

struct RunOptions : SourceOptions {
    std::string file;  ///< `-`: stdin
    std::string kernel;
    std::optional<Dimensions> grid, block;  ///< of a kernel
    size_t shared_bytes = 0;
    DeviceChoice device = DeviceChoice::automatic;
    bool coarsen = true;
    double timeout = 0;  ///< of the launch, in seconds; 0: none
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> saves;  ///< parameter, file; no parameter: what is returned
};

struct ReportOptions : SourceOptions {
    std::string file;  ///< `-`: stdin
    std::vector<std::string> signatures;
    std::vector<std::string> kernels;
    ArchSelection archs;
    Dimensions block = {256, 1, 1};
    size_t shared_bytes = 0;
    bool json = false;
};

struct DevicesOptions {};

enum class CacheAction : uint8_t { stats, list, verify, clear, why };
struct CacheOptions {
    CacheAction action = CacheAction::stats;
    std::string file;   ///< of `why`
    bool json = false;  ///< of `stats` and `list`
};

struct ListBuiltinsOptions {};
struct ListArchsOptions {};
/// `--help`, `--version`: text for stdout.
struct PrintOptions {
    std::string text;
};

using Options = std::variant<CompileOptions, RunOptions, ReportOptions, DevicesOptions, CacheOptions,
                             ListBuiltinsOptions, ListArchsOptions, PrintOptions>;

/// Reads the arguments after the program's name. Throws UsageError.
Options parse_options(std::vector<std::string> arguments);

}  // namespace pyk
