#include "passes/constness.h"

#include "ir/walk.h"

namespace pyk {

/// Marks what is written through and carries the marks against the flow of arrays until nothing changes.
class ConstnessAnalysis {
  public:
    ConstnessAnalysis(const ir::Module& module, std::span<const ir::Mentions> mentions, bool makes_arrays,
                      Constness& result)
        : module_(module), are_kept_(makes_arrays), result_(result) {
        for (const ir::Function& function : module.functions) {
            result.written_.emplace_back(function.locals.size(), function.foreign.has_value());
            returned_.emplace_back(function.locals.size(), function.foreign.has_value());
            statements_.push_back(statements_of(function));
        }
        settle(returned_, [&](size_t id) {
            for (const ir::Stmt* stmt : statements_[id]) returned(*stmt);
        });
        settle(result.written_, [&](size_t id) {
            for (const ir::Stmt* stmt : statements_[id]) statement(*stmt);
            for (const ir::Expr* expr : mentions[id].calls) expression(*expr);
        });
    }

  private:
    /// Those that write through arrays, or may.
    static std::vector<const ir::Stmt*> statements_of(const ir::Function& function) {
        std::vector<const ir::Stmt*> found;
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* ret = stmt.as<ir::Return>();
            const bool passes = (assign && refers_to_memory(assign->value->type)) || (ret && ret->value);
            if (passes || stmt.as<ir::Store>() || stmt.as<ir::StoreField>()) found.push_back(&stmt);
        });
        return found;
    }

    /// Marks locals until nothing changes: in a recursive group a caller may have to see what a later function does.
    template <typename Look>
    void settle(std::vector<std::vector<bool>>& marks, Look look) {
        for (bool again = true; again;) {
            again = false;
            for (size_t id = 0; id < marks.size(); ++id) {
                marked_ = &marks[id];
                do {
                    changed_ = false;
                    look(id);
                    again |= changed_;
                } while (changed_);
            }
        }
    }

    /// What a function's result may be a part of.
    void returned(const ir::Stmt& stmt) {
        const auto* ret = stmt.as<ir::Return>();
        if (ret && ret->value) write(*ret->value);
        const auto* assign = stmt.as<ir::Assign>();
        if (assign && (*marked_)[static_cast<size_t>(assign->target)]) write(*assign->value);
    }

    void statement(const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) write(*store->array);
        if (const auto* store = stmt.as<ir::StoreField>()) write(*store->record);
        const auto* assign = stmt.as<ir::Assign>();
        if (assign && (*marked_)[static_cast<size_t>(assign->target)]) write(*assign->value);
        const auto* ret = stmt.as<ir::Return>();
        // Where arrays are kept, none is const in C++: whether a caller writes is seen where it does.
        if (ret && ret->value && !are_kept_) write(*ret->value);
    }

    void expression(const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::BuiltinCall>()) builtin(expr, *call);
        // Arrays of named tuples are never const in C++; where arrays are kept, none is.
        if (const auto* tuple = expr.as<ir::MakeTuple>();
            tuple && !are_kept_ && expr.type.is_tuple() && !expr.type.element_names().empty())
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
        if (const auto* call = expr.as<ir::Call>()) {
            const auto& parts = returned_[static_cast<size_t>(call->callee)];
            for (size_t i = 0; i < call->args.size(); ++i)
                if (parts[i]) write(*call->args[i]);
            return;
        }
        ir::for_each_child(expr, [&](const ir::Expr& child) { write(child); });
    }

    static bool refers_to_memory(Type type) {
        if (!type.is_tuple()) return type.is_array() || type.is_record();
        for (Type element : type.elements())
            if (refers_to_memory(element)) return true;
        return false;
    }

    void mark(ir::LocalId id) {
        changed_ = changed_ || !(*marked_)[static_cast<size_t>(id)];
        (*marked_)[static_cast<size_t>(id)] = true;
    }

    const ir::Module& module_;
    const bool are_kept_;  ///< arrays, by what names them
    Constness& result_;
    std::vector<std::vector<const ir::Stmt*>> statements_;  ///< of the functions: see statements_of
    std::vector<std::vector<bool>> returned_;               ///< of their locals: what is returned may be a part of them
    std::vector<bool>* marked_ = nullptr;                   ///< of the function that is looked at
    bool changed_ = false;
};

Constness::Constness(const ir::Module& module, std::span<const ir::Mentions> mentions, bool makes_arrays) {
    ConstnessAnalysis(module, mentions, makes_arrays, *this);
}

}  // namespace pyk
