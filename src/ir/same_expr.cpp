#include "ir/same_expr.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "ir/walk.h"

namespace pyk::ir {
namespace {

bool has_same_node(const LocalRef& a, const LocalRef& b) { return a.id == b.id; }
bool has_same_node(const Constant& a, const Constant& b) { return a.value == b.value; }
bool has_same_node(const ConstantRef& a, const ConstantRef& b) { return a.id == b.id; }
bool has_same_node(const Unary& a, const Unary& b) { return a.op == b.op; }
bool has_same_node(const Binary& a, const Binary& b) { return a.op == b.op; }
bool has_same_node(const Convert&, const Convert&) { return true; }
bool has_same_node(const ShapeOf& a, const ShapeOf& b) { return a.axis == b.axis; }
bool has_same_node(const SizeOf&, const SizeOf&) { return true; }
bool has_same_node(const TupleItem& a, const TupleItem& b) { return a.index == b.index; }
bool has_same_node(const BuiltinCall& a, const BuiltinCall& b) {
    return a.builtin == b.builtin && !any(a.builtin->effects);
}
bool has_same_node(const Element& a, const Element& b) {
    return std::ranges::equal(a.indices, b.indices, {}, &Index::wraps, &Index::wraps);
}
bool has_same_node(const View& a, const View& b) {
    return std::ranges::equal(a.subscripts, b.subscripts, [](const Subscript& x, const Subscript& y) {
        const auto *i = std::get_if<Index>(&x), *j = std::get_if<Index>(&y);
        return i && j && i->wraps == j->wraps;
    });
}
bool has_same_node(const RecordField& a, const RecordField& b) { return a.field == b.field; }
template <typename Node>
bool has_same_node(const Node&, const Node&) {
    return false;
}

std::vector<const Expr*> children(const Expr& expr) {
    std::vector<const Expr*> result;
    for_each_child(expr, [&](const Expr& child) { result.push_back(&child); });
    return result;
}

}  // namespace

bool is_same(const Expr& a, const Expr& b) {
    if (a.type != b.type || a.node.index() != b.node.index()) return false;
    const bool alike = std::visit(
        [&](const auto& node) { return has_same_node(node, *b.as<std::remove_cvref_t<decltype(node)>>()); }, a.node);
    return alike &&
           std::ranges::equal(children(a), children(b), [](const Expr* x, const Expr* y) { return is_same(*x, *y); });
}

bool is_same(const std::vector<Index>& a, const std::vector<Index>& b) {
    return std::ranges::equal(a, b, [](const Index& x, const Index& y) { return is_same(*x.value, *y.value); });
}

}  // namespace pyk::ir
