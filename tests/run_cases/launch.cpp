#include "launch.h"

#include "compile/gpu.h"
#include "compile/host_compiler.h"
#include "compile/temp_folder.h"
#include "execute.h"
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

}  // namespace

std::string run_on_cpu(Case& c) {
    const auto unit = translate_case(c, cpu_target());
    if (!unit) return "not translated";
    const auto library = compile_with_host_compiler(*unit);
    if (!library) return said(library.error());
    const TempFolder folder;
    const std::string file = folder.file("case.so");
    if (!write_file(file, library->bytes)) return "cannot write " + file;
    return execute_on_cpu(launch_of(c, *unit), file);
}

std::string run_on_gpu(Case& c) {
    const auto unit = translate_case(c, cuda_target());
    if (!unit) return "not translated";
    const auto cubin = compile_for_gpu(*unit, ArtifactKind::cubin, Arch{.number = gpu_arch()});
    if (!cubin) return said(cubin.error());
    return execute_on_gpu(launch_of(c, *unit), cubin->bytes);
}

// sm_90 always, one older and one newer for every fourth case.
std::string compile_for_gpus(const Case& c) {
    const auto unit = translate_case(c, cuda_target());
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
