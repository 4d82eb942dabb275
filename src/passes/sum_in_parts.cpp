#include "passes/sum_in_parts.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/addend.h"
#include "passes/usage.h"

namespace pyk {
namespace {

constexpr Wide kMostAdded = 1 << 16;  ///< in an iteration: an int32 lasts for many
constexpr Wide kFewTrips = 64;        ///< of a loop that is not worth it

/// A local that a loop only adds to.
struct Sum {
    ir::LocalId total{};
    Wide added = 0;  ///< the most in an iteration
    std::vector<ir::Stmt*> stmts = {};
};

class Parts {
  public:
    Parts(ir::Function& function, Ranges& ranges) : function_(function), ranges_(ranges) {}

    void block(ir::Block& block) {
        for (ir::Stmt& stmt : block) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            if (auto* loop = stmt.as<ir::ForRange>(); loop && can_split(*loop)) split(stmt, *loop);
        }
    }

  private:
    void split(ir::Stmt& stmt, ir::ForRange& loop) {
        const std::vector<Sum> sums = sums_of(loop);
        if (sums.empty()) return;
        Wide most = 1;
        for (const Sum& sum : sums) most = std::max(most, sum.added);
        const auto lasts = static_cast<uint64_t>(std::numeric_limits<int32_t>::max() / most);
        stmt = in_parts(std::move(stmt), sums, static_cast<int64_t>(std::bit_floor(lasts)));
    }

    /// One after the other, to the end, not counting from so far that parts could leave the counter's type.
    bool can_split(const ir::ForRange& loop) const {
        if (loop.is_parallel || !loop.orelse.empty() || ir::has_loop(loop.body)) return false;
        if (ir::integer_value(*loop.step) != 1) return false;
        const Interval start = ranges_.of(*loop.start), stop = ranges_.of(*loop.stop);
        if (loop.start->type != Type(Scalar::int64) || !fits(start, Scalar::int32)) return false;
        if (stop.hi - start.lo <= kFewTrips) return false;
        bool leaves = false, loads = false;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) { leaves = leaves || stmt.as<ir::Break>(); });
        ir::for_each_expr_deep(loop.body, [&](const ir::Expr& expr) {
            loads = loads || (expr.as<ir::Element>() && expr.type.is_scalar() && expr.type.bits() <= 32);
        });
        return loads && !leaves;
    }

    std::vector<Sum> sums_of(ir::ForRange& loop) const {
        std::vector<Sum> sums;
        note_sums(loop.body, sums);
        std::erase_if(sums, [&](const Sum& sum) {
            return sum.added == 0 || sum.added > kMostAdded || count_reads(loop.body, sum.total) != sum.stmts.size() ||
                   count_writes(loop.body, sum.total) != sum.stmts.size();
        });
        return sums;
    }
    void note_sums(ir::Block& block, std::vector<Sum>& sums) const {
        for (ir::Stmt& stmt : block) {
            const ir::ExprPtr* addend = addend_of(stmt);
            if (addend && (*addend)->type == Type(Scalar::int64)) {
                const ir::LocalId total = stmt.as<ir::Assign>()->target;
                auto sum = std::ranges::find(sums, total, &Sum::total);
                if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{total});
                const Interval added = ranges_.of(**addend);
                sum->added += std::max(added.hi, -added.lo);
                sum->stmts.push_back(&stmt);
            }
            ir::for_each_block(stmt, [&](ir::Block& inner) { note_sums(inner, sums); });
        }
    }

    ir::Stmt in_parts(ir::Stmt inner, const std::vector<Sum>& sums, int64_t length) {
        const Span span = inner.span;
        auto& loop = *inner.as<ir::ForRange>();
        const ir::LocalId first =
            ir::add_temporary(function_, function_.local(loop.counter).name + "_first", Scalar::int64, span);
        ir::ForRange outer{
            first, std::move(loop.start), ir::clone(*loop.stop), ir::integer(length, Scalar::int64, span), {}, {}};
        std::vector<ir::ExprPtr> ends;
        ends.push_back(ir::binary(BinaryOp::Add, ir::local(function_, first, span),
                                  ir::integer(length, Scalar::int64, span), span));
        ends.push_back(std::move(loop.stop));
        loop.start = ir::local(function_, first, span);
        loop.stop = ir::applied("min", Scalar::int64, std::move(ends), span);
        ir::Block joined;
        for (const Sum& sum : sums) {
            const ir::LocalId part =
                ir::add_temporary(function_, function_.local(sum.total).name + "_part", Scalar::int32, span);
            for (ir::Stmt* stmt : sum.stmts) add_to_part(*stmt->as<ir::Assign>(), part);
            outer.body.push_back({span, ir::Assign{part, ir::integer(0, Scalar::int32, span)}});
            ir::ExprPtr added = ir::convert(ir::local(function_, part, span), Scalar::int64);
            joined.push_back(
                {span, ir::Assign{sum.total, ir::binary(BinaryOp::Add, ir::local(function_, sum.total, span),
                                                        std::move(added), span)}});
        }
        outer.body.push_back(std::move(inner));
        std::ranges::move(joined, std::back_inserter(outer.body));
        return {span, std::move(outer)};
    }
    /// The nodes stay at their addresses, which `ranges_` knows them by.
    void add_to_part(ir::Assign& assign, ir::LocalId part) {
        assign.target = part;
        auto& sum = *assign.value->as<ir::Binary>();
        const Interval added = ranges_.of(*sum.rhs);
        const Span span = sum.rhs->span;
        sum.rhs = ir::make(Scalar::int32, span, ir::Convert{std::move(sum.rhs)});
        ranges_.set(*sum.rhs, added);
        sum.lhs->as<ir::LocalRef>()->id = part;
        for (ir::Expr* expr : {assign.value.get(), sum.lhs.get()}) {
            expr->type = Scalar::int32;
            ranges_.set(*expr, all_of(expr->type));
        }
    }

    ir::Function& function_;
    Ranges& ranges_;
};

}  // namespace

void sum_in_parts(ir::Function& function, Ranges& ranges) { Parts(function, ranges).block(function.body); }

}  // namespace pyk
