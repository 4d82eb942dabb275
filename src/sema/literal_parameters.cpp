#include "sema/literal_parameters.h"

#include <algorithm>
#include <set>
#include <vector>

#include "module/free_names.h"

namespace pyk {
namespace {

using TrackedNames = std::set<std::string_view>;

/// An argument that must be known when compiling, by the function's last name.
struct LiteralArgument {
    static constexpr size_t kAny = SIZE_MAX;

    std::string_view function;
    size_t place;
    std::string_view keyword = {};
};
constexpr LiteralArgument kLiteralArguments[] = {
    {"array", 0, "shape"},
    {"array_split", LiteralArgument::kAny},
    {"grid", 0, "ndim"},
    {"gridsize", 0, "ndim"},
    {"load_vector", 2},
    {"literally", LiteralArgument::kAny},
    {"moveaxis", LiteralArgument::kAny},
    {"split", LiteralArgument::kAny},
    {"swapaxes", LiteralArgument::kAny},
    {"tiled_partition", 1},
};

bool reads_any(const ast::Expr& expr, const TrackedNames& names) {
    const auto* name = expr.as<ast::Name>();
    bool found = name && names.contains(name->id);
    for_each_child(expr, [&](const ast::Expr& child) { found = found || reads_any(child, names); });
    return found;
}

/// What the parameter of a call's argument is called; empty: unknown, or there is none.
std::string_view parameter_at(const FunctionInfo& info, size_t place) {
    std::vector<std::string_view> names;
    for_each_parameter(*info.def->args, [&](const ast::Arg& arg) { names.push_back(arg.arg); });
    return place < names.size() ? names[place] : std::string_view();
}

/// The parameter, and the variables that are computed of it.
TrackedNames computed_of(const ast::Block& body, std::string_view parameter) {
    TrackedNames names{parameter};
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        const auto* node = stmt.as<ast::Assign>();
        if (!node || !reads_any(*node->value, names)) return;
        for (const ast::Expr* target : node->targets)
            if (const auto* name = target->as<ast::Name>()) names.insert(name->id);
    });
    return names;
}

bool assigns(const ast::Block& body, std::string_view name) {
    bool found = false;
    const auto target = [&](const ast::Expr& expr) {
        for_each_target(expr, [&](std::string_view assigned) { found = found || assigned == name; });
    };
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* expr : node->targets) target(*expr);
        if (const auto* node = stmt.as<ast::AnnAssign>()) target(*node->target);
        if (const auto* node = stmt.as<ast::AugAssign>()) target(*node->target);
        if (const auto* node = stmt.as<ast::For>()) target(*node->target);
    });
    return found;
}

}  // namespace

bool LiteralParameters::has(const FunctionInfo& info, std::string_view parameter) {
    // A function that calls itself is asked about again while it is looked at: by then nothing is found.
    const auto [known, is_new] = known_.try_emplace({&info, parameter}, false);
    if (is_new && !info.signatures && info.def && !assigns(info.def->body, parameter))
        known->second = find(info, parameter);
    return known->second;
}

bool LiteralParameters::find(const FunctionInfo& info, std::string_view parameter) {
    const TrackedNames names = computed_of(info.def->body, parameter);
    const auto of_row = [&](const ast::Call& call, const LiteralArgument& row) {
        for (size_t i = 0; i < call.args.size(); ++i)
            if ((row.place == i || row.place == LiteralArgument::kAny) && reads_any(*call.args[i], names)) return true;
        return std::ranges::any_of(call.keywords, [&](const ast::Keyword& keyword) {
            return !row.keyword.empty() && keyword.arg == row.keyword && reads_any(*keyword.value, names);
        });
    };
    const auto of_callee = [&](const ast::Call& call) {
        const auto is_read = [&](const auto& argument) { return reads_any(*argument, names); };
        const auto is_keyword_read = [&](const ast::Keyword& keyword) { return reads_any(*keyword.value, names); };
        if (std::ranges::none_of(call.args, is_read) && std::ranges::none_of(call.keywords, is_keyword_read))
            return false;
        const auto entity = info.scope->evaluate(*call.func);
        const auto* callee = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
        if (!callee || !(*callee)->def) return false;
        for (size_t i = 0; i < call.args.size(); ++i)
            if (is_read(call.args[i]) && has(**callee, parameter_at(**callee, i))) return true;
        return std::ranges::any_of(call.keywords, [&](const ast::Keyword& keyword) {
            return is_keyword_read(keyword) && has(**callee, keyword.arg);
        });
    };
    bool found = false;
    const auto look = [&](const auto& self, const ast::Expr& expr) -> void {
        if (found) return;
        if (const auto* call = expr.as<ast::Call>()) {
            const auto* member = call->func->as<ast::Attribute>();
            const bool is_numpy_array =
                member && member->attr == "array" && info.scope->path_of(*call->func) == "numpy.array";
            const std::string_view function = is_numpy_array ? "" : last_name(*call->func);
            found = std::ranges::any_of(kLiteralArguments, [&](const LiteralArgument& row) {
                return row.function == function && of_row(*call, row);
            });
            found = found || of_callee(*call);
        }
        for_each_child(expr, [&](const ast::Expr& child) { self(self, child); });
    };
    for_each_expression(info.def->body, [&](const ast::Expr& expr) { look(look, expr); });
    return found;
}

}  // namespace pyk
