#include "sema/liveness.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "module/free_names.h"

namespace pyk {

NameSet& NameSet::operator|=(const NameSet& other) {
    if (is_all() || other.is_none()) return *this;
    if (is_none() || other.is_all()) return *this = other;
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
}

NameSet& NameSet::operator&=(const NameSet& other) {
    if (is_none() || other.is_all()) return *this;
    if (is_all() || other.is_none()) return *this = other;
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
}

NameSet& NameSet::operator-=(const NameSet& other) {
    if (is_none() || other.is_none()) return *this;
    if (other.is_all()) {
        clear();
        return *this;
    }
    std::vector<uint64_t>& left = words();
    for (size_t i = 0; i < left.size(); ++i) left[i] &= ~other.words_[i];
    return *this;
}

std::optional<uint32_t> Names::index(std::string_view name) const {
    const auto found = indices_.find(name);
    return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<std::string_view, std::optional<uint32_t>>> Names::open(const ast::ListComp& comprehension) {
    std::vector<std::pair<std::string_view, std::optional<uint32_t>>> shadowed;
    for (const ast::Comprehension& one : comprehension.generators)
        for_each_target(*one.target, [&](std::string_view name) {
            shadowed.emplace_back(name, index(name));
            indices_[name] = of_comprehensions_.at({&comprehension, name});
        });
    return shadowed;
}

void Names::close(std::span<const std::pair<std::string_view, std::optional<uint32_t>>> shadowed) {
    for (size_t i = shadowed.size(); i-- > 0;) {
        const auto& [name, index] = shadowed[i];
        if (index)
            indices_[name] = *index;
        else
            indices_.erase(name);
    }
}

// Two walks. `summarise` goes up: what a piece of code reads before it assigns it, and what it assigns on every path to
// each of its exits. `record` goes down with what is live at each exit. A loop's header needs no iteration: what comes
// back to it from the body is what is live there already.
class LivenessWalk {
  public:
    LivenessWalk(Names& names, const ast::FunctionDef& def, std::span<const std::string_view> captures)
        : names_(names) {
        for_each_parameter(*def.args, [&](const ast::Arg& arg) { declare(arg.arg); });
        for (const std::string_view name : captures) declare(name);
        collect(def.body);
        nothing_ = read_by_finals_ = none();
        summarise(def.body);
        record(def.body, {none(), none(), none()});
    }

  private:
    /// One set per way out of a piece of code: behind it, to the end of the loop around it, to that loop's next
    /// iteration.
    struct Exits {
        NameSet falls, breaks, continues;
    };
    /// `exposed`: read before it is assigned. `killed`: assigned on every path to the exit; everything where no path
    /// leads there.
    struct Summary {
        NameSet exposed;
        Exits killed;
    };
    /// What a condition reads before it assigns it, and what it assigns for certain when it turns out true, or false.
    struct Condition {
        NameSet exposed, when_true, when_false;
        bool endless = false;  ///< the literal True
    };

    NameSet none() const { return NameSet(names_.count()); }
    NameSet all() const {
        NameSet set = none();
        set.fill();
        return set;
    }

    void declare(std::string_view name) {
        if (names_.indices_.emplace(name, names_.names_.size()).second) names_.names_.push_back(name);
    }

    // --- names ------------------------------------------------------------------------------------------------------
    template <typename OnName>
    void stored_names(const ast::Expr& target, const OnName& on_name) {
        for_each_place(target, [&](const ast::Expr& place) {
            if (const auto* name = place.template as<ast::Name>()) on_name(name->id);
            // `v.x = 1` of a local that is a dataclass makes it another value.
            const auto* attribute = place.template as<ast::Attribute>();
            const auto* object = attribute ? attribute->value->template as<ast::Name>() : nullptr;
            if (object && names_.index(object->id)) on_name(object->id);
        });
    }

    void collect(const ast::Block& block) {
        for (const ast::Stmt* stmt : block) {
            targets(*stmt, [&](std::string_view name) { declare(name); });
            // `x: int32` alone makes x local, too.
            if (const auto* node = stmt->as<ast::AnnAssign>())
                stored_names(*node->target, [&](std::string_view name) { declare(name); });
            for_each_block(*stmt, [&](const ast::Block& inner) { collect(inner); });
            for_each_own_expr(*stmt, [&](const ast::Expr& expr) { collect_inside(expr, true); });
            collect_nested(*stmt);
        }
    }

    void collect_nested(const ast::Stmt& stmt) {
        const auto add = [&](std::string_view name, const std::vector<std::string_view>& captured) {
            nested_[name].insert(nested_[name].end(), captured.begin(), captured.end());
        };
        if (const auto* node = stmt.as<ast::FunctionDef>()) add(node->name, free_names(*node));
        const auto* assign = stmt.as<ast::Assign>();
        const auto* lambda = assign ? assign->value->as<ast::Lambda>() : nullptr;
        const auto* name = lambda ? assign->targets[0]->as<ast::Name>() : nullptr;
        if (name) add(name->id, free_names(*lambda));
    }

    // The names that walruses assign, and those of comprehensions, which are not live around them: they have a place
    // among the others and nothing else. `is_own`: not inside of one.
    void collect_inside(const ast::Expr& expr, bool is_own) {
        if (const auto* named = expr.as<ast::NamedExpr>(); named && is_own) {
            names_.has_walrus_ = true;
            if (const auto* name = named->target->as<ast::Name>()) declare(name->id);
        }
        if (const auto* node = expr.as<ast::ListComp>())
            for (const ast::Comprehension& one : node->generators)
                for_each_target(*one.target, [&](std::string_view name) {
                    const auto index = static_cast<uint32_t>(names_.names_.size());
                    if (names_.of_comprehensions_.try_emplace({node, name}, index).second)
                        names_.names_.push_back(name);
                });
        const bool inner = is_own && !is_for_host(expr);
        for_each_host_child(expr, [&](const ast::Expr& child) { collect_inside(child, inner); });
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
        if (const auto* node = stmt.as<ast::ClassDef>()) on_name(node->name);
        if (const auto* node = stmt.as<ast::Delete>())
            for (const ast::Expr* target : node->targets) stored_names(*target, on_name);
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
        if (const auto* node = stmt.as<ast::Raise>()) maybe(node->exc);
        if (const auto* node = stmt.as<ast::FunctionDef>()) {
            for (const ast::Expr* expr : node->args->defaults) maybe(expr);
            for (const ast::Expr* expr : node->args->kw_defaults) maybe(expr);
        }
    }

    // --- expressions ------------------------------------------------------------------------------------------------
    // In the order of evaluation. What a walrus assigned before is no use of the outside; `killed` ends with what is
    // assigned for certain.
    void add_uses(const ast::Expr& expr, NameSet& uses, NameSet& killed) {
        if (const auto* name = expr.as<ast::Name>()) {
            if (const auto index = names_.index(name->id); index && !killed.contains(*index)) uses.add(*index);
            if (const auto nested = nested_.find(name->id); nested != nested_.end())
                add_names(nested->second, uses, killed);
            return;
        }
        if (const auto* named = expr.as<ast::NamedExpr>()) {
            add_uses(*named->value, uses, killed);
            if (const auto* name = named->target->as<ast::Name>()) killed.add(*names_.index(name->id));
            return;
        }
        if (const auto* lambda = expr.as<ast::Lambda>()) add_names(free_names(*lambda), uses, killed);
        if (const auto* comprehension = expr.as<ast::ListComp>()) add_names(free_names(*comprehension), uses, killed);
        if (!names_.has_walrus_) {
            for_each_child(expr, [&](const ast::Expr& child) { add_uses(child, uses, killed); });
            return;
        }
        // Behind the first operand of `and`, `or`, a chained comparison or a conditional expression nothing is certain.
        const auto* if_exp = expr.as<ast::IfExp>();
        const bool partial = expr.as<ast::BoolOp>() || expr.as<ast::Compare>() || if_exp;
        const size_t certain = expr.as<ast::Compare>() ? 2 : 1;
        size_t count = 0;
        NameSet after;
        for_each_child(expr, [&](const ast::Expr& child) {
            if (if_exp && &child == if_exp->orelse) killed = after;
            add_uses(child, uses, killed);
            if (++count == certain) after = killed;
        });
        if (partial && count > certain) killed = after;
    }

    void add_uses(const ast::Expr& expr, NameSet& uses) {
        if (!names_.has_walrus_) return add_uses(expr, uses, nothing_);
        NameSet killed = none();
        add_uses(expr, uses, killed);
    }

    // What functions among them capture is used with them.
    void add_names(const std::vector<std::string_view>& names, NameSet& uses, const NameSet& killed) {
        for (const std::string_view name : names) {
            const auto index = names_.index(name);
            if (!index || killed.contains(*index) || uses.contains(*index)) continue;
            uses.add(*index);
            if (const auto nested = nested_.find(name); nested != nested_.end())
                add_names(nested->second, uses, killed);
        }
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

    Condition condition(const ast::Expr& expr) {
        Condition c{none(), none(), none()};
        const auto* logical = expr.as<ast::BoolOp>();
        if (!logical) {
            add_uses(expr, c.exposed, c.when_true);
            c.when_false = c.when_true;
            const auto* constant = expr.as<ast::Constant>();
            const bool* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
            c.endless = value && *value;
            return c;
        }
        NameSet first = none(), killed = none();
        for (const ast::Expr* value : logical->values) {
            add_uses(*value, c.exposed, killed);
            if (value == logical->values.front()) first = killed;
        }
        const bool is_and = logical->op == ast::LogicalOp::And;
        c.when_true = is_and ? killed : first;
        c.when_false = is_and ? first : killed;
        return c;
    }

    // What a statement without blocks reads, and what it assigns.
    NameSet uses_of(const ast::Stmt& stmt) {
        NameSet uses = none();
        if (const auto* node = stmt.as<ast::Assign>()) {
            add_uses(*node->value, uses);
            for (const ast::Expr* target : node->targets) add_target_uses(*target, uses);
        } else if (const auto* node = stmt.as<ast::AnnAssign>()) {
            if (node->value) add_uses(*node->value, uses);
            add_target_uses(*node->target, uses);
        } else {
            for_each_own_expr(stmt, [&](const ast::Expr& expr) { add_uses(expr, uses); });
        }
        return uses;
    }

    // Of a statement that ends the function: what runs before that reads, too.
    NameSet uses_of_last(const ast::Stmt& stmt) {
        NameSet uses = uses_of(stmt);
        uses |= read_by_finals_;
        return uses;
    }

    // Calls `on_def` with each name's index.
    template <typename OnDef>
    void for_each_def(const ast::Stmt& stmt, const OnDef& on_def) {
        targets(stmt, [&](std::string_view name) { on_def(*names_.index(name)); });
        if (!names_.has_walrus_) return;
        NameSet ignored = none(), defs = none();
        for_each_own_expr(stmt, [&](const ast::Expr& expr) { add_uses(expr, ignored, defs); });
        defs.for_each(on_def);
    }

    /// The names that a statement without blocks reads and assigns, for both walks.
    struct Plain {
        std::vector<uint32_t> uses, defs;
    };
    const Plain& plain(const ast::Stmt& stmt) {
        const auto [found, is_new] = plain_.try_emplace(&stmt);
        if (!is_new) return found->second;
        uses_of(stmt).for_each([&](uint32_t name) { found->second.uses.push_back(name); });
        for_each_def(stmt, [&](uint32_t name) { found->second.defs.push_back(name); });
        return found->second;
    }

    // --- summaries --------------------------------------------------------------------------------------------------
    static bool has_blocks(const ast::Stmt& stmt) {
        return stmt.as<ast::If>() || stmt.as<ast::For>() || stmt.as<ast::While>() || stmt.as<ast::Try>() ||
               only_block(stmt);
    }

    /// Of a statement that does nothing but run it; null: of another one.
    static const ast::Block* only_block(const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::Match>()) return &node->meaning;
        const auto* node = stmt.as<ast::With>();
        return node ? &node->body : nullptr;
    }

    Summary summarise(const ast::Block& block) {
        Summary rest{none(), {none(), all(), all()}};
        for (auto it = block.rbegin(); it != block.rend(); ++it) {
            const ast::Stmt& stmt = **it;
            if (has_blocks(stmt)) {
                const Summary& one = summarise(stmt);
                rest.exposed -= one.killed.falls;
                rest.exposed |= one.exposed;
                rest.killed.falls |= one.killed.falls;
                for (NameSet Exits::*exit : {&Exits::breaks, &Exits::continues}) {
                    rest.killed.*exit |= one.killed.falls;
                    rest.killed.*exit &= one.killed.*exit;
                }
            } else if (stmt.as<ast::Return>() || stmt.as<ast::Raise>()) {
                rest = {uses_of_last(stmt), {all(), all(), all()}};
            } else if (stmt.as<ast::Break>()) {
                rest = {none(), {all(), none(), all()}};
            } else if (stmt.as<ast::Continue>()) {
                rest = {none(), {all(), all(), none()}};
            } else {
                const Plain& names = plain(stmt);
                for (const uint32_t name : names.defs) {
                    rest.exposed.remove(name);
                    for (NameSet Exits::*exit : {&Exits::falls, &Exits::breaks, &Exits::continues})
                        (rest.killed.*exit).add(name);
                }
                for (const uint32_t name : names.uses) rest.exposed.add(name);
            }
        }
        return rest;
    }

    const Summary& summarise(const ast::Stmt& stmt) {
        Summary s;
        if (const auto* node = stmt.as<ast::If>()) {
            const Condition test = condition(*node->test);
            Summary then = behind(test.when_true, summarise(node->body));
            const Summary otherwise = behind(test.when_false, summarise(node->orelse));
            s = std::move(then);
            s.exposed |= otherwise.exposed;
            s.exposed |= test.exposed;
            for (NameSet Exits::*exit : {&Exits::falls, &Exits::breaks, &Exits::continues})
                s.killed.*exit &= otherwise.killed.*exit;
        } else if (const ast::Block* block = only_block(stmt)) {
            s = summarise(*block);
        } else if (const auto* node = stmt.as<ast::Try>()) {
            s = summarise(*node);
        } else {
            s = (loops_[&stmt] = loop_parts(stmt)).whole();
            if (const auto* loop = stmt.as<ast::For>()) add_uses(*loop->iter, s.exposed);
        }
        return summaries_[&stmt] = std::move(s);
    }

    // A handler runs when any part of the body has, `finally` when any part of all of them has.
    Summary summarise(const ast::Try& node) {
        const Summary last = summarise(node.finalbody);
        const NameSet outer = read_by_finals_;
        read_by_finals_ |= last.exposed;
        Summary s = summarise(node.body);
        const Summary otherwise = behind(s.killed.falls, summarise(node.orelse));
        s.exposed |= otherwise.exposed;
        s.killed.falls = otherwise.killed.falls;
        s.killed.breaks &= otherwise.killed.breaks;
        s.killed.continues &= otherwise.killed.continues;
        for (const ast::ExceptHandler& handler : node.handlers) {
            const Summary handled = summarise(handler.body);
            s.exposed |= handled.exposed;
            for (NameSet Exits::*exit : {&Exits::falls, &Exits::breaks, &Exits::continues})
                s.killed.*exit &= handled.killed.*exit;
        }
        s.exposed |= last.exposed;
        s.killed.falls |= last.killed.falls;
        read_by_finals_ = outer;
        return s;
    }

    // Code that runs after `killed` was assigned.
    static Summary behind(const NameSet& killed, Summary code) {
        code.exposed -= killed;
        for (NameSet Exits::*exit : {&Exits::falls, &Exits::breaks, &Exits::continues}) code.killed.*exit |= killed;
        return code;
    }

    /// A loop from its header on: one iteration, and what follows when the iterations end.
    struct LoopParts {
        Summary iteration, end;

        Summary whole() const {
            Summary s = end;
            s.exposed |= iteration.exposed;
            s.killed.falls &= iteration.killed.breaks;
            return s;
        }
    };

    LoopParts loop_parts(const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::For>()) {
            NameSet targets = none();
            stored_names(*node->target, [&](std::string_view name) { targets.add(*names_.index(name)); });
            LoopParts parts{behind(targets, summarise(node->body)), summarise(node->orelse)};
            add_target_uses(*node->target, parts.iteration.exposed);
            return parts;
        }
        const auto& node = *stmt.as<ast::While>();
        const Condition test = condition(*node.test);
        LoopParts parts{behind(test.when_true, summarise(node.body)), behind(test.when_false, summarise(node.orelse))};
        if (test.endless) parts.end = {none(), {all(), all(), all()}};
        parts.iteration.exposed |= test.exposed;
        return parts;
    }

    // --- joins ------------------------------------------------------------------------------------------------------
    // What is live before code from which the exits lead to `live`.
    static NameSet live_before(const Summary& code, const Exits& live) {
        NameSet before = code.exposed;
        for (NameSet Exits::*exit : {&Exits::falls, &Exits::breaks, &Exits::continues}) {
            NameSet through = live.*exit;
            through -= code.killed.*exit;
            before |= through;
        }
        return before;
    }

    void record(const ast::Block& block, Exits live) {
        for (auto it = block.rbegin(); it != block.rend(); ++it) {
            const ast::Stmt& stmt = **it;
            if (has_blocks(stmt)) {
                record_join(stmt, live);
                live.falls = live_before(summaries_.at(&stmt), live);
            } else if (stmt.as<ast::Return>() || stmt.as<ast::Raise>()) {
                live.falls = uses_of_last(stmt);
            } else if (stmt.as<ast::Break>()) {
                live.falls = live.breaks;
            } else if (stmt.as<ast::Continue>()) {
                live.falls = live.continues;
            } else {
                const Plain& names = plain(stmt);
                for (const uint32_t name : names.defs) live.falls.remove(name);
                for (const uint32_t name : names.uses) live.falls.add(name);
            }
        }
    }

    void record_join(const ast::Stmt& stmt, const Exits& live) {
        if (const ast::Block* block = only_block(stmt)) return record(*block, live);
        if (const auto* node = stmt.as<ast::Try>()) return record_join(stmt, *node, live);
        JoinLiveness join{live.falls, none(), none(), none()};
        if (const auto* node = stmt.as<ast::If>()) {
            record(node->body, live);
            record(node->orelse, live);
        } else {
            const LoopParts& parts = loops_.at(&stmt);
            join.header = live_before(parts.end, live);
            NameSet through = live.falls;
            through -= parts.iteration.killed.breaks;
            join.header |= through;
            join.header |= parts.iteration.exposed;
            assigned_in(stmt, join.assigned);
            const Exits iterates{join.header, live.falls, join.header};
            join.repeated = live_before(parts.iteration, iterates);
            const auto* loop_for = stmt.as<ast::For>();
            const auto* loop_while = stmt.as<ast::While>();
            const ast::Block& body = loop_for ? loop_for->body : loop_while->body;
            join.has_continue = jumps<ast::Continue>(body);
            join.has_break = jumps<ast::Break>(body);
            record(body, iterates);
            record(loop_for ? loop_for->orelse : loop_while->orelse, live);
        }
        names_.joins_.emplace(&stmt, std::move(join));
    }

    void record_join(const ast::Stmt& stmt, const ast::Try& node, const Exits& live) {
        NameSet anywhere = live.falls;
        anywhere |= live.breaks;
        anywhere |= live.continues;
        anywhere |= read_by_finals_;
        record(node.finalbody, {anywhere, live.breaks, live.continues});
        const Summary last = summarise(node.finalbody);
        const NameSet outer = read_by_finals_;
        read_by_finals_ |= last.exposed;
        Exits before{live_before(last, live), live.breaks, live.continues};
        before.breaks |= last.exposed;
        before.continues |= last.exposed;
        JoinLiveness join{before.falls, last.exposed, none(), none()};
        for (const ast::ExceptHandler& handler : node.handlers) {
            join.header |= live_before(summarise(handler.body), before);
            record(handler.body, before);
        }
        record(node.orelse, before);
        record(node.body, {live_before(summarise(node.orelse), before), before.breaks, before.continues});
        assigned_in(stmt, join.assigned);
        read_by_finals_ = outer;
        names_.joins_.emplace(&stmt, std::move(join));
    }

    // Whether a jump of the loop that the block is the body of stands there.
    template <typename Jump>
    static bool jumps(const ast::Block& block) {
        return std::ranges::any_of(block, [](const ast::Stmt* stmt) {
            if (const auto* node = stmt->as<ast::If>()) return jumps<Jump>(node->body) || jumps<Jump>(node->orelse);
            if (const ast::Block* inner = only_block(*stmt)) return jumps<Jump>(*inner);
            if (const auto* node = stmt->as<ast::Try>())
                return jumps<Jump>(node->body) || jumps<Jump>(node->orelse) ||
                       std::ranges::any_of(node->handlers,
                                           [](const ast::ExceptHandler& handler) { return jumps<Jump>(handler.body); });
            if (const auto* node = stmt->as<ast::For>()) return jumps<Jump>(node->orelse);
            if (const auto* node = stmt->as<ast::While>()) return jumps<Jump>(node->orelse);
            return stmt->as<Jump>() != nullptr;
        });
    }

    void assigned_in(const ast::Stmt& stmt, NameSet& set) {
        for_each_def(stmt, [&](uint32_t name) { set.add(name); });
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
    NameSet nothing_;
    NameSet read_by_finals_;  ///< by `finally` around, before the function ends
    /// Functions inside of the function, by the names that stand for them: what they capture.
    std::map<std::string_view, std::vector<std::string_view>> nested_;
    std::unordered_map<const ast::Stmt*, Plain> plain_;
    std::unordered_map<const ast::Stmt*, Summary> summaries_;
    std::unordered_map<const ast::Stmt*, LoopParts> loops_;  ///< of the loops among them
};

Names::Names(const ast::FunctionDef& def, std::span<const std::string_view> captures) {
    LivenessWalk(*this, def, captures);
}

}  // namespace pyk
