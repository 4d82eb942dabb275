// Brackets and what they hold: groups, tuples, lists, sets, dicts and comprehensions.
#include <algorithm>

#include "syntax/build_ast.h"
#include "syntax/targets.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

ast::List<ast::Comprehension> Builder::comprehensions(Trees clauses) {
    std::vector<ast::Comprehension> out;
    for (Tree clause : clauses) {
        const Trees c = children(clause);
        const bool is_async = kind(c[0]) == P::ASYNC;
        const size_t at = is_async ? 2 : 1;
        const ast::ExprRef target = targets(c[at]);
        const ast::ExprRef iter = logic(c[at + 2]);
        std::vector<ast::ExprRef> ifs;
        for (size_t i = at + 4; i < c.size(); i += 2) ifs.push_back(logic(c[i]));
        out.push_back({target, iter, list(ifs), is_async});
    }
    return list(out);
}

ast::ExprList Builder::display_items(Tree display) {
    std::vector<ast::ExprRef> elts;
    each_item(children(display), [&](Tree t) { elts.push_back(named_or_star(t)); });
    return list(elts);
}

namespace {

bool is_rule(Tree t, size_t index) { return !t.is_token() && t.rule().index == index; }

bool is_comprehension(Tree display) {
    const std::span<const Tree> parts = display.rule().parts;
    return parts.size() > 1 && is_rule(parts[1], P::RuleCompClause);
}

}  // namespace

ast::ExprRef Builder::group(Tree t) {
    switch (kind(children(t)[0])) {
        case P::LPAR:
            return paren(t);
        case P::LSQB:
            return bracket(t);
        default:
            return brace(t);
    }
}

ast::ExprRef Builder::paren(Tree t) {
    const Trees c = children(t);
    if (c.size() == 2) return expr(span(t), ast::Tuple{});
    if (rule(c[1]) == P::RuleYieldExpr) return yield(c[1]);
    const Trees items = children(c[1]);
    const bool starred = rule(items[0]) == P::RuleStar;
    if (is_comprehension(c[1])) {
        if (starred) fail(span(items[0]), "`*` cannot unpack in a generator expression");
        const ast::ExprRef elt = named(items[0]);
        return expr(span(t), ast::GeneratorExp{elt, comprehensions(items.subspan(1))});
    }
    if (items.size() > 1) return expr(span(t), ast::Tuple{display_items(c[1])});
    if (starred)
        fail(span(items[0]), "cannot use a starred expression here; a tuple of one element has a comma: `(*x,)`");
    return named(items[0]);
}

ast::ExprRef Builder::bracket(Tree t) {
    const Trees c = children(t);
    if (c.size() == 2) return expr(span(t), ast::ListExpr{});
    const Trees items = children(c[1]);
    if (!is_comprehension(c[1])) return expr(span(t), ast::ListExpr{display_items(c[1])});
    if (rule(items[0]) == P::RuleStar) fail(span(items[0]), "`*` cannot unpack in a list comprehension");
    const ast::ExprRef elt = named(items[0]);
    return expr(span(t), ast::ListComp{elt, comprehensions(items.subspan(1))});
}

// --- braces ---------------------------------------------------------------------------------------------------------
ast::ExprRef Builder::brace(Tree t) {
    const Trees c = children(t);
    if (c.size() == 2) return expr(span(t), ast::Dict{});
    const Trees inside = c.subspan(1, c.size() - 2);
    if (inside.size() > 1 && is_rule(inside[1], P::RuleCompClause))
        return brace_comprehension(inside[0], inside.subspan(1), span(t));
    const Trees first = children(inside[0]);
    const bool is_dict = kind(first[0]) == P::DOUBLESTAR || (first.size() == 3 && kind(first[1]) == P::COLON);
    return is_dict ? dict(inside, span(t)) : set(inside, span(t));
}

ast::ExprRef Builder::dict(Trees items, Span at) {
    std::vector<ast::ExprRef> keys, values;
    each_item(items, [&](Tree item) {
        const Trees c = children(item);
        if (kind(c[0]) == P::DOUBLESTAR) {
            keys.push_back(nullptr);
            values.push_back(bit(c[1]));
        } else if (c.size() == 3 && kind(c[1]) == P::COLON) {
            keys.push_back(expression(c[0]));
            values.push_back(expression(c[2]));
        } else {
            fail(span(item), "expected `:` and a value after this dictionary key");
        }
    });
    return expr(at, ast::Dict{list(keys), list(values)});
}

ast::ExprRef Builder::set(Trees items, Span at) {
    std::vector<ast::ExprRef> elts;
    each_item(items, [&](Tree item) {
        const Trees c = children(item);
        if (kind(c[0]) == P::DOUBLESTAR || (c.size() == 3 && kind(c[1]) == P::COLON))
            fail(span(item), "a set cannot have a `key: value` pair among its elements");
        if (c.size() == 3)
            elts.push_back(walrus(c[0], c[2], span(item)));
        else
            elts.push_back(rule(c[0]) == P::RuleStar ? star(c[0]) : expression(c[0]));
    });
    return expr(at, ast::Set{list(elts)});
}

ast::ExprRef Builder::brace_comprehension(Tree item, Trees clauses, Span at) {
    const Trees c = children(item);
    if (kind(c[0]) == P::DOUBLESTAR) fail(span(item), "`**` cannot unpack in a dict comprehension");
    if (rule(c[0]) == P::RuleStar) fail(span(item), "`*` cannot unpack in a set comprehension");
    if (c.size() == 3 && kind(c[1]) == P::COLON) {
        const ast::ExprRef key = expression(c[0]), value = expression(c[2]);
        return expr(at, ast::DictComp{key, value, comprehensions(clauses)});
    }
    const ast::ExprRef elt = c.size() == 3 ? walrus(c[0], c[2], span(item)) : expression(c[0]);
    return expr(at, ast::SetComp{elt, comprehensions(clauses)});
}

}  // namespace pyk::syntax
