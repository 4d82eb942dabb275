#include "advice/shifted_updates.h"

#include <algorithm>
#include <iterator>
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

/// Along each axis of a place, how far it is from a thread's to its neighbour's; one for each of the thread's numbers.
std::vector<std::vector<int64_t>> strides_of(const std::vector<Linear>& place) {
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

/// Whether another thread is where this one is that far away.
bool is_reached(const std::vector<std::vector<int64_t>>& strides, const std::vector<int64_t>& away) {
    return std::ranges::any_of(strides, [&](const std::vector<int64_t>& stride) {
        std::optional<int64_t> threads_away;
        for (size_t i = 0; i < away.size(); ++i) {
            if (stride[i] == 0 ? away[i] != 0 : away[i] % stride[i] != 0) return false;
            if (stride[i] == 0) continue;
            if (threads_away && *threads_away != away[i] / stride[i]) return false;
            threads_away = away[i] / stride[i];
        }
        return threads_away && *threads_away != 0;
    });
}

bool are_alike(const std::vector<Linear>& a, const std::vector<Linear>& b) {
    return std::ranges::equal(a, b, [](const Linear& one, const Linear& other) {
        return one.terms.size() == other.terms.size() &&
               std::ranges::all_of(one.terms, [&](const auto& t) { return other.times(*t.first) == t.second; });
    });
}

/// Whether a round of the loop is where an earlier one of another thread was.
bool meets_in(const CountingLoop& loop, const std::vector<Linear>& place) {
    constexpr int64_t kMostRounds = 64;
    const auto strides = strides_of(place);
    const ir::Expr* counter = nullptr;
    for (const Linear& axis : place)
        for (const auto& [term, times] : axis.terms)
            if (const auto* local = term->as<ir::LocalRef>(); local && local->id == loop.counter) counter = term;
    if (!counter) return false;
    for (int64_t round = 1; round < std::min(loop.rounds, kMostRounds); ++round) {
        std::vector<int64_t> away;
        for (const Linear& axis : place) away.push_back(axis.times(*counter) * loop.step * round);
        if (is_reached(strides, away)) return true;
    }
    return false;
}

/// Updates whose places differ by numbers alone, whatever the thread.
class Family {
  public:
    Family(const OwnUpdate& first, std::vector<Linear> place)
        : first_(&first), place_(std::move(place)), strides_(strides_of(place_)) {}

    bool takes(const OwnUpdate& update, const std::vector<Linear>& place) const {
        return first_->between == update.between && first_->array->id == update.array->id &&
               ir::is_same(*first_->base, *update.base) && are_alike(place_, place);
    }

    void add(size_t update, const std::vector<Linear>& place) {
        std::vector<int64_t> numbers;
        for (const Linear& axis : place) numbers.push_back(axis.number);
        const auto known = std::ranges::find(members_, numbers, &Member::numbers);
        if (known != members_.end()) return known->updates.push_back(update);
        if (members_.size() == kMostMembers) return;
        Member made{std::move(numbers), {update}, false};
        for (Member& other : members_) {
            if (made.is_reached && other.is_reached) continue;
            std::vector<int64_t> away = made.numbers;
            for (size_t i = 0; i < away.size(); ++i) away[i] -= other.numbers[i];
            if (is_reached(strides_, away)) made.is_reached = other.is_reached = true;
        }
        members_.push_back(std::move(made));
    }

    void find(std::set<size_t>& found) const {
        for (const Member& member : members_)
            if (member.is_reached) found.insert(member.updates.begin(), member.updates.end());
    }

  private:
    static constexpr size_t kMostMembers = 64;  ///< more are not told apart, so that time grows with the text

    struct Member {
        std::vector<int64_t> numbers;
        std::vector<size_t> updates;
        bool is_reached;  ///< by another thread that is at another member
    };

    const OwnUpdate* first_;
    std::vector<Linear> place_;
    std::vector<std::vector<int64_t>> strides_;
    std::vector<Member> members_;
};

}  // namespace

std::vector<size_t> shifted_updates(const std::vector<OwnUpdate>& updates, const Assigned& assigned) {
    constexpr size_t kMostFamilies = 64;
    std::vector<Family> families;
    std::set<size_t> found;
    for (size_t i = 0; i < updates.size(); ++i) {
        std::vector<Linear> place = linear(*updates[i].indices, assigned);
        if (std::ranges::any_of(updates[i].loops, [&](const CountingLoop& loop) { return meets_in(loop, place); }))
            found.insert(i);
        auto family = std::ranges::find_if(families, [&](const Family& f) { return f.takes(updates[i], place); });
        if (family == families.end()) {
            if (families.size() == kMostFamilies) continue;
            families.emplace_back(updates[i], place);
            family = std::prev(families.end());
        }
        family->add(i, place);
    }
    for (const Family& family : families) family.find(found);
    return {found.begin(), found.end()};
}

}  // namespace pyk
