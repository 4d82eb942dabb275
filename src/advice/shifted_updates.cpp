#include "advice/shifted_updates.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/thread_spread.h"

namespace pyk {
namespace {

using Assigned = std::map<ir::LocalId, const ir::Expr*>;

/// A sum of multiples of expressions, and a number.
struct Linear {
    std::vector<std::pair<const ir::Expr*, int64_t>> terms;
    int64_t number = 0;

    void add(const ir::Expr& term, int64_t times) {
        const auto known = std::ranges::find_if(terms, [&](const auto& t) { return ir::is_same(*t.first, term); });
        if (known == terms.end())
            terms.emplace_back(&term, times);
        else
            known->second += times;
    }
    int64_t times(const ir::Expr& term) const {
        const auto known = std::ranges::find_if(terms, [&](const auto& t) { return ir::is_same(*t.first, term); });
        return known == terms.end() ? 0 : known->second;
    }
};

void add(Linear& to, const ir::Expr& expr, int64_t times, const Assigned& assigned, int depth = 0) {
    constexpr int kDeepest = 8;
    constexpr int64_t kMost = int64_t(1) << 24;
    if (const auto* n = expr.as<ir::Convert>()) return add(to, *n->operand, times, assigned, depth);
    const auto number = ir::integer_value(expr);
    if (number && *number > -kMost && *number < kMost) {
        to.number += *number * times;
        return;
    }
    if (const auto* n = expr.as<ir::Binary>()) {
        if (n->op == BinaryOp::Add || n->op == BinaryOp::Sub) {
            add(to, *n->lhs, times, assigned, depth);
            return add(to, *n->rhs, n->op == BinaryOp::Add ? times : -times, assigned, depth);
        }
        // On a ring neighbours are the same: `(i + 1) % n`.
        if (n->op == BinaryOp::Mod) return add(to, *n->lhs, times, assigned, depth);
        for (const auto& [factor, other] : {std::pair(&n->lhs, &n->rhs), std::pair(&n->rhs, &n->lhs)})
            if (const auto known = n->op == BinaryOp::Mul ? ir::integer_value(**factor) : std::nullopt;
                known && *known > -kMost && *known < kMost && times > -kMost && times < kMost)
                return add(to, **other, times * *known, assigned, depth);
    }
    if (const auto* local = expr.as<ir::LocalRef>(); local && depth < kDeepest)
        if (const auto known = assigned.find(local->id); known != assigned.end() && known->second)
            return add(to, *known->second, times, assigned, depth + 1);
    to.add(expr, times);
}

std::vector<Linear> linear(const std::vector<ir::Index>& indices, const Assigned& assigned) {
    std::vector<Linear> all(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) add(all[i], *indices[i].value, 1, assigned);
    return all;
}

/// The thread's number along an axis of its block, by which its neighbour has one more.
bool is_of_thread(const ir::Expr& term) {
    const auto* call = term.as<ir::BuiltinCall>();
    return call && (axes_of(*call->builtin) & kBlockAxes) &&
           (call->builtin->name.starts_with("cuda.grid.") || call->builtin->name.starts_with("cuda.threadIdx."));
}

/// Whether another thread, by one of its numbers, is where this one is that far away.
bool is_reached(const std::vector<Linear>& place, const std::vector<int64_t>& away) {
    if (std::ranges::all_of(away, [](int64_t distance) { return distance == 0; })) return false;
    std::vector<const ir::Expr*> threads;
    for (const Linear& axis : place)
        for (const auto& [term, times] : axis.terms)
            if (is_of_thread(*term)) threads.push_back(term);
    return std::ranges::any_of(threads, [&](const ir::Expr* thread) {
        std::optional<int64_t> threads_away;
        for (size_t i = 0; i < place.size(); ++i) {
            const int64_t times = place[i].times(*thread);
            if (times == 0 ? away[i] != 0 : away[i] % times != 0) return false;
            if (times == 0) continue;
            if (threads_away && *threads_away != away[i] / times) return false;
            threads_away = away[i] / times;
        }
        return threads_away && *threads_away != 0;
    });
}

/// How far the second is from the first, whatever the thread; empty: unknown.
std::vector<int64_t> distance(const std::vector<Linear>& first, const std::vector<Linear>& second) {
    std::vector<int64_t> away;
    for (size_t i = 0; i < first.size(); ++i) {
        const bool are_alike =
            first[i].terms.size() == second[i].terms.size() &&
            std::ranges::all_of(first[i].terms, [&](const auto& t) { return second[i].times(*t.first) == t.second; });
        if (!are_alike) return {};
        away.push_back(second[i].number - first[i].number);
    }
    return away;
}

/// Whether a round of the loop is where an earlier one of another thread was.
bool meets_in(const CountingLoop& loop, const std::vector<Linear>& place) {
    constexpr int64_t kMostRounds = 64;
    const ir::Expr* counter = nullptr;
    for (const Linear& axis : place)
        for (const auto& [term, times] : axis.terms)
            if (const auto* local = term->as<ir::LocalRef>(); local && local->id == loop.counter) counter = term;
    if (!counter) return false;
    for (int64_t round = 1; round < std::min(loop.rounds, kMostRounds); ++round) {
        std::vector<int64_t> away;
        for (const Linear& axis : place) away.push_back(axis.times(*counter) * loop.step * round);
        if (is_reached(place, away)) return true;
    }
    return false;
}

}  // namespace

std::vector<size_t> shifted_updates(const std::vector<OwnUpdate>& updates, const Assigned& assigned) {
    std::vector<std::vector<Linear>> places;
    for (const OwnUpdate& update : updates) places.push_back(linear(*update.indices, assigned));
    std::set<size_t> found;
    for (size_t i = 0; i < updates.size(); ++i) {
        if (std::ranges::any_of(updates[i].loops, [&](const CountingLoop& loop) { return meets_in(loop, places[i]); }))
            found.insert(i);
        for (size_t j = 0; j < i; ++j) {
            const OwnUpdate &one = updates[j], &other = updates[i];
            if (one.between != other.between || one.array->id != other.array->id ||
                !ir::is_same(*one.base, *other.base) || one.indices->size() != other.indices->size())
                continue;
            const std::vector<int64_t> away = distance(places[j], places[i]);
            if (!away.empty() && is_reached(places[j], away)) found.insert({i, j});
        }
    }
    return {found.begin(), found.end()};
}

}  // namespace pyk
