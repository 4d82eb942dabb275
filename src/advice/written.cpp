#include "advice/written.h"

#include <fmt/format.h>

#include <algorithm>

#include "module/free_names.h"

namespace pyk {
namespace {

bool has_scalar_types(std::string_view module) {
    return module == "numba" || module == "numba.types" || module == "numba.core.types" || module == "numpy" ||
           module == "numba.cuda" || module == "numba.cuda.types";
}

std::string_view bound(const ast::Alias& alias) { return alias.asname.empty() ? alias.name : alias.asname; }

// `from numba import float32 as f4` → `f4`; `from numba import types` → `types.float32`.
std::optional<std::string> spelled_by(const ast::ImportFrom& import, std::string_view type) {
    for (const ast::Alias& alias : import.names) {
        if (alias.name == type && has_scalar_types(import.module)) return std::string(bound(alias));
        const std::string inner = fmt::format("{}.{}", import.module, alias.name);
        if (inner != "numba.cuda" && has_scalar_types(inner)) return fmt::format("{}.{}", bound(alias), type);
    }
    return std::nullopt;
}

// `import numpy as np` → `np.float32`; `import numba.cuda` → `numba.float32`.
std::optional<std::string> spelled_by(const ast::Import& import, std::string_view type) {
    for (const ast::Alias& alias : import.names) {
        if (has_scalar_types(alias.name) && !alias.asname.empty()) return fmt::format("{}.{}", alias.asname, type);
        const std::string_view root = alias.name.substr(0, alias.name.find('.'));
        if (alias.asname.empty() && has_scalar_types(root)) return fmt::format("{}.{}", root, type);
    }
    return std::nullopt;
}

// Whether the module gives the name another meaning than its import does.
bool is_taken(const ast::Module& module, std::string_view name) {
    return std::ranges::any_of(module.body, [&](const ast::Stmt* stmt) {
        const auto is_name = [&](const ast::Expr* target) {
            const auto* written = target->as<ast::Name>();
            return written && written->id == name;
        };
        if (const auto* node = stmt->as<ast::Assign>()) return std::ranges::any_of(node->targets, is_name);
        if (const auto* node = stmt->as<ast::AnnAssign>()) return is_name(node->target);
        if (const auto* node = stmt->as<ast::FunctionDef>()) return node->name == name;
        const auto* node = stmt->as<ast::ClassDef>();
        return node && node->name == name;
    });
}

const ast::FunctionDef* find_function(const ast::Block& body, Span name) {
    const ast::FunctionDef* found = nullptr;
    for (const ast::Stmt* stmt : body) {
        if (found || stmt->span.begin > name.begin || stmt->span.end < name.end) continue;
        const auto look = [&](const ast::Block& inner) { found = found ? found : find_function(inner, name); };
        if (const auto* function = stmt->as<ast::FunctionDef>()) {
            if (function->name_span == name) return function;
            look(function->body);
        }
        if (const auto* of_class = stmt->as<ast::ClassDef>()) look(of_class->body);
        for_each_block(*stmt, look);
    }
    return found;
}

Span find_assigned(const ast::Block& body, Span place) {
    for (const ast::Stmt* stmt : body) {
        if (stmt->span.begin > place.begin || stmt->span.end < place.end) continue;
        if (const auto* assign = stmt->as<ast::Assign>(); assign && assign->targets.size() == 1)
            if (assign->targets[0]->span == place || assign->value->span == place) return assign->value->span;
        Span found;
        const auto look = [&](const ast::Block& inner) {
            if (!found) found = find_assigned(inner, place);
        };
        if (const auto* function = stmt->as<ast::FunctionDef>()) look(function->body);
        if (const auto* of_class = stmt->as<ast::ClassDef>()) look(of_class->body);
        for_each_block(*stmt, look);
        if (found) return found;
    }
    return {};
}

}  // namespace

std::string text_of(Span place) {
    const std::string_view text = place ? place.text() : std::string_view();
    return text.empty() || text.find('\n') != text.npos ? "…" : std::string(text);
}

const ast::Module* Written::tree(const SourceFile* file) const {
    const auto at = std::ranges::find(files_, file, [](const ast::Module* module) { return module->source.get(); });
    return at == files_.end() ? nullptr : *at;
}

std::optional<Spelling> Written::spelling(const SourceFile* file, std::string_view type) const {
    const ast::Module* module = tree(file);
    if (!module) return std::nullopt;
    std::optional<Spelling> with_import;
    const auto is_free = [&](std::string_view text) { return !is_taken(*module, text.substr(0, text.find('.'))); };
    for (const ast::Stmt* stmt : module->body) {
        std::optional<std::string> text;
        if (const auto* import = stmt->as<ast::Import>()) text = spelled_by(*import, type);
        if (const auto* import = stmt->as<ast::ImportFrom>()) {
            text = spelled_by(*import, type);
            if (import->module == "numba" && import->level == 0 && import->names.back().name != "*") {
                const uint32_t end = import->names.back().span.end;
                with_import = {std::string(type), Edit{{file, end, end}, fmt::format(", {}", type)}};
            }
        }
        if (text && is_free(*text)) return Spelling{*text, std::nullopt};
    }
    return is_free(type) ? with_import : std::nullopt;
}

Span Written::type_in_signature(Span function, std::string_view type) const {
    const ast::Module* module = tree(function.file);
    const ast::FunctionDef* def = module ? find_function(module->body, function) : nullptr;
    if (!def) return {};
    std::vector<Span> places;
    const auto look = [&](const ast::Expr* expr) {
        if (!expr) return;
        const std::string_view text = expr->span.text();
        for (size_t at = text.find(type); at != std::string_view::npos; at = text.find(type, at + 1)) {
            const auto begin = static_cast<uint32_t>(expr->span.begin + at);
            places.push_back({function.file, begin, begin + static_cast<uint32_t>(type.size())});
        }
    };
    for (const ast::Expr* decorator : def->decorator_list) look(decorator);
    for_each_parameter(*def->args, [&](const ast::Arg& arg) { look(arg.annotation); });
    return places.size() == 1 ? places[0] : Span();
}

Span Written::assigned_at(Span place) const {
    const ast::Module* module = tree(place.file);
    return module ? find_assigned(module->body, place) : Span();
}

}  // namespace pyk
