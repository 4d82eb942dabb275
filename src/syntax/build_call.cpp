// Arguments of calls and classes, parameters of functions and lambdas: their order is checked here.
#include <fmt/format.h>

#include "syntax/build_ast.h"
#include "syntax/targets.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

}  // namespace

// --- arguments ------------------------------------------------------------------------------------------------------
Builder::CallArguments Builder::arguments(Tree args, Span at, bool is_call) {
    CallArguments out;
    if (!args) return out;
    const Trees items = children(args);
    each_item(items, [&](Tree t) {
        const Trees c = children(t);
        const bool generator = !is_leaf(c.back()) && rule(c.back()) == P::RuleCompClause;
        if (!generator) return argument(t, out);
        if (items.size() > 1 || !is_call) fail(span(t), "a generator expression must be in parentheses here");
        out.positional.push_back(generator_argument(t, at));
    });
    return out;
}

ast::ExprRef Builder::generator_argument(Tree t, Span at) {
    const Trees c = children(t);
    const bool has_walrus = kind(c[1]) == P::WALRUS;
    const ast::ExprRef elt = has_walrus ? walrus(c[0], c[2], cover(span(c[0]), span(c[2]))) : expression(c[0]);
    return expr(at, ast::GeneratorExp{elt, comprehensions(c.subspan(has_walrus ? 3 : 1))});
}

void Builder::argument(Tree t, CallArguments& out) {
    const Trees c = children(t);
    switch (c.size() == 1 ? 0 : is_leaf(c[0]) ? kind(c[0]) : kind(c[1])) {
        case P::STAR:
            if (out.double_star) fail(span(t), "`*` cannot follow `**` among arguments");
            out.positional.push_back(expr(span(t), ast::Starred{expression(c[1])}));
            break;
        case P::DOUBLESTAR:
            out.double_star = true;
            out.keywords.push_back({span(t), {}, expression(c[1])});
            break;
        case P::ASSIGN:
            out.keywords.push_back(keyword(t));
            break;
        case P::WALRUS:
            positional(walrus(c[0], c[2], span(t)), t, out);
            break;
        default:
            positional(expression(c[0]), t, out);
            break;
    }
}

void Builder::positional(ast::ExprRef value, Tree t, CallArguments& out) {
    if (out.double_star) fail(span(t), "a positional argument cannot follow `**`");
    if (!out.keywords.empty()) fail(span(t), "a positional argument cannot follow a keyword argument");
    out.positional.push_back(value);
}

ast::Keyword Builder::keyword(Tree t) {
    const Trees c = children(t);
    const ast::ExprRef name = expression(c[0]);
    const auto* plain = name->as<ast::Name>();
    if (!plain || !is_one_token(c[0]))
        fail(cover(span(c[0]), span(c[1])),
             fmt::format("{} is no keyword argument's name; did you mean `==` instead of `=`?", describe(*name)));
    return {span(t), plain->id, expression(c[2])};
}

// --- parameters -----------------------------------------------------------------------------------------------------
namespace {

/// What has been seen of a parameter list so far; says where another part may still come.
struct ParameterState {
    bool slash = false, star = false, double_star = false, bare_star = false, defaults = false;
};

}  // namespace

const ast::Arguments* Builder::parameters(Tree t) {
    std::vector<ast::Arg> posonly, args, kwonly;
    std::vector<ast::ExprRef> defaults, kw_defaults;
    ast::Arguments out;
    ParameterState seen;
    Span bare_star;

    const auto arg = [&](Trees c, size_t name) {
        const bool annotated = c.size() > name + 2 && kind(c[name + 1]) == P::COLON;
        const ast::ExprRef annotation = !annotated                         ? nullptr
                                        : rule(c[name + 2]) == P::RuleStar ? star(c[name + 2])
                                                                           : expression(c[name + 2]);
        return ast::Arg{annotation ? cover(span(c[name]), span(c[name + 2])) : span(c[name]), identifier(c[name]),
                        annotation};
    };
    const auto named = [&](Tree p, Trees c) {
        const bool has_default = c.size() > 2 && kind(c[c.size() - 2]) == P::ASSIGN;
        (seen.star ? kwonly : args).push_back(arg(c, 0));
        const ast::ExprRef value = has_default ? expression(c.back()) : nullptr;
        seen.bare_star = false;
        if (seen.star) return kw_defaults.push_back(value);
        if (value) defaults.push_back(value);
        if (!value && seen.defaults) fail(span(p), "a parameter without a default cannot follow one with a default");
        seen.defaults |= has_default;
    };
    const auto slash = [&](Tree p) {
        if (seen.slash) fail(span(p), "`/` can appear only once in a parameter list");
        if (seen.star) fail(span(p), "`/` must come before `*` in a parameter list");
        if (args.empty()) fail(span(p), "at least one parameter must come before `/`");
        seen.slash = true;
        std::swap(posonly, args);
    };
    const auto star_part = [&](Tree p, Trees c) {
        if (seen.star) fail(span(p), "`*` can appear only once in a parameter list");
        seen.star = true;
        seen.bare_star = c.size() == 1;
        bare_star = span(p);
        if (c.size() > 1) out.vararg = make<ast::Arg>(arg(c, 1));
    };
    if (t)
        each_item(children(t), [&](Tree p) {
            const Trees c = children(p);
            if (seen.double_star) fail(span(p), "no parameter can follow the one with `**`");
            switch (kind(c[0])) {
                case P::SLASH:
                    return slash(p);
                case P::STAR:
                    return star_part(p, c);
                case P::DOUBLESTAR:
                    if (seen.bare_star) fail(bare_star, "a named parameter must follow the bare `*`");
                    seen.double_star = true;
                    out.kwarg = make<ast::Arg>(arg(c, 1));
                    return;
                default:
                    return named(p, c);
            }
        });
    if (seen.bare_star) fail(bare_star, "a named parameter must follow the bare `*`");
    out.posonlyargs = list(posonly), out.args = list(args), out.kwonlyargs = list(kwonly);
    out.defaults = list(defaults), out.kw_defaults = list(kw_defaults);
    return make<ast::Arguments>(out);
}

}  // namespace pyk::syntax
