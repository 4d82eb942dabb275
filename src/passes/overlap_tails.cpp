#include "passes/overlap_tails.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/iterations.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

constexpr int64_t kTail = 64;           ///< iterations, as tail_cpu.h has it
constexpr int kMostBits = 16;           ///< of an element: of wider ones, few are left behind the vectors
constexpr int64_t kMostInner = 8;       ///< trips of a loop in the body: over neighbours
constexpr size_t kMostStatements = 12;  ///< that are written twice
constexpr size_t kFewestLoads = 2;      ///< of an iteration that takes longer alone than its part of the tail
constexpr size_t kMostPairs = 4;        ///< of arrays that are told apart
constexpr int64_t kFarthest = 1 << 16;  ///< neighbour: whose counter has a neighbour in memory is far from overflow
constexpr BuiltinName kCalls[] = {"abs", "max", "min", "pyk.clamped"};

/// A loop for which g++ has SIMD, and whose iterations may be taken twice: in order, what was stored or assigned last
/// still is.
class Row {
  public:
    /// `by_rows`: what is assigned in the loop that this one is in.
    Row(const ir::Function& function, const ir::ForRange& loop, const LocalSet& by_rows)
        : function_(function), loop_(loop), by_rows_(by_rows), changed_(assigned_in(function, loop.body)) {
        changed_.insert(loop.counter);
        moving_ = changed_;
    }

    bool can_overlap() {
        if (loop_.is_parallel || !loop_.orelse.empty() || ir::integer_value(*loop_.step) != 1) return false;
        if (loop_.stop->type != Type(Scalar::int64) || ir::integer_value(*loop_.stop)) return false;
        if (!is_invariant(*loop_.start, by_rows_) || !is_invariant(*loop_.stop, by_rows_)) return false;
        for (const ir::Stmt& stmt : loop_.body) {
            const auto* store = stmt.as<ir::Store>();
            if (store ? !stores(*store) : !is_plain(stmt)) return false;
        }
        return has_place_ && loads_ >= kFewestLoads && statements_ <= kMostStatements &&
               stored_.size() * loaded_.size() <= kMostPairs &&
               std::ranges::none_of(loaded_, [&](ir::LocalId id) { return contains(stored_, id); }) && is_fresh();
    }
    const std::vector<ir::LocalId>& stored() const { return stored_; }
    const std::vector<ir::LocalId>& loaded() const { return loaded_; }

  private:
    static bool contains(const std::vector<ir::LocalId>& ids, ir::LocalId id) {
        return std::ranges::find(ids, id) != ids.end();
    }

    /// Whether nothing but memory and what is not changed leads from one iteration to the next.
    bool is_fresh() const {
        const ir::Exposed exposed(loop_.body);
        bool result = true;
        ir::for_each_stmt(loop_.body, [&](const ir::Stmt& stmt) {
            const auto id = assigned_by(stmt);
            result = result && (!id || (*id != loop_.counter && !exposed.reads(*id)));
        });
        return result;
    }

    bool is_plain(const ir::Stmt& stmt) {
        ++statements_;
        bool result = true;
        if (const auto* loop = stmt.as<ir::ForRange>()) {
            const auto start = ir::integer_value(*loop->start), stop = ir::integer_value(*loop->stop);
            if (loop->is_parallel || !loop->orelse.empty() || ir::integer_value(*loop->step) != 1) return false;
            if (!start || !stop || *stop - *start > kMostInner) return false;
            moving_.erase(loop->counter);
            ++loads_;
        } else if (!stmt.as<ir::Assign>() && !stmt.as<ir::If>()) {
            return false;
        }
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { result = result && is_plain(expr); });
        ir::for_each_block(stmt, [&](const ir::Block& block) {
            for (const ir::Stmt& inner : block) result = result && is_plain(inner);
        });
        return result;
    }

    bool is_plain(const ir::Expr& expr) {
        if (const auto* element = expr.as<ir::Element>()) return loads(*element);
        if (expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>()) return is_invariant(expr, changed_);
        if (!expr.type.is_integer() && !expr.type.is_boolean()) return false;
        const auto* binary = expr.as<ir::Binary>();
        const auto* call = expr.as<ir::BuiltinCall>();
        if (binary && (ir::may_divide_by_zero(*binary) || binary->op == BinaryOp::Pow)) return false;
        if (call && !is_one_of(*call->builtin, kCalls)) return false;
        bool result = binary || call || expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() ||
                      expr.as<ir::LocalRef>() || expr.as<ir::Unary>() || expr.as<ir::Convert>() ||
                      expr.as<ir::Select>() || expr.as<ir::Logical>();
        ir::for_each_child(expr, [&](const ir::Expr& child) { result = result && is_plain(child); });
        return result;
    }

    bool loads(const ir::Element& element) {
        if (!is_in_a_row(*element.array, element.indices)) return false;
        const ir::LocalId array = element.array->as<ir::LocalRef>()->id;
        if (!contains(loaded_, array)) loaded_.push_back(array);
        ++loads_;
        return true;
    }
    bool stores(const ir::Store& store) {
        ++statements_;
        if (!is_in_a_row(*store.array, store.indices) || !is_plain(*store.value)) return false;
        has_place_ = has_place_ || is_place(*store.indices.back().value);
        const ir::LocalId array = store.array->as<ir::LocalRef>()->id;
        if (!contains(stored_, array)) stored_.push_back(array);
        return true;
    }

    /// Whether the elements of small integers that iterations take are side by side.
    bool is_in_a_row(const ir::Expr& array, const std::vector<ir::Index>& indices) const {
        const auto* ref = array.as<ir::LocalRef>();
        if (!ref || by_rows_.contains(ref->id) || array.type.layout() != Layout::C) return false;
        const ir::Storage storage = function_.local(ref->id).storage;
        if (storage == ir::Storage::shared || storage == ir::Storage::local) return false;
        const Type element = array.type.element();
        if (!element.is_boolean() && (!element.is_integer() || element.bits() > kMostBits)) return false;
        if (std::ranges::any_of(indices, &ir::Index::wraps)) return false;
        const bool is_one_row = std::all_of(indices.begin(), indices.end() - 1, [&](const ir::Index& index) {
            return is_invariant(*index.value, moving_);
        });
        return is_one_row && moves(*indices.back().value);
    }
    /// With the counter, by 1.
    bool moves(const ir::Expr& index) const {
        if (const auto* ref = index.as<ir::LocalRef>()) return ref->id == loop_.counter;
        const auto* sum = index.as<ir::Binary>();
        if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
        if (is_invariant(*sum->rhs, moving_)) return moves(*sum->lhs);
        return sum->op == BinaryOp::Add && is_invariant(*sum->lhs, moving_) && moves(*sum->rhs);
    }
    /// Near the counter, which is a place in memory then, or nearly.
    bool is_place(const ir::Expr& index) const {
        if (const auto* ref = index.as<ir::LocalRef>()) return ref->id == loop_.counter;
        const auto* sum = index.as<ir::Binary>();
        const auto offset = sum ? ir::integer_value(*sum->rhs) : std::nullopt;
        return offset && std::abs(*offset) <= kFarthest && sum->lhs->as<ir::LocalRef>();
    }

    const ir::Function& function_;
    const ir::ForRange& loop_;
    const LocalSet& by_rows_;
    LocalSet changed_;  ///< by the loop
    LocalSet moving_;   ///< likewise, but for the counters of loops in it
    std::vector<ir::LocalId> stored_, loaded_;
    size_t statements_ = 0, loads_ = 0;
    bool has_place_ = false;
};

class Overlapping {
  public:
    explicit Overlapping(ir::Function& function) : function_(function) {}

    void block(ir::Block& block) {
        ir::Block result;
        for (ir::Stmt& stmt : block) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            if (auto* rows = stmt.as<ir::ForRange>()) overlap_in(*rows, result);
            result.push_back(std::move(stmt));
        }
        block = std::move(result);
    }

  private:
    void overlap_in(ir::ForRange& rows, ir::Block& before) {
        LocalSet changed = assigned_in(function_, rows.body);
        changed.insert(rows.counter);
        ir::Block result;
        for (ir::Stmt& stmt : rows.body) {
            if (const auto* loop = stmt.as<ir::ForRange>()) {
                Row row(function_, *loop, changed);
                if (row.can_overlap()) {
                    overlap(stmt, row, before, result);
                    continue;
                }
            }
            result.push_back(std::move(stmt));
        }
        rows.body = std::move(result);
    }
    void overlap(ir::Stmt& stmt, const Row& row, ir::Block& before, ir::Block& result) {
        auto& loop = *stmt.as<ir::ForRange>();
        const Span span = stmt.span;
        const ir::LocalId end =
            ir::add_temporary(function_, function_.local(loop.counter).name + "_end", Scalar::int64, span);
        std::vector<ir::ExprPtr> bounds;
        bounds.push_back(ir::clone(*loop.start));
        bounds.push_back(ir::clone(*loop.stop));
        bounds.push_back(are_disjoint(row, span));
        before.push_back({span, ir::Assign{end, ir::applied("pyk.tail_at", Scalar::int64, std::move(bounds), span)}});
        ir::If rest{ir::binary(BinaryOp::Lt, ir::local(function_, end, span), ir::clone(*loop.stop), span), {}, {}};
        rest.then.push_back({span, tail(loop, span)});
        loop.stop = ir::local(function_, end, span);
        result.push_back(std::move(stmt));
        result.push_back({span, std::move(rest)});
    }
    ir::ExprPtr are_disjoint(const Row& row, Span span) const {
        ir::ExprPtr result;
        for (const ir::LocalId stored : row.stored())
            for (const ir::LocalId loaded : row.loaded()) {
                std::vector<ir::ExprPtr> arrays;
                arrays.push_back(ir::local(function_, stored, span));
                arrays.push_back(ir::local(function_, loaded, span));
                ir::ExprPtr two = ir::applied("pyk.disjoint", Scalar::boolean, std::move(arrays), span);
                result = result ? ir::make(Scalar::boolean, span, ir::Logical{true, std::move(result), std::move(two)})
                                : std::move(two);
            }
        return result;
    }

    ir::ForRange tail(const ir::ForRange& loop, Span span) {
        const ir::LocalId k = ir::add_temporary(function_, "k", Scalar::int64, span),
                          here = ir::add_temporary(function_, function_.local(loop.counter).name, Scalar::int64, span);
        ir::ForRange result{k, number(0, span), number(kTail, span), number(1, span), ir::clone(loop.body), {}};
        ir::rewrite(result.body, [&](ir::ExprPtr& expr) {
            auto* ref = expr->as<ir::LocalRef>();
            if (ref && ref->id == loop.counter) ref->id = here;
        });
        ir::ExprPtr first = ir::binary(BinaryOp::Sub, ir::clone(*loop.stop), number(kTail, span), span);
        result.body.insert(result.body.begin(),
                           ir::Stmt{span, ir::Assign{here, ir::binary(BinaryOp::Add, std::move(first),
                                                                      ir::local(function_, k, span), span)}});
        return result;
    }
    static ir::ExprPtr number(int64_t value, Span span) { return ir::integer(value, Scalar::int64, span); }

    ir::Function& function_;
};

}  // namespace

void overlap_tails(ir::Function& function) { Overlapping(function).block(function.body); }

}  // namespace pyk
