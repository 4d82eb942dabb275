#include "sema/readonly.h"

#include <algorithm>
#include <utility>

#include "ir/walk.h"

namespace pyk {
namespace {

/// An array that must not be written to, or a tuple with one.
bool holds_readonly(Type type) {
    if (!type) return false;
    if (type.is_array()) return type.readonly();
    return type.is_tuple() && std::ranges::any_of(type.elements(), holds_readonly);
}

/// Follows references from readonly arrays to the locals that hold them, until nothing changes.
class References {
  public:
    explicit References(const ir::Module& module) : module_(module) {
        for (const ir::Function& f : module.functions) readonly_.emplace_back(f.locals.size());
        for (bool again = true; std::exchange(again, false);)
            for (function_ = 0; function_ < module.functions.size(); ++function_) again |= follow();
    }

    void report(Diagnostics& diagnostics) {
        for (function_ = 0; function_ < module_.functions.size(); ++function_)
            ir::for_each_stmt(module_.functions[function_].body, [&](const ir::Stmt& stmt) {
                const auto* field = stmt.as<ir::StoreField>();
                const auto* element = stmt.as<ir::Store>();
                if (field && is_readonly(*field->record))
                    diagnostics.report(diag::readonly_store, stmt.span, field->record->type.name());
                if (element && is_readonly(*element->array))
                    diagnostics.report(diag::readonly_store, stmt.span, element->array->type.name());
                ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                    ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                        const auto* call = expr.as<ir::BuiltinCall>();
                        if (!call || !any(call->builtin->effects & Effects::writes) || call->args.empty()) return;
                        const auto* place = call->args[0]->as<ir::ElementRef>();
                        if (place && is_readonly(*place->array))
                            diagnostics.report(diag::readonly_store, stmt.span, place->array->type.name());
                    });
                });
            });
    }

  private:
    bool follow() {
        bool changed = false;
        const auto mark = [&](size_t function, ir::LocalId id, const ir::Expr& value) {
            const Type type = module_.functions[function].local(id).type;
            std::vector<bool>& marks = readonly_[function];
            const auto at = static_cast<size_t>(id);
            if (marks[at] || !(type.is_record() || type.is_array()) || !is_readonly(value)) return;
            marks[at] = changed = true;
        };
        const ir::Block& body = module_.functions[function_].body;
        ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) mark(function_, assign->target, *assign->value);
        });
        ir::for_each_expr_deep(body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::Call>();
            const auto callee = call ? static_cast<size_t>(call->callee) : 0;
            for (size_t i = 0; call && i < call->args.size(); ++i)
                mark(callee, module_.functions[callee].params[i], *call->args[i]);
        });
        return changed;
    }

    /// An array or a record in memory that must not be written to.
    bool is_readonly(const ir::Expr& expr) const {
        if (!expr.type.is_record() && !expr.type.is_array()) return false;
        if (expr.type.is_array() && expr.type.readonly()) return true;
        if (const auto* ref = expr.as<ir::LocalRef>()) return readonly_[function_][static_cast<size_t>(ref->id)];
        if (expr.as<ir::Call>()) return false;
        bool found = false;
        ir::for_each_child(expr, [&](const ir::Expr& child) { found |= is_readonly(child); });
        return found;
    }

    const ir::Module& module_;
    std::vector<std::vector<bool>> readonly_;  ///< by function and local
    size_t function_ = 0;
};

}  // namespace

void check_readonly(const ir::Module& module, Diagnostics& diagnostics) {
    // What is in no local's type and no table of the module is not referred to.
    const auto has_readonly = [](const ir::Function& function) {
        return std::ranges::any_of(function.locals, holds_readonly, &ir::Local::type);
    };
    const auto is_table = [](const ir::ModuleConstant& constant) { return constant.table != nullptr; };
    if (std::ranges::any_of(module.functions, has_readonly) || std::ranges::any_of(module.constants, is_table))
        References(module).report(diagnostics);
}

}  // namespace pyk
