#include "ir/walk.h"

#include <concepts>

namespace pyk::ir {
namespace {

/// `each` below is written once for both constnesses of a node.
template <typename N, typename T>
concept Is = std::same_as<std::remove_const_t<N>, T>;

template <typename Slot, typename Visit>
void part(Slot& slot, Visit& visit) {
    if (slot) visit(slot);
}
template <typename Slots, typename Visit>
void parts(Slots& slots, Visit& visit) {
    for (auto& slot : slots) visit(slot);
}
template <typename Indices, typename Visit>
void values(Indices& indices, Visit& visit) {
    for (auto& index : indices) visit(index.value);
}

// clang-format off
template <Is<Constant> N, typename V>    void each(N&, V&) {}
template <Is<ConstantRef> N, typename V> void each(N&, V&) {}
template <Is<LocalRef> N, typename V>    void each(N&, V&) {}
template <Is<Unary> N, typename V>       void each(N& n, V& visit) { visit(n.operand); }
template <Is<Binary> N, typename V>      void each(N& n, V& visit) { visit(n.lhs); visit(n.rhs); }
template <Is<Logical> N, typename V>     void each(N& n, V& visit) { visit(n.lhs); visit(n.rhs); }
template <Is<Convert> N, typename V>     void each(N& n, V& visit) { visit(n.operand); }
template <Is<Select> N, typename V>      void each(N& n, V& visit) { visit(n.condition); visit(n.then); visit(n.otherwise); }
template <Is<BuiltinCall> N, typename V> void each(N& n, V& visit) { parts(n.args, visit); }
template <Is<Call> N, typename V>        void each(N& n, V& visit) { parts(n.args, visit); }
template <Is<MakeTuple> N, typename V>   void each(N& n, V& visit) { parts(n.elements, visit); }
template <Is<TupleItem> N, typename V>   void each(N& n, V& visit) { visit(n.tuple); }
template <Is<TupleAt> N, typename V>     void each(N& n, V& visit) { visit(n.tuple); visit(n.index); }
template <Is<Index> N, typename V>       void each(N& n, V& visit) { visit(n.value); }
template <Is<SliceOf> N, typename V>     void each(N& n, V& visit) { part(n.start, visit); part(n.stop, visit); part(n.step, visit); }
template <Is<Element> N, typename V>     void each(N& n, V& visit) { visit(n.array); values(n.indices, visit); }
template <Is<ElementRef> N, typename V>  void each(N& n, V& visit) { visit(n.array); values(n.indices, visit); }
template <Is<View> N, typename V>        void each(N& n, V& visit) {
    visit(n.array);
    for (auto& subscript : n.subscripts) std::visit([&](auto& s) { each(s, visit); }, subscript);
}
template <Is<Transpose> N, typename V>   void each(N& n, V& visit) { visit(n.array); }
template <Is<ShapeOf> N, typename V>     void each(N& n, V& visit) { visit(n.array); }
template <Is<SizeOf> N, typename V>      void each(N& n, V& visit) { visit(n.array); }
template <Is<RecordField> N, typename V> void each(N& n, V& visit) { visit(n.record); }
template <Is<FieldsOf> N, typename V>    void each(N& n, V& visit) { visit(n.array); }

template <Is<Assign> N, typename V>      void each(N& n, V& visit) { visit(n.value); }
template <Is<Store> N, typename V>       void each(N& n, V& visit) { visit(n.value); visit(n.array); values(n.indices, visit); }
template <Is<StoreField> N, typename V>  void each(N& n, V& visit) { visit(n.value); visit(n.record); }
template <Is<Evaluate> N, typename V>    void each(N& n, V& visit) { visit(n.value); }
template <Is<If> N, typename V>          void each(N& n, V& visit) { visit(n.condition); }
template <Is<While> N, typename V>       void each(N& n, V& visit) { visit(n.condition); }
template <Is<ForRange> N, typename V>    void each(N& n, V& visit) { visit(n.start); visit(n.stop); visit(n.step); }
template <Is<Break> N, typename V>       void each(N&, V&) {}
template <Is<Continue> N, typename V>    void each(N&, V&) {}
template <Is<Return> N, typename V>      void each(N& n, V& visit) { part(n.value, visit); }
template <Is<Raise> N, typename V>       void each(N&, V&) {}
template <Is<Print> N, typename V>       void each(N& n, V& visit) { parts(n.values, visit); }

template <Is<Assign> N, typename V>      void blocks(N&, V&) {}
template <Is<Store> N, typename V>       void blocks(N&, V&) {}
template <Is<StoreField> N, typename V>  void blocks(N&, V&) {}
template <Is<Evaluate> N, typename V>    void blocks(N&, V&) {}
template <Is<If> N, typename V>          void blocks(N& n, V& visit) { visit(n.then); visit(n.otherwise); }
template <Is<While> N, typename V>       void blocks(N& n, V& visit) { visit(n.body); visit(n.orelse); }
template <Is<ForRange> N, typename V>    void blocks(N& n, V& visit) { visit(n.body); visit(n.orelse); }
template <Is<Break> N, typename V>       void blocks(N&, V&) {}
template <Is<Continue> N, typename V>    void blocks(N&, V&) {}
template <Is<Return> N, typename V>      void blocks(N&, V&) {}
template <Is<Raise> N, typename V>       void blocks(N&, V&) {}
template <Is<Print> N, typename V>       void blocks(N&, V&) {}
// clang-format on

/// Parents before children, children in order.
template <typename Visit>
void preorder(const Expr& expr, const Visit& visit) {
    visit(expr);
    auto below = [&](const ExprPtr& child) { preorder(*child, visit); };
    std::visit([&](const auto& node) { each(node, below); }, expr.node);
}

Effects own_effects(const Module& module, const Expr& expr) {
    if (expr.as<Element>() || expr.as<RecordField>()) return Effects::reads;
    if (const auto* call = expr.as<BuiltinCall>()) return call->builtin->effects;
    if (const auto* call = expr.as<Call>()) return module.function(call->callee).effects;
    return Effects::none;
}

}  // namespace

void for_each_child(const Expr& expr, const std::function<void(const Expr&)>& visit) {
    auto deref = [&](const ExprPtr& child) { visit(*child); };
    std::visit([&](const auto& node) { each(node, deref); }, expr.node);
}

void for_each_child(Expr& expr, const std::function<void(ExprPtr&)>& visit) {
    std::visit([&](auto& node) { each(node, visit); }, expr.node);
}

void for_each_expr(const Stmt& stmt, const std::function<void(const Expr&)>& visit) {
    auto deref = [&](const ExprPtr& child) { visit(*child); };
    std::visit([&](const auto& node) { each(node, deref); }, stmt.node);
}

void for_each_expr(Stmt& stmt, const std::function<void(ExprPtr&)>& visit) {
    std::visit([&](auto& node) { each(node, visit); }, stmt.node);
}

void for_each_block(const Stmt& stmt, const std::function<void(const Block&)>& visit) {
    std::visit([&](const auto& node) { blocks(node, visit); }, stmt.node);
}

void for_each_block(Stmt& stmt, const std::function<void(Block&)>& visit) {
    std::visit([&](auto& node) { blocks(node, visit); }, stmt.node);
}

void for_each_stmt(const Block& block, const std::function<void(const Stmt&)>& visit) {
    for (const Stmt& stmt : block) {
        visit(stmt);
        for_each_block(stmt, [&](const Block& inner) { for_each_stmt(inner, visit); });
    }
}

void for_each_expr_deep(const Expr& expr, const std::function<void(const Expr&)>& visit) { preorder(expr, visit); }

void for_each_expr_deep(const Block& block, const std::function<void(const Expr&)>& visit) {
    for_each_stmt(block,
                  [&](const Stmt& stmt) { for_each_expr(stmt, [&](const Expr& expr) { preorder(expr, visit); }); });
}

void rewrite(ExprPtr& expr, const std::function<void(ExprPtr&)>& change) {
    auto inner = [&](ExprPtr& child) { rewrite(child, change); };
    std::visit([&](auto& node) { each(node, inner); }, expr->node);
    change(expr);
}

void rewrite(Block& block, const std::function<void(ExprPtr&)>& change) {
    for (Stmt& stmt : block) {
        for_each_expr(stmt, [&](ExprPtr& expr) { rewrite(expr, change); });
        for_each_block(stmt, [&](Block& inner) { rewrite(inner, change); });
    }
}

Effects effects_of(const Module& module, const Expr& expr) {
    Effects effects = Effects::none;
    preorder(expr, [&](const Expr& part) { effects = effects | own_effects(module, part); });
    return effects;
}

}  // namespace pyk::ir
