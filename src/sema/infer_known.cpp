// Tests that Numba knows before it types: it looks through copies for numbers that are written out and for constants of
// the module, compares two of them, and computes nothing else.
#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

// Whether the definition at a place is `name = …` of another name or of a number that is written out.
bool is_copy(const ast::Block& block, Span at) {
    const auto is_plain = [](const ast::Expr& value) { return value.as<ast::Name>() || is_literal(value); };
    const auto is_here = [&](const ast::Expr* target) { return target->as<ast::Name>() && target->span == at; };
    return std::ranges::any_of(block, [&](const ast::Stmt* stmt) {
        bool found = false;
        if (const auto* node = stmt->as<ast::Assign>())
            found = is_plain(*node->value) && std::ranges::any_of(node->targets, is_here);
        if (const auto* node = stmt->as<ast::AnnAssign>(); node && node->value)
            found = is_plain(*node->value) && is_here(node->target);
        for_each_block(*stmt, [&](const ast::Block& inner) { found = found || is_copy(inner, at); });
        return found;
    });
}

}  // namespace

std::optional<Const> Inference::known_operand(const ast::Expr& expr, const NameSet* unsure) const {
    if (const auto* name = expr.as<ast::Name>()) {
        const auto index = names_.index(name->id);
        if (!index) return scope_.constant(expr);
        if (unsure && unsure->contains(*index)) return std::nullopt;
        const Version& version = versions_[(*env_)[*index]];
        if (is_none(version.entity)) return Const{Const::None{}, {}};
        const bool is_number = version.constant && !version.constant->typed && version.constant->as<double>();
        return (version.literal || is_number) && is_copy(def_.body, version.span) ? version.constant : std::nullopt;
    }
    return is_literal(expr) ? scope_.constant(expr) : std::nullopt;
}

// `unsure`: names that may have another value when the test is made.
std::optional<bool> Inference::known_test(const ast::Expr& test, const NameSet* unsure) const {
    if (const auto* node = test.as<ast::BoolOp>()) {
        const bool is_and = node->op == ast::LogicalOp::And;
        bool all = true;
        for (const ast::Expr* value : node->values) {
            const std::optional<bool> known = known_test(*value, unsure);
            if (known == !is_and && (all || !is_and)) return known;
            all = all && known;
        }
        return all ? std::optional(is_and) : std::nullopt;
    }
    if (const auto* node = test.as<ast::Unary>(); node && node->op == ast::UnaryOp::Not) {
        const std::optional<bool> known = known_test(*node->operand, unsure);
        return known ? std::optional(!*known) : std::nullopt;
    }
    if (const auto* node = test.as<ast::Compare>()) {
        const ast::Expr* left = node->left;
        for (size_t i = 0; i < node->ops.size(); ++i) {
            const ast::CompareOp op = node->ops[i];
            const bool is_in = op == ast::CompareOp::In || op == ast::CompareOp::NotIn;
            const std::optional<Const> lhs = known_operand(*left, unsure);
            const std::optional<Const> rhs = known_operand(*node->comparators[i], unsure);
            const std::optional<bool> known = lhs && rhs && !is_in ? pyk::compare(op, *lhs, *rhs) : std::nullopt;
            if (!known || !*known) return known;
            left = node->comparators[i];
        }
        return true;
    }
    const std::optional<Const> value = known_operand(test, unsure);
    return value ? std::optional(truth(*value)) : std::nullopt;
}

// How many branches of a test lead to where it comes out as `way`.
int Inference::branches_to(bool way, const ast::Expr& test) {
    if (const auto* node = test.as<ast::BoolOp>()) {
        int count = 0;
        if (way == (node->op == ast::LogicalOp::And)) return branches_to(way, *node->values.back());
        for (const ast::Expr* value : node->values) count += branches_to(way, *value);
        return count;
    }
    if (const auto* node = test.as<ast::Unary>(); node && node->op == ast::UnaryOp::Not)
        return branches_to(!way, *node->operand);
    const auto* chain = test.as<ast::Compare>();
    return !way && chain && chain->ops.size() > 1 ? 2 : 1;
}

}  // namespace pyk
