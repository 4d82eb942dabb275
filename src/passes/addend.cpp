#include "passes/addend.h"

namespace pyk {

ir::ExprPtr* addend_of(ir::Stmt& stmt) {
    auto* assign = stmt.as<ir::Assign>();
    auto* sum = assign ? assign->value->as<ir::Binary>() : nullptr;
    if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return nullptr;
    const auto* before = sum->lhs->as<ir::LocalRef>();
    return before && before->id == assign->target ? &sum->rhs : nullptr;
}

}  // namespace pyk
