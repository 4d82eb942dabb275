// Statements that do nothing, and what was meant by them.
#include <fmt/format.h>

#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

/// What was meant by a statement that is an expression alone.
std::string in_place_of_unused(const ast::Expr& expr) {
    const auto* comparison = expr.as<ast::Compare>();
    if (comparison && comparison->ops.size() == 1 && comparison->ops[0] == ast::CompareOp::Eq)
        return "; to assign, write `=`";
    const auto* outer = expr.as<ast::Unary>();
    const auto* inner = outer ? outer->operand->as<ast::Unary>() : nullptr;
    const bool is_step =
        inner && inner->op == outer->op && (outer->op == ast::UnaryOp::UAdd || outer->op == ast::UnaryOp::USub);
    if (!is_step) return "";
    return fmt::format("; write `{} {}= 1`", inner->operand->span.text(), outer->op == ast::UnaryOp::UAdd ? '+' : '-');
}

/// Whether an expression uses an array for more than its extents.
bool uses(const ast::Expr& expr, std::string_view array) {
    if (const auto* name = expr.as<ast::Name>()) return name->id == array;
    const auto* attribute = expr.as<ast::Attribute>();
    const auto* call = expr.as<ast::Call>();
    const auto* callee = call && call->args.size() == 1 ? call->func->as<ast::Name>() : nullptr;
    if (callee && callee->id == "len" && call->args[0]->as<ast::Name>()) return false;
    static constexpr std::string_view kExtents[] = {"size", "shape", "ndim", "dtype"};
    if (attribute && attribute->value->as<ast::Name>() &&
        std::ranges::find(kExtents, attribute->attr) != std::end(kExtents))
        return false;
    bool found = false;
    for_each_host_child(expr, [&](const ast::Expr& child) { found |= uses(child, array); });
    return found;
}

}  // namespace

// `c = a[i] + b[i]` of a parameter that is an array, and nothing else is done with it: a store was meant.
void Inference::warn_of_lost_array(const ast::Expr& target, std::string_view name, const Value& value) {
    const auto index = names_.index(name);
    if (instance_.info->array == ArrayKind::gufunc) return;  // diag::output_not_stored says more
    if (!index || *index >= instance_.params.size() || !value.type.is_scalar()) return;
    const Type given = instance_.params[*index].type;
    if (!given || !given.is_array()) return;
    bool is_used = false;
    for_each_expression(def_.body, [&](const ast::Expr& expr) { is_used |= &expr != &target && uses(expr, name); });
    if (!is_used) diagnostics_.report(diag::lost_array, target.span, name);
}

void Inference::warn_of_no_effect(const Value& value, const ast::Expr& expr) {
    const bool is_function = value.entity && (std::holds_alternative<const Builtin*>(*value.entity) ||
                                              std::holds_alternative<const FunctionInfo*>(*value.entity));
    if (!expr.span.file) return;
    // A call that gives an array may have stored to it: `np.sqrt(x, out)`.
    const bool is_of_table =
        expr.as<ast::Call>() && value.expr && !value.expr->as<ir::Call>() && !value.type.is_array();
    const bool computes = expr.as<ast::Compare>() || expr.as<ast::BinOp>() || expr.as<ast::Unary>() ||
                          expr.as<ast::Subscript>() || expr.as<ast::Tuple>() ||
                          (is_of_table && !specializer_.can_allocate());
    if (value.is_runtime() && !is_action(value.effects) && computes)
        diagnostics_.report(diag::unused_value, expr.span, std::string_view(in_place_of_unused(expr)));
    if (!is_function || !(expr.as<ast::Name>() || expr.as<ast::Attribute>())) return;
    const Span span = expr.span;
    diagnostics_.report(diag::no_effect, span, span.file->text().substr(span.begin, span.end - span.begin))
        .suggest({"call it", Applicability::maybe_incorrect, {{{span.file, span.end, span.end}, "()"}}});
}

}  // namespace pyk
