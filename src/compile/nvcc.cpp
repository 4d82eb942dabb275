#include "compile/nvcc.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cache/environment.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "compile/toolkit.h"
#include "compile/trace.h"
#include "support/fault.h"
#include "support/files.h"

namespace pyk {
namespace {

constexpr std::string_view kInput = "module.cu";

std::string_view output_name(ArtifactKind kind) {
    switch (kind) {
        case ArtifactKind::ptx:
            return "module.ptx";
        case ArtifactKind::cubin:
            return "module.cubin";
        case ArtifactKind::fatbin:
            return "module.fatbin";
        case ArtifactKind::object:
            return "module.o";
        case ArtifactKind::ltoir:
            return "module.ltoir";
        case ArtifactKind::shared_library:
            break;
    }
    internal_error("nvcc makes no such thing here");
}

std::string_view stage_flag(ArtifactKind kind) {
    switch (kind) {
        case ArtifactKind::ptx:
            return "-ptx";
        case ArtifactKind::cubin:
            return "-cubin";
        case ArtifactKind::fatbin:
            return "-fatbin";
        case ArtifactKind::object:
            return "-c";
        case ArtifactKind::ltoir:
            return "-ltoir";
        case ArtifactKind::shared_library:
            break;
    }
    internal_error("nvcc makes no such thing here");
}

// `-arch` for one architecture, `-gencode` for each of several.
void add_archs(std::vector<std::string>& argv, ArtifactKind kind, const std::vector<Arch>& archs) {
    if (kind == ArtifactKind::ptx) {
        argv.push_back("-arch=" + archs.at(0).virtual_name());
        return;
    }
    if (kind == ArtifactKind::ltoir) {
        const std::string name = archs.at(0).virtual_name();
        argv.push_back(fmt::format("-gencode=arch={},code=lto{}", name, name.substr(name.find('_'))));
        return;
    }
    for (const Arch& arch : archs)
        argv.push_back("-gencode=arch=" + arch.virtual_name() +
                       ",code=" + (arch.is_virtual ? arch.virtual_name() : arch.real_name()));
}

std::string log_of(const ProcessResult& result) { return result.output + result.messages; }

// `nvcc fatal` is about nvcc's own needs and options; everything else is about the text.
ToolError explain(const ProcessResult& result, const std::string& nvcc) {
    const std::string log = log_of(result);
    if (log.find("nvcc fatal") != std::string::npos) return {ToolError::Kind::unusable, nvcc + " cannot do this", log};
    return refusal(nvcc, log);
}

}  // namespace

std::optional<std::string> find_nvcc() {
    if (const auto named = environment("PYK_NVCC")) return find_program(*named);
    return find_toolkit_program("nvcc");
}

Tooled<Artifact> compile_with_nvcc(const Unit& unit, ArtifactKind kind, const std::vector<Arch>& archs) {
    const std::optional<std::string> nvcc = find_nvcc();
    if (!nvcc)
        return ToolError{
            ToolError::Kind::missing, "nvcc was not found: install the CUDA toolkit, or name nvcc in $PYK_NVCC", {}};

    const TempFolder folder;
    if (!folder.ok() || !write_file(folder.file(kInput), unit.text))
        return ToolError{ToolError::Kind::unusable, folder.why_unwritable(), {}};

    std::vector<std::string> argv = {*nvcc, "-std=c++17", std::string(stage_flag(kind))};
    add_archs(argv, kind, archs);
    argv.insert(argv.end(), unit.flags.begin(), unit.flags.end());
    if (unit.is_relocatable) argv.emplace_back("-rdc=true");
    argv.insert(argv.end(), {"-o", std::string(output_name(kind)), std::string(kInput)});
    if (!may_run_tool(*nvcc, {argv.begin() + 1, argv.end()})) return Artifact{kind, {}, unit.entries, {}, *nvcc};
    const std::optional<ProcessResult> result = run_process(argv, folder.path());
    if (!result) return ToolError{ToolError::Kind::unusable, "cannot run " + *nvcc + ": " + std::strerror(errno), {}};
    if (result->exit_code != 0) return explain(*result, *nvcc);

    Artifact artifact{kind, {}, unit.entries, log_of(*result), *nvcc};
    if (!read_file(folder.file(output_name(kind)), artifact.bytes))
        return ToolError{ToolError::Kind::unusable, *nvcc + " wrote no output", artifact.log};
    return artifact;
}

}  // namespace pyk
