#include "sema/liveness.h"

#include <optional>

namespace pyk {

NameSet& NameSet::operator|=(const NameSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
}

NameSet& NameSet::operator&=(const NameSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
}

NameSet& NameSet::operator-=(const NameSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
}

std::optional<uint32_t> Names::index(std::string_view name) const {
    const auto found = indices_.find(name);
    return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

// Two walks. `summarise` goes up: per statement the names read before they are assigned (`exposed`) and those assigned on every
// path (`killed`). `record` goes down with what is live behind each statement. A loop's header needs no iteration: what is live
// there is what its test and body expose and what is live behind it.
class LivenessWalk {
  public:
    LivenessWalk(Names& names, const ast::FunctionDef& def) : names_(names) {
        for (const auto* list : {&def.args->posonlyargs, &def.args->args, &def.args->kwonlyargs})
            for (const ast::Arg& arg : *list) declare(arg.arg);
        collect(def.body);
        summarise(def.body);
        record(def.body, none());
    }

  private:
    struct Summary {
        NameSet exposed, killed;
    };

    NameSet none() const { return NameSet(names_.count()); }

    void declare(std::string_view name) {
        if (names_.indices_.emplace(name, names_.names_.size()).second) names_.names_.push_back(name);
    }

    // --- names ------------------------------------------------------------------------------------------------------
    template <typename OnName>
    void stored_names(const ast::Expr& target, const OnName& on_name) {
        if (const auto* name = target.as<ast::Name>()) on_name(name->id);
        if (const auto* tuple = target.as<ast::Tuple>())
            for (const ast::Expr* element : tuple->elts) stored_names(*element, on_name);
        if (const auto* list = target.as<ast::ListExpr>())
            for (const ast::Expr* element : list->elts) stored_names(*element, on_name);
        if (const auto* starred = target.as<ast::Starred>()) stored_names(*starred->value, on_name);
    }

    void collect(const ast::Block& block) {
        for (const ast::Stmt* stmt : block) {
            targets(*stmt, [&](std::string_view name) { declare(name); });
            for_each_block(*stmt, [&](const ast::Block& inner) { collect(inner); });
            for_each_own_expr(*stmt, [&](const ast::Expr& expr) { collect_walrus(expr); });
        }
    }

    void collect_walrus(const ast::Expr& expr) {
        if (const auto* named = expr.as<ast::NamedExpr>())
            if (const auto* name = named->target->as<ast::Name>()) declare(name->id);
        for_each_child(expr, [&](const ast::Expr& child) { collect_walrus(child); });
    }

    // The names that a statement itself assigns.
    template <typename OnName>
    void targets(const ast::Stmt& stmt, const OnName& on_name) {
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* target : node->targets) stored_names(*target, on_name);
        if (const auto* node = stmt.as<ast::AugAssign>()) stored_names(*node->target, on_name);
        if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) stored_names(*node->target, on_name);
        if (const auto* node = stmt.as<ast::For>()) stored_names(*node->target, on_name);
        if (const auto* node = stmt.as<ast::FunctionDef>()) on_name(node->name);
    }

    template <typename OnBlock>
    static void for_each_block(const ast::Stmt& stmt, const OnBlock& on_block) {
        if (const auto* node = stmt.as<ast::If>()) on_block(node->body), on_block(node->orelse);
        if (const auto* node = stmt.as<ast::For>()) on_block(node->body), on_block(node->orelse);
        if (const auto* node = stmt.as<ast::While>()) on_block(node->body), on_block(node->orelse);
    }

    // The expressions that a statement itself evaluates (targets with subscripts among them).
    template <typename OnExpr>
    static void for_each_own_expr(const ast::Stmt& stmt, const OnExpr& on_expr) {
        const auto maybe = [&](ast::ExprRef expr) {
            if (expr) on_expr(*expr);
        };
        if (const auto* node = stmt.as<ast::Assign>()) {
            on_expr(*node->value);
            for (const ast::Expr* target : node->targets) on_expr(*target);
        }
        if (const auto* node = stmt.as<ast::AugAssign>()) on_expr(*node->value), on_expr(*node->target);
        if (const auto* node = stmt.as<ast::AnnAssign>()) maybe(node->value), on_expr(*node->target);
        if (const auto* node = stmt.as<ast::If>()) on_expr(*node->test);
        if (const auto* node = stmt.as<ast::While>()) on_expr(*node->test);
        if (const auto* node = stmt.as<ast::For>()) on_expr(*node->iter), on_expr(*node->target);
        if (const auto* node = stmt.as<ast::Return>()) maybe(node->value);
        if (const auto* node = stmt.as<ast::ExprStmt>()) on_expr(*node->value);
        if (const auto* node = stmt.as<ast::Assert>()) on_expr(*node->test), maybe(node->msg);
    }

    template <typename OnExpr>
    static void for_each_child(const ast::Expr& expr, const OnExpr& visit) {
        const auto maybe = [&](ast::ExprRef child) {
            if (child) visit(*child);
        };
        const auto each = [&](ast::ExprList children) {
            for (const ast::Expr* child : children) maybe(child);
        };
        if (const auto* n = expr.as<ast::BoolOp>()) each(n->values);
        if (const auto* n = expr.as<ast::NamedExpr>()) visit(*n->target), visit(*n->value);
        if (const auto* n = expr.as<ast::BinOp>()) visit(*n->left), visit(*n->right);
        if (const auto* n = expr.as<ast::Unary>()) visit(*n->operand);
        if (const auto* n = expr.as<ast::IfExp>()) visit(*n->test), visit(*n->body), visit(*n->orelse);
        if (const auto* n = expr.as<ast::Compare>()) visit(*n->left), each(n->comparators);
        if (const auto* n = expr.as<ast::Call>()) {
            visit(*n->func), each(n->args);
            for (const ast::Keyword& keyword : n->keywords) visit(*keyword.value);
        }
        if (const auto* n = expr.as<ast::Attribute>()) visit(*n->value);
        if (const auto* n = expr.as<ast::Subscript>()) visit(*n->value), visit(*n->slice);
        if (const auto* n = expr.as<ast::Starred>()) visit(*n->value);
        if (const auto* n = expr.as<ast::ListExpr>()) each(n->elts);
        if (const auto* n = expr.as<ast::Tuple>()) each(n->elts);
        if (const auto* n = expr.as<ast::Slice>()) maybe(n->lower), maybe(n->upper), maybe(n->step);
    }

    // --- summaries --------------------------------------------------------------------------------------------------
    void add_uses(const ast::Expr& expr, NameSet& uses) {
        if (const auto* name = expr.as<ast::Name>()) {
            if (const auto index = names_.index(name->id)) uses.add(*index);
            return;
        }
        for_each_child(expr, [&](const ast::Expr& child) { add_uses(child, uses); });
    }

    // Names in plain targets are no uses; subscripts and attributes in them are.
    void add_target_uses(const ast::Expr& target, NameSet& uses) {
        if (target.as<ast::Name>()) return;
        if (const auto* tuple = target.as<ast::Tuple>()) {
            for (const ast::Expr* element : tuple->elts) add_target_uses(*element, uses);
            return;
        }
        add_uses(target, uses);
    }

    NameSet uses_of(const ast::Stmt& stmt) {
        NameSet uses = none();
        if (const auto* node = stmt.as<ast::Assign>()) {
            add_uses(*node->value, uses);
            for (const ast::Expr* target : node->targets) add_target_uses(*target, uses);
        } else if (const auto* node = stmt.as<ast::AnnAssign>()) {
            if (node->value) add_uses(*node->value, uses);
            add_target_uses(*node->target, uses);
        } else if (const auto* node = stmt.as<ast::For>()) {
            add_uses(*node->iter, uses);
            add_target_uses(*node->target, uses);
        } else {
            for_each_own_expr(stmt, [&](const ast::Expr& expr) { add_uses(expr, uses); });
        }
        return uses;
    }

    NameSet defs_of(const ast::Stmt& stmt) {
        NameSet defs = none();
        targets(stmt, [&](std::string_view name) { defs.add(*names_.index(name)); });
        return defs;
    }

    Summary summarise(const ast::Block& block) {
        Summary all{none(), none()};
        for (auto stmt = block.rbegin(); stmt != block.rend(); ++stmt) {
            const Summary& one = summarise(**stmt);
            all.exposed -= one.killed;
            all.exposed |= one.exposed;
            all.killed |= one.killed;
        }
        return all;
    }

    const Summary& summarise(const ast::Stmt& stmt) {
        Summary s{uses_of(stmt), none()};
        if (const auto* node = stmt.as<ast::If>()) {
            Summary then = summarise(node->body);
            const Summary otherwise = summarise(node->orelse);
            s.exposed |= then.exposed;
            s.exposed |= otherwise.exposed;
            s.killed = std::move(then.killed);
            s.killed &= otherwise.killed;
        } else if (stmt.as<ast::For>() || stmt.as<ast::While>()) {
            for_each_block(stmt, [&](const ast::Block& body) {
                Summary inner = summarise(body);
                if (stmt.as<ast::For>()) inner.exposed -= defs_of(stmt);
                s.exposed |= inner.exposed;
            });
        } else if (stmt.as<ast::Return>() || stmt.as<ast::Break>() || stmt.as<ast::Continue>() || stmt.as<ast::Raise>()) {
            s.killed.fill();
        } else {
            s.killed = defs_of(stmt);
        }
        return summaries_[&stmt] = std::move(s);
    }

    // --- joins ------------------------------------------------------------------------------------------------------
    void record(const ast::Block& block, NameSet live) {
        for (auto it = block.rbegin(); it != block.rend(); ++it) {
            const ast::Stmt& stmt = **it;
            if (stmt.as<ast::If>() || stmt.as<ast::For>() || stmt.as<ast::While>()) record_join(stmt, live);
            const Summary& one = summaries_.at(&stmt);
            live -= one.killed;
            live |= one.exposed;
        }
    }

    void record_join(const ast::Stmt& stmt, const NameSet& after) {
        JoinLiveness join{after, none(), none()};
        if (const auto* node = stmt.as<ast::If>()) {
            record(node->body, after);
            record(node->orelse, after);
        } else {
            const Summary& loop = summaries_.at(&stmt);
            join.header = loop.exposed;
            join.header |= after;
            assigned_in(stmt, join.assigned);
            const auto* loop_for = stmt.as<ast::For>();
            const auto* loop_while = stmt.as<ast::While>();
            record(loop_for ? loop_for->body : loop_while->body, join.header);
            record(loop_for ? loop_for->orelse : loop_while->orelse, after);
        }
        names_.joins_.emplace(&stmt, std::move(join));
    }

    void assigned_in(const ast::Stmt& stmt, NameSet& set) {
        set |= defs_of(stmt);
        for_each_own_expr(stmt, [&](const ast::Expr& expr) { assigned_in(expr, set); });
        for_each_block(stmt, [&](const ast::Block& block) {
            for (const ast::Stmt* inner : block) assigned_in(*inner, set);
        });
    }

    void assigned_in(const ast::Expr& expr, NameSet& set) {
        if (const auto* named = expr.as<ast::NamedExpr>())
            if (const auto* name = named->target->as<ast::Name>()) set.add(*names_.index(name->id));
        for_each_child(expr, [&](const ast::Expr& child) { assigned_in(child, set); });
    }

    Names& names_;
    std::unordered_map<const ast::Stmt*, Summary> summaries_;
};

Names::Names(const ast::FunctionDef& def) { LivenessWalk(*this, def); }

}  // namespace pyk
