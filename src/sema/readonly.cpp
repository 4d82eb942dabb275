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

/// What must not be written to. Elements are given to the functions of array functions and algorithms, not the memory
/// where they are: a store into a record would be lost.
enum class Kept : uint8_t { no, readonly, element };

/// Whether a function stores into a record that it is given, as it is.
bool stores_into(const ir::Function& function, ir::LocalId record) {
    bool found = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::StoreField>();
        found = found || (store && ir::is_local(*store->record, record));
    });
    return found;
}

/// Follows references from readonly arrays and from elements to the locals that hold them, until nothing changes.
class References {
  public:
    explicit References(const ir::Module& module) : module_(module) {
        for (const ir::Function& f : module.functions) kept_.emplace_back(f.locals.size());
        for (const ir::ArrayEntry& entry : module.arrays) {
            if (module.function(entry.function).is_kernel) continue;
            give(entry.function, entry.core.empty());
            if (entry.algorithm && entry.algorithm->transform) give(*entry.algorithm->transform, true);
        }
        for (bool again = true; std::exchange(again, false);)
            for (function_ = 0; function_ < module.functions.size(); ++function_) again |= follow();
    }

    void report(Diagnostics& diagnostics) {
        for (function_ = 0; function_ < module_.functions.size(); ++function_)
            ir::for_each_stmt(module_.functions[function_].body, [&](const ir::Stmt& stmt) {
                const auto* field = stmt.as<ir::StoreField>();
                const auto* element = stmt.as<ir::Store>();
                if (field) report(*field->record, stmt.span, diagnostics);
                if (element) report(*element->array, stmt.span, diagnostics);
                ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                    ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                        const auto* call = expr.as<ir::BuiltinCall>();
                        if (!call || !any(call->builtin->effects & Effects::writes) || call->args.empty()) return;
                        const auto* place = call->args[0]->as<ir::ElementRef>();
                        if (place) report(*place->array, stmt.span, diagnostics);
                    });
                });
            });
    }

  private:
    /// The records that a function gets. Of parts of arrays those that it says it stores into are outputs too.
    void give(ir::FunctionId id, bool are_elements) {
        const ir::Function& function = module_.function(id);
        for (const ir::LocalId param : function.params) {
            if (!function.local(param).type.is_record() || (!are_elements && stores_into(function, param))) continue;
            kept_[static_cast<size_t>(id)][static_cast<size_t>(param)] = are_elements ? Kept::element : Kept::readonly;
        }
    }

    void report(const ir::Expr& place, Span span, Diagnostics& diagnostics) const {
        const Kept kept = kept_of(place);
        if (kept == Kept::no) return;
        const ir::Function& function = module_.functions[function_];
        const ir::LocalRef* const root = ir::base_local(place);
        if (kept == Kept::element && root)
            diagnostics.report(diag::array_function_store, span, std::string_view(function.name),
                               std::string_view(function.local(root->id).name));
        else if (place.type.is_record() && root)
            diagnostics.report(diag::readonly_store, span,
                               "`" + function.local(root->id).name + "`, which is only read,");
        else
            diagnostics.report(diag::readonly_store, span, place.type.name());
    }

    bool follow() {
        bool changed = false;
        const auto mark = [&](size_t function, ir::LocalId id, const ir::Expr& value) {
            const Type type = module_.functions[function].local(id).type;
            Kept& mark = kept_[function][static_cast<size_t>(id)];
            if (mark != Kept::no || !(type.is_record() || type.is_array())) return;
            mark = kept_of(value);
            changed |= mark != Kept::no;
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

    /// Of an array or a record in memory.
    Kept kept_of(const ir::Expr& expr) const {
        if (!expr.type.is_record() && !expr.type.is_array()) return Kept::no;
        if (expr.type.is_array() && expr.type.readonly()) return Kept::readonly;
        if (const auto* ref = expr.as<ir::LocalRef>()) return kept_[function_][static_cast<size_t>(ref->id)];
        if (expr.as<ir::Call>()) return Kept::no;
        Kept found = Kept::no;
        ir::for_each_child(expr, [&](const ir::Expr& child) { found = std::max(found, kept_of(child)); });
        return found;
    }

    const ir::Module& module_;
    std::vector<std::vector<Kept>> kept_;  ///< by function and local
    size_t function_ = 0;
};

}  // namespace

void check_readonly(const ir::Module& module, Diagnostics& diagnostics) {
    // What is in no local's type and no table of the module is not referred to.
    const auto has_readonly = [](const ir::Function& function) {
        return std::ranges::any_of(function.locals, holds_readonly, &ir::Local::type);
    };
    const auto is_table = [](const ir::ModuleConstant& constant) { return constant.table != nullptr; };
    if (!module.arrays.empty() || std::ranges::any_of(module.functions, has_readonly) ||
        std::ranges::any_of(module.constants, is_table))
        References(module).report(diagnostics);
}

}  // namespace pyk
