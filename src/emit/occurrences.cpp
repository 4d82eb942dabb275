#include "emit/occurrences.h"

#include <algorithm>

#include "ir/iterations.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

class Collector {
  public:
    explicit Collector(Occurrences& result) : result_(result) {}

    void block(const ir::Block& block) {
        for (const ir::Stmt& stmt : block) statement(stmt);
    }

  private:
    void statement(const ir::Stmt& stmt) {
        const uint32_t number = result_.count++;
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { expression(stmt, number, expr); });
        if (const auto* assign = stmt.as<ir::Assign>()) at(assign->target, stmt, number).assigns = true;
        if (const auto* loop = stmt.as<ir::ForRange>()) at(loop->counter, stmt, number).assigns = true;
        ir::for_each_block(stmt, [&](const ir::Block& owned) { block(owned); });
        result_.ranges[&stmt] = {number, result_.count};
    }

    void expression(const ir::Stmt& stmt, uint32_t number, const ir::Expr& root) {
        ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::LocalRef>()) at(ref->id, stmt, number).reads = true;
        });
    }

    Occurrence& at(ir::LocalId local, const ir::Stmt& stmt, uint32_t number) {
        std::vector<Occurrence>& list = result_.of[static_cast<size_t>(local)];
        if (list.empty() || list.back().at != number) list.push_back({number, &stmt});
        return list.back();
    }

    Occurrences& result_;
};

/// Walks the paths of a block, knowing whether the local has been assigned.
class Assignedness {
  public:
    Assignedness(const Occurrences& occurrences, ir::LocalId local)
        : occurrences_(occurrences), all_(occurrences.of[static_cast<size_t>(local)]), local_(local) {}

    bool fine = true;

    /// Whether it is assigned at the end; a path that does not get there counts as one where it is.
    bool block(const ir::Block& block, bool assigned) {
        for (const ir::Stmt& stmt : block) assigned = statement(stmt, assigned);
        return assigned;
    }

  private:
    bool statement(const ir::Stmt& stmt, bool assigned) {
        if (const OccurrenceSpan here = within(all_, occurrences_.range(stmt)); !here.empty()) {
            if (here.front().stmt == &stmt && here.front().reads && !assigned) fine = false;
            assigned = std::visit([&](const auto& node) { return after(node, assigned); }, stmt.node);
        }
        return assigned || stmt.as<ir::Return>() || stmt.as<ir::Raise>() || stmt.as<ir::Break>() ||
               stmt.as<ir::Continue>();
    }

    bool after(const ir::Assign& n, bool assigned) { return assigned || n.target == local_; }
    bool after(const ir::If& n, bool assigned) {
        const bool then = block(n.then, assigned), otherwise = block(n.otherwise, assigned);
        return then && otherwise;
    }
    bool after(const ir::Try& n, bool assigned) {
        const bool at_end = block(n.body, assigned), handled = block(n.handler, assigned);
        return at_end && handled;
    }
    bool after(const ir::While& n, bool assigned) {
        block(n.body, assigned);
        return assigned;
    }
    bool after(const ir::ForRange& n, bool assigned) {
        const bool at_end = block(n.body, assigned || n.counter == local_);
        return assigned || (at_end && n.counter != local_ && ir::surely_completes(n));
    }
    template <typename Simple>
    bool after(const Simple&, bool assigned) {
        return assigned;
    }

    const Occurrences& occurrences_;
    OccurrenceSpan all_;
    ir::LocalId local_;
};

}  // namespace

Occurrences::Occurrences(const ir::Function& function) : of(function.locals.size()) {
    Collector(*this).block(function.body);
}

OccurrenceSpan within(OccurrenceSpan all, Scope range) {
    const auto before = [](const Occurrence& o, uint32_t number) { return o.at < number; };
    const auto first = std::lower_bound(all.begin(), all.end(), range.begin, before);
    const auto last = std::lower_bound(first, all.end(), range.end, before);
    return {first, last};
}

bool is_self_contained(const Occurrences& occurrences, ir::LocalId local, const ir::Block& block) {
    Assignedness walk(occurrences, local);
    walk.block(block, false);
    return walk.fine;
}

}  // namespace pyk::emitter
