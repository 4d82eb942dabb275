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

enum class EmitKind : uint8_t { cu, header, cpp, ptx, cubin, fatbin, ast, ir };
/// Not for a terminal.
constexpr bool is_binary(EmitKind kind) { return kind == EmitKind::cubin || kind == EmitKind::fatbin; }

/// What `pykc FILE` and `pykc run FILE` share.
struct SourceOptions {
    std::string file;  ///< `-`: stdin
    Defines defines;
    WarningOptions warnings;
    bool check_bounds = false;
    bool debug = false;
    std::vector<std::string> import_folders;
    std::vector<std::string> links;  ///< the user's own code
    CodeOptions code;
    Typing typing = Typing::numba;
};

struct CompileOptions : SourceOptions {
    std::string output = "-";
    EmitKind emit = EmitKind::cu;
    std::vector<std::string> signatures;
    std::vector<std::string> kernels;
    std::vector<Arch> archs;  ///< empty: the lowest that the tool compiles for
    bool check = false;       ///< diagnostics only
    bool list = false;
    bool include_prelude = false;
    bool line_directives = false;
    std::string template_folder;
};

enum class DeviceChoice : uint8_t { automatic, cuda, cpu };
using Dimensions = std::array<unsigned, 3>;

struct RunOptions : SourceOptions {
    std::string kernel;
    Dimensions grid = {1, 1, 1}, block = {1, 1, 1};
    size_t shared_bytes = 0;
    DeviceChoice device = DeviceChoice::automatic;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> saves;  ///< parameter, file
};

struct DevicesOptions {};

enum class CacheAction : uint8_t { stats, list, verify, clear, why };
struct CacheOptions {
    CacheAction action = CacheAction::stats;
    std::string file;   ///< of `why`
    bool json = false;  ///< of `stats` and `list`
};

struct ListBuiltinsOptions {};
/// `--help`, `--version`: text for stdout.
struct PrintOptions {
    std::string text;
};

using Options =
    std::variant<CompileOptions, RunOptions, DevicesOptions, CacheOptions, ListBuiltinsOptions, PrintOptions>;

/// Reads the arguments after the program's name. Throws UsageError.
Options parse_options(std::vector<std::string> arguments);

}  // namespace pyk
