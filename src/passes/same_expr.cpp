#include "passes/same_expr.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "ir/walk.h"

namespace pyk {
namespace {

bool has_same_node(const ir::LocalRef& a, const ir::LocalRef& b) { return a.id == b.id; }
bool has_same_node(const ir::Constant& a, const ir::Constant& b) { return a.value == b.value; }
bool has_same_node(const ir::ConstantRef& a, const ir::ConstantRef& b) { return a.id == b.id; }
bool has_same_node(const ir::Unary& a, const ir::Unary& b) { return a.op == b.op; }
bool has_same_node(const ir::Binary& a, const ir::Binary& b) { return a.op == b.op; }
bool has_same_node(const ir::Convert&, const ir::Convert&) { return true; }
bool has_same_node(const ir::ShapeOf& a, const ir::ShapeOf& b) { return a.axis == b.axis; }
bool has_same_node(const ir::SizeOf&, const ir::SizeOf&) { return true; }
bool has_same_node(const ir::TupleItem& a, const ir::TupleItem& b) { return a.index == b.index; }
bool has_same_node(const ir::BuiltinCall& a, const ir::BuiltinCall& b) { return a.builtin == b.builtin; }
bool has_same_node(const ir::Element& a, const ir::Element& b) {
    return std::ranges::equal(a.indices, b.indices, {}, &ir::Index::wraps, &ir::Index::wraps);
}
/// Of other kinds nothing is hoisted.
template <typename Node>
bool has_same_node(const Node&, const Node&) {
    return false;
}

std::vector<const ir::Expr*> children(const ir::Expr& expr) {
    std::vector<const ir::Expr*> result;
    ir::for_each_child(expr, [&](const ir::Expr& child) { result.push_back(&child); });
    return result;
}

}  // namespace

bool is_same(const ir::Expr& a, const ir::Expr& b) {
    if (a.type != b.type || a.node.index() != b.node.index()) return false;
    const bool alike = std::visit(
        [&](const auto& node) { return has_same_node(node, *b.as<std::remove_cvref_t<decltype(node)>>()); }, a.node);
    return alike && std::ranges::equal(children(a), children(b),
                                       [](const ir::Expr* x, const ir::Expr* y) { return is_same(*x, *y); });
}

}  // namespace pyk
