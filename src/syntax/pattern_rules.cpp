#include "syntax/pattern_rules.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "syntax/failure.h"

namespace pyk::syntax {
namespace {

using NamesOfPattern = std::set<ast::Identifier>;

template <typename Node>
const Node* as(const ast::Pattern& pattern) {
    return std::get_if<Node>(&pattern.node);
}

// The name or wildcard that fits everything, which has to come last; null: there is none.
const ast::Pattern* irrefutable(const ast::Pattern& pattern) {
    if (const auto* any = as<ast::MatchOr>(pattern)) return irrefutable(*any->patterns.back());
    const auto* named = as<ast::MatchAs>(pattern);
    if (!named) return nullptr;
    return named->pattern ? irrefutable(*named->pattern) : &pattern;
}

void check_is_last(const ast::Pattern& pattern) {
    const ast::Pattern* everything = irrefutable(pattern);
    if (!everything) return;
    const ast::Identifier name = as<ast::MatchAs>(*everything)->name;
    fail(everything->span, name.empty()
                               ? "`_` fits everything: the patterns behind it are never reached"
                               : fmt::format("`{}` takes everything: the patterns behind it are never reached; "
                                             "a constant is compared with by a dotted name",
                                             name));
}

class Check {
  public:
    NamesOfPattern names;

    void pattern(const ast::Pattern& p) {
        if (const auto* node = as<ast::MatchAs>(p)) {
            if (node->pattern) pattern(*node->pattern);
            add(node->name, p.span);
        } else if (const auto* star = as<ast::MatchStar>(p)) {
            add(star->name, p.span);
        } else if (const auto* sequence = as<ast::MatchSequence>(p)) {
            this->sequence(*sequence);
        } else if (const auto* mapping = as<ast::MatchMapping>(p)) {
            each(mapping->patterns);
            add(mapping->rest, p.span);
        } else if (const auto* cls = as<ast::MatchClass>(p)) {
            each(cls->patterns), each(cls->kwd_patterns);
        } else if (const auto* any = as<ast::MatchOr>(p)) {
            alternatives(*any);
        }
    }

  private:
    void each(ast::List<const ast::Pattern*> patterns) {
        for (const ast::Pattern* one : patterns) pattern(*one);
    }

    void add(ast::Identifier name, Span at) {
        if (!name.empty() && !names.insert(name).second)
            fail(at, fmt::format("a pattern can give `{}` only one value", name));
    }

    void sequence(const ast::MatchSequence& sequence) {
        bool starred = false;
        for (const ast::Pattern* one : sequence.patterns) {
            if (as<ast::MatchStar>(*one) && std::exchange(starred, true))
                fail(one->span, "only one element of a sequence pattern can be starred");
            pattern(*one);
        }
    }

    void alternatives(const ast::MatchOr& any) {
        NamesOfPattern first;
        for (const ast::Pattern* one : any.patterns) {
            if (one != any.patterns.back()) check_is_last(*one);
            Check own;
            own.pattern(*one);
            if (one == any.patterns.front()) first = own.names;
            if (own.names != first) fail(one->span, "the alternatives of a pattern have to bind the same names");
        }
        for (const ast::Identifier name : first) add(name, any.patterns.front()->span);
    }
};

}  // namespace

void check_patterns(const ast::Match& match) {
    for (const ast::MatchCase& one : match.cases) {
        Check().pattern(*one.pattern);
        if (!one.guard && &one != &match.cases.back()) check_is_last(*one.pattern);
    }
}

}  // namespace pyk::syntax
