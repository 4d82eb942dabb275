#include "passes/word_locals.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/walk.h"
#include "passes/narrow_thread_index.h"
#include "passes/narrow_words.h"

namespace pyk {
namespace {

/// What people do to bits, rather than to numbers.
bool is_of_bits(BinaryOp op) {
    return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor || op == BinaryOp::CShl ||
           op == BinaryOp::CShr;
}

/// Which variables hold words.
class WordLocals {
  public:
    WordLocals(ir::Function& function, Ranges& ranges)
        : function_(function), ranges_(ranges), known_(function.locals.size()) {}

    void run() {
        gather();
        if (std::ranges::none_of(known_, &Known::is_word)) return;
        while (std::exchange(has_dropped_, false)) look(function_.body);
        if (std::ranges::none_of(known_, &Known::is_word)) return;
        types_.resize(known_.size());
        for (size_t i = 0; i < known_.size(); ++i)
            if (known_[i].is_word) types_[i] = std::exchange(function_.locals[i].type, Scalar::uint32);
        ir::rewrite(function_.body, [&](ir::ExprPtr& expr) { read(expr); });
        ir::for_each_stmt(function_.body, [&](ir::Stmt& stmt) {
            auto* node = stmt.as<ir::Assign>();
            if (node && known(node->target).is_word)
                convert_known(node->value, Scalar::uint32, ranges_.of(*node->value), ranges_);
        });
    }

  private:
    struct Known {
        bool is_word = false;  ///< may be one
        bool is_assigned_in_loop = false;
        bool is_thread_index = false;
        bool is_bits = false;  ///< some value is made of bits, or was a word before
    };
    /// Of an expression: its lower half, or all of it; also as an operand, which is as wide as the operation.
    enum class Wanted : uint8_t { lower_half, all, operand };

    Known& known(ir::LocalId id) { return known_[static_cast<size_t>(id)]; }

    void gather() {
        for (bool is_more = true; std::exchange(is_more, false);)
            ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
                const auto* node = stmt.as<ir::Assign>();
                if (!node) return;
                Known& of = known(node->target);
                of.is_thread_index |= is_thread_index(*node->value);
                if (!of.is_bits && is_made_of_bits(*node->value)) of.is_bits = is_more = true;
            });
        ir::for_each_stmt_in_loops(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* node = stmt.as<ir::Assign>()) known(node->target).is_assigned_in_loop = true;
        });
        for (size_t i = 0; i < known_.size(); ++i) {
            const ir::Local& local = function_.locals[i];
            const bool is_ours = local.storage == ir::Storage::variable || local.storage == ir::Storage::temporary;
            known_[i].is_word = is_ours && is_wide(local.type) && known_[i].is_bits && !known_[i].is_thread_index;
        }
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* loop = stmt.as<ir::ForRange>()) known(loop->counter).is_word = false;
        });
    }
    bool is_made_of_bits(const ir::Expr& value) {
        const ir::Expr& made = ir::without_conversions(value);
        if (const auto* ref = made.as<ir::LocalRef>(); ref && known(ref->id).is_bits) return true;
        if (const auto* binary = made.as<ir::Binary>()) return is_wide(made.type) && is_of_bits(binary->op);
        if (made.as<ir::Constant>()) return is_mask(made);
        return made.type == Scalar::uint32 && is_wide(value.type);
    }

    /// What no int holds, as 0xffffffff.
    bool is_mask(const ir::Expr& constant) const {
        const Interval value = ranges_.of(constant);
        return is_wide(constant.type) && is_word(value) && !fits(value, Scalar::int32);
    }

    // --- where they are read
    void look(const ir::Block& block) {
        ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const bool is_of_word = assign && known(assign->target).is_word;
            ir::for_each_expr(stmt,
                              [&](const ir::Expr& expr) { look(expr, is_of_word ? Wanted::lower_half : Wanted::all); });
        });
    }
    void look(const ir::Expr& expr, Wanted wanted) {
        if (const auto* ref = expr.as<ir::LocalRef>()) return look(known(ref->id), ranges_.of(expr), wanted);
        const bool is_lower = wanted == Wanted::lower_half || (is_wide(expr.type) && is_word(ranges_.of(expr)));
        const Wanted inside = is_lower ? Wanted::lower_half : Wanted::operand;
        if (const auto* node = expr.as<ir::Binary>()) return look(expr, *node, inside);
        if (const auto* node = expr.as<ir::Unary>(); node && is_wide(expr.type))
            return look(*node->operand, keeps_bits_apart(node->op) ? inside : Wanted::operand);
        if (const auto* node = with_other_sign(expr))
            return look(*node->operand, is_lower ? Wanted::lower_half : wanted);
        const bool is_cut = expr.as<ir::Convert>() && expr.type == Scalar::uint32;
        const bool is_operand = expr.as<ir::BuiltinCall>() || expr.as<ir::Select>() || expr.as<ir::MakeTuple>();
        const Wanted of_children = is_cut ? Wanted::lower_half : is_operand ? Wanted::operand : Wanted::all;
        ir::for_each_child(expr, [&](const ir::Expr& child) { look(child, of_children); });
    }
    void look(const ir::Expr& expr, const ir::Binary& n, Wanted inside) {
        const auto by_value = [&](const ir::Expr& operand) {
            look(operand, is_word(ranges_.of(operand)) ? Wanted::lower_half : Wanted::operand);
        };
        const bool shifts = n.op == BinaryOp::CShl || n.op == BinaryOp::CShr;
        if (!is_wide(n.lhs->type) || is_comparison(n.op)) {
            look(*n.lhs, Wanted::all), look(*n.rhs, Wanted::all);
        } else if (shifts) {
            if (n.op == BinaryOp::CShl && ranges_.of(*n.rhs).within({0, kLastShiftOfWord}))
                look(*n.lhs, inside);
            else
                by_value(*n.lhs);
            look(*n.rhs, Wanted::all);
        } else if (keeps_bits_apart(n.op)) {
            const Wanted of_operands = is_masked(n, ranges_) ? Wanted::lower_half : inside;
            look(*n.lhs, of_operands), look(*n.rhs, of_operands);
        } else if (is_word(ranges_.of(*n.lhs)) && is_word(ranges_.of(*n.rhs)) && is_wide(expr.type)) {
            by_value(*n.lhs), by_value(*n.rhs);
        } else {
            look(*n.lhs, Wanted::operand), look(*n.rhs, Wanted::operand);
        }
    }
    void look(Known& local, const Interval& values, Wanted wanted) {
        const bool is_right = wanted == Wanted::lower_half || is_word(values);
        const bool costs_nothing = wanted != Wanted::operand || local.is_assigned_in_loop;
        if (!local.is_word || (is_right && costs_nothing)) return;
        local.is_word = false;
        has_dropped_ = true;
    }

    void read(ir::ExprPtr& expr) {
        const auto* ref = expr->as<ir::LocalRef>();
        if (!ref || !known(ref->id).is_word) return;
        const Interval values = ranges_.of(*expr);
        expr->type = Scalar::uint32;
        convert_known(expr, types_[static_cast<size_t>(ref->id)], values, ranges_);
    }

    ir::Function& function_;
    Ranges& ranges_;
    std::vector<Known> known_;  ///< by local
    std::vector<Type> types_;   ///< likewise: what it was
    bool has_dropped_ = true;
};

}  // namespace

void make_word_locals(ir::Function& function, Ranges& ranges) { WordLocals(function, ranges).run(); }

}  // namespace pyk
