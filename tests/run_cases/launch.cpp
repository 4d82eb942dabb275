#include "launch.h"

#include <algorithm>
#include <functional>

#include "compile/gpu.h"
#include "compile/host_compiler.h"
#include "compile/temp_folder.h"
#include "execute.h"
#include "support/files.h"
#include "targets/target.h"

namespace pyk::run_cases {
namespace {

std::string said(const ToolError& error) { return error.text + "\n" + error.log; }

Launch launch_of(Case& c, const Unit& unit) {
    return {unit.entries.at(0).symbol, c.grid, c.block, c.shared, &c.args, unit.entries.at(0).cooperative};
}

int lowest_sm(const Unit& unit) {
    int lowest = 0;
    for (const EntryPoint& entry : unit.entries) lowest = std::max(lowest, entry.min_sm);
    return lowest;
}

/// A text that also has the kernel for arrays that do not overlap.
EmitOptions with_variants() {
    EmitOptions options;
    options.has_header = true;
    return options;
}

/// `apart`: the kernel for arrays that do not overlap, if there is one.
std::string run_on_gpu(Case& c, const EmitOptions& options, bool apart) {
    const auto unit = translate_case(c, cuda_target(), options);
    if (!unit) return "not translated";
    const auto cubin = compile_for_gpu(*unit, ArtifactKind::cubin, Arch{.number = gpu_arch()});
    if (!cubin) return said(cubin.error());
    Launch launch = launch_of(c, *unit);
    if (const std::string& symbol = unit->entries.at(0).disjoint_symbol; apart && !symbol.empty())
        launch.symbol = symbol;
    return execute_on_gpu(launch, cubin->bytes);
}

EmitOptions watched_for_races() {
    EmitOptions options;
    options.check_bounds = options.check_races = true;
    return options;
}

std::string run_on_cpu(Case& c, const EmitOptions& options) {
    const auto unit = translate_case(c, cpu_target(), options);
    if (!unit) return "not translated";
    const auto library = compile_with_host_compiler(*unit);
    if (!library) return said(library.error());
    const TempFolder folder;
    const std::string file = folder.file("case.so");
    if (!write_file(file, library->bytes)) return "cannot write " + file;
    return execute_on_cpu(launch_of(c, *unit), file);
}

}  // namespace

std::string run_on_cpu(Case& c) { return run_on_cpu(c, {}); }

std::string run_on_cpu_watched(Case& c) { return run_on_cpu(c, watched_for_races()); }

std::string run_on_gpu(Case& c) { return run_on_gpu(c, {}, false); }

std::string run_on_gpu_apart(Case& c) {
    return run_on_gpu(c, with_variants(), std::ranges::none_of(c.is_repeated, std::identity()));
}

// sm_90 always, one older and one newer for every fourth case.
std::string compile_for_gpus(const Case& c) {
    const auto unit = translate_case(c, cuda_target(), with_variants());
    if (!unit) return "not translated";
    std::vector<int> archs = {90};
    if (std::hash<std::string>()(c.name) % 4 == 0) archs = {75, 90, 100};
    for (const int arch : archs) {
        if (arch < lowest_sm(*unit)) continue;
        const auto cubin = compile_for_gpu(*unit, ArtifactKind::cubin, Arch{.number = arch});
        if (!cubin) return "sm_" + std::to_string(arch) + ": " + said(cubin.error());
    }
    return "";
}

std::string compile_for_cpu(const Case& c) {
    const auto unit = translate_case(c, cpu_target());
    if (!unit) return "not translated";
    const auto library = compile_with_host_compiler(*unit);
    return library ? "" : said(library.error());
}

}  // namespace pyk::run_cases
