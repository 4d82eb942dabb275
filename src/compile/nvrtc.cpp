#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "compile/toolkit.h"
#include "compile/trace.h"
#include "support/fault.h"
#include "support/words.h"

namespace pyk {
namespace {

// The part of NVRTC's C interface that we call, declared here so that no toolkit header is needed.
using Program = struct OpaqueProgram*;
enum Status : int { success = 0, compilation_failed = 6 };

struct Api {
    const char* (*GetErrorString)(int);
    int (*Version)(int*, int*);
    int (*GetNumSupportedArchs)(int*);
    int (*GetSupportedArchs)(int*);
    int (*CreateProgram)(Program*, const char* source, const char* name, int, const char* const*, const char* const*);
    int (*DestroyProgram)(Program*);
    int (*CompileProgram)(Program, int, const char* const*);
    int (*GetPTXSize)(Program, size_t*);
    int (*GetPTX)(Program, char*);
    int (*GetCUBINSize)(Program, size_t*);
    int (*GetCUBIN)(Program, char*);
    int (*GetLTOIRSize)(Program, size_t*);
    int (*GetLTOIR)(Program, char*);
    int (*GetProgramLogSize)(Program, size_t*);
    int (*GetProgramLog)(Program, char*);
};

struct Library {
    Api api;
    NvrtcInfo info;
};

bool bind_all(void* handle, Api& api) {
    return bind(handle, "nvrtcGetErrorString", api.GetErrorString) && bind(handle, "nvrtcVersion", api.Version) &&
           bind(handle, "nvrtcGetNumSupportedArchs", api.GetNumSupportedArchs) &&
           bind(handle, "nvrtcGetSupportedArchs", api.GetSupportedArchs) &&
           bind(handle, "nvrtcCreateProgram", api.CreateProgram) &&
           bind(handle, "nvrtcDestroyProgram", api.DestroyProgram) &&
           bind(handle, "nvrtcCompileProgram", api.CompileProgram) && bind(handle, "nvrtcGetPTXSize", api.GetPTXSize) &&
           bind(handle, "nvrtcGetPTX", api.GetPTX) && bind(handle, "nvrtcGetCUBINSize", api.GetCUBINSize) &&
           bind(handle, "nvrtcGetCUBIN", api.GetCUBIN) && bind(handle, "nvrtcGetLTOIRSize", api.GetLTOIRSize) &&
           bind(handle, "nvrtcGetLTOIR", api.GetLTOIR) &&
           bind(handle, "nvrtcGetProgramLogSize", api.GetProgramLogSize) &&
           bind(handle, "nvrtcGetProgramLog", api.GetProgramLog);
}

Tooled<Library> describe(void* handle, const std::string& asked) {
    Library library;
    library.info.path = path_of_library(handle, asked);
    int count = 0;
    if (!bind_all(handle, library.api) || library.api.Version(&library.info.major, &library.info.minor) != success ||
        library.api.GetNumSupportedArchs(&count) != success)
        return ToolError{
            ToolError::Kind::unusable, library.info.path + " is not an NVRTC that can be used (12.8 or later is)", {}};
    library.info.archs.resize(static_cast<size_t>(count));
    library.api.GetSupportedArchs(library.info.archs.data());
    std::sort(library.info.archs.begin(), library.info.archs.end());
    return library;
}

Tooled<Library> open_library() {
    std::string tried;
    for (const std::string& path :
         library_candidates("PYK_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})) {
        if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return describe(handle, path);
        tried += std::string(dlerror()) + "\n";
    }
    return ToolError{
        ToolError::Kind::missing,
        "NVRTC (libnvrtc.so) was not found: install it from the CUDA toolkit, or name the library in $PYK_NVRTC",
        tried};
}

// Opened once and never closed: NVRTC keeps threads and handlers of its own.
const Tooled<Library>& library() {
    static const Tooled<Library> opened = open_library();
    return opened;
}

// One compilation. Its program is destroyed with it.
class Compilation {
  public:
    Compilation(const Library& library, const std::string& text, const std::string& name)
        : api_(library.api), library_(library) {
        check(api_.CreateProgram(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr), "nvrtcCreateProgram");
    }
    ~Compilation() { api_.DestroyProgram(&program_); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    int compile(const std::vector<const char*>& options) {
        return api_.CompileProgram(program_, static_cast<int>(options.size()), options.data());
    }
    std::string log() const { return text(api_.GetProgramLogSize, api_.GetProgramLog); }
    std::string ptx() const { return text(api_.GetPTXSize, api_.GetPTX); }
    std::string ltoir() const { return bytes(api_.GetLTOIRSize, api_.GetLTOIR); }
    std::string cubin() const { return bytes(api_.GetCUBINSize, api_.GetCUBIN); }
    std::string name() const {
        return fmt::format("NVRTC {}.{} ({})", library_.info.major, library_.info.minor, library_.info.path);
    }
    std::string describe(int status) const { return api_.GetErrorString(status); }

  private:
    void check(int status, const char* what) const {
        if (status != success) internal_error(fmt::format("{}: {}", what, api_.GetErrorString(status)));
    }
    std::string bytes(int (*size_of)(Program, size_t*), int (*get)(Program, char*)) const {
        size_t size = 0;
        check(size_of(program_, &size), "NVRTC result");
        std::string result(size, '\0');
        check(get(program_, result.data()), "NVRTC result");
        return result;
    }
    // Text comes with a final NUL.
    std::string text(int (*size_of)(Program, size_t*), int (*get)(Program, char*)) const {
        std::string result = bytes(size_of, get);
        while (!result.empty() && result.back() == '\0') result.pop_back();
        return result;
    }

    const Api& api_;
    const Library& library_;
    Program program_ = nullptr;
};

bool supports(const NvrtcInfo& info, const Arch& arch) {
    return std::find(info.archs.begin(), info.archs.end(), arch.number) != info.archs.end();
}

ToolError unknown_arch(const NvrtcInfo& info, const Arch& arch) {
    std::string known;
    for (const int number : info.archs) known += fmt::format("{}sm_{}", known.empty() ? "" : ", ", number);
    return {ToolError::Kind::unusable,
            fmt::format("NVRTC {}.{} does not compile for {}; it knows {}", info.major, info.minor, arch.real_name(),
                        known),
            {}};
}

}  // namespace

Tooled<NvrtcInfo> nvrtc_info() {
    if (!library()) return library().error();
    return library()->info;
}

std::vector<std::string> toolkit_includes() {
    namespace fs = std::filesystem;
    std::vector<std::string> folders;
    std::error_code ignored;
    for (const fs::path& root : toolkit_roots(library() ? library()->info.path : "")) {
        if (!fs::is_directory(root / "include", ignored)) continue;
        folders.push_back((root / "include").string());
        if (fs::is_directory(root / "include/cccl", ignored)) folders.push_back((root / "include/cccl").string());
        break;
    }
    return folders;
}

Tooled<Artifact> compile_text_with_nvrtc(const std::string& text, const std::string& name, ArtifactKind kind, Arch arch,
                                         const std::vector<std::string>& options) {
    if (!library()) return library().error();
    if (!supports(library()->info, arch)) return unknown_arch(library()->info, arch);
    if (kind == ArtifactKind::fatbin || kind == ArtifactKind::object || kind == ArtifactKind::shared_library)
        internal_error("NVRTC makes PTX, cubins and LTO-IR");

    const std::string arch_option =
        "--gpu-architecture=" + (kind == ArtifactKind::cubin ? arch.real_name() : arch.virtual_name());
    Compilation compilation(*library(), text, name);
    // Without the last option NVRTC changes the stack limit of the whole process while it compiles.
    std::vector<std::string> words = {"--std=c++17", arch_option, "--modify-stack-limit=false"};
    words.insert(words.end(), options.begin(), options.end());
    if (!may_run_tool(compilation.name(), words)) return Artifact{kind, {}, {}, {}, compilation.name()};
    std::vector<const char*> all;
    for (const std::string& word : words) all.push_back(word.c_str());
    const int status = compilation.compile(all);
    if (status == compilation_failed)
        return ToolError{ToolError::Kind::rejected, compilation.name() + " refused the emitted text",
                         compilation.log()};
    if (status != success)
        return ToolError{ToolError::Kind::unusable, compilation.name() + ": " + compilation.describe(status),
                         compilation.log()};
    std::string bytes = kind == ArtifactKind::ltoir ? compilation.ltoir()
                        : kind == ArtifactKind::ptx ? compilation.ptx()
                                                    : compilation.cubin();
    return Artifact{kind, std::move(bytes), {}, compilation.log(), compilation.name()};
}

namespace {

/// The folders that CUB's headers are found from. CUB comes with the toolkit, in a folder of its own since CUDA 13.
Tooled<std::vector<std::string>> cub_includes() {
    namespace fs = std::filesystem;
    std::string tried;
    std::error_code ignored;
    for (const fs::path& root : toolkit_roots(library() ? library()->info.path : ""))
        for (const fs::path& folder : {root / "include/cccl", root / "include"}) {
            if (fs::exists(folder / "cub/block/block_scan.cuh", ignored))
                return std::vector<std::string>{folder.string(), (root / "include").string()};
            tried += "\n  " + (folder / "cub").string();
        }
    return ToolError{ToolError::Kind::missing,
                     "CUB, which this algorithm needs on a GPU, was not found: install the CUDA toolkit's headers "
                     "(Debian's package is cuda-cccl), or name the toolkit in $CUDA_HOME. Looked for" +
                         tried,
                     {}};
}

/// Whether it has names of CUDA's runtime, such as `cudaTextureObject_t` or `cuda::std`; a kernel may be called
/// `add_cuda`.
bool names_runtime(std::string_view text) {
    constexpr std::string_view kPrefix = "cuda";
    for (size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at + 1)) {
        const std::string_view rest = text.substr(at + kPrefix.size());
        const bool goes_on = rest.starts_with("::") || (!rest.empty() && rest[0] >= 'A' && rest[0] <= 'Z');
        if (goes_on && (at == 0 || !is_of_word(text[at - 1]))) return true;
    }
    return false;
}

}  // namespace

Tooled<Artifact> compile_with_nvrtc(const Unit& unit, ArtifactKind kind, Arch arch,
                                    const std::vector<std::string>& more) {
    const auto mentions = [&](std::string_view what) { return unit.text.find(what) != std::string::npos; };
    std::vector<std::string> options = {"--device-as-default-execution-space"};
    // No textures, no runtime API: a seventh of a small kernel's time. The text of templates may want them.
    if (!mentions("#include") && !names_runtime(unit.text)) options.emplace_back("--minimal");
    if (library() && mentions("#include <cub/")) {
        const Tooled<std::vector<std::string>> folders = cub_includes();
        if (!folders) return folders.error();
        for (const std::string& folder : *folders) options.push_back("--include-path=" + folder);
    }
    options.insert(options.end(), unit.flags.begin(), unit.flags.end());
    options.insert(options.end(), more.begin(), more.end());
    // A fixed name: it leaks into the symbols of internal variables.
    Tooled<Artifact> made = compile_text_with_nvrtc(unit.text, "module.cu", kind, arch, options);
    if (made) made->entries = unit.entries;
    return made;
}

Tooled<Artifact> measure_with_nvrtc(const Unit& unit, Arch arch) {
    arch.is_virtual = false;
    return compile_with_nvrtc(unit, ArtifactKind::cubin, arch, {"--ptxas-options=-v", "-no-cache"});
}

}  // namespace pyk
