#include "compile/toolkit.h"

#include "compile/environment.h"

namespace pyk {

std::vector<std::string> named_toolkits() {
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const auto root = environment(variable)) roots.push_back(*root);
    return roots;
}

std::vector<std::string> library_candidates(const char* variable, const std::vector<std::string>& names) {
    if (const auto named = environment(variable)) return {*named};
    std::vector<std::string> paths = names, roots = named_toolkits();
    roots.emplace_back(kUsualToolkit);
    for (const std::string& root : roots)
        for (const std::string& name : names) paths.push_back(root + "/lib64/" + name);
    return paths;
}

}  // namespace pyk
