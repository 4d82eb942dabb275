#include "passes/differences.h"

#include <algorithm>

#include "passes/builtin_ranges.h"

namespace pyk {
namespace {

/// Of a difference: of something and a term.
struct Bound {
    Term term;
    Wide least;
};
using Reached = std::vector<Bound>;

void reach(Reached& reached, const Term& term, Wide least) {
    const auto known = std::ranges::find(reached, term, &Bound::term);
    if (known == reached.end())
        reached.push_back({term, least});
    else
        known->least = std::max(known->least, least);
}

}  // namespace

void Differences::assume(const Offset& a, const Offset& b, Wide least) {
    if (a.term == b.term) return;
    least += b.plus - a.plus;
    auto& constraints = constraints_.own();
    const auto same = std::ranges::find_if(
        constraints, [&](const Constraint& known) { return known.a == a.term && known.b == b.term; });
    if (same != constraints.end()) {
        same->least = std::max(same->least, least);
        return;
    }
    if (constraints.size() == kMost) constraints.erase(constraints.begin());
    constraints.push_back({a.term, b.term, least});
}

void Differences::assign(ir::LocalId local, const std::optional<Offset>& value) {
    if (value && value->term == Term{.local = local}) {
        if (!constraints_ || value->plus == 0) return;
        const auto moved = [&](const Term& term) {
            return !term.is_of(local) ? 0 : term.is_negated ? -value->plus : value->plus;
        };
        for (Constraint& known : constraints_.own()) known.least += moved(known.a) - moved(known.b);
        return;
    }
    remove_if([&](const Constraint& known) { return known.a.is_of(local) || known.b.is_of(local); });
    if (!value) return;
    const Offset target{{.local = local}};
    assume(target, *value, 0);
    assume(*value, target, 0);
}

void Differences::forget(const LocalSet& assigned) {
    const auto is_assigned = [&](const Term& term) { return !term.builtin && assigned.contains(term.local); };
    remove_if([&](const Constraint& known) { return is_assigned(known.a) || is_assigned(known.b); });
}

void Differences::join(const Differences& other) {
    if (!constraints_ || constraints_ == other.constraints_) return;
    std::vector<Constraint> both;
    for (Constraint known : *constraints_) {
        const auto there = other.least({known.a}, {known.b});
        if (!there) continue;
        known.least = std::min(known.least, *there);
        both.push_back(known);
    }
    constraints_.own() = std::move(both);
}

/// A chain of constraints adds up: the longest path, of a few steps.
std::optional<Wide> Differences::least(const Offset& a, const Offset& b) const {
    constexpr int kSteps = 3;
    const Wide plus = a.plus - b.plus;
    if (a.term == b.term) return plus;
    Reached reached{{a.term, 0}};
    for (int step = 0; step < kSteps; ++step) {
        for (const Bound& from : Reached(reached)) {
            const bool is_place = from.term.builtin && !from.term.is_negated;
            const Builtin* below = is_place ? always_below(*from.term.builtin) : nullptr;
            if (below) reach(reached, {.builtin = below}, from.least + 1);
            if (!constraints_) continue;
            for (const Constraint& known : *constraints_)
                if (known.a == from.term) reach(reached, known.b, from.least + known.least);
        }
    }
    const auto end = std::ranges::find(reached, b.term, &Bound::term);
    if (end == reached.end()) return std::nullopt;
    return end->least + plus;
}

bool Differences::knows_sums() const {
    const auto is_of_sum = [](const Constraint& known) { return known.a.is_negated || known.b.is_negated; };
    return constraints_ && std::ranges::any_of(*constraints_, is_of_sum);
}

template <typename Predicate>
void Differences::remove_if(const Predicate& predicate) {
    if (constraints_ && std::ranges::any_of(*constraints_, predicate)) std::erase_if(constraints_.own(), predicate);
}

}  // namespace pyk
