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

void keep_branch(ir::If& choice) {
    auto* assign = choice.then.size() == 1 && choice.otherwise.empty() ? choice.then[0].as<ir::Assign>() : nullptr;
    if (!assign || assign->value->type != Type(Scalar::int64) || !assign->value->as<ir::LocalRef>()) return;
    if (reads_at(*choice.condition, assign->target))
        assign->value = ir::applied("pyk.branched", std::move(assign->value));
}

void keep_branches(ir::Block& block, bool in_loop) {
    for (ir::Stmt& stmt : block) {
        if (auto* choice = in_loop ? stmt.as<ir::If>() : nullptr) keep_branch(*choice);
        const bool loops = in_loop || stmt.as<ir::ForRange>() || stmt.as<ir::While>();
        ir::for_each_block(stmt, [&](ir::Block& inner) { keep_branches(inner, loops); });
    }
}

}  // namespace

void keep_branches(ir::Module& module) {
    for (ir::Function& function : module.functions) keep_branches(function.body, false);
}

}  // namespace pyk
