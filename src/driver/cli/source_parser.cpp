#include "driver/cli/source_parser.h"

#include "driver/cli/failure.h"
#include "driver/cli/spelling.h"

namespace pyk {
namespace {

const std::map<std::string, DiagnosticsFormat> kFormats = {{"text", DiagnosticsFormat::text},
                                                           {"short", DiagnosticsFormat::brief},
                                                           {"json", DiagnosticsFormat::json},
                                                           {"sarif", DiagnosticsFormat::sarif}};
const std::map<std::string, ColorChoice> kColors = {
    {"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}};

template <class T>
std::vector<std::string> names_of(const std::map<std::string, T>& table) {
    std::vector<std::string> names;
    for (const auto& [name, value] : table) names.push_back(name);
    return names;
}

}  // namespace

void SourceParser::declare_source(SourceOptions& options) {
    add_each(
        "-D,--define", defines_,
        "Set a name of the file, or one that a kernel captures, to a number, True, False, a type, or a tuple as in "
        "16,16")
        ->type_name("NAME=VALUE")
        ->group("Source");
    add_each("-I,--import", options.import_folders, "Where to look for imported files, after the file's folder")
        ->type_name("DIR")
        ->group("Source");
    app_.add_option("--typing", typing_, "numba (the default) or narrow: 32 bits stay 32 bits, as in PyTorch")
        ->check(CLI::IsMember({"numba", "narrow"}))
        ->group("Source");
    app_.add_flag("--debug", options.debug, "Report errors: raise, assert, division by zero")->group("Source");
    app_.add_flag("--check-bounds", options.check_bounds, "--check=bounds: report indices out of range")
        ->group("Source");
    app_.add_flag("--check-races", options.check_races,
                  "--check=race: report, on the CPU, elements that threads race for; with --check=bounds")
        ->group("Source");

    add_each("--link", options.links,
             "Device code to link: .cu, .ptx, .cubin, .fatbin, .o, .a, .ltoir; .cpp for the CPU")
        ->type_name("FILE")
        ->group("GPU code");
    app_.add_flag("--fastmath", options.code.fastmath, "-fastmath: fast, less exact float32, as nvcc --use_fast_math")
        ->group("GPU code");
    app_.add_option("--fmad", fmad_, "-fmad=false: no contraction of a * b + c")
        ->check(CLI::IsMember({"true", "false"}))
        ->group("GPU code");
    app_.add_flag("--device-debug", options.code.device_debug, "-G: debug information for the GPU's code")
        ->group("GPU code");
    app_.add_flag("--lineinfo", options.code.lineinfo, "-lineinfo or -g: line numbers for profilers")
        ->group("GPU code");
    app_.add_option("--optimize", options.code.optimization, "-O0 … -O3: optimisation of the GPU's code (3)")
        ->check(CLI::Range(0, 3))
        ->group("GPU code");
    app_.add_option("--maxrregcount", options.code.max_registers, "Registers of a thread, where no launch bounds are")
        ->check(CLI::Range(1, 255))
        ->group("GPU code");

    add_each("--warning", warnings_,
             "-W<id>, -Wno-<id>, -Werror, -Werror=<id>, -Wno-error=<id>; -Wperf: what costs speed; -Wextra: what is "
             "often forgotten")
        ->type_name("ID")
        ->group("Diagnostics");
    app_.add_flag("--no-warnings", options.warnings.none, "-w: no warnings")->group("Diagnostics");
}

void SourceParser::declare_messages(SourceOptions& options) {
    app_.add_option("--diagnostics-format", format_, "text (the default), short, json (one object a line) or sarif")
        ->check(CLI::IsMember(names_of(kFormats)))
        ->group("Diagnostics");
    app_.add_option("--color", color_, "auto (the default: on terminals, unless $NO_COLOR is set), always or never")
        ->check(CLI::IsMember(names_of(kColors)))
        ->group("Diagnostics");
    app_.add_option("--error-limit", options.messages.error_limit, "Show this many errors (20); 0: all")
        ->check([](const std::string& text) { return text.starts_with('-') ? "it is 0 or more" : ""; })
        ->type_name("N")
        ->group("Diagnostics");
}

void SourceParser::finish_source(SourceOptions& options) const {
    if (typing_ == "narrow") options.typing = Typing::narrow;
    options.check_bounds |= options.check_races;
    options.code.no_fmad = fmad_ == "false";
    for (const std::string& text : defines_) add_define(options.defines, text);
    for (const std::string& text : warnings_) add_warning(options.warnings, text);
    options.messages.format = kFormats.at(format_);
    options.messages.color = kColors.at(color_);
}

}  // namespace pyk
