#include "syntax/dump.h"

#include <variant>

#include "support/fault.h"
#include "syntax/dump_writer.h"

namespace pyk {
namespace {

using syntax::Context;
using syntax::DumpWriter;
using syntax::ExprPiece;
using syntax::Piece;

constexpr std::string_view kBinaryOps[] = {"Add()",    "Sub()",    "Mult()",    "MatMult()", "Div()",
                                           "Mod()",    "Pow()",    "LShift()",  "RShift()",  "BitOr()",
                                           "BitXor()", "BitAnd()", "FloorDiv()"};
constexpr std::string_view kUnaryOps[] = {"Invert()", "Not()", "UAdd()", "USub()"};
constexpr std::string_view kCompareOps[] = {"Eq()",  "NotEq()", "Lt()",    "LtE()", "Gt()",
                                            "GtE()", "Is()",    "IsNot()", "In()",  "NotIn()"};

class Dumper : private DumpWriter {
  public:
    std::string run(const ast::Module& module) {
        open("Module");
        block("body", module.body);
        name("type_ignores");
        text("[])");
        return finish([this](const Piece& piece) { std::visit([this](const auto& p) { expand(p); }, piece); });
    }

    void expand(const std::string&) {}  // text is written already
    void expand(const ExprPiece& piece) {
        context_ = piece.context;
        std::visit([this](const auto& node) { (*this)(node); }, piece.expr->node);
    }
    void expand(const ast::Stmt* stmt) {
        std::visit([this](const auto& node) { (*this)(node); }, stmt->node);
    }
    void expand(const ast::Pattern* pattern) {
        std::visit([this](const auto& node) { (*this)(node); }, pattern->node);
    }

    // --- expressions ------------------------------------------------------------------------------------------------
    void operator()(const ast::BoolOp& n) {
        open("BoolOp");
        plain("op", n.op == ast::LogicalOp::And ? "And()" : "Or()");
        exprs("values", n.values);
        close();
    }
    void operator()(const ast::NamedExpr& n) {
        open("NamedExpr");
        expr("target", n.target, Context::store);
        expr("value", n.value);
        close();
    }
    void operator()(const ast::BinOp& n) {
        open("BinOp");
        expr("left", n.left);
        plain("op", kBinaryOps[static_cast<size_t>(n.op)]);
        expr("right", n.right);
        close();
    }
    void operator()(const ast::Unary& n) {
        open("UnaryOp");
        plain("op", kUnaryOps[static_cast<size_t>(n.op)]);
        expr("operand", n.operand);
        close();
    }
    void operator()(const ast::Lambda& n) {
        open("Lambda");
        name("args");
        arguments(*n.args);
        expr("body", n.body);
        close();
    }
    void operator()(const ast::IfExp& n) {
        open("IfExp");
        expr("test", n.test);
        expr("body", n.body);
        expr("orelse", n.orelse);
        close();
    }
    void operator()(const ast::Dict& n) {
        open("Dict");
        exprs("keys", n.keys);
        exprs("values", n.values);
        close();
    }
    void operator()(const ast::Set& n) { sequence("Set", n.elts, false); }
    void operator()(const ast::ListComp& n) { comprehension("ListComp", n.elt, n.generators); }
    void operator()(const ast::SetComp& n) { comprehension("SetComp", n.elt, n.generators); }
    void operator()(const ast::GeneratorExp& n) { comprehension("GeneratorExp", n.elt, n.generators); }
    void operator()(const ast::DictComp& n) {
        open("DictComp");
        expr("key", n.key);
        expr("value", n.value);
        generators(n.generators);
        close();
    }
    void operator()(const ast::Await& n) { one("Await", "value", n.value); }
    void operator()(const ast::Yield& n) { one("Yield", "value", n.value); }
    void operator()(const ast::YieldFrom& n) { one("YieldFrom", "value", n.value); }
    void operator()(const ast::Compare& n) {
        open("Compare");
        expr("left", n.left);
        list("ops", n.ops, [this](ast::CompareOp op) { text(kCompareOps[static_cast<size_t>(op)]); });
        exprs("comparators", n.comparators);
        close();
    }
    void operator()(const ast::Call& n) {
        open("Call");
        expr("func", n.func);
        exprs("args", n.args);
        keywords(n.keywords);
        close();
    }
    void operator()(const ast::JoinedStr& n) {
        open("JoinedStr");
        exprs("values", n.values);
        close();
    }
    void operator()(const ast::FormattedValue& n) {
        open("FormattedValue");
        expr("value", n.value);
        plain("conversion", n.conversion ? std::to_string(n.conversion) : "-1");
        expr("format_spec", n.format_spec);
        close();
    }
    void operator()(const ast::Constant& n) {
        open("Constant");
        constant("value", n.value);
        const auto* str = std::get_if<ast::StrValue>(&n.value);
        if (str && str->unicode_prefix) plain("kind", "'u'");
        close();
    }
    void operator()(const ast::Attribute& n) {
        const Context context = context_;
        open("Attribute");
        expr("value", n.value);
        string("attr", n.attr);
        ctx(context);
    }
    void operator()(const ast::Subscript& n) {
        const Context context = context_;
        open("Subscript");
        expr("value", n.value);
        expr("slice", n.slice);
        ctx(context);
    }
    void operator()(const ast::Starred& n) {
        open("Starred");
        expr("value", n.value, context_);
        ctx(context_);
    }
    void operator()(const ast::Name& n) {
        open("Name");
        string("id", n.id);
        ctx(context_);
    }
    void operator()(const ast::ListExpr& n) { sequence("List", n.elts, true); }
    void operator()(const ast::Tuple& n) { sequence("Tuple", n.elts, true); }
    void operator()(const ast::IsSequence&) { internal_error("what a `match` means is not dumped"); }
    void operator()(const ast::Slice& n) {
        open("Slice");
        expr("lower", n.lower);
        expr("upper", n.upper);
        expr("step", n.step);
        close();
    }

    // --- patterns ---------------------------------------------------------------------------------------------------
    void operator()(const ast::MatchValue& n) { one("MatchValue", "value", n.value); }
    void operator()(const ast::MatchSingleton& n) {
        open("MatchSingleton");
        constant("value", n.value);
        close();
    }
    void operator()(const ast::MatchSequence& n) {
        open("MatchSequence");
        patterns("patterns", n.patterns);
        close();
    }
    void operator()(const ast::MatchMapping& n) {
        open("MatchMapping");
        exprs("keys", n.keys);
        patterns("patterns", n.patterns);
        optional_string("rest", n.rest);
        close();
    }
    void operator()(const ast::MatchClass& n) {
        open("MatchClass");
        expr("cls", n.cls);
        patterns("patterns", n.patterns);
        strings("kwd_attrs", n.kwd_attrs);
        patterns("kwd_patterns", n.kwd_patterns);
        close();
    }
    void operator()(const ast::MatchStar& n) {
        open("MatchStar");
        optional_string("name", n.name);
        close();
    }
    void operator()(const ast::MatchAs& n) {
        open("MatchAs");
        pattern("pattern", n.pattern);
        optional_string("name", n.name);
        close();
    }
    void operator()(const ast::MatchOr& n) {
        open("MatchOr");
        patterns("patterns", n.patterns);
        close();
    }

    // --- statements -------------------------------------------------------------------------------------------------
    void operator()(const ast::FunctionDef& n) {
        open(n.is_async ? "AsyncFunctionDef" : "FunctionDef");
        string("name", n.name);
        name("args");
        arguments(*n.args);
        block("body", n.body);
        exprs("decorator_list", n.decorator_list);
        expr("returns", n.returns);
        close();
    }
    void operator()(const ast::ClassDef& n) {
        open("ClassDef");
        string("name", n.name);
        exprs("bases", n.bases);
        keywords(n.keywords);
        block("body", n.body);
        exprs("decorator_list", n.decorator_list);
        close();
    }
    void operator()(const ast::Return& n) { one("Return", "value", n.value); }
    void operator()(const ast::Delete& n) {
        open("Delete");
        exprs("targets", n.targets, Context::del);
        close();
    }
    void operator()(const ast::Assign& n) {
        open("Assign");
        exprs("targets", n.targets, Context::store);
        expr("value", n.value);
        close();
    }
    void operator()(const ast::AugAssign& n) {
        open("AugAssign");
        expr("target", n.target, Context::store);
        plain("op", kBinaryOps[static_cast<size_t>(n.op)]);
        expr("value", n.value);
        close();
    }
    void operator()(const ast::AnnAssign& n) {
        open("AnnAssign");
        expr("target", n.target, Context::store);
        expr("annotation", n.annotation);
        expr("value", n.value);
        plain("simple", n.simple ? "1" : "0");
        close();
    }
    void operator()(const ast::For& n) {
        open(n.is_async ? "AsyncFor" : "For");
        expr("target", n.target, Context::store);
        expr("iter", n.iter);
        block("body", n.body);
        block("orelse", n.orelse);
        close();
    }
    void operator()(const ast::While& n) { conditional("While", n.test, n.body, n.orelse); }
    void operator()(const ast::If& n) { conditional("If", n.test, n.body, n.orelse); }
    void operator()(const ast::With& n) {
        open(n.is_async ? "AsyncWith" : "With");
        list("items", n.items, [this](const ast::WithItem& item) {
            open("withitem");
            expr("context_expr", item.context_expr);
            expr("optional_vars", item.optional_vars, Context::store);
            close();
        });
        block("body", n.body);
        close();
    }
    void operator()(const ast::Match& n) {
        open("Match");
        expr("subject", n.subject);
        list("cases", n.cases, [this](const ast::MatchCase& c) {
            open("match_case");
            pattern("pattern", c.pattern);
            expr("guard", c.guard);
            block("body", c.body);
            close();
        });
        close();
    }
    void operator()(const ast::Raise& n) {
        open("Raise");
        expr("exc", n.exc);
        expr("cause", n.cause);
        close();
    }
    void operator()(const ast::Try& n) {
        open(n.is_star ? "TryStar" : "Try");
        block("body", n.body);
        list("handlers", n.handlers, [this](const ast::ExceptHandler& h) {
            open("ExceptHandler");
            expr("type", h.type);
            optional_string("name", h.name);
            block("body", h.body);
            close();
        });
        block("orelse", n.orelse);
        block("finalbody", n.finalbody);
        close();
    }
    void operator()(const ast::Assert& n) {
        open("Assert");
        expr("test", n.test);
        expr("msg", n.msg);
        close();
    }
    void operator()(const ast::Import& n) {
        open("Import");
        aliases(n.names);
        close();
    }
    void operator()(const ast::ImportFrom& n) {
        open("ImportFrom");
        optional_string("module", n.module);
        aliases(n.names);
        plain("level", std::to_string(n.level));
        close();
    }
    void operator()(const ast::Global& n) {
        open("Global");
        strings("names", n.names);
        close();
    }
    void operator()(const ast::Nonlocal& n) {
        open("Nonlocal");
        strings("names", n.names);
        close();
    }
    void operator()(const ast::ExprStmt& n) { one("Expr", "value", n.value); }
    void operator()(const ast::Pass&) { text("Pass()"); }
    void operator()(const ast::Break&) { text("Break()"); }
    void operator()(const ast::Continue&) { text("Continue()"); }

  private:
    Context context_ = Context::load;

    // --- forms that several nodes share -----------------------------------------------------------------------------
    void one(std::string_view node, std::string_view field, ast::ExprRef value) {
        open(node);
        expr(field, value);
        close();
    }
    void sequence(std::string_view node, ast::ExprList elts, bool has_context) {
        const Context context = context_;
        open(node);
        exprs("elts", elts, context);
        if (has_context)
            ctx(context);
        else
            close();
    }
    void conditional(std::string_view node, ast::ExprRef test, ast::Block body, ast::Block orelse) {
        open(node);
        expr("test", test);
        block("body", body);
        block("orelse", orelse);
        close();
    }
    void comprehension(std::string_view node, ast::ExprRef elt, ast::List<ast::Comprehension> clauses) {
        open(node);
        expr("elt", elt);
        generators(clauses);
        close();
    }
    void generators(ast::List<ast::Comprehension> clauses) {
        list("generators", clauses, [this](const ast::Comprehension& c) {
            open("comprehension");
            expr("target", c.target, Context::store);
            expr("iter", c.iter);
            exprs("ifs", c.ifs);
            plain("is_async", c.is_async ? "1" : "0");
            close();
        });
    }
    void keywords(ast::List<ast::Keyword> items) {
        list("keywords", items, [this](const ast::Keyword& k) {
            open("keyword");
            optional_string("arg", k.arg);
            expr("value", k.value);
            close();
        });
    }
    void aliases(ast::List<ast::Alias> names) {
        list("names", names, [this](const ast::Alias& a) {
            open("alias");
            string("name", a.name);
            optional_string("asname", a.asname);
            close();
        });
    }
    void arg(const ast::Arg& a) {
        open("arg");
        string("arg", a.arg);
        expr("annotation", a.annotation);
        close();
    }
    void args(std::string_view field, ast::List<ast::Arg> items) {
        list(field, items, [this](const ast::Arg& a) { arg(a); });
    }
    void optional_arg(std::string_view field, const ast::Arg* a) {
        if (!a) return;
        name(field);
        arg(*a);
    }
    void arguments(const ast::Arguments& a) {
        open("arguments");
        args("posonlyargs", a.posonlyargs);
        args("args", a.args);
        optional_arg("vararg", a.vararg);
        args("kwonlyargs", a.kwonlyargs);
        exprs("kw_defaults", a.kw_defaults);
        optional_arg("kwarg", a.kwarg);
        exprs("defaults", a.defaults);
        close();
    }
};

}  // namespace

std::string dump(const ast::Module& module) { return Dumper().run(module); }

}  // namespace pyk
