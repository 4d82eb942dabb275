#include "passes/keep_branches.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// Whether an element that the expression reads stands where the local says.
bool reads_at(const ir::Expr& expr, ir::LocalId id) {
    bool result = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
        const auto* element = part.as<ir::Element>();
        if (!element) return;
        result = result ||
                 std::ranges::any_of(element->indices, [&](const ir::Index& index) { return reads(*index.value, id); });
    });
    return result;
}

void keep_branch(ir::Stmt& stmt) {
    auto* choice = stmt.as<ir::If>();
    if (!choice || choice->then.size() != 1 || !choice->otherwise.empty()) return;
    auto* assign = choice->then[0].as<ir::Assign>();
    if (!assign || assign->value->type != Type(Scalar::int64) || !assign->value->as<ir::LocalRef>()) return;
    if (reads_at(*choice->condition, assign->target))
        assign->value = ir::applied("pyk.branched", std::move(assign->value));
}

}  // namespace

void keep_branches(ir::Function& function) {
    ir::for_each_stmt_in_loops(function.body, [](ir::Stmt& stmt) { keep_branch(stmt); });
}

}  // namespace pyk
