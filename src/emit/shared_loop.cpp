#include "emit/shared_loop.h"

#include <algorithm>

#include "emit/cpp_types.h"
#include "ir/build.h"
#include "ir/iterations.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

constexpr int64_t kLongestStep = 1024;
// The counters of a team run past the end by a step of the team's.
constexpr int64_t kLastOfNarrow = int64_t{1} << 30;

/// Ends more than an iteration.
bool jumps(const ir::Block& block, bool in_loop) {
    return std::ranges::any_of(block, [&](const ir::Stmt& stmt) {
        bool found = stmt.as<ir::Return>() || stmt.as<ir::Raise>() || (stmt.as<ir::Break>() && !in_loop);
        ir::for_each_block(stmt, [&](const ir::Block& inner) { found |= jumps(inner, in_loop || ir::is_loop(stmt)); });
        return found;
    });
}

bool counts_plainly(const ir::Module& module, const ir::Function& function, const ir::ForRange& loop) {
    const auto step = ir::integer_value(module, *loop.step);
    if (!loop.orelse.empty() || !step || *step == 0 || std::abs(*step) > kLongestStep) return false;
    const auto stop = ir::integer_value(module, *loop.stop);
    const Type type = function.local(loop.counter).type;
    return type == Type(Scalar::int64) || (stop && std::abs(*stop) < kLastOfNarrow);
}

bool counts_from_zero(const ir::ForRange& loop) {
    return ir::integer_value(*loop.start) == 0 && ir::integer_value(*loop.step) == 1;
}

std::set<ir::LocalId> assigned_by_all(const ir::Block& block) {
    std::set<ir::LocalId> assigned;
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
        if (const auto id = assigned_by(stmt)) assigned.insert(*id);
    });
    return assigned;
}

/// Joined in any order, a sum rounds otherwise at most; the parts of a product may overflow where the whole does not.
bool can_be_joined(ir::ReductionKind kind, Type type) {
    if (is_class(type) || type.is_distinct() || type.is_boolean() || !(type.is_integer() || type.is_float()))
        return false;
    return kind != ir::ReductionKind::product || type.is_integer();
}

}  // namespace

void for_each_element(const ir::Block& block,
                      const std::function<void(const ir::Expr& array, const std::vector<ir::Index>& indices)>& visit) {
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) visit(*store->array, store->indices);
    });
    ir::for_each_expr_deep(block, [&](const ir::Expr& expr) {
        if (const auto* element = expr.as<ir::Element>()) visit(*element->array, element->indices);
    });
}

std::optional<TeamForm::Loop> SharedLoops::shared(const ir::Stmt& stmt) const {
    const auto& loop = *stmt.as<ir::ForRange>();
    if (!counts_plainly(module_, function_, loop) || jumps(loop.body, false)) return std::nullopt;
    if (const ir::ForRange* inner = inner_of(loop)) {
        const Nest both{{&loop, inner}};
        auto found = are_apart(both) ? reductions(stmt, both) : std::nullopt;
        if (found) return TeamForm::Loop{std::move(*found), inner};
    }
    const Nest alone{{&loop}};
    auto found = are_apart(alone) ? reductions(stmt, alone) : std::nullopt;
    if (!found) return std::nullopt;
    return TeamForm::Loop{std::move(*found)};
}

/// Of `for i in range(m): for j in range(n): …`, where nothing else is done for each `i`.
const ir::ForRange* SharedLoops::inner_of(const ir::ForRange& loop) const {
    const auto* inner = loop.body.size() == 1 ? loop.body[0].as<ir::ForRange>() : nullptr;
    const Type type(Scalar::int64);
    if (!inner || !counts_plainly(module_, function_, *inner) || !counts_from_zero(loop) || !counts_from_zero(*inner) ||
        function_.local(loop.counter).type != type || function_.local(inner->counter).type != type)
        return nullptr;
    const std::set<ir::LocalId> assigned = assigned_by_all(loop.body);
    const bool varies = reads(*inner->stop, loop.counter) ||
                        std::ranges::any_of(assigned, [&](ir::LocalId id) { return reads(*inner->stop, id); });
    return varies || jumps(inner->body, false) ? nullptr : inner;
}

// --- variables ------------------------------------------------------------------------------------------------------
/// Each is of one iteration alone, or a reduction.
std::optional<std::vector<ir::Reduction>> SharedLoops::reductions(const ir::Stmt& stmt, const Nest& nest) const {
    std::vector<ir::Reduction> found;
    const ir::Exposed exposed(nest.body());
    for (const ir::LocalId id : assigned_by_all(nest.body())) {
        if (const auto kind = reduction(nest.body(), id)) {
            found.push_back({id, *kind});
        } else if (exposed.reads(id) || liveness_.live_after(stmt, id)) {
            return std::nullopt;
        }
    }
    return found;
}

std::optional<ir::ReductionKind> SharedLoops::reduction(const ir::Block& body, ir::LocalId id) const {
    auto kind = ir::reduction_in(body, id);
    if (kind && !keeps_to_type(body, id, *kind)) return std::nullopt;
    if (!kind) kind = extreme(body, id);
    return kind && can_be_joined(*kind, function_.local(id).type) ? kind : std::nullopt;
}

/// Whether its operations are of the local's own kind of number: what truncates each step is no sum, and what wraps no
/// greatest.
bool SharedLoops::keeps_to_type(const ir::Block& body, ir::LocalId id, ir::ReductionKind kind) const {
    const Type type = function_.local(id).type;
    const bool wraps = kind == ir::ReductionKind::sum || kind == ir::ReductionKind::product;
    const auto keeps_bits = [&](Type of) { return wraps ? of.bits() >= type.bits() : of == type; };
    bool keeps = true;
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (!assign || assign->target != id) return;
        const ir::Expr* value = assign->value.get();
        for (const auto* convert = value->as<ir::Convert>(); convert; convert = value->as<ir::Convert>())
            value = convert->operand.get();
        const Type of = value->type;
        keeps &= of.is_float() == type.is_float() && of.is_integer() == type.is_integer() &&
                 (!of.is_integer() || keeps_bits(of));
    });
    return keeps;
}

/// `if x > a: a = x` and its like, and nothing else with `a`.
std::optional<ir::ReductionKind> SharedLoops::extreme(const ir::Block& body, ir::LocalId id) const {
    std::optional<ir::ReductionKind> kind;
    uint32_t known = 0;
    bool only = true;
    const auto text = [&](const ir::Expr& expr) { return ir::print(module_, function_, expr); };
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
        const auto* branch = stmt.as<ir::If>();
        const auto* compared = branch ? branch->condition->as<ir::Binary>() : nullptr;
        if (!compared || branch->then.size() != 1 || !branch->otherwise.empty()) return;
        const auto* assign = branch->then[0].as<ir::Assign>();
        if (!assign || assign->target != id || reads(*assign->value, id)) return;
        const bool first = ir::is_local(*compared->lhs, id);
        if (!first && !ir::is_local(*compared->rhs, id)) return;
        if (text(first ? *compared->rhs : *compared->lhs) != text(*assign->value)) return;
        const bool less = compared->op == BinaryOp::Lt || compared->op == BinaryOp::Le;
        if (!less && compared->op != BinaryOp::Gt && compared->op != BinaryOp::Ge) return;
        // `x < a` and `a > x` leave the least.
        const auto found = less != first ? ir::ReductionKind::least : ir::ReductionKind::greatest;
        only &= !kind || *kind == found;
        kind = found;
        ++known;
    });
    if (!only || known != count_reads(body, id) || known != count_writes(body, id)) return std::nullopt;
    return kind;
}

// --- elements -------------------------------------------------------------------------------------------------------
/// Whether different iterations have different elements of each array that the body stores to.
bool SharedLoops::are_apart(const Nest& nest) const {
    bool apart = true;
    ir::for_each_stmt(nest.body(), [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        if (store && axes_of(nest, store->array->as<ir::LocalRef>()->id).empty()) apart = false;
    });
    return apart;
}

std::vector<size_t> SharedLoops::axes_of(const ir::ForRange& loop, const TeamForm::Loop& form,
                                         ir::LocalId array) const {
    return form.inner ? axes_of(Nest{{&loop, form.inner}}, array) : axes_of(Nest{{&loop}}, array);
}

/// The axis of each loop's counter in every access to the array; empty: some access has another index there.
std::vector<size_t> SharedLoops::axes_of(const Nest& nest, ir::LocalId array) const {
    std::vector<size_t> axes;
    for (const ir::ForRange* loop : nest.loops) {
        const auto ndim = static_cast<size_t>(function_.local(array).type.ndim());
        std::vector<bool> fits(ndim, true);
        const auto look = [&](const ir::Expr& of, const std::vector<ir::Index>& indices) {
            const auto* ref = of.as<ir::LocalRef>();
            if (!ref || ref->id != array) return;
            for (size_t axis = 0; axis < ndim; ++axis)
                if (indices[axis].wraps || !is_counter(*indices[axis].value, *loop, nest.body())) fits[axis] = false;
        };
        for_each_element(nest.body(), look);
        const auto found = std::ranges::find(fits, true);
        if (found == fits.end()) return {};
        axes.push_back(static_cast<size_t>(found - fits.begin()));
    }
    return axes;
}

// The author's name as `enumerate` leaves it.
bool SharedLoops::is_counter(const ir::Expr& expr, const ir::ForRange& loop, const ir::Block& body) const {
    const auto* ref = expr.as<ir::LocalRef>();
    if (!ref || ref->id == loop.counter) return ref != nullptr;
    const auto* first = body.empty() ? nullptr : body.front().as<ir::Assign>();
    const auto* value = first && first->target == ref->id ? first->value->as<ir::LocalRef>() : nullptr;
    return value && value->id == loop.counter && count_writes(body, ref->id) == 1;
}

}  // namespace pyk::emitter
