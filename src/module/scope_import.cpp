// Imports: modules that the tables know, and files beside the one that imports.
#include <algorithm>

#include "module/known_modules.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

std::string_view root_of(std::string_view module) { return module.substr(0, module.find('.')); }

}  // namespace

bool is_known_module(std::string_view module) {
    static constexpr std::string_view kKnown[] = {"numba", "numpy", "math", "cmath", "operator", "_operator",
                                                  "cuda",  "np",    "cffi", "cupy",  "scipy"};
    return std::ranges::find(kKnown, root_of(module)) != std::end(kKnown);
}

const ModuleScope* ModuleScope::file(std::string_view module, int level) const {
    if (!shared_->importer || !file_ || (level == 0 && is_known_module(module))) return nullptr;
    const ast::Module* found = shared_->importer->find(*file_->source, module, level);
    if (!found) return nullptr;
    auto& slot = shared_->files[found];
    if (!slot) {
        slot.reset(new ModuleScope(*shared_, found, nullptr, {}));
        slot->declare(found->body);
    }
    return slot.get();
}

bool ModuleScope::can_import(const ast::Stmt& stmt) const {
    const auto known = [&](std::string_view module, int level) {
        const bool is_there = root_of(module) != "cupy" && root_of(module) != "scipy";  // on every machine
        return (level == 0 && is_known_module(module) && is_there) ||
               (shared_->importer && shared_->importer->exists(*file_->source, module, level));
    };
    if (const auto* node = stmt.as<ast::ImportFrom>()) return known(node->module, node->level);
    return std::ranges::all_of(stmt.as<ast::Import>()->names,
                               [&](const ast::Alias& alias) { return known(alias.name, 0); });
}

// What `from config import N` names, where no table knows the module and there is no such file.
std::vector<std::string_view> ModuleScope::names_of_missing_files(const ast::Block& body) const {
    std::vector<std::string_view> names;
    for (const ast::Stmt* stmt : body) {
        const auto* node = stmt->as<ast::ImportFrom>();
        if (!node || can_import(*stmt) || (node->level == 0 && is_known_module(node->module))) continue;
        for (const ast::Alias& alias : node->names) names.push_back(alias.asname.empty() ? alias.name : alias.asname);
    }
    return names;
}

void ModuleScope::import_names(const ast::Import& node, Span span) {
    for (const ast::Alias& alias : node.names) {
        if (!alias.asname.empty())
            add(alias.asname, {clock_, Import{std::string(alias.name), {}, 0, span}});
        else
            add(root_of(alias.name), {clock_, Import{std::string(root_of(alias.name)), {}, 0, span}});
    }
}

void ModuleScope::import_names(const ast::ImportFrom& node, Span span) {
    for (const ast::Alias& alias : node.names)
        if (alias.name == "*")
            star_imports_.push_back({std::string(node.module), {}, node.level, span, clock_});
        else
            add(alias.asname.empty() ? alias.name : alias.asname,
                {clock_, Import{std::string(node.module), std::string(alias.name), node.level, span}});
}

std::optional<ModuleScope::MissingModule> ModuleScope::missing_module(std::string_view path) const {
    if (!shared_->importer || !file_) return std::nullopt;
    for (const auto& [name, declared] : names_) {
        // What is made of it may have its name: `f = cuda.jit(device=True)(f)`.
        const auto known = std::ranges::find_if(declared, [](const Declaration& d) { return d.as<Import>(); });
        if (known == declared.end()) continue;
        const Import& import = *known->as<Import>();
        if (import.level > 0) {
            const std::string& module = import.module.empty() ? import.attr : import.module;
            if (path != name || file(module, import.level)) continue;
            if (shared_->importer->exists(*file_->source, module, import.level)) continue;
            return MissingModule{std::string(static_cast<size_t>(import.level), '.') + module, import.span, {}};
        }
        const std::string whole = import.path();
        const bool is_of = path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
        if (!is_of || is_known_module(import.module)) continue;
        // One that has errors is there: those are reported.
        if (file(import.module, 0) || shared_->importer->exists(*file_->source, import.module, 0)) continue;
        return MissingModule{import.module, import.span, shared_->importer->folders(*file_->source)};
    }
    // `from module import *` may have brought any name.
    for (const Import& star : star_imports_) {
        if (path.find('.') != path.npos || star.level > 0 || is_known_module(star.module)) continue;
        if (file(star.module, 0) || shared_->importer->exists(*file_->source, star.module, 0)) continue;
        return MissingModule{star.module, star.span, shared_->importer->folders(*file_->source)};
    }
    return parent_ ? parent_->missing_module(path) : std::nullopt;
}

std::optional<Entity> ModuleScope::imported(const Import& import) const {
    if (const ModuleScope* scope = file(import.module, import.level)) {
        if (import.attr.empty()) return scope;
        const Following following(shared_->importing, &import);
        if (following.is_again()) return std::nullopt;
        if (auto entity = scope->own(import.attr)) return entity;
    }
    // `from package import module`.
    if (!import.attr.empty()) {
        const std::string path = import.module.empty() ? import.attr : import.path();
        if (const ModuleScope* scope = file(path, import.level)) return scope;
    }
    if (import.level > 0 || file(import.module, import.level)) return std::nullopt;
    std::string path = import.path();
    const auto known = shared_->entities_of_paths.find(path);
    if (known != shared_->entities_of_paths.end()) return known->second;
    auto entity = entity_of_path(path);
    return shared_->entities_of_paths.emplace(std::move(path), std::move(entity)).first->second;
}

}  // namespace pyk
