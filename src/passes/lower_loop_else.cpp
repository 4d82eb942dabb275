#include "passes/lower_loop_else.h"

#include <iterator>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

ir::Stmt assign(ir::LocalId target, bool value, Span span) {
    return {span, ir::Assign{target, ir::boolean(value, span)}};
}

/// Calls `visit(block, position)` for each `break` of the loop that owns the block, last ones first.
template <typename Visit>
void for_each_break(ir::Block& block, const Visit& visit) {
    for (size_t i = block.size(); i-- > 0;) {
        if (block[i].as<ir::Break>()) visit(block, i);
        auto* branch = block[i].as<ir::If>();
        if (branch) for_each_break(branch->then, visit), for_each_break(branch->otherwise, visit);
        auto* tried = block[i].as<ir::Try>();
        if (tried) for_each_break(tried->body, visit), for_each_break(tried->handler, visit);
        if (auto* loop = block[i].as<ir::While>()) for_each_break(loop->orelse, visit);
        if (auto* loop = block[i].as<ir::ForRange>()) for_each_break(loop->orelse, visit);
    }
}

class ElseLowering {
  public:
    explicit ElseLowering(ir::Function& function) : function_(function) {}

    /// Inner blocks last: an `else` block's own `break`s belong to the loop around and must have been seen by it.
    void block(ir::Block& block) {
        ir::Block result;
        for (ir::Stmt& stmt : block) lower(std::move(stmt), result);
        block = std::move(result);
        for (ir::Stmt& stmt : block) ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
    }

  private:
    void lower(ir::Stmt&& stmt, ir::Block& out) {
        if (auto* loop = stmt.as<ir::While>()) return lower_loop(std::move(stmt), *loop, out);
        if (auto* loop = stmt.as<ir::ForRange>()) return lower_loop(std::move(stmt), *loop, out);
        out.push_back(std::move(stmt));
    }

    template <typename Loop>
    void lower_loop(ir::Stmt&& stmt, Loop& loop, ir::Block& out) {
        ir::Block orelse = std::move(loop.orelse);
        loop.orelse.clear();
        const auto broke = orelse.empty() ? std::nullopt : flag_breaks(loop.body, stmt.span);
        const Span span = stmt.span;
        if (broke) out.push_back(assign(*broke, false, span));
        out.push_back(std::move(stmt));
        if (!broke) return append(std::move(orelse), out);
        auto not_broke = ir::unary(UnaryOp::Not, ir::local(function_, *broke, span), span);
        out.push_back({span, ir::If{std::move(not_broke), std::move(orelse), {}}});
    }

    /// What follows may hold loops with an `else` of their own.
    void append(ir::Block orelse, ir::Block& out) {
        for (ir::Stmt& stmt : orelse) lower(std::move(stmt), out);
    }

    /// The flag that each `break` now sets; none where there is no `break`.
    std::optional<ir::LocalId> flag_breaks(ir::Block& body, Span span) {
        std::optional<ir::LocalId> flag;
        for_each_break(body, [&](ir::Block& block, size_t position) {
            if (!flag) flag = ir::add_temporary(function_, "broke", Scalar::boolean, span);
            const auto place = block.begin() + static_cast<std::ptrdiff_t>(position);
            block.insert(place, assign(*flag, true, block[position].span));
        });
        return flag;
    }

    ir::Function& function_;
};

}  // namespace

void lower_loop_else(ir::Function& function) { ElseLowering(function).block(function.body); }

}  // namespace pyk
