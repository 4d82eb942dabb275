#include "passes/narrow_constants.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// How often a constant is read.
struct Reads {
    size_t all = 0;
    size_t as_int = 0;
    size_t beside_int64 = 0;  ///< where C++ converts an int unasked

    bool are_of_int() const { return as_int > 0 && as_int + beside_int64 == all; }
};

/// What is an int64 in C++ too, whatever stands beside it.
bool is_firm(const ir::Expr& expr) {
    const bool is_one = expr.as<ir::LocalRef>() || expr.as<ir::Element>() || expr.as<ir::ShapeOf>();
    return is_one && expr.type == Type(Scalar::int64);
}

bool converts_operands(BinaryOp op) { return is_comparison(op) || is_division(op) || keeps_bits_apart(op); }

class ConstantReads {
  public:
    explicit ConstantReads(const ir::Module& module) : reads_(module.constants.size()) {
        for (const ir::Function& function : module.functions)
            ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) { count(expr); });
    }
    const Reads& of(size_t constant) const { return reads_[constant]; }

  private:
    Reads* reads_of(const ir::Expr& expr) {
        const auto* ref = expr.as<ir::ConstantRef>();
        return ref ? &reads_[static_cast<size_t>(ref->id)] : nullptr;
    }

    void count(const ir::Expr& expr) {
        if (Reads* reads = reads_of(expr)) ++reads->all;
        if (const auto* n = expr.as<ir::Convert>(); n && expr.type == Type(Scalar::int32))
            if (Reads* reads = reads_of(*n->operand)) ++reads->as_int;
        const auto* n = expr.as<ir::Binary>();
        if (!n || !converts_operands(n->op)) return;
        for (const auto& [one, other] : {std::pair(&n->lhs, &n->rhs), std::pair(&n->rhs, &n->lhs)})
            if (Reads* reads = is_firm(**other) ? reads_of(**one) : nullptr) ++reads->beside_int64;
    }

    std::vector<Reads> reads_;
};

}  // namespace

void narrow_constants(ir::Module& module) {
    if (module.constants.empty()) return;
    const ConstantReads reads(module);
    std::vector<bool> narrowed;
    for (size_t i = 0; i < module.constants.size(); ++i) {
        ir::ModuleConstant& constant = module.constants[i];
        narrowed.push_back(constant.type == Type(Scalar::int64) && reads.of(i).are_of_int());
        if (narrowed.back()) constant.type = Scalar::int32;
    }
    if (std::ranges::find(narrowed, true) == narrowed.end()) return;
    for (ir::Function& function : module.functions)
        ir::rewrite(function.body, [&](ir::ExprPtr& expr) {
            if (auto* outer = expr->as<ir::Convert>(); outer && expr->type == Type(Scalar::int32))
                if (auto* inner = outer->operand->as<ir::Convert>(); inner && inner->operand->as<ir::ConstantRef>()) {
                    ir::ExprPtr constant = std::move(inner->operand);
                    expr = ir::convert(std::move(constant), Scalar::int32);
                }
            const auto* ref = expr->as<ir::ConstantRef>();
            if (!ref || !narrowed[static_cast<size_t>(ref->id)] || expr->type != Type(Scalar::int64)) return;
            expr->type = Scalar::int32;
            expr = ir::convert(std::move(expr), Scalar::int64);
        });
}

}  // namespace pyk
