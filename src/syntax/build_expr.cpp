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

/// `second`: the token after the operator's first one, if it belongs to the operator.
ast::CompareOp compare_op(size_t first, size_t second) {
    switch (first) {
        case P::EQEQUAL:
            return ast::CompareOp::Eq;
        case P::NOTEQUAL:
            return ast::CompareOp::NotEq;
        case P::LESS:
            return ast::CompareOp::Lt;
        case P::LESSEQUAL:
            return ast::CompareOp::LtE;
        case P::GREATER:
            return ast::CompareOp::Gt;
        case P::GREATEREQUAL:
            return ast::CompareOp::GtE;
        case P::IS:
            return second == P::NOT ? ast::CompareOp::IsNot : ast::CompareOp::Is;
        case P::IN:
            return ast::CompareOp::In;
        default:
            return ast::CompareOp::NotIn;
    }
}

}  // namespace

ast::BinaryOp binary_op(size_t token) {
    switch (token) {
        case P::PLUS:
        case P::PLUSEQUAL:
            return ast::BinaryOp::Add;
        case P::MINUS:
        case P::MINEQUAL:
            return ast::BinaryOp::Sub;
        case P::STAR:
        case P::STAREQUAL:
            return ast::BinaryOp::Mult;
        case P::AT:
        case P::ATEQUAL:
            return ast::BinaryOp::MatMult;
        case P::SLASH:
        case P::SLASHEQUAL:
            return ast::BinaryOp::Div;
        case P::PERCENT:
        case P::PERCENTEQUAL:
            return ast::BinaryOp::Mod;
        case P::DOUBLESTAR:
        case P::DOUBLESTAREQUAL:
            return ast::BinaryOp::Pow;
        case P::LSHIFT:
        case P::LSHIFTEQUAL:
            return ast::BinaryOp::LShift;
        case P::RSHIFT:
        case P::RSHIFTEQUAL:
            return ast::BinaryOp::RShift;
        case P::VBAR:
        case P::VBAREQUAL:
            return ast::BinaryOp::BitOr;
        case P::CARET:
        case P::CARETEQUAL:
            return ast::BinaryOp::BitXor;
        case P::AMPER:
        case P::AMPEREQUAL:
            return ast::BinaryOp::BitAnd;
        default:
            return ast::BinaryOp::FloorDiv;
    }
}

Builder::Nest::Nest(Builder& builder, Tree* at) : builder_(builder) {
    if (++builder.depth_ > kMaxDepth)
        fail(builder.span(at), "this expression nests too deeply; split it into several statements");
}

Span Builder::span(Tree* t) const {
    if (is_leaf(t)) return span(token(t));
    auto* context = static_cast<antlr4::ParserRuleContext*>(t);
    return {&source_, token(context->start).begin, token(context->stop).end};
}

ast::Identifier Builder::identifier(Tree* name) {
    const std::string_view text = span(token(name)).text();
    for (const char c : text)
        if (static_cast<signed char>(c) < 0) return keep(normalized(text), arena_);
    return text;
}

// --- lists of expressions -------------------------------------------------------------------------------------------
ast::ExprRef Builder::star(Tree* t) { return expr(span(t), ast::Starred{bit(children(t)[1])}); }

ast::ExprRef Builder::expr_list(Tree* t) {
    const Trees items = children(t);
    const auto item = [this](Tree* e) { return rule(e) == P::RuleStar ? star(e) : expression(e); };
    if (items.size() == 1) return item(items[0]);
    std::vector<ast::ExprRef> elts;
    each_item(items, [&](Tree* e) { elts.push_back(item(e)); });
    return expr(span(t), ast::Tuple{list(elts)});
}

ast::ExprRef Builder::target(Tree* t) { return rule(t) == P::RuleStar ? star(t) : bit(t); }

ast::ExprRef Builder::targets(Tree* t) {
    const Trees items = children(t);
    ast::ExprRef result;
    if (items.size() == 1) {
        result = target(items[0]);
    } else {
        std::vector<ast::ExprRef> elts;
        each_item(items, [&](Tree* e) { elts.push_back(target(e)); });
        result = expr(span(t), ast::Tuple{list(elts)});
    }
    check_target(result, TargetOf::loop);
    return result;
}

ast::ExprRef Builder::assigned(Tree* t) {
    Tree* value = children(t)[0];
    return rule(value) == P::RuleYieldExpr ? yield(value) : expr_list(value);
}

ast::ExprRef Builder::yield(Tree* t) {
    const Trees c = children(t);
    if (c.size() == 1) return expr(span(t), ast::Yield{nullptr});
    if (c.size() == 2) return expr(span(t), ast::Yield{expr_list(c[1])});
    return expr(span(t), ast::YieldFrom{expression(c[2])});
}

ast::ExprRef Builder::named(Tree* t) {
    const Trees c = children(t);
    return c.size() == 1 ? expression(c[0]) : walrus(c[0], c[2], span(t));
}

ast::ExprRef Builder::walrus(Tree* target, Tree* value, Span at) {
    const ast::ExprRef name = expression(target);
    if (!name->as<ast::Name>() || !is_one_token(target))
        fail(name->span, fmt::format("cannot use `:=` with {}; its target is a plain name", describe(*name)));
    return expr(at, ast::NamedExpr{name, expression(value)});
}

// --- expression, logic ----------------------------------------------------------------------------------------------
ast::ExprRef Builder::expression(Tree* t) {
    const Trees c = children(t);
    const Nest nest(*this, t);
    if (c.size() == 1) return logic(c[0]);
    if (is_leaf(c[0])) return lambda(t);
    const ast::ExprRef body = logic(c[0]), test = logic(c[2]);
    return expr(span(t), ast::IfExp{test, body, expression(c[4])});
}

ast::ExprRef Builder::lambda(Tree* t) {
    const Trees c = children(t);
    const ast::Arguments* args = parameters(c.size() == 4 ? c[1] : nullptr);
    return expr(span(t), ast::Lambda{args, expression(c.back())});
}

/// Walks the left spine in a loop: `a < b < c and d and e` is one comparison and one BoolOp, however long.
ast::ExprRef Builder::logic(Tree* t) {
    if (children(t).size() == 1) return bit(children(t)[0]);
    std::vector<Tree*> spine;
    for (; children(t).size() > 2; t = children(t)[0]) spine.push_back(t);
    ast::ExprRef left = logic_base(t);
    std::reverse(spine.begin(), spine.end());
    const auto op = [](Tree* level) { return kind(children(level)[1]); };
    const auto is_boolean = [](size_t token) { return token == P::AND || token == P::OR; };
    for (size_t begin = 0, end = 0; begin < spine.size(); begin = end) {
        const size_t first = op(spine[begin]);
        for (end = begin + 1;
             end < spine.size() && (is_boolean(first) ? op(spine[end]) == first : !is_boolean(op(spine[end])));)
            ++end;
        const Trees run(spine.data() + begin, end - begin);
        left = is_boolean(first) ? boolean(left, run, first) : comparison(left, run);
    }
    return left;
}

ast::ExprRef Builder::logic_base(Tree* t) {
    const Trees c = children(t);
    if (c.size() == 1) return bit(c[0]);
    const Nest nest(*this, t);
    return expr(span(t), ast::Unary{ast::UnaryOp::Not, logic(c[1])});
}

ast::ExprRef Builder::boolean(ast::ExprRef left, Trees spine, size_t op) {
    std::vector<ast::ExprRef> values{left};
    for (Tree* level : spine) values.push_back(logic(children(level)[2]));
    return expr(span(spine.back()), ast::BoolOp{op == P::AND ? ast::LogicalOp::And : ast::LogicalOp::Or, list(values)});
}

ast::ExprRef Builder::comparison(ast::ExprRef left, Trees spine) {
    std::vector<ast::CompareOp> ops;
    std::vector<ast::ExprRef> comparators;
    for (Tree* level : spine) {
        const Trees c = children(level);
        ops.push_back(compare_op(kind(c[1]), kind(c[2])));
        comparators.push_back(bit(c.back()));
    }
    return expr(span(spine.back()), ast::Compare{left, list(ops), list(comparators)});
}

// --- bit ------------------------------------------------------------------------------------------------------------
/// Walks the left spine in a loop, so that a sum of any length costs no stack.
ast::ExprRef Builder::bit(Tree* t) {
    const auto extends = [](Tree* level) { return children(level).size() > 2 && !is_leaf(children(level)[0]); };
    if (!extends(t)) return bit_base(t);
    std::vector<Tree*> spine;
    for (; extends(t); t = children(t)[0]) spine.push_back(t);
    ast::ExprRef left = bit_base(t);
    for (size_t i = spine.size(); i-- > 0;) left = extend(left, spine[i]);
    return left;
}

ast::ExprRef Builder::extend(ast::ExprRef left, Tree* t) {
    const Trees c = children(t);
    const Span at = span(t);
    const size_t op = kind(c[1]);
    switch (op) {
        case P::DOT:
            return expr(at, ast::Attribute{left, identifier(c[2]), span(c[2])});
        case P::LSQB:
            return expr(at, ast::Subscript{left, subscripts(c.subspan(2, c.size() - 3))});
        case P::LPAR: {
            const CallArguments args =
                arguments(c.size() == 4 ? c[2] : nullptr, cover(span(c[1]), span(c.back())), true);
            return expr(at, ast::Call{left, list(args.positional), list(args.keywords)});
        }
        default: {
            const Nest nest(*this, t);
            return expr(at, ast::BinOp{left, binary_op(op), bit(c[2])});
        }
    }
}

ast::ExprRef Builder::bit_base(Tree* t) {
    const Trees c = children(t);
    return c.size() == 2 && !is_leaf(c[1]) ? prefix(t) : atom(t);
}

ast::ExprRef Builder::prefix(Tree* t) {
    const Trees c = children(t);
    const Nest nest(*this, t);
    const size_t op = kind(c[0]);
    const ast::ExprRef operand = bit(c[1]);
    if (op != P::AWAIT) {
        const ast::UnaryOp unary = op == P::PLUS    ? ast::UnaryOp::UAdd
                                   : op == P::MINUS ? ast::UnaryOp::USub
                                                    : ast::UnaryOp::Invert;
        return expr(span(t), ast::Unary{unary, operand});
    }
    const Tree* inner = c[1];
    if (inner->children.size() == 2 && is_leaf(inner->children[0]) && !is_leaf(inner->children[1]))
        fail(span(inner->children[0]),
             fmt::format("invalid syntax near `{}`: `await` takes a name, a call or something in parentheses",
                         span(inner->children[0]).text()));
    return expr(span(t), ast::Await{operand});
}

ast::ExprRef Builder::atom(Tree* t) {
    Tree* first = children(t)[0];
    switch (kind(first)) {
        case 0:
            return strings(first);
        case P::NAME:
            return expr(span(t), ast::Name{identifier(first)});
        case P::NUMBER:
            return expr(span(t), ast::Constant{number_value(span(first))});
        case P::NONE:
            return expr(span(t), ast::Constant{ast::NoneValue{}});
        case P::TRUE:
            return expr(span(t), ast::Constant{true});
        case P::FALSE:
            return expr(span(t), ast::Constant{false});
        case P::ELLIPSIS:
            return expr(span(t), ast::Constant{ast::EllipsisValue{}});
        case P::LPAR:
            return paren(t);
        case P::LSQB:
            return bracket(t);
        default:
            return brace(t);
    }
}

ast::ExprRef Builder::strings(Tree* t) {
    std::vector<Span> tokens;
    for (Tree* part : children(t)) tokens.push_back(span(token(part)));
    const StringValue value = string_value(tokens, arena_);
    if (value.is_formatted) return expr(span(t), ast::JoinedStr{span(t).text()});
    return expr(span(t), ast::Constant{value.value});
}

ast::ExprRef Builder::subscripts(Trees parts) {
    const bool one = parts.size() == 1 && kind(children(parts[0])[0]) != P::STAR;
    if (one) return subscript(parts[0]);
    std::vector<ast::ExprRef> elts;
    each_item(parts, [&](Tree* t) { elts.push_back(subscript(t)); });
    return expr(cover(span(parts.front()), span(parts.back())), ast::Tuple{list(elts)});
}

ast::ExprRef Builder::subscript(Tree* t) {
    const Trees c = children(t);
    if (is_leaf(c[0])) return expr(span(t), ast::Starred{expression(c[1])});
    if (rule(c[0]) == P::RuleSliceTail) return slice(nullptr, c[0], span(t));
    if (c.size() == 1) return expression(c[0]);
    if (c.size() == 3) return walrus(c[0], c[2], span(t));
    return slice(expression(c[0]), c[1], span(t));
}

ast::ExprRef Builder::slice(ast::ExprRef lower, Tree* tail, Span at) {
    std::array<ast::ExprRef, 3> parts{lower, nullptr, nullptr};
    size_t part = 0;
    for (Tree* t : children(tail)) {
        if (is_leaf(t))
            ++part;
        else
            parts[part] = expression(t);
    }
    return expr(at, ast::Slice{parts[0], parts[1], parts[2]});
}

}  // namespace pyk::syntax
