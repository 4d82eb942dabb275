#include "passes/mask_late.h"

#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

uint32_t count_reads(const ir::Stmt& stmt, ir::LocalId id) {
    uint32_t reads = 0;
    ir::for_each_expr(stmt, [&](const ir::Expr& whole) {
        ir::for_each_expr_deep(whole, [&](const ir::Expr& expr) { reads += ir::is_local(expr, id); });
    });
    ir::for_each_block(stmt, [&](const ir::Block& block) { reads += pyk::count_reads(block, id); });
    return reads;
}

/// Whether the lower bits of the local are all that the lower bits of the expression come from.
bool keeps_bits_apart(const ir::Expr& expr, ir::LocalId id) {
    if (!reads(expr, id) || expr.as<ir::LocalRef>()) return true;
    const auto* binary = expr.as<ir::Binary>();
    return binary && keeps_bits_apart(binary->op) && keeps_bits_apart(*binary->lhs, id) &&
           keeps_bits_apart(*binary->rhs, id);
}

/// 2 ** k - 1 of `e & (2 ** k - 1)`; 0: it is something else.
int64_t mask_of(const ir::Expr& expr) {
    const auto* masked = expr.as<ir::Binary>();
    if (!masked || masked->op != BinaryOp::BitAnd || !expr.type.is_integer()) return 0;
    const auto mask = ir::integer_value(*masked->rhs);
    return mask && *mask > 0 && std::has_single_bit(static_cast<uint64_t>(*mask) + 1) ? *mask : 0;
}

void mask_where_read(ir::Stmt& stmt, ir::LocalId id, int64_t mask) {
    const auto change = [&](ir::ExprPtr& expr) {
        if (auto* masked = expr->as<ir::Binary>(); masked && masked->op == BinaryOp::BitAnd) {
            // Both masks are one.
            auto* inner = masked->lhs->as<ir::Binary>();
            const auto* ref = inner ? inner->lhs->as<ir::LocalRef>() : nullptr;
            const auto outer = ir::integer_value(*masked->rhs);
            const auto known = ref && inner->op == BinaryOp::BitAnd ? ir::integer_value(*inner->rhs) : std::nullopt;
            if (known && ref->id == id && outer) {
                inner->rhs = ir::integer(*outer & *known, inner->rhs->type, inner->rhs->span);
                expr = ir::ExprPtr(std::move(masked->lhs));
            }
            return;
        }
        const auto* ref = expr->as<ir::LocalRef>();
        if (!ref || ref->id != id) return;
        const Type type = expr->type;
        const Span span = expr->span;
        expr = ir::binary(BinaryOp::BitAnd, std::move(expr), ir::integer(mask, type, span), span);
    };
    ir::for_each_expr(stmt, [&](ir::ExprPtr& whole) { ir::rewrite(whole, change); });
    ir::for_each_block(stmt, [&](ir::Block& block) { ir::rewrite(block, change); });
}

void mask_late(const ir::Function& function, ir::Block& body) {
    for (size_t at = 0; at < body.size(); ++at) {
        auto* assign = body[at].as<ir::Assign>();
        const int64_t mask = assign ? mask_of(*assign->value) : 0;
        if (mask == 0) continue;
        const ir::LocalId id = assign->target;
        ir::ExprPtr& value = assign->value->as<ir::Binary>()->lhs;
        if (!reads(*value, id) || !keeps_bits_apart(*value, id) || count_writes(body, id) != 1) continue;
        uint32_t from_here = 0;
        for (size_t later = at; later < body.size(); ++later) from_here += count_reads(body[later], id);
        if (from_here != pyk::count_reads(function.body, id)) continue;
        assign->value = ir::ExprPtr(std::move(value));
        for (size_t later = at + 1; later < body.size(); ++later) mask_where_read(body[later], id, mask);
    }
}

}  // namespace

void mask_late(ir::Function& function) {
    ir::for_each_stmt(function.body, [&](ir::Stmt& stmt) {
        const auto* counted = stmt.as<ir::ForRange>();
        if (ir::is_loop(stmt) && !(counted && counted->is_parallel))
            ir::for_each_block(stmt, [&](ir::Block& block) { mask_late(function, block); });
    });
}

}  // namespace pyk
