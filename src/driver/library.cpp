#include "driver/library.h"

#include <algorithm>
#include <filesystem>

#include "driver/load.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& file) { return fs::path(file).parent_path(); }

constexpr int kDeepestPackage = 64;

}  // namespace

Library::Library(std::string main, std::vector<std::string> folders, fs::path base)
    : main_(std::move(main)), folders_(std::move(folders)), base_(std::move(base)) {}

// The folder that holds the package that a file is of, where Python would find `import package.module`; nullopt: it is
// of none.
std::optional<fs::path> Library::above_package(const std::string& file) const {
    const auto is_package = [&](const fs::path& folder) {
        std::error_code ignored;
        const fs::path whole = base_ / folder;
        return fs::exists(whole / "__init__.py", ignored) || fs::exists(whole / "__init__.pyk", ignored);
    };
    fs::path folder = folder_of(file);
    if (!is_package(folder)) return std::nullopt;
    for (int i = 0; i < kDeepestPackage && is_package(folder); ++i) folder /= "..";
    return folder.lexically_normal();
}

// `.pyk` before `.py`, a file before a package.
std::optional<std::string> Library::module_in(const fs::path& folder, const std::string& module,
                                              const SourceFile& from) {
    const fs::path base = folder / module;
    std::vector<fs::path> candidates;
    if (!module.empty()) candidates = {fs::path(base.string() + ".pyk"), fs::path(base.string() + ".py")};
    candidates.push_back(base / "__init__.pyk");
    candidates.push_back(base / "__init__.py");
    // `f.pyk` that imports `f` means the `f.py` beside it, if there is one.
    const fs::path own = fs::path(from.name()).lexically_normal();
    std::ranges::stable_partition(candidates, [&](const fs::path& path) { return path.lexically_normal() != own; });
    std::error_code ignored;
    for (const fs::path& candidate : candidates) {
        std::string path = candidate.lexically_normal().string();
        if (fs::is_regular_file(base_ / candidate, ignored)) return path;
        const std::lock_guard lock(mutex_);
        missing_.insert(std::move(path));
    }
    return std::nullopt;
}

// A file asks for a module as often as it uses the name.
std::optional<std::string> Library::path_of(const SourceFile& from, std::string_view module, int level) {
    const auto key = std::tuple(from.name(), std::string(module), level);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = paths_.find(key); known != paths_.end()) return known->second;
    }
    std::optional<std::string> path = look_for(from, module, level);
    const std::lock_guard lock(mutex_);
    return paths_.emplace(key, std::move(path)).first->second;
}

std::optional<std::string> Library::look_for(const SourceFile& from, std::string_view module, int level) {
    std::string relative(module);
    std::ranges::replace(relative, '.', '/');
    const fs::path folder = folder_of(from.name());
    if (level > 0) {
        fs::path base = folder;
        for (int i = 1; i < level; ++i) base /= "..";
        return module_in(base, relative, from);
    }
    if (auto path = module_in(folder, relative, from)) return path;
    if (auto path = module_in(folder_of(main_), relative, from)) return path;
    if (const auto above = above_package(from.name()))
        if (auto path = module_in(*above, relative, from)) return path;
    for (const std::string& other : folders_)
        if (auto path = module_in(other, relative, from)) return path;
    return std::nullopt;
}

bool Library::exists(const SourceFile& from, std::string_view module, int level) {
    return path_of(from, module, level).has_value();
}

std::vector<std::string> Library::folders(const SourceFile& from) const {
    std::vector<std::string> all;
    const auto add = [&](std::string folder) {
        if (folder.empty()) folder = ".";
        if (std::ranges::find(all, folder) == all.end()) all.push_back(std::move(folder));
    };
    add(folder_of(from.name()).string());
    add(folder_of(main_).string());
    if (const auto above = above_package(from.name())) add(above->string());
    for (const std::string& folder : folders_) add(folder);
    return all;
}

const ast::Module* Library::find(const SourceFile& from, std::string_view module, int level) {
    const std::optional<std::string> path = path_of(from, module, level);
    if (!path) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = read_.try_emplace(*path);
    auto& [digest, tree] = entry->second;
    if (is_new) {
        std::string error;
        std::optional<std::string> bytes = bytes_of(base_, *path, error);
        if (bytes) digest = cache::digest_of(*bytes).hex();
        if (const SourceFilePtr source = bytes ? decode(*path, *std::move(bytes), error) : nullptr) {
            sources_.push_back(source);
            tree = parse(source, findings_);
        } else {
            findings_.report(diag::cannot_import, {}, error);
        }
    }
    return tree ? &*tree : nullptr;
}

void Library::report(Diagnostics& diagnostics) const {
    const std::lock_guard lock(mutex_);
    diagnostics.merge(findings_);
}

std::vector<cache::FileRead> Library::files() const {
    const std::lock_guard lock(mutex_);
    std::vector<cache::FileRead> files;
    for (const auto& [path, file] : read_) files.push_back({path, file.digest});
    return files;
}

std::vector<std::string> Library::missing() const {
    const std::lock_guard lock(mutex_);
    return {missing_.begin(), missing_.end()};
}

std::vector<const ast::Module*> Library::trees() const {
    const std::lock_guard lock(mutex_);
    std::vector<const ast::Module*> trees;
    for (const auto& [path, file] : read_)
        if (file.tree) trees.push_back(&*file.tree);
    return trees;
}

}  // namespace pyk
