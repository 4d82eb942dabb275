#include "compile/nvjitlink.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "compile/toolkit.h"
#include "compile/trace.h"
#include "support/fault.h"

namespace pyk {
namespace {

// The part of nvJitLink's C interface that we call, declared here so that no toolkit header is needed.
using Handle = struct OpaqueLink*;
enum class InputType { cubin = 1, ptx, ltoir, fatbin, object, library };

struct Api {
    int (*Version)(unsigned*, unsigned*);
    int (*Create)(Handle*, uint32_t, const char**);
    int (*Destroy)(Handle*);
    int (*AddData)(Handle, int, const void*, size_t, const char*);
    int (*Complete)(Handle);
    int (*GetLinkedCubinSize)(Handle, size_t*);
    int (*GetLinkedCubin)(Handle, void*);
    int (*GetLinkedPtxSize)(Handle, size_t*);
    int (*GetLinkedPtx)(Handle, char*);
    int (*GetErrorLogSize)(Handle, size_t*);
    int (*GetErrorLog)(Handle, char*);
};

struct Library {
    Api api;
    NvJitLinkInfo info;
};

bool bind_all(void* handle, Api& api) {
    return bind(handle, "nvJitLinkVersion", api.Version) && bind(handle, "nvJitLinkCreate", api.Create) &&
           bind(handle, "nvJitLinkDestroy", api.Destroy) && bind(handle, "nvJitLinkAddData", api.AddData) &&
           bind(handle, "nvJitLinkComplete", api.Complete) &&
           bind(handle, "nvJitLinkGetLinkedCubinSize", api.GetLinkedCubinSize) &&
           bind(handle, "nvJitLinkGetLinkedCubin", api.GetLinkedCubin) &&
           bind(handle, "nvJitLinkGetLinkedPtxSize", api.GetLinkedPtxSize) &&
           bind(handle, "nvJitLinkGetLinkedPtx", api.GetLinkedPtx) &&
           bind(handle, "nvJitLinkGetErrorLogSize", api.GetErrorLogSize) &&
           bind(handle, "nvJitLinkGetErrorLog", api.GetErrorLog);
}

Tooled<Library> open_library() {
    const std::vector<std::string> paths =
        library_candidates("PYK_NVJITLINK", {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"});
    std::string tried;
    for (const std::string& path : paths) {
        void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        Library opened{};
        if (handle && bind_all(handle, opened.api) && opened.api.Version(&opened.info.major, &opened.info.minor) == 0) {
            opened.info.path = path_of_library(handle, path);
            return opened;
        }
        tried += handle ? path + " is not an nvJitLink that can be used (12.8 or later is)\n"
                        : dlerror() + std::string("\n");
    }
    return ToolError{
        ToolError::Kind::missing,
        "linking the file's own device code needs nvJitLink (libnvJitLink.so), which was not found: install "
        "it from the CUDA toolkit, or name the library in $PYK_NVJITLINK",
        tried};
}

// Opened once and never closed, like NVRTC.
const Tooled<Library>& library() {
    static const Tooled<Library> opened = open_library();
    return opened;
}

InputType type_of(ir::LinkedCode::Kind kind) {
    switch (kind) {
        case ir::LinkedCode::Kind::ptx:
            return InputType::ptx;
        case ir::LinkedCode::Kind::cubin:
            return InputType::cubin;
        case ir::LinkedCode::Kind::fatbin:
            return InputType::fatbin;
        case ir::LinkedCode::Kind::object:
            return InputType::object;
        case ir::LinkedCode::Kind::archive:
            return InputType::library;
        case ir::LinkedCode::Kind::ltoir:
            return InputType::ltoir;
        case ir::LinkedCode::Kind::cuda:
        case ir::LinkedCode::Kind::cpp:
            break;
    }
    internal_error("nvJitLink takes no source");
}

// One link. Its handle is destroyed with it.
class Link {
  public:
    Link(const Api& api, const std::vector<std::string>& options) : api_(api) {
        std::vector<const char*> texts;
        for (const std::string& option : options) texts.push_back(option.c_str());
        status_ = api_.Create(&handle_, static_cast<uint32_t>(texts.size()), texts.data());
    }
    ~Link() {
        if (handle_) api_.Destroy(&handle_);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    bool ok() const { return status_ == 0; }
    void add(const LinkInput& input) {
        if (ok())
            status_ = api_.AddData(handle_, static_cast<int>(type_of(input.kind)), input.bytes.data(),
                                   input.bytes.size(), input.name.c_str());
    }
    void complete() {
        if (ok()) status_ = api_.Complete(handle_);
    }
    std::string cubin() const { return result(api_.GetLinkedCubinSize, api_.GetLinkedCubin); }
    std::string ptx() const {
        std::string text = result(api_.GetLinkedPtxSize, api_.GetLinkedPtx);
        while (text.ends_with('\0')) text.pop_back();
        return text;
    }
    std::string log() const {
        size_t size = 0;
        if (!handle_ || api_.GetErrorLogSize(handle_, &size) != 0 || size == 0) return fmt::format("error {}", status_);
        std::string text(size, '\0');
        api_.GetErrorLog(handle_, text.data());
        while (text.ends_with('\0') || text.ends_with('\n')) text.pop_back();
        return text.empty() ? fmt::format("error {}", status_) : text;
    }

  private:
    template <typename Byte>
    std::string result(int (*size_of)(Handle, size_t*), int (*get)(Handle, Byte*)) const {
        size_t size = 0;
        if (size_of(handle_, &size) != 0) internal_error("nvJitLink gives no result");
        std::string bytes(size, '\0');
        if (get(handle_, bytes.data()) != 0) internal_error("nvJitLink gives no result");
        return bytes;
    }

    const Api& api_;
    Handle handle_ = nullptr;
    int status_ = 0;
};

}  // namespace

Tooled<NvJitLinkInfo> nvjitlink_info() {
    if (!library()) return library().error();
    return library()->info;
}

Tooled<Artifact> link_with_nvjitlink(const std::vector<LinkInput>& inputs, const std::vector<std::string>& options,
                                     ArtifactKind kind) {
    if (!library()) return library().error();
    const auto& [api, info] = *library();
    Artifact artifact{kind, {}, {}, {}, fmt::format("nvJitLink {}.{} ({})", info.major, info.minor, info.path)};
    std::vector<std::string> all = options;
    if (kind == ArtifactKind::ptx) all.emplace_back("-ptx");
    std::vector<std::string> words = all;
    for (const LinkInput& input : inputs) words.push_back(input.name);
    if (!may_run_tool(artifact.tool, words)) return artifact;
    Link link(api, all);
    for (const LinkInput& input : inputs) {
        link.add(input);
        if (!link.ok())
            return ToolError{ToolError::Kind::linking, fmt::format("{} cannot be linked", input.name), link.log()};
    }
    link.complete();
    if (!link.ok()) return ToolError{ToolError::Kind::linking, "the code does not link", link.log()};
    artifact.bytes = kind == ArtifactKind::ptx ? link.ptx() : link.cubin();
    return artifact;
}

}  // namespace pyk
