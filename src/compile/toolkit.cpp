#include "compile/toolkit.h"

#include <link.h>

#include "cache/environment.h"
#include "compile/process.h"

namespace pyk {

namespace {

constexpr const char* kUsualToolkit = "/usr/local/cuda";

// Those that are named.
std::vector<std::string> named_toolkits() {
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const auto root = environment(variable)) roots.push_back(*root);
    return roots;
}

}  // namespace

std::vector<std::filesystem::path> toolkit_roots(const std::string& library) {
    const std::vector<std::string> named = named_toolkits();
    std::vector<std::filesystem::path> roots(named.begin(), named.end());
    if (!library.empty()) roots.push_back(std::filesystem::path(library).parent_path().parent_path());
    roots.emplace_back(kUsualToolkit);
    return roots;
}

std::vector<std::string> library_candidates(const char* variable, const std::vector<std::string>& names) {
    if (const auto named = environment(variable)) return {*named};
    std::vector<std::string> paths = names;
    for (const std::filesystem::path& root : toolkit_roots({}))
        for (const std::string& name : names) paths.push_back((root / "lib64" / name).string());
    return paths;
}

std::optional<std::string> find_toolkit_program(const std::string& name) {
    std::vector<std::filesystem::path> folders;
    const auto named = environment("PYK_NVCC");
    if (const auto nvcc = named ? find_program(*named) : std::nullopt)
        folders.push_back(std::filesystem::path(*nvcc).parent_path());
    for (const std::string& root : named_toolkits()) folders.push_back(std::filesystem::path(root) / "bin");
    for (const std::filesystem::path& folder : folders)
        if (auto found = find_program((folder / name).string())) return found;
    if (auto found = find_program(name)) return found;
    return find_program(std::string(kUsualToolkit) + "/bin/" + name);
}

std::string path_of_library(void* library, const std::string& asked) {
    link_map* map = nullptr;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name[0] ? map->l_name : asked;
}

}  // namespace pyk
