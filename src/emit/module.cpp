#include "emit/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/array_function.h"
#include "emit/comments.h"
#include "emit/core_function.h"
#include "emit/disjoint.h"
#include "emit/foreign.h"
#include "emit/function.h"
#include "emit/prelude.h"
#include "emit/table.h"
#include "emit/text.h"
#include "emit/wide.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

std::vector<Values> signatures(const ir::Module& module) {
    std::vector<Values> result;
    for (const ir::Function& function : module.functions)
        if (function.is_kernel || function.is_exported) result.push_back({{"signature", signature(function, module)}});
    for (const ir::ArrayEntry& entry : module.arrays)
        result.push_back({{"signature", (entry.algorithm      ? entry.algorithm->name + " by "
                                         : entry.core.empty() ? "elements of "
                                                              : "parts of ") +
                                            signature(module.function(entry.function), module)}});
    return result;
}

/// Code without a name is named by its place among the others.
std::vector<Values> links(const ir::Module& module) {
    std::vector<Values> result;
    for (const ir::LinkedCode& link : module.links)
        result.push_back({{"name", link.name.empty() ? "code of " + module.source_name
                                                     : link.name.substr(link.name.find_last_of('/') + 1)}});
    return result;
}

/// From a name to the end of what it is defined as, where that is in its line.
Span definition(Span name) {
    if (!name) return name;
    const std::string_view text = name.file->text();
    const size_t end = std::min(text.find_first_of("\n#;", name.end), text.size());
    return {name.file, name.begin, static_cast<uint32_t>(end)};
}

std::vector<Values> constants(const ModuleScope& scope, Comments& comments) {
    std::vector<Values> result;
    for (size_t i = 0; i < scope.constants.size(); ++i) {
        const ir::ModuleConstant& constant = scope.module.constants[i];
        if (constant.table) continue;
        result.push_back({{"type", scope.types.name(constant.type)},
                          {"name", scope.constants[i]},
                          {"value", literal(constant.value, constant.type, definition(constant.span)).text},
                          {"comment", comments.behind(constant)}});
    }
    return result;
}

std::optional<std::vector<Values>> functions(const ModuleScope& scope, Comments& comments, const Templates& templates) {
    std::vector<Values> result;
    std::set<std::string> declared;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const FunctionScope function = function_scope(scope, i);
        const bool is_foreign = function.function.foreign.has_value();
        if (is_foreign && !declared.insert(function.function.foreign->name).second) continue;
        auto text = is_foreign ? foreign_text(function, templates) : function_text(function, comments, templates);
        if (!text) return std::nullopt;
        result.push_back({{"text", std::move(*text)}});
        for (const FunctionScope& variant : team_variants(scope, i)) {
            text = function_text(variant, comments, templates);
            if (!text) return std::nullopt;
            result.push_back({{"text", std::move(*text)}});
        }
        if (!scope.functions[i].disjoint) continue;
        text = function_text(disjoint_scope(scope, i), comments, templates);
        if (!text) return std::nullopt;
        result.push_back({{"text", std::move(*text)}});
    }
    for (const ir::ArrayEntry& entry : scope.module.arrays) {
        auto text = array_function_text(scope, entry, templates);
        if (!text) return std::nullopt;
        result.push_back({{"text", std::move(*text)}});
    }
    return result;
}

/// What a header's functions look for in a linked text.
std::vector<Values> sought(const ModuleScope& scope) {
    if (!scope.options.has_header || !scope.options.is_linked) return {};
    std::vector<Values> kernels;
    for (const EntryPoint& entry : entry_points(scope)) {
        kernels.push_back({{"symbol", entry.symbol}});
        if (!entry.disjoint_symbol.empty()) kernels.push_back({{"symbol", entry.disjoint_symbol}});
    }
    const bool has_kernels = !kernels.empty();
    return {{{"kernels", std::move(kernels)},
             {"has_kernels", has_kernels},
             {"has_checks", has_checks(scope)},
             {"no_checks", !has_checks(scope)},
             {"report", scope.inner_space + "_report"}}};
}

/// Only where a header has the same struct.
OffsetOf offset_of(const ModuleScope& scope) {
    if (!scope.options.has_header) return OffsetOf::none;
    return scope.options.is_linked ? OffsetOf::host : OffsetOf::nvrtc;
}

std::vector<Values> structs(const ModuleScope& scope) {
    std::vector<Values> result;
    for (const Struct& type : scope.structs)
        result.push_back({{"text", struct_text(scope.types, type, offset_of(scope))},
                          {"name", type.name},
                          {"space", struct_space(scope.types, type)}});
    return result;
}

std::vector<Values> tables(const ModuleScope& scope) {
    std::vector<Values> result;
    for (std::string& text : table_texts(scope)) result.push_back({{"text", std::move(text)}});
    return result;
}

/// The parts of the prelude that the structs, tables and functions use, pasted or included.
std::string prelude(const ModuleScope& scope, const std::vector<Values>& tables, const std::vector<Values>& functions) {
    std::string text(scope.target.always_used);
    for (const Struct& type : scope.structs) text += struct_text(scope.types, type, offset_of(scope));
    for (const Values& table : tables) text += std::get<std::string>(table.at("text"));
    for (const Values& function : functions) text += std::get<std::string>(function.at("text"));
    return scope.options.include_prelude ? included_prelude(text) : pasted_prelude(text, scope.target);
}

/// Functions that a kernel reaches, itself included.
void reach(const ModuleScope& scope, size_t function, std::set<size_t>& reached) {
    if (!reached.insert(function).second) return;
    for (const ir::Expr* expr : scope.functions[function].mentions.calls)
        if (const auto* call = expr->as<ir::Call>()) reach(scope, static_cast<size_t>(call->callee), reached);
}

constexpr int kClustersSince = 90;

int least_sm(const ModuleScope& scope, const std::set<size_t>& functions) {
    int result = 0;
    for (size_t function : functions)
        for (const ir::Expr* expr : scope.functions[function].mentions.calls)
            if (const auto* call = expr->as<ir::BuiltinCall>()) result = std::max(result, call->builtin->min_sm);
    return result;
}

bool prints(const ir::Module& module) {
    bool found = false;
    for (const ir::Function& function : module.functions)
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { found |= stmt.as<ir::Print>() != nullptr; });
    return found;
}

std::vector<EntryParam> entry_params(const ModuleScope& scope, size_t index) {
    const ir::Function& function = scope.module.functions[index];
    std::vector<EntryParam> result;
    for (ir::LocalId id : function.params) {
        const ir::Local& local = function.local(id);
        const bool written =
            local.type.is_array() && !scope.constness.read_only(static_cast<ir::FunctionId>(index), id);
        result.push_back({local.name, local.type, written});
    }
    return result;
}

EntryPoint entry_point(const ModuleScope& scope, size_t index) {
    const ir::Module& module = scope.module;
    const ir::Function& function = module.functions[index];
    std::set<size_t> reached;
    reach(scope, index, reached);
    EntryPoint entry{function.name, function.symbol + (is_wide(scope, function) ? "_wide" : ""),
                     entry_params(scope, index), function.span.line()};
    if (const auto& variant = scope.functions[index].disjoint) {
        entry.disjoint_symbol = disjoint_scope(scope, index).symbol();
        entry.index32 = variant->index32;
    }
    const auto map = pure_map(module, function);
    if (const auto* pure = std::get_if<PureMap>(&map)) {
        entry.elements_per_thread = neighbours_of(function, *pure);
    } else {
        entry.not_pure = std::get<std::string>(map);
    }
    entry.cooperative = any(function.effects & Effects::grid);
    entry.min_sm = std::max(least_sm(scope, reached), function.options.max_cluster_blocks ? kClustersSince : 0);
    return entry;
}

}  // namespace

std::string in_names(std::string signature, const ir::Module& module) {
    for (const ir::NamedType& named : module.types) {
        if (!named.type.is_record()) continue;
        const std::string written = named.type.signature();
        for (size_t at = 0; (at = signature.find(written, at)) != std::string::npos; at += named.name.size())
            signature.replace(at, written.size(), named.name);
    }
    return signature;
}

std::string signature(const ir::Function& kernel, const ir::Module& module) {
    std::string params;
    for (ir::LocalId id : kernel.params) params += (params.empty() ? "" : ", ") + kernel.local(id).type.signature();
    params = in_names(std::move(params), module);
    return fmt::format("{}({}){}{}", kernel.name, params,
                       kernel.index32   ? " noalias index32"
                       : kernel.noalias ? " noalias"
                                        : "",
                       any(kernel.effects & Effects::grid) ? " cooperative" : "");
}

std::vector<EntryPoint> entry_points(const ModuleScope& scope) {
    const ir::Module& module = scope.module;
    std::vector<EntryPoint> result;
    for (size_t i = 0; i < module.functions.size(); ++i)
        if (module.functions[i].is_kernel) result.push_back(entry_point(scope, i));
    add_array_entries(scope, result);
    return result;
}

std::vector<Values> inner_space(const ModuleScope& scope) {
    if (scope.inner_space.empty()) return {};
    return {{{"name", scope.inner_space}}};
}

bool has_checks(const ModuleScope& scope) {
    if (scope.debug || scope.options.check_bounds || scope.makes_arrays) return true;
    bool result = std::ranges::any_of(scope.functions, &FunctionFacts::checks_recursion);
    const auto is_checked = [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        return call && &row_for(scope, *call->builtin) != call->builtin;
    };
    for (const FunctionFacts& function : scope.functions)
        result = result ||
                 std::ranges::any_of(function.mentions.calls, [&](const ir::Expr* expr) { return is_checked(*expr); });
    return result;
}

// C++ compilers inline no function into one that may round otherwise, and so it is all or none.
bool is_fast(const ir::Module& module) {
    const auto is_users = [](const ir::Function& function) {
        return !function.foreign && !is_of_library(function.span);
    };
    const auto is_exact = [&](const ir::Function& f) { return is_users(f) && !f.options.fastmath; };
    return std::ranges::any_of(module.functions, is_users) && std::ranges::none_of(module.functions, is_exact);
}

std::optional<std::string> module_text(const ModuleScope& scope, const Templates& templates) {
    Comments comments(scope);
    auto texts = functions(scope, comments, templates);
    if (!texts) return std::nullopt;
    std::vector<Values> arrays = tables(scope);
    std::string parts = prelude(scope, arrays, *texts);
    return templates.render("module", arrays.empty() ? "prelude functions text" : "prelude functions tables text",
                            {{"source", scope.module.source_name},
                             {"version", PYK_SHORT_VERSION},
                             {"kernels", signatures(scope.module)},
                             {"links", links(scope.module)},
                             {"is_fast", is_fast(scope.module)},
                             {"is_of_host", std::ranges::any_of(scope.module.functions, &ir::Function::one_thread)},
                             {"prints", prints(scope.module) && !scope.options.print_to_sink},
                             {"prelude", std::move(parts)},
                             {"namespace", scope.space},
                             {"inner_space", inner_space(scope)},
                             {"sought", sought(scope)},
                             {"structs", scope.options.has_header ? std::vector<Values>() : structs(scope)},
                             {"shared_structs", scope.options.has_header ? structs(scope) : std::vector<Values>()},
                             {"constants", constants(scope, comments)},
                             {"tables", std::move(arrays)},
                             {"functions", std::move(*texts)}});
}

}  // namespace pyk::emitter
