// Simple statements, lines and files.
#include <fmt/format.h>

#include "syntax/build_ast.h"
#include "syntax/literals.h"
#include "syntax/targets.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

ast::ExprRef Builder::field_input(Tree t) {
    const Nest nest(*this, t);
    return assigned(children(t)[0]);
}

ast::Block Builder::block(Tree t) {
    Stmts body;
    const Trees c = children(t);
    if (c.size() == 1)
        simple_line(c[0], body);
    else
        for (Tree s : c.subspan(2, c.size() - 3)) {
            const ast::Block made = static_cast<const P::StmtContext&>(s.rule()).made;
            body.insert(body.end(), made.begin(), made.end());
        }
    return list(body);
}

ast::Block Builder::statement(Tree t) {
    Stmts made;
    Tree inner = children(t)[0];
    if (rule(inner) == P::RuleSimpleLine)
        simple_line(inner, made);
    else
        made.push_back(compound(inner));
    return list(made);
}

void Builder::simple_line(Tree t, Stmts& out) {
    bool expected = true;
    const Trees c = children(t);
    for (Tree part : c.first(c.size() - 1)) {
        const bool semicolon = is_leaf(part);
        if (semicolon && expected) fail(span(part), "expected a statement before this `;`");
        if (!semicolon) out.push_back(simple(part));
        expected = semicolon;
    }
}

const ast::Stmt* Builder::simple(Tree t) {
    Tree s = children(t)[0];
    const Span at = span(s);
    switch (kind(s)) {
        case P::PASS:
            return stmt(at, ast::Pass{});
        case P::BREAK:
            return stmt(at, ast::Break{});
        case P::CONTINUE:
            return stmt(at, ast::Continue{});
        default:
            break;
    }
    switch (rule(s)) {
        case P::RuleExprStmt:
            return expr_stmt(s);
        case P::RuleImportStmt:
            return import_stmt(s, at);
        case P::RuleFromStmt:
            return from_stmt(s, at);
        case P::RuleDelStmt:
            return delete_stmt(s, at);
        default:
            return keyword_stmt(s, at);
    }
}

const ast::Stmt* Builder::keyword_stmt(Tree t, Span at) {
    const Trees c = children(t);
    const auto optional = [&](size_t i) { return c.size() > i ? expression(c[i]) : nullptr; };
    switch (rule(t)) {
        case P::RuleReturnStmt:
            return stmt(at, ast::Return{c.size() > 1 ? expr_list(c[1]) : nullptr});
        case P::RuleRaiseStmt: {
            const ast::ExprRef exc = optional(1);
            return stmt(at, ast::Raise{exc, optional(3)});
        }
        case P::RuleAssertStmt: {
            const ast::ExprRef test = expression(c[1]);
            return stmt(at, ast::Assert{test, optional(3)});
        }
        default:
            break;
    }
    std::vector<ast::Identifier> names;
    for (size_t i = 1; i < c.size(); i += 2) names.push_back(identifier(c[i]));
    if (kind(c[0]) == P::GLOBAL) return stmt(at, ast::Global{list(names)});
    return stmt(at, ast::Nonlocal{list(names)});
}

// --- expressions and assignments ------------------------------------------------------------------------------------
const ast::Stmt* Builder::expr_stmt(Tree t) {
    const Trees c = children(t);
    const Span at = span(t);
    if (rule(c[0]) == P::RuleYieldExpr) return stmt(at, ast::ExprStmt{yield(c[0])});
    if (c.size() == 1) return stmt(at, ast::ExprStmt{expr_list(c[0])});
    if (kind(c[1]) == P::ASSIGN) return assign(c, at);
    if (kind(c[1]) == P::COLON) return annotated(c, at);
    const ast::ExprRef target = expr_list(c[0]);
    check_target(target, TargetOf::augmented);
    return stmt(at, ast::AugAssign{target, binary_op(kind(children(c[1])[0])), assigned(c[2])});
}

const ast::Stmt* Builder::assign(Trees parts, Span at) {
    std::vector<ast::ExprRef> targets{expr_list(parts[0])};
    for (size_t i = 2; i + 2 < parts.size(); i += 2) targets.push_back(assigned(parts[i]));
    for (const ast::ExprRef target : targets) check_target(target, TargetOf::assignment);
    return stmt(at, ast::Assign{list(targets), assigned(parts.back())});
}

const ast::Stmt* Builder::annotated(Trees parts, Span at) {
    const ast::ExprRef target = expr_list(parts[0]);
    check_target(target, TargetOf::annotation);
    const ast::ExprRef annotation = expression(parts[2]);
    const bool simple = target->as<ast::Name>() && is_one_token(parts[0]);
    return stmt(at, ast::AnnAssign{target, annotation, parts.size() > 4 ? assigned(parts[4]) : nullptr, simple});
}

const ast::Stmt* Builder::delete_stmt(Tree t, Span at) {
    std::vector<ast::ExprRef> targets;
    each_item(children(children(t)[1]), [&](Tree e) {
        targets.push_back(rule(e) == P::RuleStar ? star(e) : expression(e));
        check_target(targets.back(), TargetOf::deletion);
    });
    return stmt(at, ast::Delete{list(targets)});
}

// --- imports --------------------------------------------------------------------------------------------------------
std::string_view Builder::dotted_name(Tree t) {
    const Trees c = children(t);
    if (c.size() == 1) return identifier(c[0]);
    std::string name;
    for (Tree part : c) name += is_leaf(part) && kind(part) == P::DOT ? std::string_view(".") : identifier(part);
    return keep(name, arena_);
}

/// `t`: dottedAs or nameAs.
ast::Alias Builder::alias(Tree t) {
    const Trees c = children(t);
    const std::string_view name = is_leaf(c[0]) ? identifier(c[0]) : dotted_name(c[0]);
    return {span(t), name, c.size() > 2 ? identifier(c[2]) : ast::Identifier()};
}

const ast::Stmt* Builder::import_stmt(Tree t, Span at) {
    std::vector<ast::Alias> names;
    const Trees c = children(t);
    for (size_t i = 1; i < c.size(); i += 2) names.push_back(alias(c[i]));
    return stmt(at, ast::Import{list(names)});
}

const ast::Stmt* Builder::from_stmt(Tree t, Span at) {
    const Trees c = children(t);
    int level = 0;
    size_t i = 1;
    for (; kind(c[i]) == P::DOT || kind(c[i]) == P::ELLIPSIS; ++i) level += kind(c[i]) == P::DOT ? 1 : 3;
    const std::string_view module = is_leaf(c[i]) ? std::string_view() : dotted_name(c[i++]);
    if (module.empty() && level == 0) fail(span(c[i]), "expected a module's name between `from` and `import`");
    std::vector<ast::Alias> names;
    Trees list_part = c.subspan(i + 1);
    if (kind(list_part[0]) == P::STAR) {
        names.push_back({span(list_part[0]), "*", {}});
    } else {
        if (kind(list_part[0]) == P::LPAR) list_part = list_part.subspan(1, list_part.size() - 2);
        each_item(list_part, [&](Tree item) { names.push_back(alias(item)); });
    }
    return stmt(at, ast::ImportFrom{module, list(names), level});
}

}  // namespace pyk::syntax
