// Integers of 64 bits where 32 would do: divisions, which are slow in them, and products in loops.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "advice/advice.h"
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool is_int64(const ir::Expr& expr) { return expr.type && expr.type.is(Scalar::int64); }

class Int64Advice {
  public:
    Int64Advice(const ir::Module& module, const ir::Function& function, Diagnostics& diagnostics)
        : module_(module), function_(function), diagnostics_(diagnostics) {}

    void run() {
        collect();
        settle_narrow();
        block(function_.body, false);
    }

  private:
    /// What a variable gets.
    struct Given {
        std::vector<const ir::Expr*> values;
        bool is_passed = false;  ///< a parameter: something else as well
    };

    void collect() {
        for (const ir::LocalId param : function_.params) given_[param].is_passed = true;
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>())
                given_[assign->target].values.push_back(assign->value.get());
            if (const auto* loop = stmt.as<ir::ForRange>())
                for (const ir::ExprPtr* bound : {&loop->start, &loop->stop, &loop->step})
                    given_[loop->counter].values.push_back(bound->get());
        });
    }

    /// Values that narrow typing keeps in 32 bits.
    bool is_narrow(const ir::Expr& expr) const {
        if (expr.type.is_integer() && expr.type.bits() <= 32) return true;
        if (const auto number = ir::integer_value(module_, expr)) return *number == static_cast<int32_t>(*number);
        if (const auto* local = expr.as<ir::LocalRef>()) return narrow_.contains(local->id);
        if (const auto* convert = expr.as<ir::Convert>()) {
            const Type from = convert->operand->type;
            return from.is_boolean() || (from.is_integer() && is_narrow(*convert->operand));
        }
        if (const auto* call = expr.as<ir::BuiltinCall>()) {
            const LaunchValue value = call->builtin->launch.value;
            return value == LaunchValue::grid_index || value == LaunchValue::threads_of_grid;
        }
        const auto* binary = expr.as<ir::Binary>();
        return expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>() ||
               (binary && !is_comparison(binary->op) && is_narrow(*binary->lhs) && is_narrow(*binary->rhs));
    }

    /// int64 variables that get nothing but such values: assumed of all, then withdrawn.
    void settle_narrow() {
        for (const auto& [id, given] : given_)
            if (function_.local(id).type.is(Scalar::int64) && !given.is_passed) narrow_.insert(id);
        for (bool again = true; again;) {
            again = false;
            for (const auto& [id, given] : given_) {
                if (!narrow_.contains(id)) continue;
                if (std::ranges::all_of(given.values, [&](const ir::Expr* value) { return is_narrow(*value); }))
                    continue;
                narrow_.erase(id);
                again = true;
            }
        }
    }

    /// Of what has one value: a constant, or a variable that only gets one.
    std::optional<int64_t> value_of(const ir::Expr& expr) const {
        const auto* local = expr.as<ir::LocalRef>();
        const auto found = local ? given_.find(local->id) : given_.end();
        if (found == given_.end()) return ir::integer_value(module_, expr);
        const auto& [values, is_passed] = found->second;
        return values.size() == 1 && !is_passed ? ir::integer_value(module_, *values[0]) : std::nullopt;
    }
    bool is_fixed(const ir::Expr& expr) const {
        const auto* binary = expr.as<ir::Binary>();
        return binary ? is_fixed(*binary->lhs) && is_fixed(*binary->rhs) : value_of(expr).has_value();
    }
    bool is_power_of_two(const ir::Expr& expr) const {
        const auto value = value_of(expr);
        return value && *value > 0 && (*value & (*value - 1)) == 0;
    }

    /// Divisions cost wherever they stand, but for those that shift; products where they are repeated.
    void check(const ir::Expr& expr, const ir::Binary& n, bool in_loop) {
        // Of `a * b * c` the whole is told.
        if (n.op == BinaryOp::Mul && factors_.contains(&expr)) return add_factors(n);
        const bool divides = is_division(n.op);
        if (!is_int64(expr) || !(divides || (in_loop && n.op == BinaryOp::Mul)) || !is_narrow(expr)) return;
        if (is_fixed(expr) || (divides && is_power_of_two(*n.rhs))) return;
        const std::string_view op = divides ? n.op == BinaryOp::Mod || n.op == BinaryOp::TruncMod ? "%" : "//" : "*";
        if (expr.span.text().find(op) == std::string_view::npos) return;  // the author wrote no such thing
        diagnostics_.report(diag::int64_arithmetic, expr.span, op);
        if (n.op == BinaryOp::Mul) add_factors(n);
    }
    void add_factors(const ir::Binary& product) {
        for (const ir::ExprPtr* factor : {&product.lhs, &product.rhs})
            factors_.insert(&ir::without_conversions(**factor));
    }

    void block(const ir::Block& body, bool in_loop) {
        for (const ir::Stmt& stmt : body) {
            ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                    if (const auto* n = expr.as<ir::Binary>()) check(expr, *n, in_loop || stmt.as<ir::While>());
                });
            });
            const bool loops = in_loop || ir::is_loop(stmt);
            ir::for_each_block(stmt, [&](const ir::Block& inner) { block(inner, loops); });
        }
    }

    const ir::Module& module_;
    const ir::Function& function_;
    Diagnostics& diagnostics_;
    std::map<ir::LocalId, Given> given_;
    std::set<ir::LocalId> narrow_;
    std::set<const ir::Expr*> factors_;  ///< of products that were told of
};

}  // namespace

void advise_on_int64(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions)
        if (files.has(function.span.file)) Int64Advice(module, function, diagnostics).run();
}

}  // namespace pyk
