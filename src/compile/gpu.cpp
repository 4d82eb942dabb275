#include "compile/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/linked_text.h"
#include "compile/nvcc.h"
#include "compile/nvjitlink.h"
#include "compile/nvrtc.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "compile/toolkit.h"
#include "compile/trace.h"
#include "support/files.h"

namespace pyk {
namespace {

using Kind = ir::LinkedCode::Kind;

constexpr std::string_view kRelocatable = "--relocatable-device-code=true";

bool can_be_inlined(const ir::LinkedCode& link) { return link.kind == Kind::cuda || link.kind == Kind::ltoir; }

/// What the flags of NVRTC are to nvJitLink.
std::vector<std::string> link_options(const Unit& unit, bool lto, const Arch& arch) {
    std::vector<std::string> options = {"-arch=" + (arch.is_virtual ? arch.virtual_name() : arch.real_name())};
    if (lto) options.emplace_back("-lto");
    for (const std::string& flag : unit.flags) {
        if (flag == "--use_fast_math") options.insert(options.end(), {"-ftz=1", "-prec-div=0", "-prec-sqrt=0"});
        if (flag == "--fmad=false") options.emplace_back("-fma=0");
        if (flag == "--device-debug") options.emplace_back("-g");
        if (flag == "--generate-line-info") options.emplace_back("-lineinfo");
    }
    return options;
}

/// The folder of the file, for what it includes, and the toolkit's headers.
std::vector<std::string> include_options(const ir::LinkedCode& link) {
    namespace fs = std::filesystem;
    std::vector<std::string> options;
    if (!link.path.empty()) options.push_back("--include-path=" + (fs::path(link.path).parent_path() / ".").string());
    for (const std::string& folder : toolkit_includes()) options.push_back("--include-path=" + folder);
    return options;
}

/// The declaration of the function that a linker's message names, else what names the first code.
Span place_of(const Unit& unit, const std::string& log) {
    for (const auto& [name, span] : unit.foreign)
        if (log.find(name) != std::string::npos) return span;
    return unit.links.empty() ? Span() : unit.links[0].span;
}

Tooled<Artifact> linked(const Unit& unit, ArtifactKind kind, const Arch& arch) {
    std::vector<const ir::LinkedCode*> links;
    for (const ir::LinkedCode& link : unit.links)
        if (link.kind != Kind::cpp) links.push_back(&link);
    const bool all_inlined = std::ranges::all_of(links, [](const auto* link) { return can_be_inlined(*link); });
    if (kind == ArtifactKind::ptx && !(unit.lto && all_inlined)) {
        const auto other = std::ranges::find_if_not(links, [](const auto* link) { return can_be_inlined(*link); });
        const Span place = other != links.end() ? (*other)->span : place_of(unit, "");
        const std::string why = unit.lto ? "PTX can hold linked code only where all of it is CUDA C++ or LTO-IR"
                                         : "PTX can hold linked code only where it is inlined, and `lto` is off";
        return ToolError{ToolError::Kind::linking, why + "; make a cubin", {}, place};
    }
    // Without LTO a link takes machine code, which is for one architecture exactly.
    const ArtifactKind part = unit.lto          ? ArtifactKind::ltoir
                              : arch.is_virtual ? ArtifactKind::ptx
                                                : ArtifactKind::cubin;
    const std::string linkable(unit.lto ? "-dlto" : kRelocatable);
    const Tooled<Artifact> module = compile_with_nvrtc(unit, part, arch, {linkable});
    if (!module) return module.error();

    const Kind part_kind = unit.lto ? Kind::ltoir : part == ArtifactKind::ptx ? Kind::ptx : Kind::cubin;
    std::vector<std::string> compiled(links.size());
    std::vector<LinkInput> inputs = {{part_kind, module->bytes, "module.cu"}};
    for (size_t i = 0; i < links.size(); ++i) {
        const ir::LinkedCode& link = *links[i];
        if (link.kind != Kind::cuda) {
            inputs.push_back({link.kind, link.bytes, link.shown_name()});
            continue;
        }
        std::vector<std::string> own = include_options(link);
        own.push_back(linkable);
        const Tooled<Artifact> made =
            compile_text_with_nvrtc(text_for_compiler(link), link.shown_name(), part, arch, own);
        if (!made) {
            ToolError error = made.error();
            if (error.kind == ToolError::Kind::rejected) {
                error.kind = ToolError::Kind::linking;
                error.text = link.shown_name() + " does not compile";
                error.span = place_of_error(link, error.log);
            }
            return error;
        }
        compiled[i] = made->bytes;
        inputs.push_back({part_kind, compiled[i], link.shown_name()});
    }
    Tooled<Artifact> result = link_with_nvjitlink(inputs, link_options(unit, unit.lto, arch), kind);
    if (!result) {
        ToolError error = result.error();
        if (error.kind == ToolError::Kind::linking) error.span = place_of(unit, error.log);
        return error;
    }
    result->entries = unit.entries;
    return result;
}

/// Each architecture linked, and put into one.
Tooled<Artifact> linked_fatbin(const Unit& unit, const std::vector<Arch>& archs) {
    const std::optional<std::string> fatbinary = find_toolkit_program("fatbinary");
    if (!fatbinary)
        return ToolError{
            ToolError::Kind::missing,
            "fatbinary, which puts several architectures into one file, was not found: install the CUDA toolkit, or "
            "name it in $CUDA_HOME",
            {}};
    const TempFolder folder;
    if (!folder.ok()) return ToolError{ToolError::Kind::unusable, folder.why_unwritable(), {}};
    std::vector<std::string> argv = {*fatbinary, "-64", "--create=" + folder.file("module.fatbin")};
    for (const Arch& arch : archs) {
        const ArtifactKind kind = arch.is_virtual ? ArtifactKind::ptx : ArtifactKind::cubin;
        const Tooled<Artifact> image = linked(unit, kind, arch);
        if (!image) return image.error();
        const std::string name = arch.is_virtual ? arch.virtual_name() : arch.real_name();
        if (!write_file(folder.file(name), image->bytes))
            return ToolError{ToolError::Kind::unusable, folder.why_unwritable(), {}};
        argv.push_back(fmt::format("--image3=kind={},sm={}{},file={}", arch.is_virtual ? "ptx" : "elf", arch.number,
                                   arch.suffix ? std::string(1, arch.suffix) : "", folder.file(name)));
    }
    if (!may_run_tool(*fatbinary, {argv.begin() + 1, argv.end()}))
        return Artifact{ArtifactKind::fatbin, {}, unit.entries, {}, *fatbinary};
    const auto result = run_process(argv, folder.path());
    Artifact artifact{ArtifactKind::fatbin, {}, unit.entries, {}, *fatbinary};
    if (!result || result->exit_code != 0 || !read_file(folder.file("module.fatbin"), artifact.bytes))
        return ToolError{ToolError::Kind::unusable, *fatbinary + " failed", result ? result->messages : std::string()};
    return artifact;
}

}  // namespace

bool is_linked(const Unit& unit) { return !unit.links.empty() || !unit.foreign.empty(); }

Tooled<Artifact> compile_for_gpu(const Unit& unit, ArtifactKind kind, Arch arch) {
    // What is for a linker is this unit's part: code of the user's own is linked beside it.
    if (kind == ArtifactKind::ltoir) return compile_with_nvrtc(unit, kind, arch, {"-dlto"});
    if (unit.is_relocatable) return compile_with_nvrtc(unit, kind, arch, {std::string(kRelocatable)});
    return is_linked(unit) ? linked(unit, kind, arch) : compile_with_nvrtc(unit, kind, arch);
}

Tooled<Artifact> compile_for_gpus(const Unit& unit, const std::vector<Arch>& archs) {
    if (is_linked(unit) && !unit.is_relocatable) return linked_fatbin(unit, archs);
    return compile_with_nvcc(unit, ArtifactKind::fatbin, archs);
}

}  // namespace pyk
