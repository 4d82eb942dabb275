// Tests of numbers that are known here and that Numba computes at run time: it types both ways, so that a variable has
// the type of what either gives it. Only the way that is taken becomes code.
#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

bool is_number_or_tuple(const Const& c) {
    const auto* tuple = c.as<Const::Tuple>();
    return is_number(c) || c.as<Const::Array>() || (tuple && std::ranges::all_of(*tuple, is_number_or_tuple));
}

/// What is typed for nothing must leave no trace: no jump, no memory.
bool is_plain(const ast::Block& block) {
    bool all = true;
    for_each_stmt(block, [&](const ast::Stmt& stmt) {
        const bool is_simple =
            stmt.as<ast::Assign>() || stmt.as<ast::AugAssign>() || stmt.as<ast::If>() || stmt.as<ast::Pass>();
        all = all && is_simple && stmt.span.text().find("array(") == std::string_view::npos;
    });
    return all;
}

}  // namespace

bool Inference::is_of_numbers(const ast::Expr& expr) const {
    const auto are_of_numbers = [&](const auto& parts) {
        return std::ranges::all_of(parts, [&](const ast::Expr* part) { return is_of_numbers(*part); });
    };
    if (const auto* node = expr.as<ast::Name>()) {
        if (const auto index = names_.index(node->id)) {
            const auto& known = versions_[(*env_)[*index]].constant;
            return known && is_number_or_tuple(*known);
        }
        const auto constant = scope_.constant(expr);
        return constant && is_number_or_tuple(*constant);
    }
    if (const auto* node = expr.as<ast::BinOp>()) return is_of_numbers(*node->left) && is_of_numbers(*node->right);
    if (const auto* node = expr.as<ast::Unary>()) return is_of_numbers(*node->operand);
    if (const auto* node = expr.as<ast::BoolOp>()) return are_of_numbers(node->values);
    if (const auto* node = expr.as<ast::Tuple>()) return are_of_numbers(node->elts);
    if (const auto* node = expr.as<ast::Compare>()) {
        const auto is_identity = [](ast::CompareOp op) {
            return op == ast::CompareOp::Is || op == ast::CompareOp::IsNot;
        };
        return std::ranges::none_of(node->ops, is_identity) && is_of_numbers(*node->left) &&
               are_of_numbers(node->comparators);
    }
    if (const auto* node = expr.as<ast::Call>()) {
        const auto callee = scope_.evaluate(*node->func);
        const bool converts = callee && std::holds_alternative<TypeName>(*callee);
        static constexpr std::string_view kOfNumbers[] = {"int", "float", "bool", "abs", "min", "max", "len"};
        const bool is_function = std::ranges::find(kOfNumbers, last_name(*node->func)) != std::end(kOfNumbers);
        return (converts || is_function) && node->keywords.empty() && are_of_numbers(node->args);
    }
    if (is_literal(expr)) return true;
    if (const auto* node = expr.as<ast::Subscript>(); node && is_of_numbers(*node->value))
        return is_of_numbers(*node->slice);
    const auto constant = expr.as<ast::Attribute>() || expr.as<ast::Subscript>() ? scope_.constant(expr) : std::nullopt;
    return constant && is_number_or_tuple(*constant);
}

bool Inference::types_both_ways(const ast::Expr& test) const {
    const bool may =
        env_ && !is_narrow() && !names_.has_walrus() && handlers_.empty() && !is_of_library(instance_.info->span);
    return may && !known_test(test) && is_of_numbers(test);
}

// Types a way that is not taken: nothing is said of it, and its code is dropped. False: it has errors.
bool Inference::types_unused(FunctionRef<void(ir::Block&)> lower_it) {
    const Diagnostics kept = diagnostics_;
    ir::Block unused;
    lower_it(unused);
    const bool is_right = diagnostics_.error_count() == kept.error_count();
    diagnostics_ = kept;
    return is_right;
}

// The type of the way that is not taken; none: it has none that the other one could meet.
Value Inference::value_of_other_way(const ast::Expr& expr) {
    Value value;
    const bool is_right = types_unused([&](ir::Block& unused) { value = lower(expr, unused); });
    return is_right && value.is_runtime() ? std::move(value) : Value();
}

// A value of the way that is taken, as the other one has it typed.
Value Inference::met(Value taken, const Value& other) {
    if (!taken.is_runtime() || !other.is_runtime() || !taken.type.is_scalar() || !other.type.is_scalar()) return taken;
    const Type type = meet(taken, other);
    return type && type != taken.type ? converted(std::move(taken), type, taken.span) : std::move(taken);
}

void Inference::lower_taken(const ast::If& node, bool holds, ir::Block& out) {
    const ast::Block &taken = holds ? node.body : node.orelse, &other = holds ? node.orelse : node.body;
    if (!is_plain(other) || !types_both_ways(*node.test)) return lower(taken, out);
    const Env before = *env_;
    const std::set<VersionId> some = some_;
    const bool is_right = types_unused([&](ir::Block& unused) { lower(other, unused); });
    some_ = some;
    const std::optional<Env> left = std::exchange(env_, before);
    lower(taken, out);
    if (!is_right || !left || !env_) return;
    for (uint32_t name = 0; name < names_.count(); ++name) {
        const VersionId here = (*env_)[name], there = (*left)[name];
        if (here == there || here == kUnassigned || there == kUnassigned) continue;
        const Type type = versions_[here].type, other_type = versions_[there].type;
        if (!type || !other_type || type == other_type || !type.is_scalar() || !other_type.is_scalar()) continue;
        const Type both = meet_at_merge(type, false, other_type, false).first;
        if (both && both != type)
            define(name, &node, converted(read(name, node.test->span), both, node.test->span), node.test->span, out);
    }
}

}  // namespace pyk
