// From ANTLR's parse tree to ours, checking on the way what the grammar leaves open (its head comment says what).
// Split by kind of node: build_stmt.cpp, build_compound.cpp (statements with blocks), build_expr.cpp,
// build_operators.cpp, build_formatted.cpp (f-strings), build_display.cpp (brackets and comprehensions), build_call.cpp
// (arguments and parameters), build_pattern.cpp; build_match.cpp writes `match` as `if`.
#pragma once

#include <span>
#include <vector>

#include "syntax/antlr.h"
#include "syntax/ast.h"
#include "syntax/failure.h"
#include "syntax/literals.h"

namespace pyk::syntax {

/// Nodes that nest deeper are refused, so that every pass may recurse (left spines and `elif` chains do not count: they
/// are built, and to be walked, in loops).
constexpr int kMaxDepth = 1000;

/// Of an operator's token, augmented or not.
ast::BinaryOp binary_op(size_t token);

class Builder {
  public:
    /// Nodes go to `arena` and point into `source`; around them are `depth` levels of others. Functions throw Failure.
    Builder(const SourceFile& source, Arena& arena, int depth) : source_(source), arena_(arena), depth_(depth) {}

    using Stmts = std::vector<const ast::Stmt*>;

    /// What the rule `stmt` holds: one statement, or those of a line.
    ast::Block statement(Tree stmt);
    /// The rule `fieldInput`.
    ast::ExprRef field_input(Tree t);
    ast::Block block_of(const Stmts& statements) { return list(statements); }

  private:
    using Trees = std::span<const Tree>;

    // --- the parse tree ---------------------------------------------------------------------------------------------
    static Trees children(Tree t) { return t.rule().parts; }
    static bool is_leaf(Tree t) { return t.is_token(); }
    /// The kind of a token, 0 for a rule.
    static size_t kind(Tree t) { return t.is_token() ? t.token().kind : 0; }
    /// The index of a rule; only for what is no token.
    static size_t rule(Tree t) { return t.rule().index; }
    static const Token& token(antlr4::Token* t) { return static_cast<ParserToken*>(t)->token(); }
    Span span(const Token& t) const { return {&source_, t.begin, t.end}; }
    Span span(Tree t) const;
    /// Calls `f` for each item of `item (',' item?)*`; refuses an empty place between commas.
    template <typename F>
    void each_item(Trees list, F&& f) const;
    /// The rule is one bare token: `x`, not `(x)` nor `x.y`.
    static bool is_one_token(Tree t) { return t.rule().start == t.rule().stop; }

    // --- making nodes -----------------------------------------------------------------------------------------------
    template <typename T, typename... Args>
    const T* make(Args&&... args) {
        return new (arena_.allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }
    template <typename T>
    ast::List<T> list(const std::vector<T>& items) {
        if (items.empty()) return {};
        T* copy = static_cast<T*>(arena_.allocate(items.size() * sizeof(T), alignof(T)));
        std::uninitialized_copy(items.begin(), items.end(), copy);
        return {copy, items.size()};
    }
    template <typename Node>
    ast::ExprRef expr(Span at, Node node) {
        return make<ast::Expr>(at, std::move(node));
    }
    template <typename Node>
    const ast::Stmt* stmt(Span at, Node node) {
        return make<ast::Stmt>(at, std::move(node));
    }
    ast::Identifier identifier(Tree name);

    /// One level of nesting more; refused where there are too many.
    void deepen(Tree at);
    /// Counts one level of nesting while it lives.
    class Nest {
      public:
        Nest(Builder& builder, Tree at) : builder_(builder) { builder.deepen(at); }
        ~Nest() { --builder_.depth_; }
        Nest(const Nest&) = delete;

      private:
        Builder& builder_;
    };

    // --- statements -------------------------------------------------------------------------------------------------
    ast::Block block(Tree t);
    void simple_line(Tree t, Stmts& out);
    const ast::Stmt* simple(Tree t);
    const ast::Stmt* compound(Tree t);
    const ast::Stmt* async_stmt(Tree t, ast::ExprList decorators);
    const ast::Stmt* expr_stmt(Tree t);
    const ast::Stmt* assign(Trees parts, Span at);
    const ast::Stmt* annotated(Trees parts, Span at);
    const ast::Stmt* keyword_stmt(Tree t, Span at);
    const ast::Stmt* import_stmt(Tree t, Span at);
    const ast::Stmt* from_stmt(Tree t, Span at);
    const ast::Stmt* delete_stmt(Tree t, Span at);
    const ast::Stmt* if_stmt(Tree t);
    const ast::Stmt* while_stmt(Tree t);
    const ast::Stmt* for_stmt(Tree t, Span from, bool is_async);
    const ast::Stmt* try_stmt(Tree t);
    const ast::Stmt* with_stmt(Tree t, Span from, bool is_async);
    const ast::Stmt* function(Tree t, Span from, bool is_async, ast::ExprList decorators);
    const ast::Stmt* class_def(Tree t, ast::ExprList decorators);
    const ast::Stmt* decorated(Tree t);
    const ast::Stmt* match_stmt(Tree t);
    ast::ExceptHandler handler(Tree t);
    ast::WithItem with_item(Tree t);
    ast::Alias alias(Tree t);
    std::string_view dotted_name(Tree t);
    /// The block after `else`/`finally` at `at`, if that is what stands there; moves behind it.
    ast::Block clause(Trees parts, size_t& at, size_t keyword);
    Span to_end_of(Span from, ast::Block last) const { return cover(from, last.back()->span); }

    // --- patterns ---------------------------------------------------------------------------------------------------
    ast::MatchCase match_case(Tree t);
    template <typename Node>
    const ast::Pattern* pattern_node(Span at, Node node) {
        return make<ast::Pattern>(at, std::move(node));
    }
    const ast::Pattern* open_patterns(Tree t);
    std::vector<const ast::Pattern*> pattern_items(Tree patterns);
    const ast::Pattern* star_pattern(Tree t);
    const ast::Pattern* pattern(Tree t);
    const ast::Pattern* closed_pattern(Tree t);
    const ast::Pattern* name_pattern(Tree t);
    const ast::Pattern* group_pattern(Tree t);
    const ast::Pattern* class_pattern(ast::ExprRef cls, Trees args, Span at);
    const ast::Pattern* mapping_pattern(Tree t);
    ast::ExprRef mapping_key(Tree t);
    ast::ExprRef signed_number(Trees parts);
    ast::Identifier capture_name(Tree name);
    void check_wildcard(Tree closed_pattern) const;

    // --- what `match` means -----------------------------------------------------------------------------------------
    ast::Block meaning(ast::ExprRef subject, const std::vector<ast::MatchCase>& cases);
    ast::Block case_meaning(const ast::MatchCase& one, ast::Identifier name, ast::Block rest);
    ast::ExprRef joined(ast::LogicalOp op, std::vector<ast::ExprRef> tests, Span at);
    ast::ExprRef test_of(const ast::Pattern& pattern, ast::ExprRef value);
    ast::ExprRef test_of(const ast::MatchSequence& sequence, ast::ExprRef value, Span at);
    void bind(const ast::Pattern& pattern, ast::ExprRef value, Stmts& out);
    void bind(const ast::MatchSequence& sequence, ast::ExprRef value, Stmts& out);
    const ast::Stmt* assignment(ast::Identifier name, ast::ExprRef value, Span at);
    ast::ExprRef index(int at, Span span);

    // --- expressions ------------------------------------------------------------------------------------------------
    ast::ExprRef expression(Tree t);
    ast::ExprRef lambda(Tree t);
    ast::ExprRef logic(Tree t);
    /// Parts of a row of operators and operands; `at` moves behind what was read.
    ast::ExprRef boolean(Trees row, size_t& at, size_t op);
    ast::ExprRef inversion(Trees row, size_t& at);
    ast::ExprRef comparison(Trees row, size_t& at);
    ast::ExprRef arithmetic(Trees row, size_t& at);
    ast::ExprRef bit(Tree t);
    ast::ExprRef primary(Tree t);
    ast::ExprRef atom(Tree t);
    ast::ExprRef group(Tree t);
    ast::ExprRef strings(Tree t);
    class Formatted;
    ast::ExprRef formatted(std::span<const StringLiteral> literals, Span at);
    ast::ExprRef paren(Tree t);
    ast::ExprRef bracket(Tree t);
    ast::ExprRef brace(Tree t);
    ast::ExprRef dict(Trees items, Span at);
    ast::ExprRef set(Trees items, Span at);
    ast::ExprRef brace_comprehension(Tree item, Trees clauses, Span at);
    ast::ExprRef star(Tree t);
    ast::ExprRef named(Tree t);
    ast::ExprRef walrus(Tree target, Tree value, Span at);
    ast::ExprRef named_or_star(Tree t) { return rule(t) == PykParser::RuleStar ? star(t) : named(t); }
    ast::ExprRef yield(Tree t);
    ast::ExprRef assigned(Tree t);
    ast::ExprRef expr_list(Tree t);
    ast::ExprRef targets(Tree t);
    ast::ExprRef target(Tree t);
    ast::ExprRef subscripts(Trees parts);
    ast::ExprRef subscript(Tree t);
    ast::ExprRef slice(ast::ExprRef lower, Tree tail, Span at);
    ast::List<ast::Comprehension> comprehensions(Trees clauses);
    ast::ExprList display_items(Tree display);

    // --- arguments and parameters -----------------------------------------------------------------------------------
    struct CallArguments {
        std::vector<ast::ExprRef> positional;
        std::vector<ast::Keyword> keywords;
        bool double_star = false;  ///< seen `**x`
    };
    /// `args`: the rule `arguments` or null. `at`: with the parentheses. A class has no generator expression for a
    /// base.
    CallArguments arguments(Tree args, Span at, bool is_call);
    void argument(Tree t, CallArguments& out);
    void positional(ast::ExprRef value, Tree t, CallArguments& out);
    ast::Keyword keyword(Tree t);
    ast::ExprRef generator_argument(Tree t, Span at);
    /// `t`: params, lambdaParams or null.
    const ast::Arguments* parameters(Tree t);

    const SourceFile& source_;
    Arena& arena_;
    int depth_;
};

template <typename F>
void Builder::each_item(Trees list, F&& f) const {
    bool expected = true;
    for (Tree t : list) {
        const bool comma = kind(t) == PykParser::COMMA;
        if (comma && expected) fail(span(t), "expected something before this `,`");
        if (!comma) f(t);
        expected = comma;
    }
}

}  // namespace pyk::syntax
