#include "emit/expression.h"

#include <fmt/format.h>

#include "emit/cpp_types.h"
#include "prelude_names.h"

namespace pyk::emitter {
namespace {

/// `a op b op c …`: the chain's first operand and its links from the left, so that long sums need no deep recursion.
struct Chain {
    const ir::Expr* first;
    std::vector<const ir::Expr*> links;  ///< outermost last
};

bool is_infix(const ir::Binary& n) { return info(n.op).function.empty(); }

Chain chain_of(const ir::Expr& expr) {
    Chain chain{&expr, {}};
    for (const auto* n = expr.as<ir::Binary>(); n && is_infix(*n); n = chain.first->as<ir::Binary>()) {
        chain.links.push_back(chain.first);
        chain.first = n->lhs.get();
    }
    std::reverse(chain.links.begin(), chain.links.end());
    return chain;
}

}  // namespace

Text Expressions::text(const ir::Expr& expr) const {
    return std::visit([&](const auto& node) { return show(expr, node); }, expr.node);
}

Text Expressions::show(const ir::Expr& expr, const ir::ConstantRef& n) const {
    return {scope_.module.constants[static_cast<size_t>(n.id)], kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::LocalRef& n) const {
    const std::string& name = scope_.name(n.id);
    if (plain_array(expr)) return {fmt::format("pyk::view({})", name), kPrimary, expr.type};
    return {name, kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::Unary& n) const {
    const Type type = n.operand->type;
    if (n.op == UnaryOp::Not || n.op == UnaryOp::Pos || expr.type == type) return unary(n.op, type, text(*n.operand));
    return convert(type, expr.type, unary(n.op, type, text(*n.operand)));
}

Text Expressions::show(const ir::Expr& expr, const ir::Binary& n) const {
    if (!is_infix(n)) return operator_call(expr, n);
    const Chain chain = chain_of(expr);
    Text result = text(*chain.first);
    for (const ir::Expr* link : chain.links) {
        const auto& binary_node = *link->as<ir::Binary>();
        result = binary(binary_node.op, binary_node.lhs->type, std::move(result), text(*binary_node.rhs));
    }
    return result;
}

Text Expressions::operator_call(const ir::Expr& expr, const ir::Binary& n) const {
    return {fmt::format("{}({}, {})", info(n.op).function, exact(*n.lhs), exact(*n.rhs)), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr&, const ir::Logical& n) const {
    return logical(n.is_and, text(*n.lhs), text(*n.rhs));
}

/// Element by element.
Text Expressions::converted_tuple(const ir::Expr& expr, const ir::Expr& tuple) const {
    const auto* made = tuple.as<ir::MakeTuple>();
    const std::string whole = made ? "" : value(tuple);
    std::string elements;
    for (size_t i = 0; i < expr.type.size(); ++i) {
        const Type from = tuple.type.elements()[i], to = expr.type.elements()[i];
        const Text element =
            made ? text(*made->elements[i]) : Text{fmt::format("pyk::get<{}>({})", i, whole), kPrimary, from};
        elements += (i ? ", " : "") + exactly(to, convert(from, to, element)).text;
    }
    return {fmt::format("pyk::make_tuple({})", elements), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::Convert& n) const {
    if (expr.type.is_tuple() && expr.type != n.operand->type) return converted_tuple(expr, *n.operand);
    return convert(n.operand->type, expr.type, text(*n.operand));
}

Text Expressions::show(const ir::Expr& expr, const ir::Select& n) const {
    return select(expr.type, text(*n.condition), text(*n.then), text(*n.otherwise));
}

Text Expressions::show(const ir::Expr& expr, const ir::BuiltinCall& n) const {
    std::vector<std::string> args;
    for (const ir::ExprPtr& arg : n.args) args.push_back(exact(*arg));
    const Target& target = scope_.module.target;
    const Type first = n.args.empty() ? Type() : n.args.front()->type;
    const bool other_type = target.spelled_types && n.builtin->spelled_type;
    return {spell(n.builtin->spelling_for(target.id), args, first, expr.span.line()), kPrimary,
            other_type ? n.builtin->spelled_type : expr.type};
}

/// With its namespace where a function of the prelude has the name too, and would be found through an argument's type.
std::string Expressions::function_name(const ir::Call& n) const {
    const std::string& name = scope_.module.functions[static_cast<size_t>(n.callee)];
    return prelude_part_of(name).empty() ? name : scope_.module.space + "::" + name;
}

Text Expressions::show(const ir::Expr& expr, const ir::Call& n) const {
    const auto callee = static_cast<size_t>(n.callee);
    std::string args(scope_.module.needs_thread[callee] ? scope_.module.target.thread_arg : "");
    for (const ir::ExprPtr& arg : n.args) args += (args.empty() ? "" : ", ") + value(*arg);
    return {fmt::format("{}({})", function_name(n), args), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::MakeTuple& n) const {
    std::string elements;
    for (const ir::ExprPtr& element : n.elements) elements += (elements.empty() ? "" : ", ") + exact(*element);
    return {fmt::format("pyk::make_tuple({})", elements), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::TupleItem& n) const {
    return {fmt::format("pyk::get<{}>({})", n.index, value(*n.tuple)), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::TupleAt& n) const {
    return {fmt::format("pyk::at({}, {})", value(*n.tuple), value(*n.index)), kPrimary, expr.type};
}

}  // namespace pyk::emitter
