// Assignments inside of expressions, `(n := f(x))`, of module code.
#include <algorithm>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// The parts of an expression that are evaluated in any case.
void for_each_sure(const ast::Expr& expr, const std::function<void(const ast::Expr&)>& visit) {
    const auto* logical = expr.as<ast::BoolOp>();
    const auto* choice = expr.as<ast::IfExp>();
    const auto* compared = expr.as<ast::Compare>();
    if (logical) return visit(*logical->values[0]);
    if (choice) return visit(*choice->test);
    if (compared) return visit(*compared->left), visit(*compared->comparators[0]);
    for_each_child(expr, visit);
}

bool names_before(const ast::Expr& expr, std::string_view name, uint32_t place) {
    const auto* node = expr.as<ast::Name>();
    bool found = node && node->id == name && expr.span.begin < place;
    const auto inside = [&](const ast::Expr& child) { found = found || names_before(child, name, place); };
    for_each_host_child(expr, inside);
    return found;
}

/// Inner ones come first, as they are evaluated.
void find_assigned(const ast::Expr& expr, bool is_sure, std::vector<AssignedInside>& found) {
    std::vector<const ast::Expr*> sure;
    if (is_sure) for_each_sure(expr, [&](const ast::Expr& child) { sure.push_back(&child); });
    const auto inside = [&](const ast::Expr& child) {
        find_assigned(child, std::ranges::find(sure, &child) != sure.end(), found);
    };
    for_each_host_child(expr, inside);
    if (const auto* node = expr.as<ast::NamedExpr>()) found.push_back({node, is_sure});
}

}  // namespace

const std::vector<AssignedInside>& assigned_inside(const ast::Stmt& stmt,
                                                   std::map<const ast::Stmt*, std::vector<AssignedInside>>& known) {
    const auto [slot, is_new] = known.try_emplace(&stmt);
    if (!is_new) return slot->second;
    std::vector<AssignedInside>& found = slot->second;
    for_each_computed(stmt, [&](const ast::Expr& expr) {
        if (expr.span.text().find(":=") == std::string_view::npos) return;
        const size_t first = found.size();
        find_assigned(expr, true, found);
        for (size_t i = first; i < found.size(); ++i) {
            const ast::Expr& target = *found[i].node->target;
            found[i].is_sure &= !names_before(expr, target.as<ast::Name>()->id, target.span.begin);
        }
    });
    // Places are found after the value.
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* target : node->targets)
            if (target->span.text().find(":=") != std::string_view::npos) find_assigned(*target, false, found);
    return found;
}

// Before the statement is looked at: what it says then sees the names as they are behind the assignment.
void ModuleScope::assign_inside(const ast::Stmt& stmt) {
    for (const AssignedInside& one : assigned_inside(stmt, shared_->assigned_inside)) {
        const ast::Expr& target = *one.node->target;
        const std::string_view name = target.as<ast::Name>()->id;
        if (runs_) {
            store(target, one.is_sure && certain_ ? evaluate(*one.node->value) : std::nullopt);
            continue;
        }
        if (in_loop_) {
            loop_changes_.emplace_back(name, &target);
            continue;
        }
        Variable variable{.span = target.span};
        const auto value = one.is_sure && certain_ ? evaluate(*one.node->value) : std::nullopt;
        const auto constant = value ? to_const(*value) : std::nullopt;
        if (constant && !can_change(*constant)) {
            variable.value = one.node->value;
            variable.known = named(name, to_entity(*constant), target.span);
        }
        assign(name, std::move(variable));
        shared_->note_sharing(*this, stmt);
    }
}

// What `(n := f(x))` gives: the statement has assigned it already.
std::optional<Entity> ModuleScope::value_of(const ast::NamedExpr& node) const {
    const std::string_view name = node.target->as<ast::Name>()->id;
    const Declaration* declared = declaration(name);
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    const bool is_assigned = declared && (runs_ || (variable && variable->value == node.value));
    return is_assigned ? own(name) : std::nullopt;
}

}  // namespace pyk
