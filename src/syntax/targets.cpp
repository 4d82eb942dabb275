#include "syntax/targets.h"

#include <fmt/format.h>

#include "syntax/failure.h"

namespace pyk::syntax {
namespace {

template <typename... F>
struct Overload : F... {
    using F::operator()...;
};

std::string_view describe_constant(const ast::ConstantValue& value) {
    if (const bool* b = std::get_if<bool>(&value)) return *b ? "`True`" : "`False`";
    if (std::holds_alternative<ast::NoneValue>(value)) return "`None`";
    if (std::holds_alternative<ast::EllipsisValue>(value)) return "`...`";
    return "a literal";
}

[[noreturn]] void refuse(const ast::Expr& target, TargetOf kind) {
    const std::string_view what = describe(target);
    switch (kind) {
        case TargetOf::deletion:
            fail(target.span, fmt::format("cannot delete {}", what));
        case TargetOf::augmented:
            fail(target.span, fmt::format("cannot use an augmented assignment with {}", what));
        case TargetOf::annotation:
            fail(target.span, fmt::format("only a single name, attribute or element can be annotated, not {}", what));
        case TargetOf::loop:
            fail(target.span, fmt::format("cannot assign to {}", what));
        case TargetOf::assignment:
            break;
    }
    const bool equality = !target.as<ast::Constant>() && !target.as<ast::Yield>() && !target.as<ast::YieldFrom>();
    fail(target.span, fmt::format("cannot assign to {}{}", what, equality ? "; did you mean `==`?" : ""));
}

}  // namespace

std::string_view describe(const ast::Expr& expr) {
    return std::visit(Overload{
                          [](const ast::BoolOp&) -> std::string_view { return "an expression"; },
                          [](const ast::NamedExpr&) -> std::string_view { return "a named expression"; },
                          [](const ast::BinOp&) -> std::string_view { return "an expression"; },
                          [](const ast::Unary&) -> std::string_view { return "an expression"; },
                          [](const ast::Lambda&) -> std::string_view { return "a lambda"; },
                          [](const ast::IfExp&) -> std::string_view { return "a conditional expression"; },
                          [](const ast::Dict&) -> std::string_view { return "a dict literal"; },
                          [](const ast::Set&) -> std::string_view { return "a set display"; },
                          [](const ast::ListComp&) -> std::string_view { return "a list comprehension"; },
                          [](const ast::SetComp&) -> std::string_view { return "a set comprehension"; },
                          [](const ast::DictComp&) -> std::string_view { return "a dict comprehension"; },
                          [](const ast::GeneratorExp&) -> std::string_view { return "a generator expression"; },
                          [](const ast::Await&) -> std::string_view { return "an await expression"; },
                          [](const ast::Yield&) -> std::string_view { return "a yield expression"; },
                          [](const ast::YieldFrom&) -> std::string_view { return "a yield expression"; },
                          [](const ast::Compare&) -> std::string_view { return "a comparison"; },
                          [](const ast::Call&) -> std::string_view { return "a function call"; },
                          [](const ast::JoinedStr&) -> std::string_view { return "an f-string"; },
                          [](const ast::FormattedValue&) -> std::string_view { return "a field of an f-string"; },
                          [](const ast::Constant& c) { return describe_constant(c.value); },
                          [](const ast::Attribute&) -> std::string_view { return "an attribute"; },
                          [](const ast::Subscript&) -> std::string_view { return "an element"; },
                          [](const ast::Starred&) -> std::string_view { return "a starred expression"; },
                          [](const ast::Name&) -> std::string_view { return "a name"; },
                          [](const ast::ListExpr&) -> std::string_view { return "a list"; },
                          [](const ast::Tuple&) -> std::string_view { return "a tuple"; },
                          [](const ast::Slice&) -> std::string_view { return "a slice"; },
                          [](const ast::IsSequence&) -> std::string_view { return "a pattern"; },
                      },
                      expr.node);
}

void check_target(ast::ExprRef target, TargetOf kind) {
    if (target->as<ast::Name>() || target->as<ast::Attribute>() || target->as<ast::Subscript>()) return;
    const bool single = kind == TargetOf::augmented || kind == TargetOf::annotation;
    const auto* tuple = target->as<ast::Tuple>();
    const auto* sequence = target->as<ast::ListExpr>();
    if (!single && (tuple || sequence)) {
        for (const ast::ExprRef element : tuple ? tuple->elts : sequence->elts) check_target(element, kind);
        return;
    }
    const auto* starred = target->as<ast::Starred>();
    if (starred && !single && kind != TargetOf::deletion) return check_target(starred->value, kind);
    refuse(*target, kind);
}

}  // namespace pyk::syntax
