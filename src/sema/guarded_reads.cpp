#include "sema/guarded_reads.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "module/free_names.h"
#include "support/words.h"

namespace pyk {
namespace {

/// What a test on a name says of it alone: whether it is true.
struct Truth {
    bool holds;
    bool operator==(const Truth&) const = default;
};
/// A known value: None, an integer or a boolean, a float; or as much as a test has said.
using Known = std::variant<std::monostate, int64_t, double, Truth>;
/// By the text of what it is known of: a name, or a test that was made (`x[i] > 2`); `+n`: whether it is more than 0.
using Facts = std::map<std::string, Known, std::less<>>;
/// Of names and tests, on the paths on which the name that is asked for has no value yet. nullopt: there are none.
using State = std::optional<Facts>;

State joined(State a, const State& b) {
    if (!a) return b;
    if (b)
        std::erase_if(*a, [&](const auto& fact) {
            const auto other = b->find(fact.first);
            return other == b->end() || other->second != fact.second;
        });
    return a;
}

std::optional<bool> truth(const Known& known) {
    if (std::holds_alternative<std::monostate>(known)) return false;
    if (const auto* number = std::get_if<int64_t>(&known)) return *number != 0;
    if (const auto* number = std::get_if<double>(&known)) return *number != 0;
    return std::get<Truth>(known).holds;
}

bool is_number(const Known& known) {
    return std::holds_alternative<int64_t>(known) || std::holds_alternative<double>(known);
}

double number(const Known& known) {
    const auto* integer = std::get_if<int64_t>(&known);
    return integer ? static_cast<double>(*integer) : std::get<double>(known);
}

std::optional<bool> compared(ast::CompareOp op, const Known& a, const Known& b) {
    const bool a_is_none = std::holds_alternative<std::monostate>(a),
               b_is_none = std::holds_alternative<std::monostate>(b);
    if (op == ast::CompareOp::Is || op == ast::CompareOp::IsNot) {
        const bool both_known = (a_is_none || is_number(a)) && (b_is_none || is_number(b));
        if (!both_known || (!a_is_none && !b_is_none)) return std::nullopt;
        return (a_is_none == b_is_none) == (op == ast::CompareOp::Is);
    }
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    switch (op) {
        case ast::CompareOp::Eq:
            return number(a) == number(b);
        case ast::CompareOp::NotEq:
            return number(a) != number(b);
        case ast::CompareOp::Lt:
            return number(a) < number(b);
        case ast::CompareOp::LtE:
            return number(a) <= number(b);
        case ast::CompareOp::Gt:
            return number(a) > number(b);
        case ast::CompareOp::GtE:
            return number(a) >= number(b);
        default:
            return std::nullopt;
    }
}

/// Nothing is known any more of the name, nor of tests that have it.
void forget(Facts& facts, std::string_view name) {
    std::erase_if(facts, [&](const auto& fact) { return has_word(fact.first, name, is_of_name); });
}

ast::CompareOp negated(ast::CompareOp op) {
    using Op = ast::CompareOp;
    switch (op) {
        case Op::Lt:
            return Op::GtE;
        case Op::LtE:
            return Op::Gt;
        case Op::Gt:
            return Op::LtE;
        case Op::GtE:
            return Op::Lt;
        case Op::Eq:
            return Op::NotEq;
        case Op::NotEq:
            return Op::Eq;
        default:
            return op;
    }
}

/// Goes through a function along the paths on which a name has no value.
class Search {
  public:
    Search(std::string_view name, Span use) : name_(name), use_(use) {}

    bool find(const ast::Block& body) {
        run(body, Facts());
        return found_ || !seen_;
    }

  private:
    struct Loop {
        State left, continued;
    };

    // --- values ---
    static std::optional<Known> value(const ast::Constant& constant) {
        if (std::holds_alternative<ast::NoneValue>(constant.value)) return Known(std::monostate());
        if (const auto* flag = std::get_if<bool>(&constant.value)) return Known(int64_t{*flag});
        if (const auto* real = std::get_if<double>(&constant.value)) return Known(*real);
        const auto* integer = std::get_if<ast::IntValue>(&constant.value);
        constexpr uint64_t kMost = uint64_t{1} << 53;  // that a double has
        if (!integer || !integer->fits || integer->value > kMost) return std::nullopt;
        return Known(static_cast<int64_t>(integer->value));
    }

    static std::optional<Known> value(const ast::Expr& expr, const State& state) {
        if (const auto* constant = expr.as<ast::Constant>()) return value(*constant);
        if (const auto* name = expr.as<ast::Name>()) {
            const auto known = state->find(name->id);
            return known == state->end() ? std::nullopt : std::optional(known->second);
        }
        if (const auto* member = expr.as<ast::Attribute>(); member && member->attr == "inf")
            return Known(std::numeric_limits<double>::infinity());
        const auto* unary = expr.as<ast::Unary>();
        if (!unary || unary->op != ast::UnaryOp::USub) return std::nullopt;
        const auto operand = value(*unary->operand, state);
        if (!operand || !is_number(*operand)) return std::nullopt;
        const auto* integer = std::get_if<int64_t>(&*operand);
        return integer ? Known(-*integer) : Known(-std::get<double>(*operand));
    }

    /// nullopt: it may be either.
    static std::optional<bool> test(const ast::Expr& expr, const State& state) {
        const auto known = test_of_values(expr, state);
        if (known) return known;
        const auto made = state->find(expr.span.text());
        return made == state->end() ? std::nullopt : truth(made->second);
    }

    static std::optional<bool> test_of_values(const ast::Expr& expr, const State& state) {
        const auto* compare = expr.as<ast::Compare>();
        if (!compare) {
            const auto known = value(expr, state);
            return known ? truth(*known) : std::nullopt;
        }
        bool all = true;
        const ast::Expr* left = compare->left;
        for (size_t i = 0; i < compare->ops.size(); ++i) {
            const ast::Expr* right = compare->comparators[i];
            const auto a = value(*left, state), b = value(*right, state);
            const auto holds = a && b ? compared(compare->ops[i], *a, *b) : std::nullopt;
            if (holds == false) return false;
            if (compare->ops[i] == ast::CompareOp::Lt && is_natural(a) && is_positive(*right, state) == false)
                return false;
            all = all && holds;
            left = right;
        }
        return all ? std::optional(true) : std::nullopt;
    }

    static bool is_natural(const std::optional<Known>& known) {
        return known && is_number(*known) && number(*known) >= 0;
    }

    /// Whether it is more than 0; nullopt: not known.
    static std::optional<bool> is_positive(const ast::Expr& expr, const State& state) {
        const auto known = value(expr, state);
        if (known && is_number(*known)) return number(*known) > 0;
        if (known && truth(*known) == false) return false;
        const auto sign = state->find("+" + std::string(expr.span.text()));
        return sign == state->end() ? std::nullopt : truth(sign->second);
    }

    /// The paths on which a test has this outcome.
    static State where(const ast::Expr& expr, bool holds, State state) {
        if (!state) return state;
        if (const auto* unary = expr.as<ast::Unary>(); unary && unary->op == ast::UnaryOp::Not)
            return where(*unary->operand, !holds, std::move(state));
        if (const auto* logical = expr.as<ast::BoolOp>()) {
            const bool needs_all = (logical->op == ast::LogicalOp::And) == holds;
            State any;
            for (const ast::Expr* part : logical->values) {
                if (!needs_all) any = joined(std::move(any), where(*part, holds, state));
                state = where(*part, needs_all ? holds : !holds, std::move(state));
            }
            return needs_all ? state : any;
        }
        if (const auto known = test(expr, state)) return *known == holds ? state : std::nullopt;
        learn(expr, holds, *state);
        return state;
    }

    /// `if n == 0`, `if ok`.
    static void learn(const ast::Expr& expr, bool holds, Facts& facts) {
        const std::string_view text = expr.span.text();
        if (text.find('(') == text.npos) facts.insert_or_assign(std::string(text), Truth{holds});
        const auto* compare = expr.as<ast::Compare>();
        if (!compare || compare->ops.size() != 1) return;
        learn_sign(*compare->left, holds ? compare->ops[0] : negated(compare->ops[0]), *compare->comparators[0], facts);
        const auto* name = compare->left->as<ast::Name>();
        const auto* constant = compare->comparators[0]->as<ast::Constant>();
        const auto known = name && constant ? value(*constant) : std::nullopt;
        const bool is_equal = compare->ops[0] == (holds ? ast::CompareOp::Eq : ast::CompareOp::NotEq);
        const bool is_same = compare->ops[0] == (holds ? ast::CompareOp::Is : ast::CompareOp::IsNot);
        if (known && (is_equal ? is_number(*known) : is_same && std::holds_alternative<std::monostate>(*known)))
            facts.insert_or_assign(std::string(name->id), *known);
    }

    /// What is more than 0: `n` of `n > 0` and of `i < n`, for who counts from 0; what is not: `n` of `n <= 0`. Of
    /// integers, which ranges are made of.
    static void learn_sign(const ast::Expr& lhs, ast::CompareOp op, const ast::Expr& rhs, Facts& facts) {
        using Op = ast::CompareOp;
        const auto number_of = [](const ast::Expr& expr) {
            const auto* constant = expr.as<ast::Constant>();
            const auto known = constant ? value(*constant) : std::nullopt;
            return known && is_number(*known) ? std::optional(number(*known)) : std::nullopt;
        };
        const auto say = [&](const ast::Expr& expr, bool is_positive) {
            facts.insert_or_assign("+" + std::string(expr.span.text()), Truth{is_positive});
        };
        const auto add = [&](const ast::Expr& greater, const ast::Expr& less, bool may_be_equal) {
            const auto least = number_of(less), most = number_of(greater);
            const bool is_positive = least ? *least >= (may_be_equal ? 1 : 0) : !may_be_equal && !less.as<ast::Unary>();
            if (most && *most <= (may_be_equal ? 0 : 1)) return say(less, false);
            if (is_positive) say(greater, true);
        };
        if (op == Op::Gt || op == Op::GtE) add(lhs, rhs, op == Op::GtE);
        if (op == Op::Lt || op == Op::LtE) add(rhs, lhs, op == Op::LtE);
        if (op == Op::NotEq && !number_of(lhs)) add(lhs, rhs, false);
        if (const auto known = number_of(rhs); op == Op::Eq && known && *known <= 0) say(lhs, false);
    }

    /// Whether a loop over it has an iteration: `range(n)` where `n` is more than 0; nullopt: not known.
    static std::optional<bool> has_items(const ast::Expr& iterated, const State& state) {
        const auto* call = iterated.as<ast::Call>();
        const auto* name = call ? call->func->as<ast::Name>() : nullptr;
        const bool counts = name && (name->id == "range" || name->id == "prange") && call->args.size() == 1;
        return state && counts ? is_positive(*call->args[0], state) : std::nullopt;
    }

    // --- reads ---
    void read(const ast::Expr* expr, const State& state) {
        if (expr) read(*expr, state);
    }
    void read(const ast::Expr& expr, const State& state) {
        if (const auto* name = expr.as<ast::Name>()) {
            if (name->id != name_ || !(expr.span == use_)) return;
            seen_ = true;
            found_ = found_ || state;
        } else if (const auto* logical = expr.as<ast::BoolOp>()) {
            State here = state;
            for (const ast::Expr* part : logical->values) {
                read(*part, here);
                here = where(*part, logical->op == ast::LogicalOp::And, std::move(here));
            }
        } else if (const auto* choice = expr.as<ast::IfExp>()) {
            read(*choice->test, state);
            read(*choice->body, where(*choice->test, true, state));
            read(*choice->orelse, where(*choice->test, false, state));
        } else {
            if (const auto* lambda = expr.as<ast::Lambda>()) read(*lambda->body, state);
            for_each_host_child(expr, [&](const ast::Expr& child) { read(child, state); });
        }
    }

    /// What an expression assigns (`:=`) is not known behind it.
    static State behind(const ast::Expr* expr, State state) {
        if (!state || !expr) return state;
        if (const auto* walrus = expr->as<ast::NamedExpr>())
            for_each_target(*walrus->target, [&](std::string_view name) { forget(*state, name); });
        if (expr->as<ast::Call>()) state = stored(std::move(state));
        for_each_host_child(*expr, [&](const ast::Expr& child) { state = behind(&child, std::move(state)); });
        return state;
    }

    // --- assignments ---
    State assigned(std::string_view name, std::optional<Known> known, State state) const {
        if (!state) return state;
        if (name == name_) return std::nullopt;
        forget(*state, name);
        if (known) state->emplace(name, *known);
        return state;
    }

    /// Memory may have changed.
    static State stored(State state) {
        if (state) std::erase_if(*state, [](const auto& fact) { return fact.first.find('[') != std::string::npos; });
        return state;
    }

    State assigned(const ast::Expr* target, const ast::Expr* given, State state) {
        if (!target) return state;
        const auto* names = target->as<ast::Tuple>();
        const auto* values = given ? given->as<ast::Tuple>() : nullptr;
        if (names && values && names->elts.size() == values->elts.size()) {
            const State before = state;
            for (size_t i = 0; i < names->elts.size(); ++i) {
                const auto* name = names->elts[i]->as<ast::Name>();
                const auto known = name && before ? value(*values->elts[i], before) : std::nullopt;
                state = name ? assigned(name->id, known, std::move(state))
                             : assigned(names->elts[i], nullptr, std::move(state));
            }
            return state;
        }
        const auto* one = target->as<ast::Name>();
        if (one) return assigned(one->id, given && state ? value(*given, state) : std::nullopt, std::move(state));
        for_each_place(*target, [&](const ast::Expr& place) {
            if (const auto* name = place.as<ast::Name>()) {
                state = assigned(name->id, std::nullopt, std::move(state));
            } else {
                read(place, state);
                state = stored(std::move(state));
            }
        });
        return state;
    }

    // --- statements ---
    State run(const ast::Block& block, State state) {
        for (const ast::Stmt* stmt : block)
            state = std::visit([&](const auto& node) { return run(node, std::move(state)); }, stmt->node);
        return state;
    }

    State run(const ast::Assign& node, State state) {
        read(*node.value, state);
        state = behind(node.value, std::move(state));
        for (const ast::Expr* target : node.targets) state = assigned(target, node.value, std::move(state));
        return state;
    }
    State run(const ast::AnnAssign& node, State state) {
        read(node.value, state);
        return node.value ? assigned(node.target, node.value, std::move(state)) : state;
    }
    State run(const ast::AugAssign& node, State state) {
        read(*node.target, state);
        read(*node.value, state);
        return assigned(node.target, nullptr, std::move(state));
    }
    State run(const ast::If& node, State state) {
        read(*node.test, state);
        state = behind(node.test, std::move(state));
        State otherwise = run(node.orelse, where(*node.test, false, state));
        return joined(run(node.body, where(*node.test, true, std::move(state))), otherwise);
    }

    /// What is known at the start of each iteration, until an iteration changes nothing. `enter`: the paths into one;
    /// `leave`: those behind the loop, from before it (`is_first`) and from the end of an iteration.
    template <typename Enter, typename Leave>
    State iterate(const ast::Block& body, const ast::Block& orelse, const State& before, Enter enter, Leave leave) {
        State start = before;
        for (;;) {
            loops_.emplace_back();
            State end = run(body, enter(start));
            const Loop loop = std::move(loops_.back());
            loops_.pop_back();
            end = joined(std::move(end), loop.continued);
            State next = joined(start, end);
            if (next == start)
                return joined(run(orelse, joined(leave(before, true), leave(std::move(end), false))), loop.left);
            start = std::move(next);
        }
    }
    State run(const ast::While& node, const State& state) {
        const auto tested = [&](State start) {
            read(*node.test, start);
            return behind(node.test, std::move(start));
        };
        return iterate(
            node.body, node.orelse, state,
            [&](State start) { return where(*node.test, true, tested(std::move(start))); },
            [&](State end, bool) { return where(*node.test, false, tested(std::move(end))); });
    }
    State run(const ast::For& node, State state) {
        read(*node.iter, state);
        const std::optional<bool> enters = has_items(*node.iter, state);
        state = behind(node.iter, std::move(state));
        return iterate(
            node.body, node.orelse, state,
            [&](State start) {
                return enters == false ? std::nullopt : assigned(node.target, nullptr, std::move(start));
            },
            [&](State end, bool is_first) { return is_first && enters == true ? std::nullopt : end; });
    }

    State run(const ast::With& node, State state) {
        for (const ast::WithItem& item : node.items) {
            read(*item.context_expr, state);
            state = assigned(item.optional_vars, nullptr, std::move(state));
        }
        return run(node.body, std::move(state));
    }
    State run(const ast::Match& node, State state) { return run(node.meaning, std::move(state)); }
    /// A handler may come behind any part of the body.
    State run(const ast::Try& node, State state) {
        State raised = state ? State(Facts()) : State();
        State end = run(node.orelse, run(node.body, std::move(state)));
        for (const ast::ExceptHandler& handler : node.handlers) {
            read(handler.type, raised);
            end = joined(run(handler.body, raised), end);
        }
        return run(node.finalbody, node.finalbody.empty() ? std::move(end) : joined(std::move(end), raised));
    }
    State run(const ast::Assert& node, State state) {
        read(*node.test, state);
        read(node.msg, state);
        return where(*node.test, true, behind(node.test, std::move(state)));
    }
    State run(const ast::ExprStmt& node, State state) {
        read(*node.value, state);
        return behind(node.value, std::move(state));
    }
    State run(const ast::Return& node, const State& state) {
        read(node.value, state);
        return std::nullopt;
    }
    State run(const ast::Raise& node, const State& state) {
        read(node.exc, state);
        read(node.cause, state);
        return std::nullopt;
    }
    State run(const ast::Break&, const State& state) {
        if (!loops_.empty()) loops_.back().left = joined(std::move(loops_.back().left), state);
        return std::nullopt;
    }
    State run(const ast::Continue&, const State& state) {
        if (!loops_.empty()) loops_.back().continued = joined(std::move(loops_.back().continued), state);
        return std::nullopt;
    }
    /// A name that is deleted has no value again.
    State run(const ast::Delete& node, const State& state) {
        bool is_deleted = false;
        for (const ast::Expr* target : node.targets)
            for_each_target(*target, [&](std::string_view name) { is_deleted |= name == name_; });
        return is_deleted ? State(Facts()) : state;
    }
    /// It may be called wherever it is known.
    State run(const ast::FunctionDef& node, State state) {
        for_each_expression(node.body, [&](const ast::Expr& expr) { read(expr, state); });
        return assigned(node.name, std::nullopt, std::move(state));
    }
    template <typename Other>
    State run(const Other&, State state) {
        return state;
    }

    std::string_view name_;
    Span use_;
    bool seen_ = false, found_ = false;
    std::vector<Loop> loops_;
};

}  // namespace

bool may_read_before_assignment(const ast::FunctionDef& def, std::string_view name, Span use) {
    return Search(name, use).find(def.body);
}

}  // namespace pyk
