#include "passes/constness.h"

#include "ir/walk.h"
#include "passes/new_arrays.h"

namespace pyk {

/// Marks what is written through and carries the marks against the flow of arrays until nothing changes.
class ConstnessAnalysis {
  public:
    ConstnessAnalysis(const ir::Module& module, Constness& result) : module_(module), result_(result) {
        for (const ir::Function& function : module.functions) {
            result.written_.emplace_back(function.locals.size(), function.foreign.has_value());
            flows_.push_back(flow_of(function));
        }
        for (bool again = true; again;) {
            again = false;
            for (size_t id = 0; id < module.functions.size(); ++id) again |= function(id);
        }
    }

  private:
    /// What of a function writes through arrays, or may.
    struct Flow {
        std::vector<const ir::Stmt*> statements;
        std::vector<const ir::Expr*> expressions;
    };

    static Flow flow_of(const ir::Function& function) {
        Flow flow;
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* ret = stmt.as<ir::Return>();
            const bool passes = (assign && refers_to_memory(assign->value->type)) || (ret && ret->value);
            if (passes || stmt.as<ir::Store>() || stmt.as<ir::StoreField>()) flow.statements.push_back(&stmt);
        });
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            if (expr.as<ir::BuiltinCall>() || expr.as<ir::MakeTuple>() || expr.as<ir::Call>())
                flow.expressions.push_back(&expr);
        });
        return flow;
    }

    /// Whether a mark was set: in a recursive group a caller may have to see it.
    bool function(size_t id) {
        written_ = &result_.written_[id];
        bool any = false;
        do {
            changed_ = false;
            for (const ir::Stmt* stmt : flows_[id].statements) statement(*stmt);
            for (const ir::Expr* expr : flows_[id].expressions) expression(*expr);
            any |= changed_;
        } while (changed_);
        return any;
    }

    void statement(const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) write(*store->array);
        if (const auto* store = stmt.as<ir::StoreField>()) write(*store->record);
        const auto* assign = stmt.as<ir::Assign>();
        if (assign && (*written_)[static_cast<size_t>(assign->target)]) write(*assign->value);
        const auto* ret = stmt.as<ir::Return>();
        // Where arrays are kept, none is const in C++: whether a caller writes is seen where it does.
        if (ret && ret->value && !are_kept_) write(*ret->value);
    }

    void expression(const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::BuiltinCall>()) builtin(expr, *call);
        // Arrays of named tuples are never const in C++.
        if (const auto* tuple = expr.as<ir::MakeTuple>();
            tuple && expr.type.is_tuple() && !expr.type.element_names().empty())
            for (const ir::ExprPtr& element : tuple->elements) write(*element);
        const auto* call = expr.as<ir::Call>();
        if (!call) return;
        const auto& callee = result_.written_[static_cast<size_t>(call->callee)];
        for (size_t i = 0; i < call->args.size(); ++i)
            if (callee[i]) write(*call->args[i]);
    }

    /// Who has a pointer may write.
    void builtin(const ir::Expr& expr, const ir::BuiltinCall& call) {
        if (!any(call.builtin->effects & Effects::writes) && !expr.type.is_pointer()) return;
        for (const ir::ExprPtr& arg : call.args) write(*arg);
    }

    /// Every local whose array or record the expression's value may be a part of.
    void write(const ir::Expr& expr) {
        if (!refers_to_memory(expr.type) && !expr.as<ir::ElementRef>()) return;
        if (const auto* ref = expr.as<ir::LocalRef>()) return mark(ref->id);
        ir::for_each_child(expr, [&](const ir::Expr& child) { write(child); });
    }

    static bool refers_to_memory(Type type) {
        if (!type.is_tuple()) return type.is_array() || type.is_record();
        for (Type element : type.elements())
            if (refers_to_memory(element)) return true;
        return false;
    }

    void mark(ir::LocalId id) {
        std::vector<bool>& written = *written_;
        changed_ = changed_ || !written[static_cast<size_t>(id)];
        written[static_cast<size_t>(id)] = true;
    }

    const ir::Module& module_;
    bool are_kept_ = makes_arrays(module_);
    Constness& result_;
    std::vector<Flow> flows_;  ///< of the functions
    std::vector<bool>* written_ = nullptr;
    bool changed_ = false;
};

Constness::Constness(const ir::Module& module) { ConstnessAnalysis(module, *this); }

}  // namespace pyk
