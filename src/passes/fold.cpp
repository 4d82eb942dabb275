#include "passes/fold.h"

#include <iterator>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/arithmetic.h"
#include "passes/comparison.h"

namespace pyk {
namespace {

using ir::ExprPtr;

class Folder {
  public:
    explicit Folder(const ir::Module& module) : module_(module) {}

    void block(ir::Block& body) {
        ir::Block result;
        result.reserve(body.size());
        for (ir::Stmt& stmt : body) {
            statement(std::move(stmt), result);
            if (!result.empty() && ir::is_jump(result.back())) break;  // of a branch that is always taken
        }
        body = std::move(result);
    }

  private:
    void statement(ir::Stmt stmt, ir::Block& out) {
        ir::for_each_expr(stmt, [&](ExprPtr& expr) { expression(expr); });
        ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
        auto* branch = stmt.as<ir::If>();
        const auto truth = branch ? truth_of(*branch->condition) : std::nullopt;
        if (!truth) return out.push_back(std::move(stmt));
        ir::Block& taken = *truth ? branch->then : branch->otherwise;
        out.insert(out.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
    }

    void expression(ExprPtr& root) {
        ir::rewrite(root, [&](ExprPtr& expr) { std::visit([&](auto& node) { fold(expr, node); }, expr->node); });
    }

    static std::optional<bool> truth_of(const ir::Expr& expr) {
        const auto* constant = expr.as<ir::Constant>();
        const auto* truth = constant ? std::get_if<bool>(&constant->value) : nullptr;
        return truth ? std::optional(*truth) : std::nullopt;
    }

    static void become(ExprPtr& expr, const ir::ConstantValue& value) { expr->node = ir::Constant{value}; }

    /// A part of an expression takes its place.
    static void become(ExprPtr& expr, ExprPtr& part) {
        ExprPtr kept = std::move(part);
        expr = std::move(kept);
    }

    void fold(ExprPtr& expr, ir::Unary& n) {
        const auto* operand = n.operand->as<ir::Constant>();
        if (!operand) {
            if (n.op == UnaryOp::Not) expr = negation(std::move(n.operand), expr->span);
            return;
        }
        if (auto value = evaluate(n.op, operand->value, n.operand->type)) become(expr, *value);
    }

    void fold(ExprPtr& expr, ir::Binary& n) {
        const auto* lhs = n.lhs->as<ir::Constant>();
        const auto* rhs = n.rhs->as<ir::Constant>();
        const bool is_equality = n.op == BinaryOp::Eq || n.op == BinaryOp::Ne;
        if (is_equality && is_truth(*n.lhs) && !lhs != !rhs)
            return ask(expr, lhs ? n.rhs : n.lhs, truth_of(lhs ? *n.lhs : *n.rhs) == (n.op == BinaryOp::Eq));
        if (!lhs || !rhs) return drop_neutral(expr, n);
        if (auto value = evaluate(n.op, lhs->value, rhs->value, n.lhs->type)) become(expr, *value);
    }

    /// A boolean, and no member of an enumeration of them.
    static bool is_truth(const ir::Expr& expr) { return expr.type == Type(Scalar::boolean); }

    /// The truth itself, or its opposite: of `b == True`, `b != True`.
    static void ask(ExprPtr& expr, ExprPtr& truth, bool itself) {
        if (itself) return become(expr, truth);
        expr = negation(std::move(truth), expr->span);
    }

    /// `x + 0`, `x * 1`, `n * 0` and their like on integers. On floats `x + 0.0` is not `x` (of -0.0).
    static void drop_neutral(ExprPtr& expr, ir::Binary& n) {
        if (!expr->type.is_integer()) return;
        const auto lhs = ir::integer_value(*n.lhs), rhs = ir::integer_value(*n.rhs);
        const bool is_sum = n.op == BinaryOp::Add, is_product = n.op == BinaryOp::Mul;
        if (rhs == 0 && (is_sum || n.op == BinaryOp::Sub)) return become(expr, n.lhs);
        if (rhs == 1 && (is_product || n.op == BinaryOp::FloorDiv)) return become(expr, n.lhs);
        if ((lhs == 0 && is_sum) || (lhs == 1 && is_product)) return become(expr, n.rhs);
        if (is_product && ((lhs == 0 && is_name(*n.rhs)) || (rhs == 0 && is_name(*n.lhs))))
            expr = ir::integer(0, expr->type, expr->span);
    }

    static bool is_name(const ir::Expr& expr) {
        const auto* converted = expr.as<ir::Convert>();
        const ir::Expr& named = converted ? *converted->operand : expr;
        return named.as<ir::LocalRef>() || named.as<ir::ConstantRef>();
    }

    void fold(ExprPtr& expr, ir::Logical& n) {
        if (auto truth = truth_of(*n.lhs)) return *truth == n.is_and ? become(expr, n.rhs) : become(expr, n.lhs);
        if (truth_of(*n.rhs) == n.is_and) become(expr, n.lhs);
    }

    void fold(ExprPtr& expr, ir::Convert& n) {
        if (n.operand->as<ir::MakeTuple>() && expr->type.tuple_kind() == TupleKind::plain)
            return void(expr = ir::convert_items(std::move(n.operand), expr->type));
        const auto* operand = n.operand->as<ir::Constant>();
        if (!operand || !expr->type.is_scalar()) return;
        if (auto value = ir::convert_constant(operand->value, expr->type)) become(expr, *value);
    }

    void fold(ExprPtr& expr, ir::Select& n) {
        if (auto truth = truth_of(*n.condition)) return become(expr, *truth ? n.then : n.otherwise);
        const auto then = truth_of(*n.then), otherwise = truth_of(*n.otherwise);
        if (then && otherwise && then != otherwise && is_truth(*expr) && is_truth(*n.condition))
            ask(expr, n.condition, *then);
    }

    /// An item of a tuple that was just made; the other elements must not do anything.
    void fold(ExprPtr& expr, ir::TupleItem& n) {
        auto* made = n.tuple->as<ir::MakeTuple>();
        if (!made || is_action(ir::effects_of(module_, *n.tuple))) return;
        ExprPtr element = std::move(made->elements[n.index]);
        expr = std::move(element);
    }

    void fold(ExprPtr&, ir::Constant&) {}
    void fold(ExprPtr&, ir::ConstantRef&) {}
    void fold(ExprPtr&, ir::LocalRef&) {}
    void fold(ExprPtr&, ir::BuiltinCall&) {}
    void fold(ExprPtr&, ir::Call&) {}
    void fold(ExprPtr&, ir::MakeTuple&) {}
    void fold(ExprPtr&, ir::TupleAt&) {}
    void fold(ExprPtr&, ir::Element&) {}
    void fold(ExprPtr&, ir::ElementRef&) {}
    void fold(ExprPtr&, ir::View&) {}
    void fold(ExprPtr&, ir::Transpose&) {}
    void fold(ExprPtr&, ir::ShapeOf&) {}
    void fold(ExprPtr&, ir::SizeOf&) {}
    void fold(ExprPtr&, ir::RecordField&) {}
    void fold(ExprPtr&, ir::FieldsOf&) {}

    const ir::Module& module_;
};

}  // namespace

void fold(const ir::Module& module, ir::Function& function) { Folder(module).block(function.body); }

}  // namespace pyk
