#include "driver/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "driver/cli/failure.h"
#include "driver/cli/spelling.h"
#include "support/explain.h"

namespace pyk {
namespace {

constexpr const char* kVersion = "pykc " PYK_VERSION;

constexpr const char* kFooter =
    "\nOther commands (each with its own --help):\n"
    "  pykc run FILE KERNEL ARG…   launch a kernel on the GPU or the CPU\n"
    "  pykc devices                what there is to compile with and to run on\n"
    "  pykc cache ACTION           look at the compiled kernels that are kept, or remove them\n";

constexpr const char* kRunFooter =
    "\nAn ARG, or PARAM=ARG, is one of\n"
    "  1  2.5  true                    int64, float64, boolean\n"
    "  f32:2  i64:10  u8:255           a number of that type\n"
    "  file.npy                        an array from a file\n"
    "  zeros:f32:1024  ones:i32:64x64  full:f32:10:3.5  arange:i32:100\n"
    "  rand:f64:1000[:SEED]            uniform in [0, 1); integers from 0 to 99\n"
    "  xoroshiro:COUNT[:SEED]          states of numba.cuda.random\n";

// A repeatable option of one value each.
CLI::Option* add_each(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::string& help) {
    return app.add_option(name, values, help)->allow_extra_args(false);
}

// What CLI11 fills as text, and what becomes of it.
struct SourceTexts {
    std::vector<std::string> defines, warnings;
    std::string typing = "numba", fmad = "true";

    void declare(CLI::App& app, SourceOptions& options) {
        add_each(app, "-D,--define", defines,
                 "Set a name of the file, or one that a kernel captures, to a number, True, False, a type, or a tuple "
                 "as in 16,16")
            ->type_name("NAME=VALUE");
        add_each(app, "--warning", warnings, "-W<id>, -Wno-<id>, -Werror, -Werror=<id>")->type_name("ID");
        app.add_flag("--no-warnings", options.warnings.none, "-w: no warnings");
        add_each(app, "-I,--import", options.import_folders,
                 "Where to look for imported files, after the file's folder")
            ->type_name("DIR");
        add_each(app, "--link", options.links,
                 "Device code to link: .cu, .ptx, .cubin, .fatbin, .o, .a, .ltoir; .cpp for the CPU")
            ->type_name("FILE");
        app.add_flag("--fastmath", options.code.fastmath,
                     "-fastmath: fast, less exact float32, as nvcc --use_fast_math");
        app.add_option("--fmad", fmad, "-fmad=false: no contraction of a * b + c")
            ->check(CLI::IsMember({"true", "false"}));
        app.add_flag("--device-debug", options.code.device_debug, "-G: debug information for the GPU's code");
        app.add_flag("--lineinfo", options.code.lineinfo, "-lineinfo: line numbers for profilers");
        app.add_option("--optimize", options.code.optimization, "-O0 … -O3: optimisation of the GPU's code (3)")
            ->check(CLI::Range(0, 3));
        app.add_option("--maxrregcount", options.code.max_registers,
                       "Registers of a thread, where no launch bounds are")
            ->check(CLI::Range(1, 255));
        app.add_flag("--debug", options.debug, "Report errors: raise, assert, division by zero");
        app.add_option("--typing", typing, "numba (the default) or narrow: 32 bits stay 32 bits, as in PyTorch")
            ->check(CLI::IsMember({"numba", "narrow"}));
        app.add_flag("--check-bounds", options.check_bounds, "--check=bounds: report indices out of range");
    }
    void apply(SourceOptions& options) const {
        if (typing == "narrow") options.typing = Typing::narrow;
        options.code.no_fmad = fmad == "false";
        for (const std::string& text : defines) add_define(options.defines, text);
        for (const std::string& text : warnings) add_warning(options.warnings, text);
    }
};

// Runs the parser. Text: what `--help` or `--version` asked for.
std::optional<std::string> parse(CLI::App& app, std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(std::move(arguments));
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        return app.help();
    } catch (const CLI::CallForVersion& version) {
        return std::string(version.what()) + "\n";
    } catch (const CLI::ParseError& error) {
        throw UsageError(fmt::format("{} (see {} --help)", error.what(), app.get_name()));
    }
}

Options parse_compile(std::vector<std::string> arguments) {
    CLI::App app("Compiles kernels in Python syntax to CUDA C++ and C++.", "pykc");
    app.set_version_flag("--version", kVersion);
    app.footer(kFooter);
    CompileOptions options;
    SourceTexts texts;
    std::string emit, archs, explained, prelude = "paste";
    bool list_builtins = false;

    app.add_option("file", options.file, "The .pyk or .py file, or - for stdin")->type_name("FILE");
    app.add_option("-o,--output", options.output, "Where to write; - for stdout (the default)")->type_name("FILE");
    app.add_option("--emit", emit,
                   "cu, header, cpp, ptx, cubin, fatbin, ast or ir; default: by -o's extension, else cu")
        ->type_name("KIND");
    add_each(app, "--sig", options.signatures, "Argument types of a kernel, as in 'saxpy(float32, float32[::1])'")
        ->type_name("SIGNATURE");
    add_each(app, "--kernel", options.kernels, "Compile this kernel only")->type_name("NAME");
    app.add_option("--arch", archs, "-arch=sm_90,…: architectures of ptx, cubin and fatbin")->type_name("ARCHS");
    app.add_flag("--check", options.check, "Diagnose only");
    app.add_flag("--list", options.list, "List the kernels of the file");
    app.add_flag("--list-builtins", list_builtins, "List the builtin functions and values");
    app.add_option("--explain", explained, "Explain a diagnostic, by the id that stands behind it in brackets")
        ->type_name("ID");
    app.add_option("--prelude", prelude, "paste the device prelude (the default) or include it")
        ->check(CLI::IsMember({"paste", "include"}));
    app.add_flag("--line-directives", options.line_directives, "#line instead of comments");
    app.add_option("--templates", options.template_folder, "A folder of templates in place of the built-in ones")
        ->type_name("DIR");
    texts.declare(app, options);

    if (auto text = parse(app, normalise(std::move(arguments), false))) return PrintOptions{std::move(*text)};
    if (!explained.empty()) {
        if (auto text = explain(explained)) return PrintOptions{std::move(*text)};
        throw UsageError(fmt::format("there is no diagnostic `{}`", explained));
    }
    if (list_builtins) return ListBuiltinsOptions{};
    if (options.file.empty()) throw UsageError("no input file (see pykc --help)");
    texts.apply(options);
    options.emit = emit.empty() ? emit_kind_of_file(options.output) : parse_emit_kind(emit);
    if (!archs.empty()) options.archs = parse_archs(archs);
    options.include_prelude = prelude == "include";
    return options;
}

Options parse_run(std::vector<std::string> arguments) {
    CLI::App app("Launches a kernel and prints the time that it took.", "pykc run");
    app.footer(kRunFooter);
    RunOptions options;
    SourceTexts texts;
    std::string grid, block, device = "auto";
    std::vector<std::string> saves;

    app.add_option("file", options.file, "The .pyk or .py file, or - for stdin")->type_name("FILE")->required();
    app.add_option("kernel", options.kernel, "The kernel's name")->type_name("KERNEL")->required();
    app.add_option("args", options.arguments, "The kernel's arguments")->type_name("ARG");
    app.add_option("--grid", grid, "Blocks")->type_name("X[,Y[,Z]]")->required();
    app.add_option("--block", block, "Threads of a block")->type_name("X[,Y[,Z]]")->required();
    app.add_option("--shared", options.shared_bytes, "Dynamic shared memory")->type_name("BYTES");
    app.add_option("--device", device, "auto (the GPU if there is one), cuda or cpu")->type_name("DEVICE");
    add_each(app, "--save", saves, "Write an array after the launch")->type_name("PARAM=FILE.npy");
    texts.declare(app, options);

    if (auto text = parse(app, normalise(std::move(arguments), true))) return PrintOptions{std::move(*text)};
    texts.apply(options);
    options.grid = parse_dimensions("--grid", grid);
    options.block = parse_dimensions("--block", block);
    options.device = parse_device(device);
    for (const std::string& save : saves) options.saves.push_back(parse_save(save));
    return options;
}

Options parse_devices(std::vector<std::string> arguments) {
    CLI::App app("Lists what there is to compile with and to run on, and what is missing.", "pykc devices");
    if (auto text = parse(app, std::move(arguments))) return PrintOptions{std::move(*text)};
    return DevicesOptions{};
}

CacheOptions parse_cache_action(const CLI::App& app, CacheOptions options) {
    constexpr std::pair<const char*, CacheAction> kActions[] = {{"stats", CacheAction::stats},
                                                                {"list", CacheAction::list},
                                                                {"verify", CacheAction::verify},
                                                                {"clear", CacheAction::clear},
                                                                {"why", CacheAction::why}};
    for (const auto& [name, action] : kActions)
        if (app.got_subcommand(name)) options.action = action;
    return options;
}

Options parse_cache(std::vector<std::string> arguments) {
    CLI::App app("Looks at the compiled kernels that are kept on disk.", "pykc cache");
    app.require_subcommand(1);
    CacheOptions options;
    CLI::App* const stats = app.add_subcommand("stats", "Where the cache is, how much is in it, and its limits");
    CLI::App* const list = app.add_subcommand("list", "Its entries, those used last first");
    app.add_subcommand("verify", "Check every entry; damaged ones are removed");
    app.add_subcommand("clear", "Remove all entries");
    CLI::App* const why = app.add_subcommand("why", "The entries of a file, and in what their keys differ");
    for (CLI::App* const action : {stats, list}) action->add_flag("--json", options.json, "For programs");
    why->add_option("file", options.file, "The .pyk or .py file")->type_name("FILE")->required();
    if (auto text = parse(app, std::move(arguments))) return PrintOptions{std::move(*text)};
    return parse_cache_action(app, options);
}

}  // namespace

Options parse_options(std::vector<std::string> arguments) {
    const std::string command = arguments.empty() ? "" : arguments[0];
    Options (*const parser)(std::vector<std::string>) = command == "run"       ? parse_run
                                                        : command == "devices" ? parse_devices
                                                        : command == "cache"   ? parse_cache
                                                                               : parse_compile;
    if (parser != parse_compile) arguments.erase(arguments.begin());
    return parser(std::move(arguments));
}

}  // namespace pyk
