#include "emit/placement.h"

#include <algorithm>

#include "emit/occurrences.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

class Placer {
  public:
    explicit Placer(const ir::Function& function) : function_(function), occurrences_(function) {
        result_.scopes.resize(function.locals.size());
    }

    Placement run() {
        for (size_t i = 0; i < function_.locals.size(); ++i) local(static_cast<ir::LocalId>(i));
        return std::move(result_);
    }

  private:
    void local(ir::LocalId id) {
        result_.used.push_back(!occurrences_.of[static_cast<size_t>(id)].empty());
        const ir::Storage storage = function_.local(id).storage;
        if (storage != ir::Storage::variable && storage != ir::Storage::temporary) return whole_function(id);
        local_ = id;
        all_ = occurrences_.of[static_cast<size_t>(id)];
        if (!all_.empty()) block(function_.body, {0, occurrences_.count});
    }

    void whole_function(ir::LocalId id) {
        result_.scopes[static_cast<size_t>(id)].push_back({0, occurrences_.count + 1});
    }

    /// The block's statements in which the local occurs, in order.
    std::vector<const ir::Stmt*> users(const ir::Block& block, Scope range) const {
        std::vector<const ir::Stmt*> result;
        OccurrenceSpan rest = within(all_, range);
        while (!rest.empty()) {
            const auto next =
                std::upper_bound(block.begin(), block.end(), rest.front().at,
                                 [&](uint32_t at, const ir::Stmt& s) { return at < occurrences_.range(s).begin; });
            result.push_back(&*std::prev(next));
            rest = within(rest, {occurrences_.range(*result.back()).end, range.end});
        }
        return result;
    }

    /// Declares the local in a block: as far inside as each use allows, else before the first statement that uses it.
    void block(const ir::Block& block, Scope range) {
        const std::vector<const ir::Stmt*> stmts = users(block, range);
        const auto stop =
            std::find_if_not(stmts.begin(), stmts.end(), [&](const ir::Stmt* s) { return is_inside(*s); });
        if (stop != stmts.end() && !is_first_assignment(**stop)) return declare_before(*stmts.front(), range);
        for (auto it = stmts.begin(); it != stop; ++it) inside(**it);
        if (stop != stmts.end()) declare_at(**stop, {occurrences_.range(**stop).begin, range.end});
    }

    /// It occurs in the statement as the loop's own counter, or only in blocks that each need no value from elsewhere.
    bool is_inside(const ir::Stmt& stmt) const {
        const Occurrence& first = within(all_, occurrences_.range(stmt)).front();
        if (first.stmt == &stmt) return stmt.as<ir::ForRange>() && first.assigns && !first.reads;
        bool contained = true;
        ir::for_each_block(stmt, [&](const ir::Block& owned) {
            contained = contained && is_self_contained(occurrences_, local_, owned);
        });
        return contained;
    }

    void inside(const ir::Stmt& stmt) {
        const Scope range = occurrences_.range(stmt);
        const Occurrence& first = within(all_, range).front();
        if (first.stmt == &stmt) return declare(result_.at[&stmt], range);
        ir::for_each_block(stmt, [&](const ir::Block& owned) {
            if (owned.empty()) return;
            const Scope inner{occurrences_.range(owned.front()).begin, occurrences_.range(owned.back()).end};
            if (!within(all_, inner).empty()) block(owned, inner);
        });
    }

    bool is_first_assignment(const ir::Stmt& stmt) const {
        const Occurrence& first = within(all_, occurrences_.range(stmt)).front();
        return first.stmt == &stmt && stmt.as<ir::Assign>() && !first.reads;
    }

    void declare_at(const ir::Stmt& stmt, Scope scope) {
        const OccurrenceSpan uses = within(all_, scope);
        Declaration& made = result_.at[&stmt];
        made.is_const = std::count_if(uses.begin(), uses.end(), [](const Occurrence& o) { return o.assigns; }) == 1;
        declare(made, scope);
    }

    void declare_before(const ir::Stmt& stmt, Scope range) {
        Declaration& made = result_.before[&stmt].emplace_back();
        made.as_zero = function_.local(local_).maybe_unassigned;
        declare(made, {occurrences_.range(stmt).begin, range.end});
    }

    void declare(Declaration& made, Scope scope) {
        made.local = local_;
        result_.scopes[static_cast<size_t>(local_)].push_back(scope);
    }

    const ir::Function& function_;
    Occurrences occurrences_;
    Placement result_;
    ir::LocalId local_{};
    OccurrenceSpan all_;
};

}  // namespace

Placement place_declarations(const ir::Function& function) { return Placer(function).run(); }

}  // namespace pyk::emitter
