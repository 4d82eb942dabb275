// What a `match` means, as `if` statements over a name that holds the subject. No name of the author's has a dot.
#include <algorithm>

#include "syntax/build_ast.h"

namespace pyk::syntax {
namespace {

constexpr ast::Identifier kSubject = ".subject";
constexpr ast::Identifier kMatched = ".matched";

template <typename Node>
const Node* as(const ast::Pattern& pattern) {
    return std::get_if<Node>(&pattern.node);
}

bool binds(const ast::Pattern& pattern, ast::Identifier name) {
    const auto any_binds = [&](ast::List<const ast::Pattern*> patterns) {
        return std::ranges::any_of(patterns, [&](const ast::Pattern* one) { return binds(*one, name); });
    };
    if (const auto* named = as<ast::MatchAs>(pattern))
        return named->name == name || (named->pattern && binds(*named->pattern, name));
    if (const auto* star = as<ast::MatchStar>(pattern)) return star->name == name;
    if (const auto* sequence = as<ast::MatchSequence>(pattern)) return any_binds(sequence->patterns);
    const auto* any = as<ast::MatchOr>(pattern);
    return any && any_binds(any->patterns);
}

}  // namespace

ast::Block Builder::meaning(ast::ExprRef subject, const std::vector<ast::MatchCase>& cases) {
    // A variable that keeps its value until a case is chosen needs no other name.
    const auto* variable = subject->as<ast::Name>();
    const auto may_change = [&](const ast::MatchCase& one) { return one.guard || binds(*one.pattern, variable->id); };
    const bool is_kept = variable && std::ranges::none_of(cases, may_change);
    const ast::Identifier name = is_kept ? variable->id : kSubject;
    ast::Block rest;
    for (auto one = cases.rbegin(); one != cases.rend(); ++one) rest = case_meaning(*one, name, rest);
    if (is_kept) return rest;
    Stmts all{assignment(kSubject, subject, subject->span)};
    all.insert(all.end(), rest.begin(), rest.end());
    return list(all);
}

// `rest`: what runs where the case does not.
ast::Block Builder::case_meaning(const ast::MatchCase& one, ast::Identifier name, ast::Block rest) {
    const ast::Pattern& pattern = *one.pattern;
    const Span at = pattern.span;
    const ast::ExprRef subject = expr(at, ast::Name{name});
    const ast::ExprRef test = test_of(pattern, subject);
    Stmts then;
    bind(pattern, subject, then);
    const auto choice = [&](ast::ExprRef condition, ast::Block yes, ast::Block no) {
        return stmt(at, ast::If{condition, yes, no});
    };
    if (one.guard && test && then.empty())
        return list(Stmts{choice(joined(ast::LogicalOp::And, {test, one.guard}, at), one.body, rest)});
    if (one.guard && test) {
        // The guard sees the names that the pattern has bound, and they stay bound where it fails.
        const auto negated = [&](ast::ExprRef e) { return expr(e->span, ast::Unary{ast::UnaryOp::Not, e}); };
        then.push_back(assignment(kMatched, negated(negated(one.guard)), at));
        const ast::ExprRef no = expr(at, ast::Constant{false});
        const ast::Stmt* bound = choice(test, list(then), list(Stmts{assignment(kMatched, no, at)}));
        return list(Stmts{bound, choice(expr(at, ast::Name{kMatched}), one.body, rest)});
    }
    if (one.guard) {
        then.push_back(choice(one.guard, one.body, rest));
        return list(then);
    }
    then.insert(then.end(), one.body.begin(), one.body.end());
    return test ? list(Stmts{choice(test, list(then), rest)}) : list(then);
}

const ast::Stmt* Builder::assignment(ast::Identifier name, ast::ExprRef value, Span at) {
    return stmt(at, ast::Assign{list(std::vector{expr(at, ast::Name{name})}), value});
}

ast::ExprRef Builder::joined(ast::LogicalOp op, std::vector<ast::ExprRef> tests, Span at) {
    return tests.size() == 1 ? tests[0] : expr(at, ast::BoolOp{op, list(tests)});
}

/// Whether the pattern fits the value; null where it always does.
ast::ExprRef Builder::test_of(const ast::Pattern& pattern, ast::ExprRef value) {
    const auto compared = [&](ast::CompareOp op, ast::ExprRef with) {
        return expr(pattern.span, ast::Compare{value, list(std::vector{op}), list(std::vector{with})});
    };
    if (const auto* p = as<ast::MatchValue>(pattern)) return compared(ast::CompareOp::Eq, p->value);
    if (const auto* p = as<ast::MatchSingleton>(pattern))
        return compared(ast::CompareOp::Is, expr(pattern.span, ast::Constant{p->value}));
    if (const auto* p = as<ast::MatchSequence>(pattern)) return test_of(*p, value, pattern.span);
    if (const auto* p = as<ast::MatchAs>(pattern)) return p->pattern ? test_of(*p->pattern, value) : nullptr;
    const auto* any = as<ast::MatchOr>(pattern);
    if (!any) return nullptr;
    std::vector<ast::ExprRef> tests;
    for (const ast::Pattern* one : any->patterns) {
        tests.push_back(test_of(*one, value));
        if (!tests.back()) return nullptr;
    }
    return joined(ast::LogicalOp::Or, std::move(tests), pattern.span);
}

namespace {

/// Calls `f(pattern, index)` for each element of a sequence pattern but the starred one; those behind that count from
/// the end.
template <typename F>
void for_each_element(const ast::MatchSequence& sequence, F&& f) {
    const auto count = static_cast<int>(sequence.patterns.size());
    bool behind_star = false;
    for (int i = 0; i < count; ++i) {
        const ast::Pattern& one = *sequence.patterns[static_cast<size_t>(i)];
        if (as<ast::MatchStar>(one))
            behind_star = true;
        else
            f(one, behind_star ? i - count : i);
    }
}

}  // namespace

ast::ExprRef Builder::index(int at, Span span) {
    const auto magnitude = static_cast<uint64_t>(at < 0 ? -at : at);
    const ast::ExprRef number = expr(span, ast::Constant{ast::IntValue{magnitude, true, {}}});
    return at < 0 ? expr(span, ast::Unary{ast::UnaryOp::USub, number}) : number;
}

ast::ExprRef Builder::test_of(const ast::MatchSequence& sequence, ast::ExprRef value, Span at) {
    uint32_t least = 0;
    std::vector<ast::ExprRef> tests{nullptr};
    for_each_element(sequence, [&](const ast::Pattern& one, int i) {
        ++least;
        const ast::ExprRef element = expr(one.span, ast::Subscript{value, index(i, one.span)});
        if (const ast::ExprRef test = test_of(one, element)) tests.push_back(test);
    });
    tests[0] = expr(at, ast::IsSequence{value, least, least == sequence.patterns.size()});
    return joined(ast::LogicalOp::And, std::move(tests), at);
}

void Builder::bind(const ast::Pattern& pattern, ast::ExprRef value, Stmts& out) {
    if (const auto* p = as<ast::MatchAs>(pattern)) {
        if (p->pattern) bind(*p->pattern, value, out);
        if (!p->name.empty()) out.push_back(assignment(p->name, value, pattern.span));
    } else if (const auto* sequence = as<ast::MatchSequence>(pattern)) {
        bind(*sequence, value, out);
    } else if (const auto* any = as<ast::MatchOr>(pattern)) {
        // Every alternative binds the same names: the first that fits gives them.
        Stmts bound;
        for (auto one = any->patterns.rbegin(); one != any->patterns.rend(); ++one) {
            Stmts own;
            bind(**one, value, own);
            if (own.empty()) return;
            const bool is_last = one == any->patterns.rbegin();
            bound = is_last ? own : Stmts{stmt((*one)->span, ast::If{test_of(**one, value), list(own), list(bound)})};
        }
        out.insert(out.end(), bound.begin(), bound.end());
    }
}

void Builder::bind(const ast::MatchSequence& sequence, ast::ExprRef value, Stmts& out) {
    for_each_element(sequence, [&](const ast::Pattern& one, int i) {
        bind(one, expr(one.span, ast::Subscript{value, index(i, one.span)}), out);
    });
    const auto count = static_cast<int>(sequence.patterns.size());
    for (int i = 0; i < count; ++i) {
        const ast::Pattern& one = *sequence.patterns[static_cast<size_t>(i)];
        const auto* star = as<ast::MatchStar>(one);
        if (!star || star->name.empty()) continue;
        const ast::ExprRef end = i + 1 < count ? index(i + 1 - count, one.span) : nullptr;
        const ast::ExprRef slice = expr(one.span, ast::Slice{index(i, one.span), end, nullptr});
        out.push_back(assignment(star->name, expr(one.span, ast::Subscript{value, slice}), one.span));
    }
}

}  // namespace pyk::syntax
