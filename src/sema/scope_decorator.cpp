// What makes a function a kernel or a device function: `@cuda.jit`, also behind a name, a partial or a function of the
// module.
#include <algorithm>

#include "sema/decorators.h"
#include "sema/options.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"

namespace pyk {
namespace {

constexpr int kLongestTrail = 20;

bool is_true(const ast::Expr& expr) {
    const auto* constant = expr.as<ast::Constant>();
    const bool* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
    return value && *value;
}

// The decorator without its call: `cuda.jit` of `@cuda.jit(device=True)`.
std::string dotted_name(const ast::Expr& expr) {
    if (const auto* name = expr.as<ast::Name>()) return std::string(name->id);
    if (const auto* attribute = expr.as<ast::Attribute>()) {
        const std::string base = dotted_name(*attribute->value);
        return base.empty() ? "" : base + "." + std::string(attribute->attr);
    }
    return "";
}

/// `def jit(f, **options): return cuda.jit(device=True, **options)(f)`: the call that it returns.
const ast::Call* wrapped_call(const ast::FunctionDef& def) {
    const ast::Stmt* last = def.body.empty() ? nullptr : def.body.back();
    const auto* returned = last ? last->as<ast::Return>() : nullptr;
    const auto* call = returned && returned->value ? returned->value->as<ast::Call>() : nullptr;
    if (!call || call->args.size() != 1 || def.args->args.empty()) return nullptr;
    const bool only = std::ranges::all_of(def.body, [&](const ast::Stmt* s) {
        const auto* expr = s->as<ast::ExprStmt>();
        return s == last || (expr && expr->value->as<ast::Constant>());
    });
    const auto* given = call->args[0]->as<ast::Name>();
    return only && given && given->id == def.args->args[0].arg ? call : nullptr;
}

}  // namespace

// What the imports make of a dotted name; empty: a name of the module's own.
std::string ModuleScope::path_of(const ast::Expr& expr) const {
    const std::string dotted = dotted_name(expr);
    const std::string root = dotted.substr(0, dotted.find('.'));
    for (const ModuleScope* scope = this; scope; scope = scope->parent_) {
        if (scope->functions_.contains(root) || scope->variables_.contains(root)) return "";
        if (const auto import = scope->imports_.find(root); import != scope->imports_.end()) {
            std::string path = import->second.path() + dotted.substr(root.size());
            if (path.starts_with("numba.")) path.erase(0, 6);
            return path;
        }
    }
    return dotted;
}

// Follows a decorator to `cuda.jit` or its like; the calls on the way, outermost first, say its options.
std::string ModuleScope::follow_decorator(const ast::Expr& expr, std::vector<DecoratorCall>& calls) const {
    if (calls.size() > kLongestTrail) return "";
    if (const auto* call = expr.as<ast::Call>()) {
        const bool partial = path_of(*call->func) == "functools.partial" && !call->args.empty();
        calls.push_back({call, partial ? size_t(1) : 0});
        return follow_decorator(partial ? *call->args[0] : *call->func, calls);
    }
    std::string path = path_of(expr);
    const auto* name = expr.as<ast::Name>();
    if (find_decorator(path) || !name) return path;
    for (const ModuleScope* scope = this; scope; scope = scope->parent_) {
        if (!scope->is_declared(name->id)) continue;
        if (const auto function = scope->functions_.find(name->id); function != scope->functions_.end()) {
            const ast::Call* call = wrapped_call(*function->second->def);
            if (!call) return path;
            calls.push_back({call, 1});
            return scope->follow_decorator(*call->func, calls);
        }
        std::string found = path;
        scope->of_definition(name->id, [&](const ast::Expr& written) -> std::optional<bool> {
            found = scope->follow_decorator(written, calls);
            return true;
        });
        return found;
    }
    return path;
}

bool ModuleScope::is_decorator(const ast::Expr& expr) const {
    std::vector<DecoratorCall> calls;
    return find_decorator(follow_decorator(expr, calls)) != nullptr;
}

// Other decorators say nothing.
void ModuleScope::decorate(FunctionInfo& info, const ast::Expr& decorator, std::vector<DecoratorCall> calls) const {
    const std::string path = follow_decorator(decorator, calls);
    const Decorator* known = find_decorator(path);
    if (!known) return;
    info.kind = known->kind;
    info.array = known->array;
    info.is_for_host = known->is_for_host;
    std::vector<const ast::Call*> said;
    for (const DecoratorCall& one : calls) {
        const ast::Call& call = *one.call;
        // Of `guvectorize` the layout comes behind the signatures, or alone.
        const bool has_layout = info.array == ArrayKind::gufunc && call.args.size() > one.first_argument;
        if (has_layout && !info.core_layout) info.core_layout = call.args.back();
        const bool has_signatures = info.array != ArrayKind::stencil;  // its first argument is the border's mode
        if (has_signatures && call.args.size() > one.first_argument + has_layout && !info.signatures)
            info.signatures = call.args[one.first_argument];
        for (const ast::Keyword& keyword : call.keywords) {
            if (keyword.arg == "device" && is_true(*keyword.value)) info.kind = FunctionKind::device;
            if (keyword.arg == "parallel" && is_true(*keyword.value)) info.is_parallel = true;
            const bool is_signature =
                keyword.arg == "signature" || keyword.arg == "func_or_sig" || keyword.arg == "argtypes";
            if (is_signature && !info.signatures) info.signatures = keyword.value;
        }
        said.insert(said.begin(), &call);
    }
    if (info.array != ArrayKind::none) {
        if (!said.empty()) info.array_decorator = said.back();
        return;
    }
    // Findings are reported when the function is compiled.
    Diagnostics later;
    const DecoratorOptions options = read_options(*this, said, later);
    info.options = options.compile;
    info.always_inline = options.always_inline;
    info.debug = options.compile.debug;
    if (known->has_options) info.decorators = std::move(said);
}

std::vector<ModuleScope::Misspelt> ModuleScope::misspelt_decorators() const {
    std::vector<Misspelt> found;
    for (const FunctionInfo* info : order_)
        for (const ast::Expr* decorator : info->def->decorator_list) {
            std::vector<DecoratorCall> calls;
            const std::string path = follow_decorator(*decorator, calls);
            if (find_decorator(path) || !path.starts_with("cuda.")) continue;
            if (std::string near = nearest_decorator(path); !near.empty())
                found.push_back({decorator->span, path, std::move(near)});
        }
    return found;
}

// `cuda.jit(f)`, `cuda.jit("void(…)", device=True)(f)`: a function of its own.
std::optional<Entity> ModuleScope::decorated(const ast::Call& node) const {
    FunctionInfo said;
    decorate(said, *node.func, {{&node, 1}});
    if (said.kind == FunctionKind::plain) return std::nullopt;
    const auto given = evaluate(*node.args[0]);
    const auto* plain = given ? std::get_if<const FunctionInfo*>(&*given) : nullptr;
    if (!plain) return std::nullopt;
    auto& slot = shared_->made[{&node, this}];
    if (!slot) {
        slot = std::make_unique<FunctionInfo>(**plain);
        slot->kind = said.kind;
        slot->always_inline = said.always_inline;
        slot->debug = said.debug;
        slot->options = said.options;
        slot->decorators = said.decorators;
        slot->array = said.array;
        slot->array_decorator = said.array_decorator;
        slot->core_layout = said.core_layout;
        slot->is_for_host = said.is_for_host;
        slot->is_parallel = said.is_parallel;
        slot->signatures = said.signatures;
        if (!evaluating_.empty()) slot->name = evaluating_.front();
    }
    return slot.get();
}

}  // namespace pyk
