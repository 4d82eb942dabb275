#include "passes/round_once.h"

#include <utility>
#include <vector>

#include "ir/walk.h"
#include "passes/narrow_floats.h"

namespace pyk {
namespace {

bool is_sum(BinaryOp op) { return op == BinaryOp::Add || op == BinaryOp::Sub; }
/// Quotients are products: by what has an exact reciprocal.
bool is_product(BinaryOp op) { return op == BinaryOp::Mul || op == BinaryOp::TrueDiv || op == BinaryOp::CDiv; }

/// The operation of a float64 that is rounded to a float32.
ir::Binary* rounded(const ir::Expr& value) {
    const auto* convert = value.as<ir::Convert>();
    if (!convert || value.type != Type(Scalar::float32) || convert->operand->type != Type(Scalar::float64))
        return nullptr;
    return convert->operand->as<ir::Binary>();
}

/// Which numbers of a kernel may be products, and which may be terms of sums elsewhere.
class Origins {
  public:
    explicit Origins(const ir::Function& function) : arrays_(function.locals.size()), is_given_(arrays_.size(), true) {
        for (const ir::LocalId param : function.params) of(param).is_parameter = true;
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) { count(expr); });
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (const auto* store = stmt.as<ir::Store>()) count(*store->array, &Array::stores);
            if (const auto* assign = stmt.as<ir::Assign>()) of(assign->target).is_parameter = false;
        });
        for (bool is_more = true; std::exchange(is_more, false);)
            ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
                const auto* assign = stmt.as<ir::Assign>();
                if (!assign || !is_given(assign->target) || !may_be_product(*assign->value, stmt)) return;
                is_given_[static_cast<size_t>(assign->target)] = false;
                is_more = true;
            });
    }

    bool may_be_product(const ir::Expr& term, const ir::Stmt& stmt) const {
        if (const auto* n = term.as<ir::Convert>())
            return n->operand->type.is_float() && may_be_product(*n->operand, stmt);
        if (const auto* n = term.as<ir::LocalRef>()) return !is_given(n->id);
        const auto* element = term.as<ir::Element>();
        if (!element) return !term.as<ir::Constant>();
        const Array* array = known(*element->array);
        const auto* store = stmt.as<ir::Store>();
        return !array || array->stores > (store && known(*store->array) == array);
    }

    /// Whether another statement may read what this one stores or assigns.
    bool is_read_elsewhere(const ir::Stmt& stmt) const {
        const auto* store = stmt.as<ir::Store>();
        const Array* array = store ? known(*store->array) : nullptr;
        if (!array) return true;
        uint32_t own = 0;
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                const auto* element = expr.as<ir::Element>();
                own += element && known(*element->array) == array;
            });
        });
        return array->loads != own;
    }

  private:
    /// How often a name stands for what.
    struct Array {
        uint32_t names = 0, loads = 0, stores = 0, extents = 0;
        bool is_parameter = false;  ///< and stays what it is
    };

    bool is_given(ir::LocalId id) const { return is_given_[static_cast<size_t>(id)]; }
    Array& of(ir::LocalId id) { return arrays_[static_cast<size_t>(id)]; }
    void count(const ir::Expr& array, uint32_t Array::*what) {
        if (const auto* local = array.as<ir::LocalRef>()) of(local->id).*what += 1;
    }
    void count(const ir::Expr& expr) {
        count(expr, &Array::names);
        if (const auto* n = expr.as<ir::Element>()) count(*n->array, &Array::loads);
        if (const auto* n = expr.as<ir::ShapeOf>()) count(*n->array, &Array::extents);
        if (const auto* n = expr.as<ir::SizeOf>()) count(*n->array, &Array::extents);
    }

    /// An array of a kernel's caller whose elements have no other name in the kernel; null for any other.
    const Array* known(const ir::Expr& expr) const {
        const auto* local = expr.as<ir::LocalRef>();
        if (!local) return nullptr;
        const Array& array = arrays_[static_cast<size_t>(local->id)];
        const bool has_no_other = array.names == array.loads + array.stores + array.extents;
        return array.is_parameter && has_no_other ? &array : nullptr;
    }

    std::vector<Array> arrays_;   ///< by local
    std::vector<bool> is_given_;  ///< no product was assigned
};

bool is_same_in_float32(const ir::Binary& operation, const ir::Stmt& stmt, const Origins& origins) {
    if (!is_float32(*operation.lhs) || !is_float32(*operation.rhs)) return false;
    if (is_product(operation.op)) return !origins.is_read_elsewhere(stmt);
    return is_sum(operation.op) && !origins.may_be_product(*operation.lhs, stmt) &&
           !origins.may_be_product(*operation.rhs, stmt);
}

}  // namespace

void round_once(ir::Function& function) {
    if (!function.is_kernel) return;
    const Origins origins(function);
    ir::for_each_stmt(function.body, [&](ir::Stmt& stmt) {
        auto* store = stmt.as<ir::Store>();
        auto* assign = stmt.as<ir::Assign>();
        if (!store && !assign) return;
        ir::ExprPtr& value = store ? store->value : assign->value;
        ir::Binary* operation = rounded(*value);
        if (!operation || !is_same_in_float32(*operation, stmt, origins)) return;
        become_float32(operation->lhs);
        become_float32(operation->rhs);
        ir::ExprPtr narrowed = std::move(value->as<ir::Convert>()->operand);
        narrowed->type = Scalar::float32;
        value = std::move(narrowed);
    });
}

}  // namespace pyk
