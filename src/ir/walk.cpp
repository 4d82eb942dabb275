#include "ir/walk.h"

#include <algorithm>
#include <concepts>

namespace pyk::ir {
namespace {

/// `each` below is written once for both constnesses of a node.
template <typename N, typename T>
concept Is = std::same_as<std::remove_const_t<N>, T>;

template <typename Slot, typename Visit>
void part(Slot& slot, const Visit& visit) {
    if (slot) visit(slot);
}
template <typename Slots, typename Visit>
void parts(Slots& slots, const Visit& visit) {
    for (auto& slot : slots) visit(slot);
}
template <typename Indices, typename Visit>
void values(Indices& indices, const Visit& visit) {
    for (auto& index : indices) visit(index.value);
}

// clang-format off
template <Is<Constant> N, typename V>    void each(N&, const V&) {}
template <Is<ConstantRef> N, typename V> void each(N&, const V&) {}
template <Is<LocalRef> N, typename V>    void each(N&, const V&) {}
template <Is<Unary> N, typename V>       void each(N& n, const V& visit) { visit(n.operand); }
template <Is<Binary> N, typename V>      void each(N& n, const V& visit) { visit(n.lhs); visit(n.rhs); }
template <Is<Logical> N, typename V>     void each(N& n, const V& visit) { visit(n.lhs); visit(n.rhs); }
template <Is<Convert> N, typename V>     void each(N& n, const V& visit) { visit(n.operand); }
template <Is<Select> N, typename V>      void each(N& n, const V& visit) { visit(n.condition); visit(n.then); visit(n.otherwise); }
template <Is<BuiltinCall> N, typename V> void each(N& n, const V& visit) { parts(n.args, visit); }
template <Is<Call> N, typename V>        void each(N& n, const V& visit) { parts(n.args, visit); }
template <Is<MakeTuple> N, typename V>   void each(N& n, const V& visit) { parts(n.elements, visit); }
template <Is<TupleItem> N, typename V>   void each(N& n, const V& visit) { visit(n.tuple); }
template <Is<TupleAt> N, typename V>     void each(N& n, const V& visit) { visit(n.tuple); visit(n.index); }
template <Is<Index> N, typename V>       void each(N& n, const V& visit) { visit(n.value); }
template <Is<SliceOf> N, typename V>     void each(N& n, const V& visit) { part(n.start, visit); part(n.stop, visit); part(n.step, visit); }
template <Is<Element> N, typename V>     void each(N& n, const V& visit) { visit(n.array); values(n.indices, visit); }
template <Is<ElementRef> N, typename V>  void each(N& n, const V& visit) { visit(n.array); values(n.indices, visit); }
template <Is<View> N, typename V>        void each(N& n, const V& visit) {
    visit(n.array);
    for (auto& subscript : n.subscripts) std::visit([&](auto& s) { each(s, visit); }, subscript);
}
template <Is<Transpose> N, typename V>   void each(N& n, const V& visit) { visit(n.array); }
template <Is<ShapeOf> N, typename V>     void each(N& n, const V& visit) { visit(n.array); }
template <Is<SizeOf> N, typename V>      void each(N& n, const V& visit) { visit(n.array); }
template <Is<RecordField> N, typename V> void each(N& n, const V& visit) { visit(n.record); }
template <Is<FieldsOf> N, typename V>    void each(N& n, const V& visit) { visit(n.array); }

template <Is<Assign> N, typename V>      void each(N& n, const V& visit) { visit(n.value); }
template <Is<Store> N, typename V>       void each(N& n, const V& visit) { visit(n.value); visit(n.array); values(n.indices, visit); }
template <Is<StoreField> N, typename V>  void each(N& n, const V& visit) { visit(n.value); visit(n.record); }
template <Is<Evaluate> N, typename V>    void each(N& n, const V& visit) { visit(n.value); }
template <Is<If> N, typename V>          void each(N& n, const V& visit) { visit(n.condition); }
template <Is<While> N, typename V>       void each(N& n, const V& visit) { visit(n.condition); }
template <Is<ForRange> N, typename V>    void each(N& n, const V& visit) { visit(n.start); visit(n.stop); visit(n.step); }
template <Is<Break> N, typename V>       void each(N&, const V&) {}
template <Is<Continue> N, typename V>    void each(N&, const V&) {}
template <Is<Return> N, typename V>      void each(N& n, const V& visit) { part(n.value, visit); }
template <Is<Raise> N, typename V>       void each(N&, const V&) {}
template <Is<Try> N, typename V>         void each(N&, const V&) {}
template <Is<Print> N, typename V>       void each(N& n, const V& visit) { parts(n.values, visit); }

template <Is<Assign> N, typename V>      void blocks(N&, const V&) {}
template <Is<Store> N, typename V>       void blocks(N&, const V&) {}
template <Is<StoreField> N, typename V>  void blocks(N&, const V&) {}
template <Is<Evaluate> N, typename V>    void blocks(N&, const V&) {}
template <Is<If> N, typename V>          void blocks(N& n, const V& visit) { visit(n.then); visit(n.otherwise); }
template <Is<While> N, typename V>       void blocks(N& n, const V& visit) { visit(n.body); visit(n.orelse); }
template <Is<ForRange> N, typename V>    void blocks(N& n, const V& visit) { visit(n.body); visit(n.orelse); }
template <Is<Break> N, typename V>       void blocks(N&, const V&) {}
template <Is<Continue> N, typename V>    void blocks(N&, const V&) {}
template <Is<Return> N, typename V>      void blocks(N&, const V&) {}
template <Is<Raise> N, typename V>       void blocks(N&, const V&) {}
template <Is<Try> N, typename V>         void blocks(N& n, const V& visit) { visit(n.body); visit(n.handler); }
template <Is<Print> N, typename V>       void blocks(N&, const V&) {}
// clang-format on

/// Calls `visit` with what the variant holds. A switch, which is inlined: std::visit is a call through a table where a
/// variant has so many alternatives.
template <typename Variant, typename Visit>
void with_node(Variant& variant, const Visit& visit) {
    [&]<size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(((variant.index() == I && (visit(*std::get_if<I>(&variant)), true)) || ...));
    }
    (std::make_index_sequence<std::variant_size_v<std::remove_const_t<Variant>>>());
}

template <typename Owner, typename Visit>
void children(Owner& owner, const Visit& visit) {
    with_node(owner.node, [&](auto& node) { each(node, visit); });
}

template <typename Statement, typename Visit>
void inner_blocks(Statement& stmt, const Visit& visit) {
    with_node(stmt.node, [&](auto& node) { blocks(node, visit); });
}

/// Parents before children, children in order.
template <typename Visit>
void preorder(const Expr& expr, const Visit& visit) {
    visit(expr);
    children(expr, [&](const ExprPtr& child) { preorder(*child, visit); });
}

template <typename Block, typename Visit>
void statements(Block& block, const Visit& visit) {
    for (auto& stmt : block) {
        visit(stmt);
        inner_blocks(stmt, [&](Block& inner) { statements(inner, visit); });
    }
}

void statements_in_loops(Block& block, bool in_loop, FunctionRef<void(Stmt&)> visit) {
    for (Stmt& stmt : block) {
        if (in_loop) visit(stmt);
        const bool loops = in_loop || is_loop(stmt);
        inner_blocks(stmt, [&](Block& inner) { statements_in_loops(inner, loops, visit); });
    }
}

Effects own_effects(const Module& module, const Expr& expr) {
    if (expr.as<Element>() || expr.as<RecordField>()) return Effects::reads;
    if (const auto* call = expr.as<BuiltinCall>()) return call->builtin->effects;
    if (const auto* call = expr.as<Call>()) return module.function(call->callee).effects;
    return Effects::none;
}

bool is_private(const Function& function, const Expr& place) {
    const LocalRef* const root = base_local(place);
    return root && function.local(root->id).storage == Storage::local;
}

Effects own_effects(const Function& function, const Stmt& stmt) {
    const auto* store = stmt.as<Store>();
    const auto* field = stmt.as<StoreField>();
    if (store) return is_private(function, *store->array) ? Effects::none : Effects::writes;
    if (field) return is_private(function, *field->record) ? Effects::none : Effects::writes;
    return stmt.as<Raise>() || stmt.as<Print>() ? Effects::ordered : Effects::none;
}

}  // namespace

void for_each_child(const Expr& expr, FunctionRef<void(const Expr&)> visit) {
    children(expr, [&](const ExprPtr& child) { visit(*child); });
}

void for_each_child(Expr& expr, FunctionRef<void(ExprPtr&)> visit) { children(expr, visit); }

void for_each_expr(const Stmt& stmt, FunctionRef<void(const Expr&)> visit) {
    children(stmt, [&](const ExprPtr& expr) { visit(*expr); });
}

void for_each_expr(Stmt& stmt, FunctionRef<void(ExprPtr&)> visit) { children(stmt, visit); }

void for_each_block(const Stmt& stmt, FunctionRef<void(const Block&)> visit) { inner_blocks(stmt, visit); }

void for_each_block(Stmt& stmt, FunctionRef<void(Block&)> visit) { inner_blocks(stmt, visit); }

bool is_loop(const Stmt& stmt) { return stmt.as<While>() || stmt.as<ForRange>(); }

bool is_jump(const Stmt& stmt) {
    return stmt.as<Return>() || stmt.as<Break>() || stmt.as<Continue>() || stmt.as<Raise>();
}

bool ends_in_jump(const Block& block) { return !block.empty() && is_jump(block.back()); }

bool has_loop(const Block& block) {
    bool result = false;
    for_each_stmt(block, [&](const Stmt& stmt) { result = result || is_loop(stmt); });
    return result;
}

bool has_handler(const Block& block) {
    bool result = false;
    for_each_stmt(block, [&](const Stmt& stmt) { result = result || stmt.as<Try>(); });
    return result;
}

void for_each_stmt(const Block& block, FunctionRef<void(const Stmt&)> visit) { statements(block, visit); }

void for_each_stmt(Block& block, FunctionRef<void(Stmt&)> visit) { statements(block, visit); }

void for_each_stmt_in_loops(Block& block, FunctionRef<void(Stmt&)> visit) { statements_in_loops(block, false, visit); }

void for_each_expr_deep(const Expr& expr, FunctionRef<void(const Expr&)> visit) { preorder(expr, visit); }

void for_each_expr_deep(const Block& block, FunctionRef<void(const Expr&)> visit) {
    statements(block, [&](const Stmt& stmt) { children(stmt, [&](const ExprPtr& expr) { preorder(*expr, visit); }); });
}

void rewrite(ExprPtr& expr, FunctionRef<void(ExprPtr&)> change) {
    children(*expr, [&](ExprPtr& child) { rewrite(child, change); });
    change(expr);
}

void rewrite(Block& block, FunctionRef<void(ExprPtr&)> change) {
    for (Stmt& stmt : block) {
        children(stmt, [&](ExprPtr& expr) { rewrite(expr, change); });
        inner_blocks(stmt, [&](Block& inner) { rewrite(inner, change); });
    }
}

bool is_local(const Expr& expr, LocalId id) {
    const auto* ref = expr.as<LocalRef>();
    return ref && ref->id == id;
}

const BuiltinCall* call_of(const Expr& expr, BuiltinName builtin) {
    const auto* call = expr.as<BuiltinCall>();
    return call && *call->builtin == builtin ? call : nullptr;
}

const Expr& without_conversions(const Expr& expr) {
    const auto* convert = expr.as<Convert>();
    return convert ? without_conversions(*convert->operand) : expr;
}

const LocalRef* base_local(const Expr& place) {
    if (const auto* n = place.as<View>()) return base_local(*n->array);
    if (const auto* n = place.as<Transpose>()) return base_local(*n->array);
    if (const auto* n = place.as<FieldsOf>()) return base_local(*n->array);
    if (const auto* n = place.as<Element>()) return base_local(*n->array);
    if (const auto* n = place.as<RecordField>()) return base_local(*n->record);
    if (const auto* n = place.as<Convert>()) return base_local(*n->operand);
    return place.as<LocalRef>();
}

bool is_whole(const Subscript& subscript) {
    const auto* slice = std::get_if<SliceOf>(&subscript);
    return slice && !slice->start && !slice->stop && !slice->step;
}

bool is_whole(const View& view) {
    return std::ranges::all_of(view.subscripts, [](const Subscript& subscript) { return is_whole(subscript); });
}

bool may_divide_by_zero(const Binary& binary) {
    const auto* by = binary.rhs->as<Constant>();
    return is_division(binary.op) && (!by || is_zero(by->value));
}

Effects effects_of(const Module& module, const Expr& expr) {
    Effects effects = Effects::none;
    preorder(expr, [&](const Expr& part) { effects = effects | own_effects(module, part); });
    return effects;
}

Effects effects_of(const Module& module, const Block& block) {
    Effects effects = Effects::none;
    for_each_expr_deep(block, [&](const Expr& part) { effects = effects | own_effects(module, part); });
    return effects;
}

Effects effects_of(const Function& function, FunctionRef<Effects(FunctionId)> of_callee) {
    Effects effects = Effects::none;
    for_each_stmt(function.body, [&](const Stmt& stmt) { effects = effects | own_effects(function, stmt); });
    for_each_expr_deep(function.body, [&](const Expr& expr) {
        const auto* element = expr.as<Element>();
        const auto* field = expr.as<RecordField>();
        const Expr* const place = element ? element->array.get() : field ? field->record.get() : nullptr;
        if (place && !is_private(function, *place)) effects = effects | Effects::reads;
        if (const auto* call = expr.as<BuiltinCall>()) effects = effects | call->builtin->effects;
        if (const auto* call = expr.as<Call>()) effects = effects | of_callee(call->callee);
    });
    return effects;
}

}  // namespace pyk::ir
