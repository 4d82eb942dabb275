#include "advice/shifted_updates.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Whether a round of the loop is where an earlier one of another thread was.
bool meets_in(const CountingLoop& loop, const OwnUpdate& update) {
    constexpr int64_t kMostRounds = 64;
    const auto strides = strides_of(update.first);
    const int64_t farthest = farthest_thread(update.first);
    const ir::Expr* counter = nullptr;
    for (const Linear& axis : update.later)
        for (const auto& [term, times] : axis.terms)
            if (ir::is_local(*term, loop.counter)) counter = term;
    if (!counter) return false;
    for (int64_t round = 1; round < std::min(loop.rounds, kMostRounds); ++round) {
        std::vector<int64_t> away;
        for (const Linear& axis : update.later) away.push_back(axis.times(*counter) * loop.step * round);
        if (is_reached(strides, away, farthest)) return true;
    }
    return false;
}

/// Updates whose places differ by numbers alone, whatever the thread.
class Family {
  public:
    explicit Family(const OwnUpdate& first)
        : first_(&first), strides_(strides_of(first.first)), farthest_(farthest_thread(first.first)) {}

    bool takes(const OwnUpdate& update) const {
        return first_->between == update.between && ir::is_same(*first_->array, *update.array) &&
               are_alike(first_->first, update.first);
    }

    void add(size_t update, const ThreadPlace& place) {
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
            if (is_reached(strides_, away, farthest_)) made.is_reached = other.is_reached = true;
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
    std::vector<std::vector<int64_t>> strides_;
    int64_t farthest_;
    std::vector<Member> members_;
};

}  // namespace

std::vector<size_t> shifted_updates(const std::vector<OwnUpdate>& updates) {
    constexpr size_t kMostFamilies = 64;
    std::vector<Family> families;
    std::set<size_t> found;
    for (size_t i = 0; i < updates.size(); ++i) {
        const OwnUpdate& update = updates[i];
        const auto meets = [&](const CountingLoop& loop) { return meets_in(loop, update); };
        if (std::ranges::any_of(update.loops, meets)) found.insert(i);
        auto family = std::ranges::find_if(families, [&](const Family& f) { return f.takes(update); });
        if (family == families.end()) {
            if (families.size() == kMostFamilies) continue;
            families.emplace_back(update);
            family = std::prev(families.end());
        }
        family->add(i, update.first);
    }
    for (const Family& family : families) family.find(found);
    return {found.begin(), found.end()};
}

}  // namespace pyk
