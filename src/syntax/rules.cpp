#include "syntax/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "syntax/failure.h"
#include "syntax/pattern_rules.h"

namespace pyk::syntax {
namespace {

template <typename... F>
struct Overload : F... {
    using F::operator()...;
};

constexpr std::string_view kFutures[] = {"nested_scopes",  "generators",     "division",         "absolute_import",
                                         "with_statement", "print_function", "unicode_literals", "generator_stop",
                                         "annotations",    "barry_as_FLUFL"};

class Rules {
  public:
    void block(const ast::Block& body) {
        for (const ast::Stmt* stmt : body) statement(*stmt);
    }

    // Imports of the future come first, behind the docstring.
    void file(const ast::Block& body) {
        bool first = true;
        for (const ast::Stmt* stmt : body) {
            const auto* import = stmt->as<ast::ImportFrom>();
            const bool is_future = import && import->level == 0 && import->module == "__future__";
            if (is_future && !first)
                fail(stmt->span, "`from __future__ import` must stand at the beginning of the file");
            const auto* expr = stmt->as<ast::ExprStmt>();
            const auto* text = stmt == body.front() && expr ? expr->value->as<ast::Constant>() : nullptr;
            first = first && (is_future || (text && std::holds_alternative<ast::StrValue>(text->value)));
        }
        block(body);
    }

  private:
    enum class Within : uint8_t { nothing, function, coroutine };

    void statement(const ast::Stmt& stmt) {
        std::visit(Overload{
                       [&](const ast::FunctionDef& n) { function(n); },
                       [&](const ast::ClassDef& n) { class_body(n); },
                       [&](const ast::Return& n) {
                           if (within_ == Within::nothing) fail(stmt.span, "`return` outside of a function");
                           value(n.value);
                       },
                       [&](const ast::Break&) { in_loop(stmt.span, "`break`"); },
                       [&](const ast::Continue&) { in_loop(stmt.span, "`continue`"); },
                       [&](const ast::Delete& n) { each(n.targets); },
                       [&](const ast::Assign& n) {
                           for (const ast::Expr* one : n.targets) target(*one);
                           value(n.value);
                       },
                       [&](const ast::AugAssign& n) { one(n.target), value(n.value); },
                       [&](const ast::AnnAssign& n) { one(n.target), value(n.value); },
                       [&](const ast::For& n) {
                           if (n.is_async) asynchronous(stmt.span, "`async for`");
                           target(*n.target);
                           value(n.iter), loop_body(n.body), block(n.orelse);
                       },
                       [&](const ast::While& n) { one(n.test), loop_body(n.body), block(n.orelse); },
                       [&](const ast::If& n) { one(n.test), block(n.body), block(n.orelse); },
                       [&](const ast::With& n) {
                           if (n.is_async) asynchronous(stmt.span, "`async with`");
                           for (const ast::WithItem& item : n.items) one(item.context_expr), one(item.optional_vars);
                           block(n.body);
                       },
                       [&](const ast::Match& n) {
                           one(n.subject);
                           check_patterns(n);
                           for (const ast::MatchCase& c : n.cases) one(c.guard), block(c.body);
                       },
                       [&](const ast::Raise& n) { one(n.exc), one(n.cause); },
                       [&](const ast::Try& n) {
                           block(n.body), block(n.orelse), block(n.finalbody);
                           for (const ast::ExceptHandler& h : n.handlers) {
                               if (!h.type && &h != &n.handlers.back())
                                   fail(h.span, "an `except:` that catches everything must be the last");
                               one(h.type), block(h.body);
                           }
                       },
                       [&](const ast::Assert& n) { one(n.test), one(n.msg); },
                       [&](const ast::ImportFrom& n) { import(n, stmt.span); },
                       [&](const ast::Global& n) { global(n, stmt.span); },
                       [&](const ast::Nonlocal&) {
                           if (within_ == Within::nothing && !in_class_)
                               fail(stmt.span, "`nonlocal` outside of a function");
                       },
                       [&](const ast::ExprStmt& n) { value(n.value); },
                       [](const auto&) {},
                   },
                   stmt.node);
    }

    void function(const ast::FunctionDef& node) {
        each(node.decorator_list);
        one(node.returns);
        parameters(*node.args);
        const auto names = std::exchange(parameters_, names_of(*node.args));
        const Within within = std::exchange(within_, node.is_async ? Within::coroutine : Within::function);
        const bool in_class = std::exchange(in_class_, false);
        const int loops = std::exchange(loops_, 0);
        block(node.body);
        parameters_ = names;
        within_ = within;
        in_class_ = in_class;
        loops_ = loops;
    }

    void class_body(const ast::ClassDef& node) {
        each(node.decorator_list), each(node.bases), keywords(node.keywords);
        const Within within = std::exchange(within_, Within::nothing);
        const bool in_class = std::exchange(in_class_, true);
        const int loops = std::exchange(loops_, 0);
        block(node.body);
        within_ = within;
        in_class_ = in_class;
        loops_ = loops;
    }

    void loop_body(const ast::Block& body) {
        ++loops_;
        block(body);
        --loops_;
    }
    void in_loop(Span span, std::string_view what) const {
        if (loops_ == 0) fail(span, fmt::format("{} outside of a loop", what));
    }

    static std::set<std::string_view> names_of(const ast::Arguments& args) {
        std::set<std::string_view> names;
        for_each(args, [&](const ast::Arg& arg) { names.insert(arg.arg); });
        return names;
    }

    static void for_each(const ast::Arguments& args, const std::function<void(const ast::Arg&)>& visit) {
        for (const auto* list : {&args.posonlyargs, &args.args, &args.kwonlyargs})
            for (const ast::Arg& arg : *list) visit(arg);
        if (args.vararg) visit(*args.vararg);
        if (args.kwarg) visit(*args.kwarg);
    }

    void parameters(const ast::Arguments& args) {
        std::set<std::string_view> seen;
        for_each(args, [&](const ast::Arg& arg) {
            if (!seen.insert(arg.arg).second) fail(arg.span, fmt::format("there are two parameters `{}`", arg.arg));
            one(arg.annotation);
        });
        each(args.defaults), each(args.kw_defaults);
    }

    void keywords(const ast::List<ast::Keyword>& all) {
        std::set<std::string_view> seen;
        for (const ast::Keyword& keyword : all) {
            if (!keyword.arg.empty() && !seen.insert(keyword.arg).second)
                fail(keyword.span, fmt::format("the argument `{}` is given twice", keyword.arg));
            one(keyword.value);
        }
    }

    void import(const ast::ImportFrom& node, Span span) {
        for (const ast::Alias& alias : node.names) {
            if (alias.name == "*" && (within_ != Within::nothing || in_class_))
                fail(span, "`import *` stands at module level only");
            const bool is_future = node.level == 0 && node.module == "__future__";
            if (is_future && std::ranges::find(kFutures, alias.name) == std::end(kFutures))
                fail(alias.span, fmt::format("there is no future feature `{}`", alias.name));
        }
    }

    void global(const ast::Global& node, Span span) {
        for (const std::string_view name : node.names)
            if (within_ != Within::nothing && parameters_.contains(name))
                fail(span, fmt::format("`{}` is a parameter, and cannot be global", name));
    }

    void asynchronous(Span span, std::string_view what) {
        if (within_ != Within::coroutine) fail(span, fmt::format("{} outside of an `async` function", what));
    }

    // --- expressions
    void one(ast::ExprRef expr) {
        if (expr) expression(*expr);
    }
    void each(ast::ExprList exprs) {
        for (const ast::Expr* expr : exprs) one(expr);
    }

    // One that may not be starred.
    void value(ast::ExprRef expr) {
        if (expr && expr->as<ast::Starred>())
            fail(expr->span, "a starred expression stands in a tuple, a list or a call");
        one(expr);
    }

    void target(const ast::Expr& expr) {
        if (expr.as<ast::Starred>()) fail(expr.span, "a starred target stands in a tuple or a list: `*a, = …`");
        const auto* tuple = expr.as<ast::Tuple>();
        const auto* list = expr.as<ast::ListExpr>();
        if (!tuple && !list) return expression(expr);
        int stars = 0;
        for (const ast::Expr* element : tuple ? tuple->elts : list->elts) {
            const auto* starred = element->as<ast::Starred>();
            if (starred && ++stars > 1) fail(element->span, "one target only may be starred");
            target(starred ? *starred->value : *element);
        }
    }

    void comprehension(const ast::List<ast::Comprehension>& generators) {
        for (const ast::Comprehension& one_of : generators) {
            target(*one_of.target);
            one(one_of.iter), each(one_of.ifs);
        }
    }

    // What it runs over first is evaluated around it; `await` in the rest makes it asynchronous, wherever it stands.
    void generator(const ast::GeneratorExp& node) {
        const ast::Comprehension& first = node.generators.front();
        one(first.iter);
        const Within within = std::exchange(within_, Within::coroutine);
        one(node.elt);
        for (const ast::Comprehension& one_of : node.generators) {
            target(*one_of.target);
            if (&one_of != &first) one(one_of.iter);
            each(one_of.ifs);
        }
        within_ = within;
    }

    void yielded(Span span) {
        if (within_ == Within::nothing) fail(span, "`yield` outside of a function");
    }

    void expression(const ast::Expr& expr) {
        std::visit(Overload{
                       [&](const ast::BoolOp& n) { each(n.values); },
                       [&](const ast::NamedExpr& n) { one(n.value); },
                       [&](const ast::BinOp& n) { one(n.left), one(n.right); },
                       [&](const ast::Unary& n) { one(n.operand); },
                       [&](const ast::Lambda& n) {
                           parameters(*n.args);
                           const Within within = std::exchange(within_, Within::function);
                           one(n.body);
                           within_ = within;
                       },
                       [&](const ast::IfExp& n) { one(n.test), one(n.body), one(n.orelse); },
                       [&](const ast::Dict& n) { each(n.keys), each(n.values); },
                       [&](const ast::Set& n) { each(n.elts); },
                       [&](const ast::ListComp& n) { one(n.elt), comprehension(n.generators); },
                       [&](const ast::SetComp& n) { one(n.elt), comprehension(n.generators); },
                       [&](const ast::DictComp& n) { one(n.key), one(n.value), comprehension(n.generators); },
                       [&](const ast::GeneratorExp& n) { generator(n); },
                       [&](const ast::Await& n) {
                           asynchronous(expr.span, "`await`");
                           one(n.value);
                       },
                       [&](const ast::Yield& n) { yielded(expr.span), one(n.value); },
                       [&](const ast::YieldFrom& n) { yielded(expr.span), one(n.value); },
                       [&](const ast::Compare& n) { one(n.left), each(n.comparators); },
                       [&](const ast::Call& n) { one(n.func), each(n.args), keywords(n.keywords); },
                       [&](const ast::JoinedStr& n) { each(n.values); },
                       [&](const ast::FormattedValue& n) { one(n.value), one(n.format_spec); },
                       [&](const ast::Attribute& n) { one(n.value); },
                       [&](const ast::Subscript& n) { one(n.value), one(n.slice); },
                       [&](const ast::Starred& n) { one(n.value); },
                       [&](const ast::ListExpr& n) { each(n.elts); },
                       [&](const ast::Tuple& n) { each(n.elts); },
                       [&](const ast::Slice& n) { one(n.lower), one(n.upper), one(n.step); },
                       [](const auto&) {},
                   },
                   expr.node);
    }

    Within within_ = Within::nothing;
    bool in_class_ = false;
    int loops_ = 0;                          ///< around the statement, in the innermost function or class
    std::set<std::string_view> parameters_;  ///< of the function around it
};

}  // namespace

void check_rules(const ast::Block& file) { Rules().file(file); }

}  // namespace pyk::syntax
