#include "passes/forward_stores.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// An index as a local, if there is one, and what is added to it.
struct Offset {
    const ir::LocalRef* base = nullptr;
    int64_t added = 0;
};
using Place = std::vector<Offset>;  ///< by axis
enum class Relation : uint8_t { same, apart, unknown };

std::optional<Offset> offset_of(const ir::Expr& index) {
    if (const auto value = ir::integer_value(index)) return Offset{nullptr, *value};
    if (const auto* ref = index.as<ir::LocalRef>()) return Offset{ref, 0};
    const auto* sum = index.as<ir::Binary>();
    const auto* ref = sum ? sum->lhs->as<ir::LocalRef>() : nullptr;
    const auto added = sum ? ir::integer_value(*sum->rhs) : std::nullopt;
    if (!ref || !added || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return std::nullopt;
    return Offset{ref, sum->op == BinaryOp::Add ? *added : -*added};
}

std::optional<Place> place_of(const std::vector<ir::Index>& indices) {
    Place place;
    for (const ir::Index& index : indices) {
        const auto offset = index.wraps ? std::nullopt : offset_of(*index.value);
        if (!offset) return std::nullopt;
        place.push_back(*offset);
    }
    return place;
}

/// Of two elements of an array whose elements lie apart.
Relation relation_of(const Place& a, const Place& b) {
    Relation relation = Relation::same;
    for (size_t axis = 0; axis < a.size(); ++axis) {
        const bool has_base = a[axis].base && b[axis].base;
        const bool is_comparable = has_base ? a[axis].base->id == b[axis].base->id : a[axis].base == b[axis].base;
        if (!is_comparable)
            relation = Relation::unknown;
        else if (a[axis].added != b[axis].added)
            return Relation::apart;
    }
    return relation;
}

bool is_number(Type type) { return type == Type(Scalar::float64) || type == Type(Scalar::float32); }

/// A loop without decisions, whose iterations run to their ends.
class Chain {
  public:
    Chain(ir::Function& function, ir::ForRange& loop) : function_(function), loop_(loop) {}

    /// What comes before the loop, if anything is forwarded.
    std::optional<ir::Stmt> forward(Span span) {
        if (!is_plain()) return std::nullopt;
        for (size_t at = loop_.body.size(); at-- > 0;) {
            const auto* store = loop_.body[at].as<ir::Store>();
            const size_t end = store && is_number(store->array->type.element()) ? end_of_loads(at) : 0;
            if (end == 0 || !needs_last(at, end)) continue;
            ir::Stmt first = forward(at, end, span);
            choose();
            return first;
        }
        return std::nullopt;
    }

  private:
    bool is_plain() {
        if (loop_.is_parallel || !loop_.orelse.empty() || ir::integer_value(*loop_.step) != 1) return false;
        const LocalSet changed = assigned_in(function_, loop_.body);
        if (changed.contains(loop_.counter) || !is_invariant(*loop_.start, changed) ||
            !is_invariant(*loop_.stop, changed))
            return false;
        size_t stores = 0;
        for (const ir::Stmt& stmt : loop_.body) {
            const auto* store = stmt.as<ir::Store>();
            if (!store && !stmt.as<ir::Assign>()) return false;
            if (!store) continue;
            const auto* array = store->array->as<ir::LocalRef>();
            const auto place = place_of(store->indices);
            if (!array || !place || changed.contains(array->id) || store->array->type.layout() == Layout::A)
                return false;
            if (array_ && array->id != array_->id) return false;
            if (std::ranges::any_of(*place, [&](const Offset& o) { return o.base && changed.contains(o.base->id); }))
                return false;
            array_ = array;
            ++stores;
        }
        bool result = stores > 1;
        ir::for_each_expr_deep(loop_.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            const auto* binary = expr.as<ir::Binary>();
            result = result && !expr.as<ir::Call>() && !(call && !is_arithmetic(*call)) &&
                     !(binary && ir::may_divide_by_zero(*binary));
        });
        return result;
    }

    static bool is_arithmetic(const ir::BuiltinCall& call) {
        return !any(call.builtin->effects) &&
               std::ranges::all_of(call.args, [](const ir::ExprPtr& arg) { return arg->type.is_scalar(); });
    }

    /// The place of the last iteration, in the terms of this one.
    Place before(Place place) const {
        for (Offset& offset : place)
            if (offset.base && offset.base->id == loop_.counter) --offset.added;
        return place;
    }
    bool loads(const ir::Expr& expr, const Place& place) const {
        const auto* element = expr.as<ir::Element>();
        const auto* array = element ? element->array->as<ir::LocalRef>() : nullptr;
        if (!array || array->id != array_->id) return false;
        const auto loaded = place_of(element->indices);
        return loaded && relation_of(*loaded, place) == Relation::same;
    }
    /// Whether evaluating the expression loads it.
    bool surely_loads(const ir::Expr& expr, const Place& place) const {
        if (loads(expr, place)) return true;
        if (const auto* logical = expr.as<ir::Logical>()) return surely_loads(*logical->lhs, place);
        if (const auto* select = expr.as<ir::Select>()) return surely_loads(*select->condition, place);
        bool result = false;
        ir::for_each_child(expr, [&](const ir::Expr& child) { result = result || surely_loads(child, place); });
        return result;
    }

    /// The statements that may load what the store at `at` left in the last iteration end here; 0: none does, or what
    /// is stored in between may change it.
    size_t end_of_loads(size_t at) const {
        const auto stored = place_of(loop_.body[at].as<ir::Store>()->indices);
        const Place loaded = before(*stored);
        if (relation_of(*stored, loaded) != Relation::apart) return 0;
        for (size_t later = at + 1; later < loop_.body.size(); ++later) {
            const auto* store = loop_.body[later].as<ir::Store>();
            if (store && relation_of(*place_of(store->indices), *stored) != Relation::apart) return 0;
        }
        bool is_loaded = false;
        for (size_t end = 1; end <= loop_.body.size(); ++end) {
            const ir::Stmt& stmt = loop_.body[end - 1];
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) { is_loaded = is_loaded || surely_loads(expr, loaded); });
            const auto* store = stmt.as<ir::Store>();
            const bool is_last = store && relation_of(*place_of(store->indices), loaded) != Relation::apart;
            if (is_last || end == loop_.body.size()) return is_loaded ? end : 0;
        }
        return 0;
    }

    /// Whether what the store at `at` stores comes of what it stored in the last iteration.
    bool needs_last(size_t at, size_t end) const {
        const auto& store = *loop_.body[at].as<ir::Store>();
        const Place loaded = before(*place_of(store.indices));
        LocalSet needed(function_);
        bool result = false;
        const auto note = [&](const ir::Expr& whole, size_t from) {
            ir::for_each_expr_deep(whole, [&](const ir::Expr& expr) {
                if (const auto* ref = expr.as<ir::LocalRef>()) needed.insert(ref->id);
                result = result || (from < end && loads(expr, loaded));
            });
        };
        note(*store.value, at);
        for (size_t from = at; from-- > 0;) {
            const auto* assign = loop_.body[from].as<ir::Assign>();
            if (assign && needed.contains(assign->target)) note(*assign->value, from);
        }
        return result;
    }

    ir::Stmt forward(size_t at, size_t end, Span span) {
        auto& store = *loop_.body[at].as<ir::Store>();
        const Type type = store.array->type.element();
        const ir::LocalId held = ir::add_temporary(function_, function_.local(array_->id).name + "_at", type, span);
        const Place loaded = before(*place_of(store.indices));
        ir::Element first{ir::clone(*store.array), first_indices(loaded, span)};
        ir::ExprPtr runs = ir::binary(BinaryOp::Lt, ir::clone(*loop_.start), ir::clone(*loop_.stop), span);
        ir::ExprPtr zero = ir::floating(0, type, span);
        ir::ExprPtr value =
            ir::make(type, span, ir::Select{std::move(runs), ir::make(type, span, std::move(first)), std::move(zero)});
        for (size_t k = 0; k < end; ++k)
            ir::for_each_expr(loop_.body[k], [&](ir::ExprPtr& whole) {
                ir::rewrite(whole, [&](ir::ExprPtr& expr) {
                    if (loads(*expr, loaded)) expr = ir::local(function_, held, expr->span);
                });
            });
        ir::Stmt assign{loop_.body[at].span, ir::Assign{held, std::move(store.value)}};
        store.value = ir::local(function_, held, span);
        loop_.body.insert(loop_.body.begin() + static_cast<std::ptrdiff_t>(at), std::move(assign));
        return {span, ir::Assign{held, std::move(value)}};
    }
    std::vector<ir::Index> first_indices(const Place& place, Span span) const {
        std::vector<ir::Index> indices;
        for (const Offset& offset : place) {
            ir::ExprPtr value;
            if (!offset.base)
                value = ir::integer(offset.added, Scalar::int64, span);
            else if (const auto start = ir::integer_value(*loop_.start); start && offset.base->id == loop_.counter)
                value = ir::integer(*start + offset.added, Scalar::int64, span);
            else {
                value = offset.base->id == loop_.counter ? ir::clone(*loop_.start)
                                                         : ir::local(function_, offset.base->id, span);
                const BinaryOp op = offset.added < 0 ? BinaryOp::Sub : BinaryOp::Add;
                if (offset.added != 0)
                    value =
                        ir::binary(op, std::move(value), ir::integer(std::abs(offset.added), value->type, span), span);
            }
            indices.push_back({std::move(value), false});
        }
        return indices;
    }

    void choose() {
        for (ir::Stmt& stmt : loop_.body) {
            auto* assign = stmt.as<ir::Assign>();
            const auto* select = assign ? assign->value->as<ir::Select>() : nullptr;
            if (select && is_number(assign->value->type) && is_ready(*select->then) && is_ready(*select->otherwise))
                assign->value = ir::applied("pyk.chosen", std::move(assign->value));
        }
    }
    static bool is_ready(const ir::Expr& expr) {
        return expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() || expr.as<ir::LocalRef>();
    }

    ir::Function& function_;
    ir::ForRange& loop_;
    const ir::LocalRef* array_ = nullptr;  ///< to which all is stored
};

void forward_stores(ir::Function& function, ir::Block& block) {
    ir::Block result;
    for (ir::Stmt& stmt : block) {
        ir::for_each_block(stmt, [&](ir::Block& inner) { forward_stores(function, inner); });
        if (auto* loop = stmt.as<ir::ForRange>())
            if (auto first = Chain(function, *loop).forward(stmt.span)) result.push_back(std::move(*first));
        result.push_back(std::move(stmt));
    }
    block = std::move(result);
}

}  // namespace

void forward_stores(ir::Function& function) { forward_stores(function, function.body); }

}  // namespace pyk
