#include "passes/narrow_floats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/comparison.h"
#include "passes/simplify_conversions.h"

namespace pyk {
namespace {

/// Builtins that give one of their arguments, or that one without its sign or its fraction.
constexpr BuiltinName kChoices[] = {"abs",        "max",     "min",         "math.ceil",  "math.fabs", "math.floor",
                                    "math.trunc", "np.abs",  "np.absolute", "np.ceil",    "np.fabs",   "np.floor",
                                    "np.fmax",    "np.fmin", "np.maximum",  "np.minimum", "np.rint",   "np.trunc"};

const Type kFloat32(Scalar::float32), kFloat64(Scalar::float64);

bool is_choice(const ir::BuiltinCall& call) { return is_one_of(*call.builtin, kChoices); }

/// Whether a float64 is a number of float32 whatever the variables are, of which `is_exact` says it.
template <typename IsExact>
bool is_float32(const ir::Expr& expr, const IsExact& is_exact) {
    if (const auto* node = expr.as<ir::Convert>()) return preserves_values(node->operand->type, kFloat32);
    if (const auto* node = expr.as<ir::LocalRef>()) return is_exact(node->id);
    if (const auto* node = expr.as<ir::Constant>()) {
        const auto* value = std::get_if<double>(&node->value);
        return value && static_cast<double>(static_cast<float>(*value)) == *value;
    }
    const auto is_one = [&](const ir::ExprPtr& part) { return part->type == kFloat64 && is_float32(*part, is_exact); };
    if (const auto* node = expr.as<ir::Select>()) return is_one(node->then) && is_one(node->otherwise);
    if (const auto* node = expr.as<ir::Unary>()) return node->op == UnaryOp::Neg && is_one(node->operand);
    const auto* call = expr.as<ir::BuiltinCall>();
    return call && is_choice(*call) && std::ranges::all_of(call->args, is_one);
}

/// The variables of a function that hold numbers of float32.
class ExactLocals {
  public:
    explicit ExactLocals(const ir::Function& function) : exact_(function.locals.size()) {
        bool any = false;
        for (size_t i = 0; i < exact_.size(); ++i) {
            const ir::Local& local = function.locals[i];
            const bool is_ours = local.storage == ir::Storage::variable || local.storage == ir::Storage::temporary;
            exact_[i] = is_ours && local.type == kFloat64;
            any = any || exact_[i];
        }
        if (!any) return;
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>(); assign && is(assign->target)) assigns_.push_back(assign);
        });
        for (bool is_more = true; std::exchange(is_more, false);)
            for (const ir::Assign* assign : assigns_)
                if (is(assign->target) && !is_float32(*assign->value, [&](ir::LocalId id) { return is(id); }))
                    exact_[static_cast<size_t>(assign->target)] = false, is_more = true;
        keep_computed();
    }

    bool is(ir::LocalId id) const { return exact_[static_cast<size_t>(id)]; }
    bool any() const { return std::ranges::find(exact_, true) != exact_.end(); }

  private:
    /// Where no float32 is among the values, float64 is what the author wrote.
    void keep_computed() {
        std::vector<bool> computed(exact_.size());
        const auto has_float32 = [&](const ir::Expr& value) {
            bool found = false;
            ir::for_each_expr_deep(value, [&](const ir::Expr& part) {
                const auto* local = part.as<ir::LocalRef>();
                found = found || part.type == kFloat32 || (local && computed[static_cast<size_t>(local->id)]);
            });
            return found;
        };
        for (bool is_more = true; std::exchange(is_more, false);)
            for (const ir::Assign* assign : assigns_)
                if (const auto target = static_cast<size_t>(assign->target); !computed[target])
                    is_more |= computed[target] = has_float32(*assign->value);
        for (size_t i = 0; i < exact_.size(); ++i) exact_[i] = exact_[i] && computed[i];
    }

    std::vector<bool> exact_;
    std::vector<const ir::Assign*> assigns_;
};

/// The order of a number of float32 with one that lies between two of them, by the nearest of these.
BinaryOp order_by_nearest(BinaryOp op, bool is_above) {
    if (op == BinaryOp::Gt || op == BinaryOp::Ge) return is_above ? BinaryOp::Ge : BinaryOp::Gt;
    return is_above ? BinaryOp::Lt : BinaryOp::Le;
}

/// No float32 equals what is none: `x == 0.1` stays what it is.
void compare_with_nearest(ir::ExprPtr& number, BinaryOp& op, ir::ExprPtr& literal) {
    const auto* constant = literal->as<ir::Constant>();
    const double* value = constant ? std::get_if<double>(&constant->value) : nullptr;
    const bool is_in_range = value && std::fabs(*value) <= std::numeric_limits<float>::max();
    if (!is_in_range || op == BinaryOp::Eq || op == BinaryOp::Ne) return;
    const double nearest = static_cast<float>(*value);
    op = order_by_nearest(op, nearest > *value);
    literal = ir::floating(nearest, kFloat32, literal->span);
    become_float32(number);
}

}  // namespace

bool is_float32(const ir::Expr& expr) {
    return is_float32(expr, [](ir::LocalId) { return false; });
}

void become_float32(ir::ExprPtr& expr) {
    if (auto* node = expr->as<ir::Convert>()) {
        ir::ExprPtr operand = std::move(node->operand);
        expr = ir::convert(std::move(operand), kFloat32);
        return;
    }
    if (const auto* node = expr->as<ir::Constant>()) {
        expr = ir::floating(std::get<double>(node->value), kFloat32, expr->span);
        return;
    }
    expr->type = kFloat32;
    if (auto* node = expr->as<ir::Select>()) become_float32(node->then), become_float32(node->otherwise);
    if (auto* node = expr->as<ir::Unary>()) become_float32(node->operand);
    if (auto* node = expr->as<ir::BuiltinCall>()) std::ranges::for_each(node->args, become_float32);
}

void narrow_float_locals(ir::Function& function) {
    const ExactLocals exact(function);
    if (!exact.any()) return;
    for (size_t i = 0; i < function.locals.size(); ++i)
        if (exact.is(static_cast<ir::LocalId>(i))) function.locals[i].type = kFloat32;
    ir::rewrite(function.body, [&](ir::ExprPtr& expr) {
        const auto* local = expr->as<ir::LocalRef>();
        if (!local || !exact.is(local->id)) return;
        expr->type = kFloat32;
        expr = ir::convert(std::move(expr), kFloat64);
    });
    ir::for_each_stmt(function.body, [&](ir::Stmt& stmt) {
        if (auto* assign = stmt.as<ir::Assign>(); assign && exact.is(assign->target)) become_float32(assign->value);
    });
}

void narrow_choice(ir::ExprPtr& conversion) {
    auto* convert = conversion->as<ir::Convert>();
    if (!convert || convert->operand->type != kFloat64) return;
    const bool is_narrow = conversion->type == kFloat32 || conversion->type.is_integer();
    const bool is_made = convert->operand->as<ir::BuiltinCall>() || convert->operand->as<ir::Select>();
    if (!is_narrow || !is_made || !is_float32(*convert->operand)) return;
    become_float32(convert->operand);
    if (conversion->type != kFloat32) return;
    ir::ExprPtr narrowed = std::move(convert->operand);
    conversion = std::move(narrowed);
}

void narrow_comparison(ir::Expr& expr) {
    auto* binary = expr.as<ir::Binary>();
    if (!binary || !is_comparison(binary->op) || binary->lhs->type != kFloat64) return;
    const bool is_left = is_float32(*binary->lhs), is_right = is_float32(*binary->rhs);
    if (is_left && is_right) return become_float32(binary->lhs), become_float32(binary->rhs);
    if (is_left) return compare_with_nearest(binary->lhs, binary->op, binary->rhs);
    if (!is_right) return;
    binary->op = swapped(binary->op);
    compare_with_nearest(binary->rhs, binary->op, binary->lhs);
    binary->op = swapped(binary->op);
}

}  // namespace pyk
