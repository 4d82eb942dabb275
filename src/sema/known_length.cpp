#include "sema/known_length.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

struct Known {
    const ir::Function& function;
    const ir::Block& before;
    const Specializer& specializer;

    /// What the statements before the loop gave a variable; null: not known.
    const ir::Expr* given(ir::LocalId local) const {
        for (auto stmt = before.rbegin(); stmt != before.rend(); ++stmt) {
            if (const auto* made = stmt->as<ir::Assign>(); made && made->target == local) return made->value.get();
            bool may_assign = false;
            ir::for_each_block(*stmt, [&](const ir::Block& inner) {
                ir::for_each_stmt(inner, [&](const ir::Stmt& within) {
                    const auto* made = within.as<ir::Assign>();
                    may_assign |= made && made->target == local;
                });
            });
            if (may_assign) return nullptr;
        }
        return nullptr;
    }

    std::span<const int64_t> shape_of(const ir::Expr& array) const {
        if (const auto* constant = array.as<ir::ConstantRef>()) return specializer.table(constant->id).shape;
        const auto* local = array.as<ir::LocalRef>();
        if (!local) return {};
        if (const auto& shape = function.local(local->id).shape; !shape.empty()) return shape;
        const ir::Expr* const made = given(local->id);
        return made && made->as<ir::ConstantRef>() ? shape_of(*made) : std::span<const int64_t>();
    }

    static std::optional<int64_t> number(const ir::Expr& expr) {
        return ir::integer_value(ir::without_conversions(expr));
    }

    static bool is_one_of(LaunchValue value, std::initializer_list<LaunchValue> values) {
        return std::ranges::find(values, value) != values.end();
    }

    bool is_natural(const ir::Expr& expr) const {
        if (const auto value = number(expr)) return *value >= 0;
        if (const auto* convert = expr.as<ir::Convert>()) return is_natural(*convert->operand);
        const auto* call = expr.as<ir::BuiltinCall>();
        return expr.as<ir::SizeOf>() || expr.as<ir::ShapeOf>() || is_positive(expr) ||
               (call && is_one_of(call->builtin->launch.value,
                                  {LaunchValue::thread_index, LaunchValue::block_index, LaunchValue::lane}));
    }

    bool is_positive(const ir::Expr& expr) const {
        if (const auto value = number(expr)) return *value > 0;
        if (const auto* convert = expr.as<ir::Convert>()) return is_positive(*convert->operand);
        if (const auto* node = expr.as<ir::Binary>()) {
            const bool is_sum = node->op == BinaryOp::Add;
            if (is_sum && is_positive(*node->lhs) && is_natural(*node->rhs)) return true;
            if (is_sum && is_natural(*node->lhs) && is_positive(*node->rhs)) return true;
            return node->op == BinaryOp::Mul && is_positive(*node->lhs) && is_positive(*node->rhs);
        }
        if (const auto* size = expr.as<ir::SizeOf>()) {
            const auto shape = shape_of(*size->array);
            return !shape.empty() && std::ranges::all_of(shape, [](int64_t extent) { return extent > 0; });
        }
        if (const auto* extent = expr.as<ir::ShapeOf>()) {
            const auto shape = shape_of(*extent->array);
            return extent->axis < shape.size() && shape[extent->axis] > 0;
        }
        const auto* call = expr.as<ir::BuiltinCall>();
        if (call && is_one_of(call->builtin->launch.value, {LaunchValue::threads_of_block, LaunchValue::blocks_of_grid,
                                                            LaunchValue::threads_of_grid, LaunchValue::lanes_of_warp}))
            return true;
        const auto is_arg_positive = [&](const ir::ExprPtr& arg) { return is_positive(*arg); };
        if (call && *call->builtin == "max") return std::ranges::any_of(call->args, is_arg_positive);
        if (call && *call->builtin == "min") return std::ranges::all_of(call->args, is_arg_positive);
        if (!call || *call->builtin != "pyk.range_length") return false;
        const auto start = number(*call->args[0]), stop = number(*call->args[1]), step = number(*call->args[2]);
        return start && stop && step && (*step > 0 ? *start < *stop : *start > *stop);
    }
};

}  // namespace

bool is_surely_positive(const ir::Expr& length, const ir::Function& function, const ir::Block& before,
                        const Specializer& specializer) {
    const Known known{function, before, specializer};
    const auto* local = ir::without_conversions(length).as<ir::LocalRef>();
    const ir::Expr* const value = local ? known.given(local->id) : &length;
    return value && known.is_positive(*value);
}

}  // namespace pyk
