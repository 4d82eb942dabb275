#include "advice/counting_loops.h"

#include <algorithm>
#include <cstdlib>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// `for j in …`: what gives `j` the counter, if the body gives it nothing else. Other loops may have a `j` as well.
const ir::Assign* name_of_counter(const ir::ForRange& loop) {
    const auto* first = loop.body.empty() ? nullptr : loop.body.front().as<ir::Assign>();
    if (!first || !ir::is_local(ir::without_conversions(*first->value), loop.counter)) return nullptr;
    size_t assignments = 0;
    ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        assignments += assign && assign->target == first->target;
    });
    return assignments == 1 ? first : nullptr;
}

}  // namespace

CountingLoops::CountingLoops(const ir::Module& module, const ThreadVariables& variables)
    : module_(module), variables_(variables), in_round_(variables.assigned), at_start_(variables.assigned) {}

void CountingLoops::enter(const ir::ForRange& loop) {
    const auto counts = counting(loop);
    if (counts) around_.push_back(*counts);
    if (variables_.spreads.of(*loop.start).axes()) at_start_[loop.counter] = loop.start.get();
    const ir::Assign* const named = name_of_counter(loop);
    if (named) in_round_[named->target] = at_start_[named->target] = named->value.get();
    entered_.push_back({counts.has_value(), named ? std::optional(named->target) : std::nullopt});
}

void CountingLoops::leave() {
    const auto [counts, name] = entered_.back();
    entered_.pop_back();
    if (counts) around_.pop_back();
    if (name) in_round_[*name] = at_start_[*name] = variables_.assigned.at(*name);
}

std::optional<CountingLoop> CountingLoops::counting(const ir::ForRange& loop) const {
    const auto step = ir::integer_value(*loop.step), start = ir::integer_value(*loop.start),
               stop = ir::integer_value(*loop.stop);
    const bool waits = any(ir::effects_of(module_, loop.body) & Effects::barrier);
    if (!step || *step == 0 || waits) return std::nullopt;
    // `range(i, n)` goes where the next thread begins; `range(i, n, 32)` may be as many steps as there are threads.
    const Spread begins = variables_.spreads.of(*loop.start);
    const bool is_common_end = !variables_.spreads.of(*loop.stop).axes();
    if (begins.axes() && (begins.axes() != begins.apart || std::abs(*step) != 1 || !is_common_end)) return std::nullopt;
    if (!start || !stop) return CountingLoop{loop.counter, *step, INT64_MAX};
    const __int128 rounds = (__int128{*stop} - *start + *step - (*step > 0 ? 1 : -1)) / *step;
    return CountingLoop{loop.counter, *step, static_cast<int64_t>(std::min<__int128>(rounds, INT64_MAX))};
}

ThreadAxes axes_of_own_rows(const ir::ForRange& loop, const ThreadVariables& variables) {
    const auto* first = resolved(*loop.start, variables.assigned).as<ir::Element>();
    const auto* next = resolved(*loop.stop, variables.assigned).as<ir::Element>();
    if (!first || !next || !ir::is_same(*first->array, *next->array)) return 0;
    const auto* step = next->indices.back().value->as<ir::Binary>();
    const auto is_next_to = [&](const ir::Expr& place, const ir::Expr& one) {
        return ir::is_same(place, *first->indices.back().value) && ir::integer_value(one) == 1;
    };
    const bool is_next =
        step && step->op == BinaryOp::Add && (is_next_to(*step->lhs, *step->rhs) || is_next_to(*step->rhs, *step->lhs));
    const Spread place = variables.spreads.of(first->indices);
    return is_next && !place.repeated && !place.loaded ? place.apart : ThreadAxes(0);
}

}  // namespace pyk
