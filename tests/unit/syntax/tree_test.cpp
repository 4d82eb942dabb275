// Trees, whole: the expected texts are CPython 3.11's `ast.dump`. tests/frontend compares thousands of files more.
#include "syntax_test.h"

namespace pyk::test {
namespace {

struct Case {
    const char* text;
    const char* dump;
};

class Tree : public testing::TestWithParam<Case> {};

TEST_P(Tree, IsThatOfCPython) { EXPECT_EQ(dump_of(GetParam().text), GetParam().dump); }

INSTANTIATE_TEST_SUITE_P(
    All, Tree,
    testing::Values(
        Case{"a + b * c ** -d // ~e",
             "Module(body=[Expr(value=BinOp(left=Name(id='a', ctx=Load()), op=Add(), "
             "right=BinOp(left=BinOp(left=Name(id='b', ctx=Load()), op=Mult(), right=BinOp(left=Name(id='c', "
             "ctx=Load()), op=Pow(), right=UnaryOp(op=USub(), operand=Name(id='d', ctx=Load())))), "
             "op=FloorDiv(), right=UnaryOp(op=Invert(), operand=Name(id='e', ctx=Load())))))], "
             "type_ignores=[])"},
        Case{"a or b and not c < d is not e not in f",
             "Module(body=[Expr(value=BoolOp(op=Or(), values=[Name(id='a', ctx=Load()), BoolOp(op=And(), "
             "values=[Name(id='b', ctx=Load()), UnaryOp(op=Not(), operand=Compare(left=Name(id='c', "
             "ctx=Load()), ops=[Lt(), IsNot(), NotIn()], comparators=[Name(id='d', ctx=Load()), Name(id='e', "
             "ctx=Load()), Name(id='f', ctx=Load())]))])]))], type_ignores=[])"},
        Case{"a if b else c if d else lambda x, /, *y, z=1, **w: 0",
             "Module(body=[Expr(value=IfExp(test=Name(id='b', ctx=Load()), body=Name(id='a', ctx=Load()), "
             "orelse=IfExp(test=Name(id='d', ctx=Load()), body=Name(id='c', ctx=Load()), "
             "orelse=Lambda(args=arguments(posonlyargs=[arg(arg='x')], args=[], vararg=arg(arg='y'), "
             "kwonlyargs=[arg(arg='z')], kw_defaults=[Constant(value=1)], kwarg=arg(arg='w'), defaults=[]), "
             "body=Constant(value=0)))))], type_ignores=[])"},
        Case{"f(a, *b, c=1, **d)(x for x in y if z)[1:, ::2, ...].g",
             "Module(body=[Expr(value=Attribute(value=Subscript(value=Call(func=Call(func=Name(id='f', "
             "ctx=Load()), args=[Name(id='a', ctx=Load()), Starred(value=Name(id='b', ctx=Load()), "
             "ctx=Load())], keywords=[keyword(arg='c', value=Constant(value=1)), keyword(value=Name(id='d', "
             "ctx=Load()))]), args=[GeneratorExp(elt=Name(id='x', ctx=Load()), "
             "generators=[comprehension(target=Name(id='x', ctx=Store()), iter=Name(id='y', ctx=Load()), "
             "ifs=[Name(id='z', ctx=Load())], is_async=0)])], keywords=[]), "
             "slice=Tuple(elts=[Slice(lower=Constant(value=1)), Slice(step=Constant(value=2)), "
             "Constant(value=Ellipsis)], ctx=Load()), ctx=Load()), attr='g', ctx=Load()))], type_ignores=[])"},
        Case{"def f():\n    {1: 2, **a}, {*b, c}, {}, [*d], (), (e,), (yield)\n",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_de"
             "faults=[], defaults=[]), body=[Expr(value=Tuple(elts=[Dict(keys=[Constant(value=1), None], valu"
             "es=[Constant(value=2), Name(id='a', ctx=Load())]), Set(elts=[Starred(value=Name(id='b', ctx=Loa"
             "d()), ctx=Load()), Name(id='c', ctx=Load())]), Dict(keys=[], values=[]), List(elts=[Starred(val"
             "ue=Name(id='d', ctx=Load()), ctx=Load())], ctx=Load()), Tuple(elts=[], ctx=Load()), Tuple(elts="
             "[Name(id='e', ctx=Load())], ctx=Load()), Yield()], ctx=Load()))], decorator_list=[])], type_ign"
             "ores=[])"},
        Case{"async def f():\n    [x async for x, *y in z if a if b for w in v]\n",
             "Module(body=[AsyncFunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], "
             "kw_defaults=[], defaults=[]), body=[Expr(value=ListComp(elt=Name(id='x', ctx=Load()), generator"
             "s=[comprehension(target=Tuple(elts=[Name(id='x', ctx=Store()), Starred(value=Name(id='y', ctx=S"
             "tore()), ctx=Store())], ctx=Store()), iter=Name(id='z', ctx=Load()), ifs=[Name(id='a', ctx=Load"
             "()), Name(id='b', ctx=Load())], is_async=1), comprehension(target=Name(id='w', ctx=Store()), it"
             "er=Name(id='v', ctx=Load()), ifs=[], is_async=0)]))], decorator_list=[])], type_ignores=[])"},
        Case{"{k: v for k in a}, {k for k in a}",
             "Module(body=[Expr(value=Tuple(elts=[DictComp(key=Name(id='k', ctx=Load()), value=Name(id='v', "
             "ctx=Load()), generators=[comprehension(target=Name(id='k', ctx=Store()), iter=Name(id='a', "
             "ctx=Load()), ifs=[], is_async=0)]), SetComp(elt=Name(id='k', ctx=Load()), "
             "generators=[comprehension(target=Name(id='k', ctx=Store()), iter=Name(id='a', ctx=Load()), "
             "ifs=[], is_async=0)])], ctx=Load()))], type_ignores=[])"},
        Case{"(x := 1), f(y := 2), a[z := 3], a[*b]",
             "Module(body=[Expr(value=Tuple(elts=[NamedExpr(target=Name(id='x', ctx=Store()), "
             "value=Constant(value=1)), Call(func=Name(id='f', ctx=Load()), "
             "args=[NamedExpr(target=Name(id='y', ctx=Store()), value=Constant(value=2))], keywords=[]), "
             "Subscript(value=Name(id='a', ctx=Load()), slice=NamedExpr(target=Name(id='z', ctx=Store()), "
             "value=Constant(value=3)), ctx=Load()), Subscript(value=Name(id='a', ctx=Load()), "
             "slice=Tuple(elts=[Starred(value=Name(id='b', ctx=Load()), ctx=Load())], ctx=Load()), "
             "ctx=Load())], ctx=Load()))], type_ignores=[])"},
        Case{"async def f():\n    await a.b ** c\n",
             "Module(body=[AsyncFunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], "
             "kw_defaults=[], defaults=[]), body=[Expr(value=BinOp(left=Await(value=Attribute(value=Name(id='"
             "a', ctx=Load()), attr='b', ctx=Load())), op=Pow(), right=Name(id='c', ctx=Load())))], decorator"
             "_list=[])], type_ignores=[])"},
        Case{"def f():\n    a = b, *c = [d, e] = yield f\n",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_de"
             "faults=[], defaults=[]), body=[Assign(targets=[Name(id='a', ctx=Store()), Tuple(elts=[Name(id='"
             "b', ctx=Store()), Starred(value=Name(id='c', ctx=Store()), ctx=Store())], ctx=Store()), List(el"
             "ts=[Name(id='d', ctx=Store()), Name(id='e', ctx=Store())], ctx=Store())], value=Yield(value=Nam"
             "e(id='f', ctx=Load())))], decorator_list=[])], type_ignores=[])"},
        Case{"x: int = 1\n(x): int\nx.y: int = 2",
             "Module(body=[AnnAssign(target=Name(id='x', ctx=Store()), annotation=Name(id='int', ctx=Load()), "
             "value=Constant(value=1), simple=1), AnnAssign(target=Name(id='x', ctx=Store()), "
             "annotation=Name(id='int', ctx=Load()), simple=0), AnnAssign(target=Attribute(value=Name(id='x', "
             "ctx=Load()), attr='y', ctx=Store()), annotation=Name(id='int', ctx=Load()), "
             "value=Constant(value=2), simple=0)], type_ignores=[])"},
        Case{"def f():\n    a @= yield\n",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_de"
             "faults=[], defaults=[]), body=[AugAssign(target=Name(id='a', ctx=Store()), op=MatMult(), value="
             "Yield())], decorator_list=[])], type_ignores=[])"},
        Case{"del a, (b, [c.d]), e[0]",
             "Module(body=[Delete(targets=[Name(id='a', ctx=Del()), Tuple(elts=[Name(id='b', ctx=Del()), "
             "List(elts=[Attribute(value=Name(id='c', ctx=Load()), attr='d', ctx=Del())], ctx=Del())], "
             "ctx=Del()), Subscript(value=Name(id='e', ctx=Load()), slice=Constant(value=0), ctx=Del())])], "
             "type_ignores=[])"},
        Case{"for a, *b in c, d: break\nelse: pass",
             "Module(body=[For(target=Tuple(elts=[Name(id='a', ctx=Store()), Starred(value=Name(id='b', "
             "ctx=Store()), ctx=Store())], ctx=Store()), iter=Tuple(elts=[Name(id='c', ctx=Load()), "
             "Name(id='d', ctx=Load())], ctx=Load()), body=[Break()], orelse=[Pass()])], type_ignores=[])"},
        Case{"while (x := f()): pass\nelse: pass",
             "Module(body=[While(test=NamedExpr(target=Name(id='x', ctx=Store()), "
             "value=Call(func=Name(id='f', ctx=Load()), args=[], keywords=[])), body=[Pass()], "
             "orelse=[Pass()])], type_ignores=[])"},
        Case{"if a: b\nelif c: d\nelse: e",
             "Module(body=[If(test=Name(id='a', ctx=Load()), body=[Expr(value=Name(id='b', ctx=Load()))], "
             "orelse=[If(test=Name(id='c', ctx=Load()), body=[Expr(value=Name(id='d', ctx=Load()))], "
             "orelse=[Expr(value=Name(id='e', ctx=Load()))])])], type_ignores=[])"},
        Case{"try: a\nexcept B as b: c\nexcept: d\nelse: e\nfinally: f",
             "Module(body=[Try(body=[Expr(value=Name(id='a', ctx=Load()))], "
             "handlers=[ExceptHandler(type=Name(id='B', ctx=Load()), name='b', body=[Expr(value=Name(id='c', "
             "ctx=Load()))]), ExceptHandler(body=[Expr(value=Name(id='d', ctx=Load()))])], "
             "orelse=[Expr(value=Name(id='e', ctx=Load()))], finalbody=[Expr(value=Name(id='f', "
             "ctx=Load()))])], type_ignores=[])"},
        Case{"try: a\nexcept* (B, C): b",
             "Module(body=[TryStar(body=[Expr(value=Name(id='a', ctx=Load()))], "
             "handlers=[ExceptHandler(type=Tuple(elts=[Name(id='B', ctx=Load()), Name(id='C', ctx=Load())], "
             "ctx=Load()), body=[Expr(value=Name(id='b', ctx=Load()))])], orelse=[], finalbody=[])], "
             "type_ignores=[])"},
        Case{"def f():\n    with (a as b, c): d\n    with (a, b) as c, d: e\n    with (yield): f\n",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_de"
             "faults=[], defaults=[]), body=[With(items=[withitem(context_expr=Name(id='a', ctx=Load()), opti"
             "onal_vars=Name(id='b', ctx=Store())), withitem(context_expr=Name(id='c', ctx=Load()))], body=[E"
             "xpr(value=Name(id='d', ctx=Load()))]), With(items=[withitem(context_expr=Tuple(elts=[Name(id='a"
             "', ctx=Load()), Name(id='b', ctx=Load())], ctx=Load()), optional_vars=Name(id='c', ctx=Store())"
             "), withitem(context_expr=Name(id='d', ctx=Load()))], body=[Expr(value=Name(id='e', ctx=Load()))"
             "]), With(items=[withitem(context_expr=Yield())], body=[Expr(value=Name(id='f', ctx=Load()))])],"
             " decorator_list=[])], type_ignores=[])"},
        Case{"async def f():\n    async with a as b: pass\n    async for c in d: await e",
             "Module(body=[AsyncFunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], "
             "kw_defaults=[], defaults=[]), body=[AsyncWith(items=[withitem(context_expr=Name(id='a', "
             "ctx=Load()), optional_vars=Name(id='b', ctx=Store()))], body=[Pass()]), "
             "AsyncFor(target=Name(id='c', ctx=Store()), iter=Name(id='d', ctx=Load()), "
             "body=[Expr(value=Await(value=Name(id='e', ctx=Load())))], orelse=[])], decorator_list=[])], "
             "type_ignores=[])"},
        Case{"@a.b\n@(c := d)\ndef f(a, b: int = 1, /, c=2, *d: e, f, g=3, **h) -> i: 'doc'",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[arg(arg='a'), arg(arg='b', "
             "annotation=Name(id='int', ctx=Load()))], args=[arg(arg='c')], vararg=arg(arg='d', "
             "annotation=Name(id='e', ctx=Load())), kwonlyargs=[arg(arg='f'), arg(arg='g')], "
             "kw_defaults=[None, Constant(value=3)], kwarg=arg(arg='h'), defaults=[Constant(value=1), "
             "Constant(value=2)]), body=[Expr(value=Constant(value='doc'))], "
             "decorator_list=[Attribute(value=Name(id='a', ctx=Load()), attr='b', ctx=Load()), "
             "NamedExpr(target=Name(id='c', ctx=Store()), value=Name(id='d', ctx=Load()))], "
             "returns=Name(id='i', ctx=Load()))], type_ignores=[])"},
        Case{"@d\nclass A(B, *C, k=D, **E): pass",
             "Module(body=[ClassDef(name='A', bases=[Name(id='B', ctx=Load()), Starred(value=Name(id='C', "
             "ctx=Load()), ctx=Load())], keywords=[keyword(arg='k', value=Name(id='D', ctx=Load())), "
             "keyword(value=Name(id='E', ctx=Load()))], body=[Pass()], decorator_list=[Name(id='d', "
             "ctx=Load())])], type_ignores=[])"},
        Case{"class A: x = 1; y = 2;",
             "Module(body=[ClassDef(name='A', bases=[], keywords=[], body=[Assign(targets=[Name(id='x', "
             "ctx=Store())], value=Constant(value=1)), Assign(targets=[Name(id='y', ctx=Store())], "
             "value=Constant(value=2))], decorator_list=[])], type_ignores=[])"},
        Case{"import a.b as c, d\nfrom . import e\nfrom ...f.g import (h as i, j,)\nfrom .... import k\nfrom l "
             "import *",
             "Module(body=[Import(names=[alias(name='a.b', asname='c'), alias(name='d')]), "
             "ImportFrom(names=[alias(name='e')], level=1), ImportFrom(module='f.g', names=[alias(name='h', "
             "asname='i'), alias(name='j')], level=3), ImportFrom(names=[alias(name='k')], level=4), "
             "ImportFrom(module='l', names=[alias(name='*')], level=0)], type_ignores=[])"},
        Case{"def g(c):\n    def f():\n        global a, b\n        nonlocal c\n        assert d, e\n        raise f "
             "from g\n",
             "Module(body=[FunctionDef(name='g', args=arguments(posonlyargs=[], args=[arg(arg='c')], kwonlyar"
             "gs=[], kw_defaults=[], defaults=[]), body=[FunctionDef(name='f', args=arguments(posonlyargs=[],"
             " args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), body=[Global(names=['a', 'b']), Nonlocal"
             "(names=['c']), Assert(test=Name(id='d', ctx=Load()), msg=Name(id='e', ctx=Load())), Raise(exc=N"
             "ame(id='f', ctx=Load()), cause=Name(id='g', ctx=Load()))], decorator_list=[])], decorator_list="
             "[])], type_ignores=[])"},
        Case{
            "def z():\n return\n return *h, i",
            "Module(body=[FunctionDef(name='z', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], "
            "defaults=[]), body=[Return(), Return(value=Tuple(elts=[Starred(value=Name(id='h', ctx=Load()), "
            "ctx=Load()), Name(id='i', ctx=Load())], ctx=Load()))], decorator_list=[])], type_ignores=[])"},
        Case{"def f():\n    match a, *b:\n        case 1 | -2.5 | 3 + 4j | 'a' 'b' | None | True: pass\n        case "
             "[x, *_, (y)] | (x, y): pass\n        case {'k': v, a.b: w, **rest}: pass\n        case P.Q(1, r=s) as "
             "t if u: pass\n        case a, *b: pass\n        case _: pass\n",
             "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_de"
             "faults=[], defaults=[]), body=[Match(subject=Tuple(elts=[Name(id='a', ctx=Load()), Starred(valu"
             "e=Name(id='b', ctx=Load()), ctx=Load())], ctx=Load()), cases=[match_case(pattern=MatchOr(patter"
             "ns=[MatchValue(value=Constant(value=1)), MatchValue(value=UnaryOp(op=USub(), operand=Constant(v"
             "alue=2.5))), MatchValue(value=BinOp(left=Constant(value=3), op=Add(), right=Constant(value=4j))"
             "), MatchValue(value=Constant(value='ab')), MatchSingleton(value=None), MatchSingleton(value=Tru"
             "e)]), body=[Pass()]), match_case(pattern=MatchOr(patterns=[MatchSequence(patterns=[MatchAs(name"
             "='x'), MatchStar(), MatchAs(name='y')]), MatchSequence(patterns=[MatchAs(name='x'), MatchAs(nam"
             "e='y')])]), body=[Pass()]), match_case(pattern=MatchMapping(keys=[Constant(value='k'),"
             " Attribute(value=Name(id='a', ctx=Load()), attr='b', ctx=Load())], patterns=[MatchAs(name='v'),"
             " MatchAs(name='w')], rest='rest'), body=[Pass()]), match_case(pattern=MatchAs(pattern=MatchClas"
             "s(cls=Attribute(value=Name(id='P', ctx=Load()), attr='Q', ctx=Load()), patterns=[MatchValue(val"
             "ue=Constant(value=1))], kwd_attrs=['r'], kwd_patterns=[MatchAs(name='s')]), name='t'), guard=Na"
             "me(id='u', ctx=Load()), body=[Pass()]), match_case(pattern=MatchSequence(patterns=[MatchAs(name"
             "='a'), MatchStar(name='b')]), body=[Pass()]), match_case(pattern=MatchAs(), body=[Pass()])])], "
             "decorator_list=[])], type_ignores=[])"}));

// --- spans ----------------------------------------------------------------------------------------------------------
const ast::Stmt& first(const ast::Module& module) { return *module.body.front(); }

ast::Module parsed(std::string text) {
    Diagnostics diagnostics;
    auto module = parse(source(std::move(text)), diagnostics);
    EXPECT_TRUE(module.has_value());
    return std::move(*module);
}

TEST(TypeParameters, AreLeftOut) {
    EXPECT_EQ(dump_of("def f[T](x): pass\nclass A[T, *Ts]: pass\nclass B[T: (int, str)](A[T]): pass\ntype X = int\n"
                      "type Y[T] = list[T]\nif 1:\n    type Z = X\n"),
              dump_of("def f(x): pass\nclass A: pass\nclass B(A[T]): pass\nX = int\nY = list[T]\nif 1:\n    Z = X\n"));
    EXPECT_EQ(dump_of("type = 1\ntype[0] = 2\nprint(type (x))\n").substr(0, 7), "Module(");
    EXPECT_FALSE(parses("type X\n"));
    EXPECT_FALSE(parses("def f[T: pass\n"));
}

TEST(Spans, OfExpressions) {
    const ast::Module m = parsed("xy = (a.bc(1) + -d[e]) * (f)\n");
    const auto* assign = first(m).as<ast::Assign>();
    EXPECT_EQ(assign->targets[0]->span.text(), "xy");
    const auto* product = assign->value->as<ast::BinOp>();
    EXPECT_EQ(assign->value->span.text(), "(a.bc(1) + -d[e]) * (f)");
    EXPECT_EQ(product->right->span.text(), "f");
    const auto* sum = product->left->as<ast::BinOp>();
    EXPECT_EQ(product->left->span.text(), "a.bc(1) + -d[e]");
    EXPECT_EQ(sum->left->span.text(), "a.bc(1)");
    EXPECT_EQ(sum->left->as<ast::Call>()->func->as<ast::Attribute>()->attr_span.text(), "bc");
    EXPECT_EQ(sum->right->span.text(), "-d[e]");
}

TEST(Spans, OfStatements) {
    const ast::Module m =
        parsed("@dec\ndef fn(a, b: int):\n    if a: return b\n    elif b:\n        pass  # end\n\nx; y\n");
    EXPECT_EQ(first(m).span.text(), "def fn(a, b: int):\n    if a: return b\n    elif b:\n        pass");
    const auto* def = first(m).as<ast::FunctionDef>();
    EXPECT_EQ(def->name_span.text(), "fn");
    EXPECT_EQ(def->args->args[1].span.text(), "b: int");
    const auto* branch = def->body.front()->as<ast::If>();
    EXPECT_EQ(branch->orelse.front()->span.text(), "elif b:\n        pass");
    ASSERT_EQ(m.body.size(), 3u);
    EXPECT_EQ(m.body[2]->span.text(), "y");
}

TEST(Spans, OfTupleWithoutParentheses) {
    const ast::Module m = parsed("for i, j in a, b: pass\n");
    const auto* loop = first(m).as<ast::For>();
    EXPECT_EQ(loop->target->span.text(), "i, j");
    EXPECT_EQ(loop->iter->span.text(), "a, b");
}

}  // namespace
}  // namespace pyk::test
