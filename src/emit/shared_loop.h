// Loops whose iterations several threads can share.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "emit/team_form.h"
#include "passes/liveness.h"

namespace pyk::emitter {

/// Each element that is read or stored: of which array, and at which subscripts.
void for_each_element(const ir::Block& block,
                      const std::function<void(const ir::Expr& array, const std::vector<ir::Index>& indices)>& visit);

/// Judges the loops of one function. Arrays that its parameters are do not overlap.
class SharedLoops {
  public:
    /// `stored`: the parameters that the function stores to; it has no other name for their memory.
    SharedLoops(const ir::Module& module, const ir::Function& function, const std::set<ir::LocalId>& stored)
        : module_(module), function_(function), stored_(stored), liveness_(function) {}

    /// How a loop's iterations are shared; nullopt: they are not independent.
    std::optional<TeamForm::Loop> shared(const ir::Stmt& stmt) const;
    /// The axes along which the counters of a shared loop tell the elements of an array apart that it stores to.
    std::vector<size_t> axes_of(const ir::ForRange& loop, const TeamForm::Loop& form, ir::LocalId array) const;

    /// Whether it is the loop's counter, or the author's name for it in `body`.
    bool is_counter(const ir::Expr& expr, const ir::ForRange& loop, const ir::Block& body) const;

  private:
    struct Nest {
        std::vector<const ir::ForRange*> loops;  ///< the outer one first
        const ir::Block& body() const { return loops.back()->body; }
    };

    const ir::ForRange* inner_of(const ir::ForRange& loop) const;
    std::optional<std::vector<ir::Reduction>> reductions(const ir::Stmt& stmt, const Nest& nest) const;
    std::optional<ir::ReductionKind> reduction(const ir::Block& body, ir::LocalId id) const;
    std::optional<ir::ReductionKind> extreme(const ir::Block& body, ir::LocalId id) const;
    bool keeps_to_type(const ir::Block& body, ir::LocalId id, ir::ReductionKind kind) const;
    bool are_apart(const Nest& nest) const;
    std::vector<size_t> axes_of(const Nest& nest, ir::LocalId array) const;

    const ir::Module& module_;
    const ir::Function& function_;
    const std::set<ir::LocalId>& stored_;
    Liveness liveness_;
};

}  // namespace pyk::emitter
