#include "passes/words.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/narrow_thread_index.h"

namespace pyk {
namespace {

const Type kWord(Scalar::uint32);
constexpr Wide kLastShift = 31;

bool is_wide(Type type) { return type == Type(Scalar::int64) || type == Type(Scalar::uint64); }
bool is_word(const Interval& values) { return fits(values, kWord); }

/// What people do to bits, rather than to numbers.
bool is_of_bits(BinaryOp op) {
    return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor || op == BinaryOp::CShl ||
           op == BinaryOp::CShr;
}

/// An integer of a type that is no wider, in 64 bits: `int64(x)` of an x: uint32.
const ir::Expr* widened(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    const bool is_small = convert && convert->operand->type.is_integer() && convert->operand->type.bits() <= 32;
    return is_small && is_wide(expr.type) ? convert->operand.get() : nullptr;
}
/// `int64(u)` of a u: uint64, and the other way.
const ir::Convert* with_other_sign(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    return convert && is_wide(expr.type) && is_wide(convert->operand->type) ? convert : nullptr;
}

/// A number of 32 bits that is known.
std::optional<uint32_t> known_word(const ir::Expr& expr, const Ranges& ranges) {
    const Interval values = ranges.of(expr);
    const bool is_known =
        values.is_single() && is_word(values) && (expr.as<ir::Constant>() || expr.as<ir::ConstantRef>());
    return is_known ? std::optional(static_cast<uint32_t>(values.lo)) : std::nullopt;
}
/// `e & 65535`: nobody asks for the upper half of e.
bool is_masked(const ir::Binary& n, const Ranges& ranges) {
    return n.op == BinaryOp::BitAnd && (known_word(*n.lhs, ranges) || known_word(*n.rhs, ranges));
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
            if (known_[i].is_word) types_[i] = std::exchange(function_.locals[i].type, kWord);
        ir::rewrite(function_.body, [&](ir::ExprPtr& expr) { read(expr); });
        ir::for_each_stmt(function_.body, [&](ir::Stmt& stmt) {
            auto* node = stmt.as<ir::Assign>();
            if (node && known(node->target).is_word)
                convert_known(node->value, kWord, ranges_.of(*node->value), ranges_);
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
        return made.type == kWord && is_wide(value.type);
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
        const bool is_cut = expr.as<ir::Convert>() && expr.type == kWord;
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
            if (n.op == BinaryOp::CShl && ranges_.of(*n.rhs).within({0, kLastShift}))
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
        expr->type = kWord;
        convert_known(expr, types_[static_cast<size_t>(ref->id)], values, ranges_);
    }

    ir::Function& function_;
    Ranges& ranges_;
    std::vector<Known> known_;  ///< by local
    std::vector<Type> types_;   ///< likewise: what it was
    bool has_dropped_ = true;
};

/// Which operations have words.
class WordOperations {
  public:
    explicit WordOperations(Ranges& ranges) : ranges_(ranges) {}

    void change(ir::ExprPtr& expr) {
        if (auto* node = expr->as<ir::Convert>()) {
            if (expr->type == kWord && is_wide(node->operand->type) && has_word(*node->operand))
                replace(expr, word(std::move(node->operand)));
        } else if (auto* compared = expr->as<ir::Binary>(); compared && is_comparison(compared->op)) {
            if (is_wide(compared->lhs->type) && are_words(*compared)) {
                compared->lhs = word(std::move(compared->lhs));
                compared->rhs = word(std::move(compared->rhs));
            }
        } else if (is_wide(expr->type) && computes_words(*expr)) {
            const Interval values = ranges_.of(*expr);
            const Type type = expr->type;
            expr = word(std::move(expr));
            convert_known(expr, type, values, ranges_);
        }
    }

  private:
    bool computes_words(const ir::Expr& expr) const {
        if (!is_word(ranges_.of(expr)) || !has_word(expr)) return false;
        const auto* n = expr.as<ir::Binary>();
        return n && (is_masked(*n, ranges_) || is_made_of_small(expr));
    }
    bool are_words(const ir::Binary& n) const {
        const auto is_small = [&](const ir::Expr& operand) {
            const ir::Expr* leaf = widened(operand);
            return is_word(ranges_.of(operand)) && (leaf ? leaf->type.is_unsigned() : is_made_of_small(operand));
        };
        return (has_word(*n.lhs) || has_word(*n.rhs)) && is_small(*n.lhs) && is_small(*n.rhs);
    }

    /// `x CShr 3` of a word, `x TruncMod y` of two.
    bool divides_words(const ir::Binary& n) const {
        const Interval by = ranges_.of(*n.rhs);
        if (n.op == BinaryOp::CShr) return is_word(ranges_.of(*n.lhs)) && by.within({0, kLastShift});
        return (n.op == BinaryOp::TruncDiv || n.op == BinaryOp::TruncMod) && is_word(ranges_.of(*n.lhs)) && is_word(by);
    }
    bool shifts_up(const ir::Binary& n) const {
        return n.op == BinaryOp::CShl && ranges_.of(*n.rhs).within({0, kLastShift});
    }
    /// Calls `test` for what the lower half of an operation comes from; false: not from lower halves alone.
    template <typename Test>
    bool any_operand(const ir::Expr& expr, Test test) const {
        if (const auto* n = expr.as<ir::Unary>())
            return keeps_bits_apart(n->op) && is_wide(n->operand->type) && test(*n->operand);
        if (const auto* n = with_other_sign(expr)) return test(*n->operand);
        const auto* n = expr.as<ir::Binary>();
        if (!n || !is_wide(expr.type)) return false;
        if (shifts_up(*n)) return test(*n->lhs);
        if (n->op == BinaryOp::CShr) return divides_words(*n) && test(*n->lhs);
        return (keeps_bits_apart(n->op) || divides_words(*n)) && (test(*n->lhs) || test(*n->rhs));
    }
    /// Whether there is a word in it that may stay one.
    bool has_word(const ir::Expr& expr) const {
        if (const ir::Expr* small = widened(expr)) return small->type == kWord;
        return any_operand(expr, [&](const ir::Expr& operand) { return has_word(operand); });
    }
    /// Whether nothing in it has to be cut to 32 bits.
    bool is_made_of_small(const ir::Expr& expr) const {
        if (ir::integer_value(expr) || widened(expr)) return true;
        bool is_any = false, is_all = true;
        any_operand(expr, [&](const ir::Expr& operand) {
            is_any = true;
            is_all = is_all && is_made_of_small(operand);
            return false;
        });
        return is_any && is_all;
    }

    /// The lower half.
    ir::ExprPtr word(ir::ExprPtr expr) {
        const Interval values = ranges_.of(*expr);
        const Span span = expr->span;
        ir::ExprPtr result;
        if (widened(*expr)) {
            result = ir::convert(std::move(expr->as<ir::Convert>()->operand), kWord);
        } else if (const auto value = ir::integer_value(*expr); value && expr->as<ir::Constant>()) {
            return ir::integer(static_cast<uint32_t>(*value), kWord, span);
        } else if (with_other_sign(*expr)) {
            result = word(std::move(expr->as<ir::Convert>()->operand));
        } else if (auto* unary = expr->as<ir::Unary>();
                   unary && keeps_bits_apart(unary->op) && is_wide(unary->operand->type)) {
            const UnaryOp op = unary->op;
            result = ir::make(kWord, span, ir::Unary{op, word(std::move(unary->operand))});
        } else if (auto* binary = expr->as<ir::Binary>()) {
            result = word(*binary, span);
        }
        if (!result) result = ir::make(kWord, span, ir::Convert{std::move(expr)});
        if (expr) retired_.push_back(std::move(expr));
        if (is_word(values)) ranges_.set(*result, meet(ranges_.of(*result), values));
        return result;
    }

    ir::ExprPtr word(ir::Binary& n, Span span) {
        const bool shifts = n.op == BinaryOp::CShl || n.op == BinaryOp::CShr;
        if (shifts && (shifts_up(n) || divides_words(n)))
            return ir::make(kWord, span, ir::Binary{n.op, word(std::move(n.lhs)), std::move(n.rhs)});
        if (!keeps_bits_apart(n.op) && !divides_words(n)) return nullptr;
        if (n.op == BinaryOp::BitAnd && known_word(*n.rhs, ranges_) == UINT32_MAX) return word(std::move(n.lhs));
        if (n.op == BinaryOp::BitAnd && known_word(*n.lhs, ranges_) == UINT32_MAX) return word(std::move(n.rhs));
        ir::ExprPtr lhs = word(std::move(n.lhs));
        return ir::make(kWord, span, ir::Binary{n.op, std::move(lhs), word(std::move(n.rhs))});
    }

    void replace(ir::ExprPtr& expr, ir::ExprPtr by) { retired_.push_back(std::exchange(expr, std::move(by))); }

    Ranges& ranges_;
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

void compute_in_words(ir::Function& function, Ranges& ranges) {
    WordLocals(function, ranges).run();
    WordOperations operations(ranges);
    ir::rewrite(function.body, [&](ir::ExprPtr& expr) { operations.change(expr); });
}

}  // namespace pyk
