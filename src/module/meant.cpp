#include "module/meant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "module/decorators.h"
#include "module/free_names.h"
#include "support/nearest.h"
#include "types/numba_names.h"

namespace pyk {
namespace {

// What `numba` has beside its scalar types.
constexpr std::array<std::string_view, 38> kOfNumba = {"carray",
                                                       "cfunc",
                                                       "config",
                                                       "core",
                                                       "cuda",
                                                       "deferred_type",
                                                       "errors",
                                                       "experimental",
                                                       "extending",
                                                       "farray",
                                                       "from_dtype",
                                                       "get_num_threads",
                                                       "get_thread_id",
                                                       "guvectorize",
                                                       "jit",
                                                       "jit_module",
                                                       "literal_unroll",
                                                       "literally",
                                                       "misc",
                                                       "njit",
                                                       "none",
                                                       "np",
                                                       "objmode",
                                                       "optional",
                                                       "parfors",
                                                       "pndindex",
                                                       "prange",
                                                       "set_num_threads",
                                                       "stencil",
                                                       "test",
                                                       "threading_layer",
                                                       "typed",
                                                       "typeof",
                                                       "types",
                                                       "vectorize",
                                                       "version_info",
                                                       "void"};

std::vector<std::string_view> scalar_names() {
    std::vector<std::string_view> names;
    for (const ScalarInfo& scalar : all_scalars()) names.push_back(scalar.name);
    return names;
}

// Names of scalar types that `numba` itself has not.
bool is_name_of_numpy_only(std::string_view name) {
    static constexpr std::string_view kNames[] = {"f2",     "bf2",   "bfloat16", "half",    "single",  "float_32",
                                                  "float_", "ubyte", "csingle",  "cdouble", "complex_"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

// Only what is nearly a name that it has: Numba has more than is known here.
void check_name_of_numba(const ast::Alias& alias, Diagnostics& diagnostics) {
    std::vector<std::string_view> known = scalar_names();
    known.insert(known.end(), kOfNumba.begin(), kOfNumba.end());
    const bool is_known = scalar_from_numba(alias.name) || std::ranges::find(known, alias.name) != known.end();
    const std::string near = is_known ? "" : nearest_name(alias.name, known);
    if (near.empty()) return;
    const Span name{alias.span.file, alias.span.begin, alias.span.begin + static_cast<uint32_t>(alias.name.size())};
    diagnostics
        .report(diag::unknown_name_near, name, std::string_view(fmt::format("numba.{}", alias.name)),
                std::string_view(near))
        .suggest(did_you_mean(name, near));
}

// The name that `cuda.jit(…)(…)` begins with.
const ast::Expr& beginning_of(const ast::Expr& expr) {
    if (const auto* call = expr.as<ast::Call>()) return beginning_of(*call->func);
    if (const auto* attribute = expr.as<ast::Attribute>()) return beginning_of(*attribute->value);
    if (const auto* subscript = expr.as<ast::Subscript>()) return beginning_of(*subscript->value);
    return expr;
}

bool is_there(const ModuleScope& scope, std::string_view name) {
    return scope.lookup(name) || scope.is_opaque(name) || scope.assigned_at(name);
}

// Whether it is a decorator of Numba's, with or without arguments.
bool decorates(const ModuleScope& scope, const ast::Expr& expr) {
    const auto entity = scope.evaluate(expr);
    const Path* path = entity ? std::get_if<Path>(&*entity) : nullptr;
    return (path && find_decorator(path->name)) || (entity && std::holds_alternative<Decoration>(*entity));
}

// `cuda.jit("void(float32[:])")` as a statement, right above a function.
void check_lone_decorator(const ast::Stmt& stmt, const ModuleScope& scope, Diagnostics& diagnostics) {
    const auto* alone = stmt.as<ast::ExprStmt>();
    if (!alone || !decorates(scope, *alone->value)) return;
    const Span span = alone->value->span;
    diagnostics.report(diag::unused_value, span, "; a decorator begins with `@`")
        .suggest({"write `@`", Applicability::maybe_incorrect, {{{span.file, span.begin, span.begin}, "@"}}});
}

// With `from __future__ import annotations` they may name anything.
void check_annotation(const ModuleScope& scope, const ast::Expr& annotation, Diagnostics& diagnostics) {
    if (!is_there(scope, "annotations") && lacks_import(scope, annotation, diagnostics)) return;
    const ast::Expr& root = beginning_of(annotation);
    const auto* name = root.as<ast::Name>();
    const std::string near = name && !is_there(scope, name->id) ? nearest_scalar(name->id) : "";
    if (near.empty() || near == name->id) return;
    diagnostics.report(diag::unknown_name_near, root.span, name->id, std::string_view(near))
        .suggest(did_you_mean(root.span, near));
}

}  // namespace

Suggestion did_you_mean(Span span, const std::string& name) {
    return {fmt::format("write `{}`", name), Applicability::maybe_incorrect, {{span, name}}};
}

bool lacks_import(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    const ast::Expr& root = beginning_of(expr);
    const auto* name = root.as<ast::Name>();
    const std::string import = name && !is_there(scope, name->id) ? missing_import(name->id) : "";
    if (import.empty()) return false;
    diagnostics.report(diag::unknown_name_hint, root.span, name->id,
                       std::string_view(fmt::format("the file needs `{}`", import)));
    return true;
}

std::string missing_name(const ModuleScope& scope, const ast::Expr& expr) {
    const auto* name = beginning_of(expr).as<ast::Name>();
    return name && !is_there(scope, name->id) ? std::string(name->id) : "";
}

std::string missing_import(std::string_view name) {
    if (name == "np") return "import numpy as np";
    if (name == "nb") return "import numba as nb";
    for (const std::string_view own :
         {"cuda", "jit", "njit", "vectorize", "guvectorize", "stencil", "prange", "types", "void"})
        if (name == own) return fmt::format("from numba import {}", name);
    if (name == "float16") return "from numba.types import float16";
    if (scalar_from_numba(name) && !is_name_of_numpy_only(name)) return fmt::format("from numba import {}", name);
    for (const std::string_view module : {"math", "cmath", "operator", "numpy", "numba"})
        if (name == module) return fmt::format("import {}", name);
    return {};
}

std::string nearest_scalar(std::string_view name) {
    return name == "int" ? "int64" : nearest_name(name, scalar_names());  // `np.int` of old
}

std::string meant_module(std::string_view module) {
    static constexpr std::array<std::string_view, 2> kModules = {"numba", "numpy"};
    const std::string near = nearest_name(module.substr(0, module.find('.')), kModules);
    return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

// Of the module's own statements: what stands in `try` or `if` may be for another machine.
void check_names(const ast::Module& module, const ModuleScope& scope, Diagnostics& diagnostics) {
    std::map<const ast::FunctionDef*, const FunctionInfo*> kernels;
    for (const FunctionInfo* info : scope.kernels())
        if (info->span.file == module.source.get()) kernels.emplace(info->def, info);
    const auto check_function = [&](const ast::FunctionDef& def) {
        const auto kernel = kernels.extract(&def);
        const ModuleScope& around = kernel ? *kernel.mapped()->scope : scope;
        for (const ast::Expr* decorator : def.decorator_list) lacks_import(around, *decorator, diagnostics);
        if (!kernel) return;
        for_each_parameter(*def.args, [&](const ast::Arg& arg) {
            if (arg.annotation) check_annotation(around, *arg.annotation, diagnostics);
        });
    };
    const ast::Stmt* before = nullptr;
    for (const ast::Stmt* stmt : module.body) {
        if (const auto* node = stmt->as<ast::FunctionDef>()) {
            check_function(*node);
            if (before && node->decorator_list.empty()) check_lone_decorator(*before, scope, diagnostics);
        }
        before = stmt;
        if (const auto* node = stmt->as<ast::ClassDef>())
            for (const ast::Expr* decorator : node->decorator_list)
                if (decorates(scope, *decorator))
                    diagnostics.report(diag::decorated_class, decorator->span, decorator->span.text(), node->name);
        const auto* node = stmt->as<ast::ImportFrom>();
        if (node && node->level == 0 && node->module == "numba")
            for (const ast::Alias& alias : node->names) check_name_of_numba(alias, diagnostics);
    }
    for (const FunctionInfo* info : scope.kernels())
        if (kernels.contains(info->def)) check_function(*info->def);  // inside of others
}

}  // namespace pyk
