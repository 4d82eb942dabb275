// Array functions for parts of arrays whose calls are made by several threads together, a team: all of its lanes run
// the function, with the same variables, and share the iterations of its loops.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emit/emit.h"
#include "ir/ir.h"

namespace pyk::emitter {

/// What differs from the form in which one thread makes a call. Valid where no array that the function may store to
/// overlaps another one or itself.
struct TeamForm {
    /// A loop whose iterations are shared: none needs what another makes, but for `reductions`.
    struct Loop {
        std::vector<ir::Reduction> reductions;
        const ir::ForRange* inner = nullptr;  ///< the pairs of both loops' iterations are shared
        bool over_items = false;              ///< its iterations are those of the elements that lanes hold
        bool meets = false;                   ///< lanes wait for one another before and behind
    };
    /// A store outside of such loops: one lane's.
    struct Store {
        bool meets = false;
    };
    std::unordered_map<const ir::ForRange*, Loop> loops;
    std::unordered_map<const ir::Store*, Store> stores;
    /// A parameter of which each lane holds its elements.
    struct Held {
        ir::LocalId array;
        bool is_loaded, is_stored;  ///< at first, in the end
    };
    std::vector<Held> held;                                           ///< in the parameters' order
    std::unordered_set<const std::vector<ir::Index>*> held_elements;  ///< subscripts of what is held
    std::string refusal;  ///< why there is no such form: `it may raise an exception`; empty: there is
    Team team;
    bool is_generic = false;  ///< the text is a template, of teams of any size
};

/// The form of an array function for parts of arrays. Where lanes should hold elements and there are none that they
/// can, that is a refusal.
TeamForm team_form(const ir::Module& module, const ir::ArrayEntry& entry, Team team);

}  // namespace pyk::emitter
