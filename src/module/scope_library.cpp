// What the library has for module code: functions and classes of NumPy and of Python's modules, written in Python
// themselves (`host_*.pyk`).
#include <algorithm>

#include "library/library.h"
#include "module/host_functions.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// `numpy.linalg.norm` is `host_np_linalg_norm` there.
std::string name_in_library(std::string_view path) {
    std::string name(path);
    for (const std::string_view module : {"numpy.", "cupy."})
        if (path.starts_with(module)) name = "np." + name.substr(module.size());
    std::ranges::replace(name, '.', '_');
    return "host_" + name;
}

}  // namespace

std::optional<Entity> ModuleScope::Shared::library_entity(std::string_view path) {
    const std::string name = name_in_library(path);
    const auto [known, is_new] = library.try_emplace(name);
    const size_t place = is_new ? library_place_of(name) : library_size();
    if (place == library_size()) return known->second;
    const ast::Module* file = &library_file(place);
    auto& slot = files[file];
    if (!slot) {
        slot.reset(new ModuleScope(*this, file, nullptr, {}));
        slot->declare(file->body);
    }
    return library[name] = slot->own(name);
}

std::optional<Const> ModuleScope::call_library(const std::string& path, const void* key, const HostCall& call) const {
    const FunctionInfo* info = function_in(shared_->library_entity(path));
    if (!info) return std::nullopt;
    HostArguments arguments;
    for (const Const& value : call.args) arguments.values.emplace_back(to_entity(value));
    for (const auto& [name, value] : call.named) arguments.named.emplace_back(name, to_entity(value));
    const ModuleScope* run = run_of(*info, key, std::move(arguments));
    return run && run->returned_value_ ? to_const(*run->returned_value_) : std::nullopt;
}

// `np.histogram(x, 8)`, `Fraction(1, 3)`.
std::optional<Entity> ModuleScope::Shared::call_library(const ModuleScope& scope, const ast::Call& node) {
    const std::string path = scope.path_of(*node.func);
    const auto found = path.find('.') != path.npos ? scope.shared_->library_entity(path) : std::nullopt;
    if (!found) return std::nullopt;
    if (const auto* made = std::get_if<const ModuleScope*>(&*found)) return scope.object(**made, node);
    const FunctionInfo* info = function_in(found);
    auto arguments = info ? scope.host_arguments(node) : std::nullopt;
    if (arguments && !take_arguments(scope, node, *arguments)) return std::nullopt;
    const ModuleScope* run = arguments ? scope.run_of(*info, node.func, std::move(*arguments)) : nullptr;
    return run ? run->returned_value_ : std::nullopt;
}

}  // namespace pyk
