#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "syntax/build_ast.h"
#include "syntax/characters.h"
#include "syntax/literals.h"
#include "syntax/targets.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

void Builder::deepen(Tree at) {
    if (++depth_ > kMaxDepth) fail(span(at), "this expression nests too deeply; split it into several statements");
}

Span Builder::span(Tree t) const {
    if (is_leaf(t)) return span(t.token());
    return {&source_, token(t.rule().start).begin, token(t.rule().stop).end};
}

ast::Identifier Builder::identifier(Tree name) {
    const std::string_view text = span(name).text();
    for (const char c : text)
        if (static_cast<signed char>(c) < 0) return keep(normalized(text), arena_);
    return text;
}

// --- lists of expressions -------------------------------------------------------------------------------------------
ast::ExprRef Builder::star(Tree t) { return expr(span(t), ast::Starred{bit(children(t)[1])}); }

ast::ExprRef Builder::expr_list(Tree t) {
    const Trees items = children(t);
    const auto item = [this](Tree e) { return rule(e) == P::RuleStar ? star(e) : expression(e); };
    if (items.size() == 1) return item(items[0]);
    std::vector<ast::ExprRef> elts;
    each_item(items, [&](Tree e) { elts.push_back(item(e)); });
    return expr(span(t), ast::Tuple{list(elts)});
}

ast::ExprRef Builder::target(Tree t) { return rule(t) == P::RuleStar ? star(t) : bit(t); }

ast::ExprRef Builder::targets(Tree t) {
    const Trees items = children(t);
    ast::ExprRef result;
    if (items.size() == 1) {
        result = target(items[0]);
    } else {
        std::vector<ast::ExprRef> elts;
        each_item(items, [&](Tree e) { elts.push_back(target(e)); });
        result = expr(span(t), ast::Tuple{list(elts)});
    }
    check_target(result, TargetOf::loop);
    return result;
}

ast::ExprRef Builder::assigned(Tree t) {
    Tree value = children(t)[0];
    return rule(value) == P::RuleYieldExpr ? yield(value) : expr_list(value);
}

ast::ExprRef Builder::yield(Tree t) {
    const Trees c = children(t);
    if (c.size() == 1) return expr(span(t), ast::Yield{nullptr});
    if (c.size() == 2) return expr(span(t), ast::Yield{expr_list(c[1])});
    return expr(span(t), ast::YieldFrom{expression(c[2])});
}

ast::ExprRef Builder::named(Tree t) {
    const Trees c = children(t);
    return c.size() == 1 ? expression(c[0]) : walrus(c[0], c[2], span(t));
}

ast::ExprRef Builder::walrus(Tree target, Tree value, Span at) {
    const ast::ExprRef name = expression(target);
    if (!name->as<ast::Name>() || !is_one_token(target))
        fail(name->span, fmt::format("cannot use `:=` with {}; its target is a plain name", describe(*name)));
    return expr(at, ast::NamedExpr{name, expression(value)});
}

// --- expression, logic ----------------------------------------------------------------------------------------------
ast::ExprRef Builder::expression(Tree t) {
    const Trees c = children(t);
    const Nest nest(*this, t);
    if (c.size() == 1) return logic(c[0]);
    if (is_leaf(c[0])) return lambda(t);
    const ast::ExprRef body = logic(c[0]), test = logic(c[2]);
    return expr(span(t), ast::IfExp{test, body, expression(c[4])});
}

ast::ExprRef Builder::lambda(Tree t) {
    const Trees c = children(t);
    const ast::Arguments* args = parameters(c.size() == 4 ? c[1] : nullptr);
    return expr(span(t), ast::Lambda{args, expression(c.back())});
}

// --- primary --------------------------------------------------------------------------------------------------------
ast::ExprRef Builder::primary(Tree t) {
    const Trees c = children(t);
    ast::ExprRef left = atom(c[0]);
    for (size_t at = 1, close = 0; at < c.size(); at = close + 1) {
        const auto upto_close = [&] { return cover(span(c[0]), span(c[close])); };
        switch (kind(c[at])) {
            case P::DOT:
                close = at + 1;
                left = expr(upto_close(), ast::Attribute{left, identifier(c[close]), span(c[close])});
                break;
            case P::LPAR: {
                Tree inside = is_leaf(c[at + 1]) ? nullptr : c[at + 1];
                close = at + (inside ? 2 : 1);
                const CallArguments args = arguments(inside, cover(span(c[at]), span(c[close])), true);
                left = expr(upto_close(), ast::Call{left, list(args.positional), list(args.keywords)});
                break;
            }
            default:
                for (close = at + 1; kind(c[close]) != P::RSQB;) ++close;
                left = expr(upto_close(), ast::Subscript{left, subscripts(c.subspan(at + 1, close - at - 1))});
                break;
        }
    }
    return left;
}

ast::ExprRef Builder::atom(Tree t) {
    if (!is_leaf(t)) return rule(t) == P::RuleStrings ? strings(t) : group(t);
    switch (kind(t)) {
        case P::NAME:
            return expr(span(t), ast::Name{identifier(t)});
        case P::NUMBER:
            return expr(span(t), ast::Constant{number_value(span(t))});
        case P::NONE:
            return expr(span(t), ast::Constant{ast::NoneValue{}});
        case P::TRUE:
            return expr(span(t), ast::Constant{true});
        case P::FALSE:
            return expr(span(t), ast::Constant{false});
        default:
            return expr(span(t), ast::Constant{ast::EllipsisValue{}});
    }
}

ast::ExprRef Builder::strings(Tree t) {
    std::vector<Span> tokens;
    for (Tree part : children(t)) tokens.push_back(span(part));
    const std::vector<StringLiteral> literals = string_literals(tokens);
    if (std::ranges::any_of(literals, &StringLiteral::is_formatted)) return formatted(literals, span(t));
    return expr(span(t), ast::Constant{string_value(literals, arena_)});
}

ast::ExprRef Builder::subscripts(Trees parts) {
    const bool one = parts.size() == 1 && kind(children(parts[0])[0]) != P::STAR;
    if (one) return subscript(parts[0]);
    std::vector<ast::ExprRef> elts;
    each_item(parts, [&](Tree t) { elts.push_back(subscript(t)); });
    return expr(cover(span(parts.front()), span(parts.back())), ast::Tuple{list(elts)});
}

ast::ExprRef Builder::subscript(Tree t) {
    const Trees c = children(t);
    if (is_leaf(c[0])) return expr(span(t), ast::Starred{expression(c[1])});
    if (rule(c[0]) == P::RuleSliceTail) return slice(nullptr, c[0], span(t));
    if (c.size() == 1) return expression(c[0]);
    if (c.size() == 3) return walrus(c[0], c[2], span(t));
    return slice(expression(c[0]), c[1], span(t));
}

ast::ExprRef Builder::slice(ast::ExprRef lower, Tree tail, Span at) {
    std::array<ast::ExprRef, 3> parts{lower, nullptr, nullptr};
    size_t part = 0;
    for (Tree t : children(tail)) {
        if (is_leaf(t))
            ++part;
        else
            parts[part] = expression(t);
    }
    return expr(at, ast::Slice{parts[0], parts[1], parts[2]});
}

}  // namespace pyk::syntax
