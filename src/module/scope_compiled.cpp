// Decorators that are classes: `@compiled def f(x): …`, where an object stands for `f` and compiles it when it is
// launched.
#include <algorithm>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

void for_each_call(const ast::Block& block, const std::function<void(const ast::Call&)>& visit) {
    for (const ast::Stmt* stmt : block) {
        for_each_computed(*stmt, [&](const ast::Expr& expr) { pyk::for_each_call(expr, visit); });
        const auto inside = [&](const ast::Block& inner) { for_each_call(inner, visit); };
        if (const auto* node = stmt->as<ast::FunctionDef>()) inside(node->body);
        for_each_block(*stmt, inside);
    }
}

}  // namespace

// What the methods of an object compile that is made of the function: `cuda.jit()(self.function)`. Signatures that they
// have for it are of calls that nobody has made. Null: nothing, or several things.
const FunctionInfo* ModuleScope::Shared::compiled_by_object(const ModuleScope& scope, const ast::Expr& decorator,
                                                            const FunctionInfo& info) {
    const auto by = scope.evaluate(decorator);
    const auto* body = by ? std::get_if<const ModuleScope*>(&*by) : nullptr;
    if (!body || (*body)->is_object_ || !scope.shared_->classes.contains(*body)) return nullptr;
    const auto compiles = [](const FunctionInfo* method) {
        return method->span.text().find("jit(") != std::string_view::npos;
    };
    const FunctionInfo* init = function_in((*body)->own("__init__"));
    if (!init || std::ranges::none_of((*body)->order_, compiles)) return nullptr;
    scope.shared_->lifted_scopes.emplace_back(new ModuleScope(*scope.shared_, (*body)->file_, (*body)->parent_, {}));
    ModuleScope& object = *scope.shared_->lifted_scopes.back();
    object.class_ = *body;
    object.is_object_ = true;
    const bool running = std::exchange(scope.running_, true);  // each object is another one
    const ModuleScope* made = scope.run_of(*init, &decorator, {.values = {Entity(&object), Entity(&info)}});
    scope.running_ = running;
    if (!made) return nullptr;
    const FunctionInfo* found = nullptr;
    bool is_one = true;
    for (const FunctionInfo* method : (*body)->order_) {
        if (!compiles(method) || method->def->args->args.empty()) continue;
        const std::string self(method->def->args->args[0].arg);
        const ModuleScope& inside = (*body)->parent_->with({{self, Entity(&object)}});
        for_each_call(method->def->body, [&](const ast::Call& call) {
            const FunctionInfo* one = call.args.size() == 1 ? function_in(inside.decorated(call)) : nullptr;
            if (!one || one->def != info.def || one->signatures || one->is_for_host) return;
            const bool is_same = !found || (one->kind == found->kind && one->options == found->options);
            is_one = is_one && is_same;
            found = one;
        });
    }
    return is_one ? found : nullptr;
}

}  // namespace pyk
