#include "sema/presence.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pyk {
namespace {

using Op = ast::CompareOp;
constexpr size_t kMostCases = 20000;

/// What tests ask about: a number, or the difference of two, which is compared with constants. Its cases are all that
/// can be told apart by these tests.
struct Subject {
    std::set<int64_t> constants = {};
    bool is_integer = false, is_natural = false;
    std::optional<int64_t> most = {};

    /// The place below, at and above each constant, as 2 * index (+ 1). Behind them NaN.
    size_t count() const { return 2 * constants.size() + 1 + (is_integer ? 0 : 1); }
    bool is_nan(size_t at) const { return !is_integer && at + 1 == count(); }
    /// Whether numbers lie there at all.
    bool exists(size_t at) const {
        if (is_nan(at)) return true;
        const auto behind = std::next(constants.begin(), static_cast<std::ptrdiff_t>(at / 2));
        if (at % 2 == 1) return (!is_natural || *behind >= 0) && (!most || *behind <= *most);
        if (!is_integer) return true;
        int64_t first = is_natural ? 0 : INT64_MIN, last = most.value_or(INT64_MAX);
        if (behind != constants.begin()) first = std::max(first, *std::prev(behind) + 1);
        if (behind != constants.end()) last = std::min(last, *behind - 1);
        return first <= last;
    }
    /// -1, 0, 1: the subject against one of its constants.
    int order(size_t at, int64_t constant) const {
        const auto index = static_cast<size_t>(std::distance(constants.begin(), constants.find(constant)));
        return at < 2 * index + 1 ? -1 : at > 2 * index + 1 ? 1 : 0;
    }
};

bool holds(Op op, int order) {
    switch (op) {
        case Op::Lt:
            return order < 0;
        case Op::LtE:
            return order <= 0;
        case Op::Gt:
            return order > 0;
        case Op::GtE:
            return order >= 0;
        case Op::Eq:
            return order == 0;
        default:
            return order != 0;
    }
}

Op mirrored(Op op) {
    switch (op) {
        case Op::Lt:
            return Op::Gt;
        case Op::LtE:
            return Op::GtE;
        case Op::Gt:
            return Op::Lt;
        case Op::GtE:
            return Op::LtE;
        default:
            return op;
    }
}

std::optional<int64_t> integer_in(const ast::Expr& expr) {
    if (const auto* unary = expr.as<ast::Unary>(); unary && unary->op == ast::UnaryOp::USub) {
        const auto inner = integer_in(*unary->operand);
        return inner ? std::optional(-*inner) : std::nullopt;
    }
    const auto* constant = expr.as<ast::Constant>();
    const auto* number = constant ? std::get_if<ast::IntValue>(&constant->value) : nullptr;
    return number && number->fits && number->value < (uint64_t(1) << 62)
               ? std::optional(static_cast<int64_t>(number->value))
               : std::nullopt;
}

/// What `n % 4` and `n & 3` are at the most, being never below 0; nullopt: another operation, or one that may be.
std::optional<int64_t> greatest(ast::BinaryOp op, int64_t rhs) {
    if (op == ast::BinaryOp::Mod && rhs > 0) return rhs - 1;
    if (op == ast::BinaryOp::BitAnd && rhs >= 0) return rhs;
    return std::nullopt;
}

/// All cases of the things that some tests are about.
class Cases {
  public:
    explicit Cases(const Definitions& definitions) : definitions_(definitions) {}

    /// Takes in what a test asks about; the keys of the subjects.
    std::set<std::string> add(const MadeTest& test) {
        std::set<std::string> keys;
        visit(test, *test.expr, [&](const Atom& atom) {
            Subject& subject = subjects_[atom.key];
            subject.is_integer = atom.kind != NumberKind::other;
            subject.is_natural = atom.kind == NumberKind::natural;
            subject.most = atom.most;
            subject.constants.insert(atom.constant);
            keys.insert(atom.key);
            return false;
        });
        for (const auto& [name, definition] : test.names)
            if (const MadeTest* formula = definitions_.formula_of(definition);
                formula && formula->expr->as<ast::Call>())
                add_extreme(name, definition, *formula);
        return keys;
    }

    /// Whether `check` holds in all of them. False: there are too many.
    bool all(const std::function<bool()>& check) {
        size_t count = 1;
        for (const auto& [key, subject] : subjects_)
            if ((count *= subject.count()) > kMostCases) return false;
        for (size_t number = 0; number < count; ++number) {
            size_t rest = number;
            bool exists = true;
            for (const auto& [key, subject] : subjects_) {
                at_[key] = rest % subject.count();
                exists = exists && subject.exists(at_[key]);
                rest /= subject.count();
            }
            if (exists && are_extremes_possible() && !check()) return false;
        }
        return true;
    }

    bool outcome(const MadeTest& test) {
        return visit(test, *test.expr, [&](const Atom& atom) {
            const Subject& subject = subjects_.at(atom.key);
            const size_t at = at_.at(atom.key);
            return subject.is_nan(at) ? atom.op == Op::NotEq : holds(atom.op, subject.order(at, atom.constant));
        });
    }

  private:
    /// One comparison.
    struct Atom {
        std::string key;
        Op op;
        int64_t constant;
        NumberKind kind;
        std::optional<int64_t> most = {};  ///< the subject's
    };
    /// A number as it is written, with the definitions of its names; of an integer what is added to it apart. Without a
    /// key it is not understood.
    struct Term {
        std::string key = {};
        NumberKind kind = NumberKind::other;  ///< without what is added
        int64_t added = 0;
        std::optional<int64_t> most = {};  ///< also without it
    };

    static std::string key_of(std::string_view name, uint32_t definition) {
        return std::string(name) + "@" + std::to_string(definition);
    }
    /// Of a comparison of two.
    static std::string key_of(const std::string& a, const std::string& b) {
        return std::min(a, b) + "|" + std::max(a, b);
    }

    /// `m = max(a, b)` is one of them: the comparisons that would say so.
    void add_extreme(std::string_view name, uint32_t definition, const MadeTest& call) {
        std::vector<std::string> comparisons;
        for (const ast::Expr* argument : call.expr->as<ast::Call>()->args)
            comparisons.push_back(key_of(key_of(name, definition), term(call, *argument).key));
        extremes_.insert(std::move(comparisons));
    }
    /// NaN is left out: who compares with all of them does not think of it.
    bool are_extremes_possible() const {
        const auto may_hold = [&](const std::string& key) {
            const auto found = subjects_.find(key);
            if (found == subjects_.end() || !found->second.constants.contains(0)) return true;
            const size_t at = at_.at(key);
            return !found->second.is_nan(at) && found->second.order(at, 0) == 0;
        };
        return std::ranges::all_of(extremes_, [&](const auto& one) { return std::ranges::any_of(one, may_hold); });
    }

    Term term(const MadeTest& test, const ast::Expr& expr) const {
        if (const auto* name = expr.as<ast::Name>()) {
            const auto found = test.names.find(name->id);
            if (found == test.names.end()) return {std::string(name->id), definitions_.kind_of(0)};
            const MadeTest* const formula = definitions_.formula_of(found->second);
            const bool is_remainder = formula && formula->expr->as<ast::BinOp>();  // which the name stands for
            if (Term remainder = is_remainder ? term(*formula, *formula->expr) : Term{}; !remainder.key.empty())
                return remainder;
            return {key_of(name->id, found->second), definitions_.kind_of(found->second)};
        }
        if (integer_in(expr)) return {std::string(expr.span.text()), NumberKind::integer};
        if (expr.as<ast::Constant>()) return {std::string(expr.span.text()), NumberKind::other};
        if (const auto* node = expr.as<ast::Attribute>()) {
            const Term base = term(test, *node->value);
            if (base.key.empty()) return base;
            const bool is_count = node->attr == "size" || base.key.ends_with("Idx") || base.key.ends_with("Dim");
            return {base.key + "." + std::string(node->attr), is_count ? NumberKind::natural : NumberKind::other};
        }
        if (const auto* node = expr.as<ast::Subscript>()) {
            const auto* shape = node->value->as<ast::Attribute>();
            const Term base = shape && shape->attr == "shape" ? term(test, *node->value) : Term{};
            const auto axis = integer_in(*node->slice);
            if (base.key.empty() || !axis) return {};
            return {base.key + "[" + std::to_string(*axis) + "]", NumberKind::natural};
        }
        if (const auto* node = expr.as<ast::BinOp>()) {
            Term left = term(test, *node->left), right = term(test, *node->right);
            if (left.key.empty() || right.key.empty()) return {};
            const bool adds = node->op == ast::BinaryOp::Add, subtracts = node->op == ast::BinaryOp::Sub;
            const auto number = integer_in(*node->right);
            if (number && (adds || subtracts) && left.kind != NumberKind::other)
                return {left.key, left.kind, left.added + (adds ? *number : -*number), left.most};
            const bool divides = node->op == ast::BinaryOp::Div || node->op == ast::BinaryOp::Pow;
            const bool is_integer = !divides && left.kind != NumberKind::other && right.kind != NumberKind::other;
            std::string key =
                "(" + whole(left) + " " + std::to_string(static_cast<int>(node->op)) + " " + whole(right) + ")";
            if (!is_integer) return {std::move(key)};
            const auto most = number ? greatest(node->op, *number) : std::nullopt;
            return {std::move(key), most ? NumberKind::natural : NumberKind::integer, 0, most};
        }
        return {};
    }

    static std::string whole(const Term& term) {
        return term.added == 0 ? term.key : term.key + "+" + std::to_string(term.added);
    }

    // What is not understood may be anything each time.
    Atom unknown() { return {"?" + std::to_string(unknown_++), Op::NotEq, 0, NumberKind::integer}; }

    Atom comparison(const MadeTest& test, const ast::Expr& lhs, Op op, const ast::Expr& rhs) {
        if (op == Op::In || op == Op::NotIn || op == Op::Is || op == Op::IsNot) return unknown();
        const Term left = term(test, lhs), right = term(test, rhs);
        if (left.key.empty() || right.key.empty()) return unknown();
        if (const auto constant = integer_in(rhs)) return {left.key, op, *constant - left.added, left.kind, left.most};
        if (const auto constant = integer_in(lhs))
            return {right.key, mirrored(op), *constant - right.added, right.kind, right.most};
        const bool are_integers = left.kind != NumberKind::other && right.kind != NumberKind::other;
        const NumberKind both = are_integers ? NumberKind::integer : NumberKind::other;
        const std::string key = key_of(left.key, right.key);
        if (left.key < right.key) return {key, op, right.added - left.added, both};
        return {key, mirrored(op), left.added - right.added, both};
    }

    bool visit(const MadeTest& test, const ast::Expr& expr, const std::function<bool(const Atom&)>& ask) {
        if (&expr == test.expr) unknown_ = test_number(test);
        if (const auto* node = expr.as<ast::BoolOp>()) {
            const bool is_and = node->op == ast::LogicalOp::And;
            bool all = is_and;
            for (const ast::Expr* value : node->values) {
                const bool one = visit(test, *value, ask);
                all = is_and ? all && one : all || one;
            }
            return all;
        }
        if (const auto* node = expr.as<ast::Unary>(); node && node->op == ast::UnaryOp::Not)
            return !visit(test, *node->operand, ask);
        if (const auto* node = expr.as<ast::Compare>()) {
            bool all = true;
            const ast::Expr* left = node->left;
            for (size_t i = 0; i < node->ops.size(); left = node->comparators[i++])
                all &= ask(comparison(test, *left, node->ops[i], *node->comparators[i]));
            return all;
        }
        const Term number = term(test, expr);
        return ask(number.key.empty() ? unknown()
                                      : Atom{number.key, Op::NotEq, -number.added, number.kind, number.most});
    }

    // Unknown parts of one test are the same ones whenever it is asked for.
    int test_number(const MadeTest& test) {
        return numbers_.try_emplace(&test, static_cast<int>(numbers_.size()) * 1000).first->second;
    }

    const Definitions& definitions_;
    std::map<std::string, Subject> subjects_;
    std::set<std::vector<std::string>> extremes_;
    std::map<std::string, size_t> at_;
    std::map<const MadeTest*, int> numbers_;
    int unknown_ = 0;
};

void for_each_test(const Presence& presence, const std::function<void(const MadeTest&)>& visit) {
    if (!presence.test.expr) return;
    visit(presence.test);
    for_each_test(*presence.when_true, visit);
    for_each_test(*presence.when_false, visit);
}

bool is_there(const Presence& presence, Cases& cases) {
    if (!presence.test.expr) return presence.is_there;
    return is_there(cases.outcome(presence.test) ? *presence.when_true : *presence.when_false, cases);
}

}  // namespace

bool is_certain(const Presence& presence, std::span<const Fact> facts, const Definitions& definitions) {
    Cases cases(definitions);
    std::set<std::string> asked;
    for_each_test(presence, [&](const MadeTest& test) { asked.merge(cases.add(test)); });
    std::vector<const Fact*> useful;
    for (const Fact& fact : facts) {
        Cases alone(definitions);
        const std::set<std::string> keys = alone.add(fact.test);
        if (std::ranges::none_of(keys, [&](const std::string& key) { return asked.contains(key); })) continue;
        cases.add(fact.test);
        useful.push_back(&fact);
    }
    return cases.all([&] {
        const auto fits = [&](const Fact* fact) { return cases.outcome(fact->test) == fact->holds; };
        return !std::ranges::all_of(useful, fits) || is_there(presence, cases);
    });
}

}  // namespace pyk
