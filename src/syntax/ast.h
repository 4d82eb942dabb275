// The syntax tree: Python 3.11's own abstract grammar (the `ast` module), immutable and untyped. Field names are those
// of the `ast` module, so that `dump` can be compared with CPython's.
//
// Nodes live in the arena of their Module and are trivially destructible: text is a view into the source or the arena,
// a list is a std::span. A tree may be deep (50,000 terms make 50,000 levels): walk left spines in loops where it
// matters, and chains of `elif` (an If alone in the orelse of another). All other nesting of expressions is at most
// 1,000 levels deep.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "support/source.h"
#include "syntax/arena.h"

namespace pyk::ast {

struct Expr;
struct Stmt;
struct Pattern;
using ExprRef = const Expr*;  ///< null where the `ast` module has None
template <typename T>
using List = std::span<const T>;
using ExprList = List<ExprRef>;
using Block = List<const Stmt*>;
using Identifier = std::string_view;  ///< NFKC-normalised

enum class BinaryOp : uint8_t {
    Add,
    Sub,
    Mult,
    MatMult,
    Div,
    Mod,
    Pow,
    LShift,
    RShift,
    BitOr,
    BitXor,
    BitAnd,
    FloorDiv
};
enum class UnaryOp : uint8_t { Invert, Not, UAdd, USub };
enum class CompareOp : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
enum class LogicalOp : uint8_t { And, Or };

// --- parts ----------------------------------------------------------------------------------------------------------
struct Arg {
    Span span;
    Identifier arg;
    ExprRef annotation = nullptr;
};
struct Arguments {
    List<Arg> posonlyargs, args;
    const Arg* vararg = nullptr;
    List<Arg> kwonlyargs;
    ExprList kw_defaults;  ///< null where a keyword-only argument has no default
    const Arg* kwarg = nullptr;
    ExprList defaults;
};
struct Keyword {
    Span span;
    Identifier arg;  ///< empty for `**value`
    ExprRef value;
};
struct Comprehension {
    ExprRef target, iter;
    ExprList ifs;
    bool is_async;
};
struct Alias {
    Span span;
    Identifier name;    ///< dotted
    Identifier asname;  ///< empty: none
};
struct WithItem {
    ExprRef context_expr, optional_vars;
};
struct ExceptHandler {
    Span span;
    ExprRef type;
    Identifier name;
    Block body;
};
struct MatchCase {
    const Pattern* pattern;
    ExprRef guard;
    Block body;
};

// --- constants ------------------------------------------------------------------------------------------------------
struct NoneValue {};
struct EllipsisValue {};
/// An integer of any size: the magnitude's low 64 bits, and its digits as written when it does not fit into them.
struct IntValue {
    uint64_t value;
    bool fits;                ///< false: more than 64 bits, see `digits`
    std::string_view digits;  ///< as in the source (with prefix and underscores)
};
struct ImaginaryValue {
    double value;
};
struct StrValue {
    std::string_view text;  ///< decoded, UTF-8 (a lone surrogate is kept as its three-byte form)
    bool unicode_prefix;    ///< written u"…": `kind='u'`
};
struct BytesValue {
    std::string_view bytes;  ///< decoded
};
using ConstantValue =
    std::variant<NoneValue, bool, IntValue, double, ImaginaryValue, StrValue, BytesValue, EllipsisValue>;

// clang-format off
// --- expressions ----------------------------------------------------------------------------------------------------
struct BoolOp { LogicalOp op; ExprList values; };
struct NamedExpr { ExprRef target, value; };
struct BinOp { ExprRef left; BinaryOp op; ExprRef right; };
struct Unary { UnaryOp op; ExprRef operand; };
struct Lambda { const Arguments* args; ExprRef body; };
struct IfExp { ExprRef test, body, orelse; };
struct Dict { ExprList keys, values; };  ///< a null key: `**value`
struct Set { ExprList elts; };
struct ListComp { ExprRef elt; List<Comprehension> generators; };
struct SetComp { ExprRef elt; List<Comprehension> generators; };
struct DictComp { ExprRef key, value; List<Comprehension> generators; };
struct GeneratorExp { ExprRef elt; List<Comprehension> generators; };
struct Await { ExprRef value; };
struct Yield { ExprRef value; };
struct YieldFrom { ExprRef value; };
struct Compare { ExprRef left; List<CompareOp> ops; ExprList comparators; };
struct Call { ExprRef func; ExprList args; List<Keyword> keywords; };
struct JoinedStr { ExprList values; };  ///< an f-string: texts (Constant) and FormattedValues
struct FormattedValue { ExprRef value; char conversion; ExprRef format_spec; };  ///< `{x!r:>8}`: 'r' and a JoinedStr; 0, null: without
struct Constant { ConstantValue value; };
struct Attribute { ExprRef value; Identifier attr; Span attr_span; };
struct Subscript { ExprRef value, slice; };
struct Starred { ExprRef value; };
struct Name { Identifier id; };
struct ListExpr { ExprList elts; };
struct Tuple { ExprList elts; };
struct Slice { ExprRef lower, upper, step; };
struct IsSequence { ExprRef value; uint32_t least; bool exact; };  ///< of what `match` means: a tuple of that many elements

// clang-format on

/// The context (Load, Store, Del) is not stored: it follows from where the node stands.
struct Expr {
    Span span;
    std::variant<BoolOp, NamedExpr, BinOp, Unary, Lambda, IfExp, Dict, Set, ListComp, SetComp, DictComp, GeneratorExp,
                 Await, Yield, YieldFrom, Compare, Call, JoinedStr, FormattedValue, Constant, Attribute, Subscript,
                 Starred, Name, ListExpr, Tuple, Slice, IsSequence>
        node;

    template <typename T>
    const T* as() const {
        return std::get_if<T>(&node);
    }
};

// clang-format off
// --- patterns (of `match`) -------------------------------------------------------------------------------------------
struct MatchValue { ExprRef value; };
struct MatchSingleton { ConstantValue value; };
struct MatchSequence { List<const Pattern*> patterns; };
struct MatchMapping { ExprList keys; List<const Pattern*> patterns; Identifier rest; };
struct MatchClass { ExprRef cls; List<const Pattern*> patterns; List<Identifier> kwd_attrs; List<const Pattern*> kwd_patterns; };
struct MatchStar { Identifier name; };
struct MatchAs { const Pattern* pattern; Identifier name; };
struct MatchOr { List<const Pattern*> patterns; };
struct Pattern {
    Span span;
    std::variant<MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr> node;
};

// --- statements -----------------------------------------------------------------------------------------------------
struct FunctionDef {
    Identifier name;
    Span name_span;
    const Arguments* args;
    Block body;
    ExprList decorator_list;
    ExprRef returns;
    bool is_async;
};
struct ClassDef { Identifier name; ExprList bases; List<Keyword> keywords; Block body; ExprList decorator_list; };
struct Return { ExprRef value; };
struct Delete { ExprList targets; };
struct Assign { ExprList targets; ExprRef value; };
struct AugAssign { ExprRef target; BinaryOp op; ExprRef value; };
struct AnnAssign { ExprRef target, annotation, value; bool simple; };
struct For { ExprRef target, iter; Block body, orelse; bool is_async; };
struct While { ExprRef test; Block body, orelse; };
struct If { ExprRef test; Block body, orelse; };
struct With { List<WithItem> items; Block body; bool is_async; };
struct Match { ExprRef subject; List<MatchCase> cases; Block meaning; };  ///< `meaning`: the same as `if` statements
struct Raise { ExprRef exc, cause; };
struct Try { Block body; List<ExceptHandler> handlers; Block orelse, finalbody; bool is_star; };
struct Assert { ExprRef test, msg; };
struct Import { List<Alias> names; };
struct ImportFrom { Identifier module; List<Alias> names; int level; };
struct Global { List<Identifier> names; };
struct Nonlocal { List<Identifier> names; };
struct ExprStmt { ExprRef value; };
struct Pass {};
struct Break {};
struct Continue {};

struct Stmt {
    Span span;
    std::variant<FunctionDef, ClassDef, Return, Delete, Assign, AugAssign, AnnAssign, For, While, If, With, Match, Raise, Try, Assert,
                 Import, ImportFrom, Global, Nonlocal, ExprStmt, Pass, Break, Continue>
        node;

    template <typename T>
    const T* as() const { return std::get_if<T>(&node); }
};

// clang-format on

/// A parsed file. Owns its nodes and keeps its text alive; moves, does not copy.
struct Module {
    SourceFilePtr source;
    std::unique_ptr<Arena> arena;
    Block body;
};

}  // namespace pyk::ast
