// What inference knows in one walk over a function.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sema/liveness.h"
#include "sema/specialize.h"
#include "sema/versions.h"

namespace pyk {

/// Where `continue` and `break` go.
struct Loop {
    Join* header;
    Join* end;
    bool is_unrolled = false;  ///< `header` is the end of a copy of the body: both jumps leave the block around it
    std::optional<ir::LocalId> left = {};  ///< there: what `break` sets, to be passed over the other copies
};

/// `finally`: what runs before a jump out of its `try`.
struct Final {
    const ast::Block* body;
    size_t loops;  ///< around the `try`
    /// Set by a jump that has run it, so that an error in it does not run it again; nullopt: there are no jumps.
    std::optional<ir::LocalId> is_done;
};

/// What a `for` runs over: how many items, and the item at a counter, which may need statements before it.
struct Iterable {
    ir::ExprPtr length;  ///< null: not iterable, reported
    std::function<Value(ir::ExprPtr counter, ir::Block& out)> item;
    std::function<Value(Value item, ir::Block& out)> passes = nullptr;  ///< of `filter`: whether the loop gets the item
    std::function<ir::ExprPtr()> more = nullptr;  ///< of an iterator: whether an item is left; it counts by itself
};

/// `it = iter(a)`: what it runs over, and how many items it has given, in a local.
struct Iterator {
    Iterable items;
    ir::LocalId position;
};

/// What is known in one walk over the function: the next one begins anew.
class Walk {
  protected:
    Diagnostics diagnostics_;
    ir::Function function_;
    std::optional<Env> env_;                                         ///< nullopt: nothing comes here
    std::vector<std::vector<std::pair<Type, ir::LocalId>>> locals_;  ///< by name: those of its types
    std::map<uint32_t, Type> wanted_;                                ///< `locals={…}` of the decorator
    std::vector<Loop> loops_;
    std::vector<Join*> handlers_;  ///< where errors may lead to
    std::vector<Final> finals_;
    bool in_handler_ = false;
    std::vector<ir::LocalId> positions_;  ///< of a stencil: the indices of the element that it is for
    std::deque<Iterator> iterators_;
    std::vector<ir::LocalId> shared_parts_;      ///< arrays of run-time shape in shared memory
    std::set<VersionId> some_;                   ///< Optionals that are known not to be None here
    std::vector<Fact> facts_;                    ///< the tests that led here
    std::set<VersionId> surely_;                 ///< assigned here, though the merge has a path that leaves it out
    std::set<const ast::FunctionDef*> binding_;  ///< nested functions whose captured names are being looked up
    std::set<uint32_t> warned_;                  ///< names of which this walk said that they may be unassigned
    std::vector<Callee> callees_;
    const NameSet* loop_assigns_ = nullptr;  ///< what the loop whose head is being lowered assigns
    Note path_;                              ///< how control comes to the join that it flows into
    bool goes_back_ = false;                 ///< control flows into the head of a loop from its body
    uint32_t copy_ = 0;                      ///< which copy of an unrolled body is being lowered
    bool returns_value_ = false;
    bool returns_nothing_ = false;
    bool returns_bare_ = false;  ///< without a value, as no result was known to be optional
    Span statement_;
    std::optional<Span> missed_;                        ///< see miss()
    std::optional<std::pair<uint32_t, Span>> untyped_;  ///< the first read of a variable that has no type yet
};

}  // namespace pyk
