#include "passes/sum_in_turn.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/addend.h"

namespace pyk {
namespace {

constexpr std::array<Scalar, 4> kIndexTypes{Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::uint64};

bool loads(const ir::Expr& index) {
    bool result = false;
    ir::for_each_expr_deep(index, [&](const ir::Expr& part) { result = result || part.as<ir::Element>(); });
    return result;
}

void load_in_turn(ir::ExprPtr& expr) {
    auto* element = expr->as<ir::Element>();
    if (!element) return;
    for (ir::Index& index : element->indices)
        if (loads(*index.value) &&
            std::ranges::any_of(kIndexTypes, [&](Scalar type) { return index.value->type == Type(type); }))
            index.value = ir::applied("pyk.in_turn", std::move(index.value));
}

void sum_in_turn(ir::Stmt& stmt) {
    ir::ExprPtr* addend = addend_of(stmt);
    if (addend && (*addend)->type.is_float()) ir::rewrite(*addend, [](ir::ExprPtr& expr) { load_in_turn(expr); });
}

}  // namespace

void sum_in_turn(ir::Function& function) {
    if (!function.options.fastmath)
        ir::for_each_stmt_in_loops(function.body, [](ir::Stmt& stmt) { sum_in_turn(stmt); });
}

}  // namespace pyk
