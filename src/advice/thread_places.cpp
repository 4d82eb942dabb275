#include "advice/thread_places.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "ir/build.h"
#include "ir/same_expr.h"

namespace pyk {
namespace {

void add(Linear& to, const ir::Expr& expr, int64_t times, const AssignedOnce& assigned, int depth = 0) {
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
    if (const ir::Expr* value = value_of(expr, assigned); value && depth < kMostNames)
        return add(to, *value, times, assigned, depth + 1);
    to.add(expr, times);
}

/// The thread's number along an axis of its block, by which its neighbour has one more.
bool is_of_thread(const ir::Expr& term) {
    const auto* call = term.as<ir::BuiltinCall>();
    const LaunchValue value = call ? call->builtin->launch.value : LaunchValue::none;
    return value == LaunchValue::grid_index || value == LaunchValue::thread_index;
}

}  // namespace

void Linear::add(const ir::Expr& term, int64_t times) {
    const auto known = std::ranges::find_if(terms, [&](const auto& t) { return ir::is_same(*t.first, term); });
    if (known == terms.end())
        terms.emplace_back(&term, times);
    else
        known->second += times;
}

int64_t Linear::times(const ir::Expr& term) const {
    const auto known = std::ranges::find_if(terms, [&](const auto& t) { return ir::is_same(*t.first, term); });
    return known == terms.end() ? 0 : known->second;
}

ThreadPlace thread_place(const std::vector<ir::Index>& indices, const AssignedOnce& assigned) {
    ThreadPlace place(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) add(place[i], *indices[i].value, 1, assigned);
    return place;
}

bool are_alike(const ThreadPlace& a, const ThreadPlace& b) {
    return std::ranges::equal(a, b, [](const Linear& one, const Linear& other) {
        return one.terms.size() == other.terms.size() &&
               std::ranges::all_of(one.terms, [&](const auto& t) { return other.times(*t.first) == t.second; });
    });
}

std::vector<std::vector<int64_t>> strides_of(const ThreadPlace& place) {
    std::vector<std::vector<int64_t>> all;
    for (const Linear& of : place)
        for (const auto& [term, _] : of.terms) {
            if (!is_of_thread(*term)) continue;
            std::vector<int64_t> strides;
            for (const Linear& axis : place) strides.push_back(axis.times(*term));
            all.push_back(std::move(strides));
        }
    return all;
}

int64_t farthest_thread(const ThreadPlace& place) {
    constexpr int64_t kInBlock = 31;
    const auto is_of_grid = [](const auto& term) {
        const auto* call = term.first->template as<ir::BuiltinCall>();
        return call && call->builtin->launch.value == LaunchValue::grid_index;
    };
    const bool is_of_any_grid =
        std::ranges::any_of(place, [&](const Linear& axis) { return std::ranges::any_of(axis.terms, is_of_grid); });
    return is_of_any_grid ? INT64_MAX : kInBlock;
}

bool is_reached(const std::vector<std::vector<int64_t>>& strides, const std::vector<int64_t>& away, int64_t farthest) {
    return std::ranges::any_of(strides, [&](const std::vector<int64_t>& stride) {
        std::optional<int64_t> threads_away;
        for (size_t i = 0; i < away.size(); ++i) {
            if (stride[i] == 0 ? away[i] != 0 : away[i] % stride[i] != 0) return false;
            if (stride[i] == 0) continue;
            if (threads_away && *threads_away != away[i] / stride[i]) return false;
            threads_away = away[i] / stride[i];
        }
        return threads_away && *threads_away != 0 && std::abs(*threads_away) <= farthest;
    });
}

}  // namespace pyk
