// `match`: patterns.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/build_ast.h"
#include "syntax/literals.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

const ast::Stmt* Builder::match_stmt(Tree t) {
    const Trees c = children(t);
    const Trees subject_items = children(c[1]);
    if (subject_items.size() > 1 && !is_leaf(subject_items[1]))
        fail(span(subject_items[1]), "expected `:` after the subject of `match`");
    const bool one = subject_items.size() == 1;
    if (one && rule(subject_items[0]) == P::RuleStar)
        fail(span(subject_items[0]), "cannot use a starred expression here");
    const ast::ExprRef subject = one ? named(subject_items[0]) : expr(span(c[1]), ast::Tuple{display_items(c[1])});
    std::vector<ast::MatchCase> cases;
    for (Tree part : c.subspan(5, c.size() - 6)) cases.push_back(match_case(part));
    return stmt(to_end_of(span(t), cases.back().body), ast::Match{subject, list(cases), meaning(subject, cases)});
}

ast::MatchCase Builder::match_case(Tree t) {
    const Trees c = children(t);
    const ast::Pattern* pattern = open_patterns(c[1]);
    const ast::ExprRef guard = kind(c[2]) == P::IF ? named(c[3]) : nullptr;
    return {pattern, guard, block(c.back())};
}

// --- sequences ------------------------------------------------------------------------------------------------------
const ast::Pattern* Builder::open_patterns(Tree t) {
    const Trees c = children(t);
    if (c.size() > 1) return pattern_node(span(t), ast::MatchSequence{list(pattern_items(t))});
    if (rule(c[0]) == P::RuleStarPattern) fail(span(c[0]), "a starred pattern must be in a list or tuple");
    return pattern(c[0]);
}

std::vector<const ast::Pattern*> Builder::pattern_items(Tree patterns) {
    std::vector<const ast::Pattern*> items;
    each_item(children(patterns),
              [&](Tree t) { items.push_back(rule(t) == P::RuleStarPattern ? star_pattern(t) : pattern(t)); });
    return items;
}

const ast::Pattern* Builder::star_pattern(Tree t) {
    const ast::Identifier name = identifier(children(t)[1]);
    return pattern_node(span(t), ast::MatchStar{name == "_" ? ast::Identifier() : name});
}

ast::Identifier Builder::capture_name(Tree name) {
    const ast::Identifier id = identifier(name);
    if (id == "_") fail(span(name), "cannot use `_` as a target here");
    return id;
}

/// `_` is the wildcard and nothing else, except in the key of a mapping: neither `_.a` nor `_()` is a pattern.
void Builder::check_wildcard(Tree t) const {
    const Trees c = children(t);
    if (c.size() > 1 && kind(c[0]) == P::NAME && span(c[0]).text() == "_")
        fail(span(c[1]), fmt::format("invalid syntax near `{}`: `_` in a pattern matches anything and stands alone",
                                     span(c[1]).text()));
}

const ast::Pattern* Builder::pattern(Tree t) {
    const Nest nest(*this, t);
    const Trees c = children(t);
    const bool named = c.size() > 2 && kind(c[c.size() - 2]) == P::AS;
    const Trees alternatives = c.first(c.size() - (named ? 2 : 0));
    std::vector<const ast::Pattern*> patterns;
    for (size_t i = 0; i < alternatives.size(); i += 2) {
        check_wildcard(alternatives[i]);
        patterns.push_back(closed_pattern(alternatives[i]));
    }
    const Span at = cover(span(alternatives.front()), span(alternatives.back()));
    const ast::Pattern* result =
        patterns.size() == 1 ? patterns.front() : pattern_node(at, ast::MatchOr{list(patterns)});
    return named ? pattern_node(span(t), ast::MatchAs{result, capture_name(c.back())}) : result;
}

// --- closed patterns ------------------------------------------------------------------------------------------------
const ast::Pattern* Builder::closed_pattern(Tree t) {
    const Trees c = children(t);
    switch (kind(c[0])) {
        case 0:
            return pattern_node(span(t), ast::MatchValue{strings(c[0])});
        case P::NONE:
            return pattern_node(span(t), ast::MatchSingleton{ast::NoneValue{}});
        case P::TRUE:
            return pattern_node(span(t), ast::MatchSingleton{true});
        case P::FALSE:
            return pattern_node(span(t), ast::MatchSingleton{false});
        case P::MINUS:
        case P::NUMBER:
            return pattern_node(span(t), ast::MatchValue{signed_number(c)});
        case P::NAME:
            return name_pattern(t);
        case P::LBRACE:
            return mapping_pattern(t);
        default:
            return group_pattern(t);
    }
}

const ast::Pattern* Builder::group_pattern(Tree t) {
    const Trees c = children(t);
    if (c.size() == 2) return pattern_node(span(t), ast::MatchSequence{});
    const bool group = kind(c[0]) == P::LPAR && children(c[1]).size() == 1;
    return group ? open_patterns(c[1]) : pattern_node(span(t), ast::MatchSequence{list(pattern_items(c[1]))});
}

/// `1`, `-1`, `1 + 2j`: a real number, and an imaginary one after it.
ast::ExprRef Builder::signed_number(Trees parts) {
    const auto number = [&](Tree t) { return expr(span(t), ast::Constant{number_value(span(t))}); };
    const auto imaginary = [](ast::ExprRef e) {
        return std::holds_alternative<ast::ImaginaryValue>(e->as<ast::Constant>()->value);
    };
    const bool negative = kind(parts[0]) == P::MINUS;
    const size_t first = negative ? 1 : 0;
    const ast::ExprRef magnitude = number(parts[first]);
    const Span at = cover(span(parts[0]), magnitude->span);
    const ast::ExprRef real = negative ? expr(at, ast::Unary{ast::UnaryOp::USub, magnitude}) : magnitude;
    if (parts.size() == first + 1) return real;
    if (imaginary(magnitude)) fail(magnitude->span, "a complex number starts with its real part");
    const ast::ExprRef second = number(parts[first + 2]);
    if (!imaginary(second)) fail(second->span, "a complex number ends with its imaginary part, such as `2j`");
    return expr(cover(at, second->span), ast::BinOp{real, binary_op(kind(parts[first + 1])), second});
}

const ast::Pattern* Builder::name_pattern(Tree t) {
    const Trees c = children(t);
    ast::ExprRef value = expr(span(c[0]), ast::Name{identifier(c[0])});
    size_t i = 1;
    for (; i < c.size() && kind(c[i]) == P::DOT; i += 2)
        value = expr(cover(value->span, span(c[i + 1])), ast::Attribute{value, identifier(c[i + 1]), span(c[i + 1])});
    if (i < c.size()) return class_pattern(value, c.subspan(i + 1, c.size() - i - 2), span(t));
    const auto* name = value->as<ast::Name>();
    if (!name) return pattern_node(span(t), ast::MatchValue{value});
    return pattern_node(span(t), ast::MatchAs{nullptr, name->id == "_" ? ast::Identifier() : name->id});
}

const ast::Pattern* Builder::class_pattern(ast::ExprRef cls, Trees args, Span at) {
    std::vector<const ast::Pattern*> patterns, keyword_patterns;
    std::vector<ast::Identifier> names;
    each_item(args, [&](Tree t) {
        const Trees c = children(t);
        if (c.size() == 3) {
            if (!is_one_token(c[0]) || kind(children(children(c[0])[0])[0]) != P::NAME)
                fail(span(c[0]), "expected an attribute's name before `=`");
            names.push_back(identifier(children(children(c[0])[0])[0]));
            keyword_patterns.push_back(pattern(c[2]));
        } else {
            if (!names.empty()) fail(span(t), "positional patterns cannot follow keyword patterns");
            patterns.push_back(pattern(c[0]));
        }
    });
    return pattern_node(at, ast::MatchClass{cls, list(patterns), list(names), list(keyword_patterns)});
}

const ast::Pattern* Builder::mapping_pattern(Tree t) {
    const Trees c = children(t);
    std::vector<ast::ExprRef> keys;
    std::vector<const ast::Pattern*> patterns;
    ast::Identifier rest;
    each_item(c.subspan(1, c.size() - 2), [&](Tree item) {
        const Trees parts = children(item);
        if (!rest.empty()) fail(span(item), "nothing can follow `**` in a mapping pattern");
        if (kind(parts[0]) == P::DOUBLESTAR) {
            rest = capture_name(parts[1]);
        } else {
            keys.push_back(mapping_key(parts[0]));
            patterns.push_back(pattern(parts[2]));
        }
    });
    return pattern_node(span(t), ast::MatchMapping{list(keys), list(patterns), rest});
}

ast::ExprRef Builder::mapping_key(Tree t) {
    const ast::Pattern* key = closed_pattern(t);
    if (const auto* value = std::get_if<ast::MatchValue>(&key->node)) return value->value;
    if (const auto* singleton = std::get_if<ast::MatchSingleton>(&key->node))
        return expr(key->span, ast::Constant{singleton->value});
    fail(key->span, "a key in a mapping pattern is a literal or a dotted name");
}

}  // namespace pyk::syntax
