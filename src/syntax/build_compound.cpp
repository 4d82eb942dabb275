// Statements that own blocks.
#include "syntax/build_ast.h"
#include "syntax/targets.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

const ast::Stmt* Builder::compound(Tree t) {
    switch (rule(t)) {
        case P::RuleIfStmt:
            return if_stmt(t);
        case P::RuleWhileStmt:
            return while_stmt(t);
        case P::RuleForStmt:
            return for_stmt(t, span(t), false);
        case P::RuleTryStmt:
            return try_stmt(t);
        case P::RuleWithStmt:
            return with_stmt(t, span(t), false);
        case P::RuleMatchStmt:
            return match_stmt(t);
        case P::RuleFuncDef:
            return function(t, span(t), false, {});
        case P::RuleClassDef:
            return class_def(t, {});
        case P::RuleDecorated:
            return decorated(t);
        default:
            return async_stmt(t, {});
    }
}

const ast::Stmt* Builder::async_stmt(Tree t, ast::ExprList decorators) {
    Tree inner = children(t)[1];
    switch (rule(inner)) {
        case P::RuleFuncDef:
            return function(inner, span(t), true, decorators);
        case P::RuleForStmt:
            return for_stmt(inner, span(t), true);
        default:
            return with_stmt(inner, span(t), true);
    }
}

ast::Block Builder::clause(Trees parts, size_t& at, size_t keyword) {
    if (at >= parts.size() || kind(parts[at]) != keyword) return {};
    at += 3;
    return block(parts[at - 1]);
}

/// An `elif` is an `if` in the `else` before it. The chain is built from its end, in a loop: it may be thousands long.
const ast::Stmt* Builder::if_stmt(Tree t) {
    struct Arm {
        Span from;
        ast::ExprRef test;
        ast::Block body;
    };
    std::vector<Arm> arms;
    const Trees c = children(t);
    size_t i = 0;
    for (; i < c.size() && kind(c[i]) != P::ELSE; i += 4) {
        const ast::ExprRef test = named(c[i + 1]);
        arms.push_back({span(c[i]), test, block(c[i + 3])});
    }
    ast::Block orelse = clause(c, i, P::ELSE);
    const ast::Stmt* result = nullptr;
    for (size_t n = arms.size(); n-- > 0;) {
        const Arm& arm = arms[n];
        result = stmt(to_end_of(arm.from, orelse.empty() ? arm.body : orelse), ast::If{arm.test, arm.body, orelse});
        orelse = list(Stmts{result});
    }
    return result;
}

const ast::Stmt* Builder::while_stmt(Tree t) {
    const Trees c = children(t);
    const ast::ExprRef test = named(c[1]);
    const ast::Block body = block(c[3]);
    size_t at = 4;
    const ast::Block orelse = clause(c, at, P::ELSE);
    return stmt(to_end_of(span(t), orelse.empty() ? body : orelse), ast::While{test, body, orelse});
}

const ast::Stmt* Builder::for_stmt(Tree t, Span from, bool is_async) {
    const Trees c = children(t);
    const ast::ExprRef target = targets(c[1]), iter = expr_list(c[3]);
    const ast::Block body = block(c[5]);
    size_t at = 6;
    const ast::Block orelse = clause(c, at, P::ELSE);
    return stmt(to_end_of(from, orelse.empty() ? body : orelse), ast::For{target, iter, body, orelse, is_async});
}

// --- try ------------------------------------------------------------------------------------------------------------
const ast::Stmt* Builder::try_stmt(Tree t) {
    const Trees c = children(t);
    const ast::Block body = block(c[2]);
    std::vector<ast::ExceptHandler> handlers;
    bool is_star = false;
    size_t at = 3;
    for (; at < c.size() && !is_leaf(c[at]); ++at) {
        const bool star = kind(children(c[at])[1]) == P::STAR;
        if (!handlers.empty() && star != is_star)
            fail(span(children(c[at])[0]), "cannot have both `except` and `except*` on the same `try`");
        is_star = star;
        handlers.push_back(handler(c[at]));
    }
    const ast::Block orelse = clause(c, at, P::ELSE);
    const ast::Block finalbody = clause(c, at, P::FINALLY);
    const Span end = !finalbody.empty() ? finalbody.back()->span
                     : !orelse.empty()  ? orelse.back()->span
                                        : handlers.back().span;
    return stmt(cover(span(t), end), ast::Try{body, list(handlers), orelse, finalbody, is_star});
}

ast::ExceptHandler Builder::handler(Tree t) {
    const Trees c = children(t);
    const bool star = kind(c[1]) == P::STAR;
    const size_t at = star ? 2 : 1;
    const ast::ExprRef type = is_leaf(c[at]) ? nullptr : expression(c[at]);
    if (star && !type) fail(span(c[at]), "expected one or more exception types after `except*`");
    const ast::Identifier name = kind(c[at + 1]) == P::AS ? identifier(c[at + 2]) : ast::Identifier();
    const ast::Block body = block(c.back());
    return {to_end_of(span(t), body), type, name, body};
}

// --- with -----------------------------------------------------------------------------------------------------------
ast::WithItem Builder::with_item(Tree t) {
    const Trees c = children(t);
    const ast::ExprRef context = expression(c[0]);
    if (c.size() == 1) return {context, nullptr};
    const ast::ExprRef variable = target(c[2]);
    check_target(variable, TargetOf::loop);
    return {context, variable};
}

const ast::Stmt* Builder::with_stmt(Tree t, Span from, bool is_async) {
    const Trees c = children(t);
    Trees items = c.subspan(1, c.size() - 3);
    if (is_leaf(items[0])) items = items.subspan(1, items.size() - 2);
    std::vector<ast::WithItem> list_of_items;
    each_item(items, [&](Tree item) { list_of_items.push_back(with_item(item)); });
    const ast::Block body = block(c.back());
    return stmt(to_end_of(from, body), ast::With{list(list_of_items), body, is_async});
}

// --- definitions ----------------------------------------------------------------------------------------------------
const ast::Stmt* Builder::decorated(Tree t) {
    std::vector<ast::ExprRef> decorators;
    const Trees c = children(t);
    for (size_t i = 1; i + 1 < c.size(); i += 3) decorators.push_back(named(c[i]));
    Tree inner = c.back();
    switch (rule(inner)) {
        case P::RuleFuncDef:
            return function(inner, span(inner), false, list(decorators));
        case P::RuleClassDef:
            return class_def(inner, list(decorators));
        default:
            break;
    }
    Tree keyword = children(inner)[1];
    if (rule(keyword) != P::RuleFuncDef) fail(span(keyword), "only a function or a class can be decorated");
    return async_stmt(inner, list(decorators));
}

const ast::Stmt* Builder::function(Tree t, Span from, bool is_async, ast::ExprList decorators) {
    const Trees c = children(t);
    size_t at = 3;
    const ast::Arguments* args = parameters(is_leaf(c[at]) ? nullptr : c[at++]);
    const ast::ExprRef returns = kind(c[at + 1]) == P::ARROW ? expression(c[at + 2]) : nullptr;
    const ast::Block body = block(c.back());
    return stmt(to_end_of(from, body),
                ast::FunctionDef{identifier(c[1]), span(c[1]), args, body, decorators, returns, is_async});
}

const ast::Stmt* Builder::class_def(Tree t, ast::ExprList decorators) {
    const Trees c = children(t);
    constexpr size_t kWithArguments = 7;  // class NAME ( arguments ) : block
    const CallArguments args = arguments(c.size() == kWithArguments ? c[3] : nullptr, span(t), false);
    const ast::Block body = block(c.back());
    return stmt(to_end_of(span(t), body),
                ast::ClassDef{identifier(c[1]), list(args.positional), list(args.keywords), body, decorators});
}

}  // namespace pyk::syntax
