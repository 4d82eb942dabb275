#include "advice/updates.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

constexpr size_t kMostReads = 8;

/// Calls `use` for each that a value is made of; not for those that only say which other is read.
template <typename Use>
void for_each_read(const ir::Expr& expr, const LoadOrigins& held, Use use) {
    if (const auto* local = expr.as<ir::LocalRef>()) {
        if (const auto known = held.find(local->id); known != held.end())
            for (const ir::Expr* read : known->second.reads) use(read);
        return;
    }
    const bool is_place = expr.as<ir::Element>() || expr.as<ir::RecordField>();
    if (is_place) use(&expr);
    if (expr.as<ir::Element>()) return;
    ir::for_each_child(expr, [&](const ir::Expr& child) { for_each_read(child, held, use); });
}

void add(std::vector<const ir::Expr*>& reads, const ir::Expr* read) {
    if (reads.size() < kMostReads && std::ranges::find(reads, read) == reads.end()) reads.push_back(read);
}

/// The greater and the lesser of two.
constexpr BuiltinName kMaxima[] = {"max", "pyk.greater", "np.maximum", "np.fmax", "cuda.fp16.hmax"};
constexpr BuiltinName kMinima[] = {"min", "pyk.lesser", "np.minimum", "np.fmin", "cuda.fp16.hmin"};

constexpr BuiltinName kStores[] = {"cuda.stcg", "cuda.stcs", "cuda.stwb", "cuda.stwt", "cuda.store_vector"};
constexpr BuiltinName kLoads[] = {"cuda.ldca", "cuda.ldcg", "cuda.ldcs", "cuda.ldcv", "cuda.ldlu"};

/// What a builtin of these loads or stores; null: it is none.
template <size_t count>
const ir::ElementRef* place_of(const ir::Expr& expr, const BuiltinName (&names)[count]) {
    const auto* call = expr.as<ir::BuiltinCall>();
    return call && is_one_of(*call->builtin, names) ? call->args[0]->as<ir::ElementRef>() : nullptr;
}

std::string_view atomic_for(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
            return "`cuda.atomic.add`";
        case BinaryOp::Sub:
            return "`cuda.atomic.sub`";
        case BinaryOp::BitAnd:
            return "`cuda.atomic.and_`";
        case BinaryOp::BitOr:
            return "`cuda.atomic.or_`";
        case BinaryOp::BitXor:
            return "`cuda.atomic.xor`";
        default:
            return "";
    }
}

}  // namespace

bool is_maximum(const Builtin& builtin) { return is_one_of(builtin, kMaxima); }
bool is_minimum(const Builtin& builtin) { return is_one_of(builtin, kMinima); }

bool has_store(const ir::Block& body) {
    bool found = false;
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) { found = found || StoredPlace::of(stmt).base; });
    return found;
}

// --- places ---
StoredPlace StoredPlace::of(const ir::Stmt& stmt) {
    if (const auto* n = stmt.as<ir::Store>()) return {n->array.get(), &n->indices, 0, n->value.get()};
    if (const auto* n = stmt.as<ir::StoreField>()) return {n->record.get(), nullptr, n->field, n->value.get()};
    const auto* n = stmt.as<ir::Evaluate>();
    if (const ir::ElementRef* place = n ? place_of(*n->value, kStores) : nullptr)
        return {place->array.get(), &place->indices, 0, n->value->as<ir::BuiltinCall>()->args[1].get()};
    return {};
}

bool StoredPlace::is_value_of(const ir::Expr& expr) const {
    if (const auto* n = expr.as<ir::Convert>()) return is_value_of(*n->operand);
    if (const ir::ElementRef* place = place_of(expr, kLoads))
        return indices && ir::is_same(*place->array, *base) && ir::is_same(place->indices, *indices);
    const auto* element = expr.as<ir::Element>();
    const auto* read = indices ? nullptr : expr.as<ir::RecordField>();
    if (element) return indices && ir::is_same(*element->array, *base) && ir::is_same(element->indices, *indices);
    return read && read->field == field && ir::is_same(*read->record, *base);
}

bool StoredPlace::is_read_by(const ir::Expr& expr, const LoadOrigins& held) const {
    if (is_value_of(expr)) return true;
    if (expr.as<ir::Element>()) return false;
    const auto* local = expr.as<ir::LocalRef>();
    const auto known = local ? held.find(local->id) : held.end();
    if (known != held.end())
        return std::ranges::any_of(known->second.reads, [&](const ir::Expr* read) { return is_value_of(*read); });
    bool found = false;
    ir::for_each_child(expr, [&](const ir::Expr& child) { found = found || is_read_by(child, held); });
    return found;
}

// --- variables ---
/// What lanes tell each other is combined by them: an atomic would add it once more.
void LoadedVariables::forget_exchanged(const ir::Expr& value) {
    ir::for_each_expr_deep(value, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        if (!call || !any(call->builtin->effects & Effects::exchanges)) return;
        for (const ir::ExprPtr& arg : call->args)
            if (const auto* local = ir::without_conversions(*arg).as<ir::LocalRef>()) set(local->id, {});
    });
}

void LoadedVariables::assign(ir::LocalId target, const ir::Expr& value) {
    forget_exchanged(value);
    LoadOrigin made{{}, is_copy(value), op_on(value, [&](const ir::Expr& part) {
                        const auto* local = part.as<ir::LocalRef>();
                        return local ? held_.contains(local->id) : part.as<ir::Element>() || part.as<ir::RecordField>();
                    })};
    for_each_read(value, held_, [&](const ir::Expr* read) { add(made.reads, read); });
    if (!branches_.empty()) branches_.back().try_emplace(target, origin(target));
    set(target, std::move(made));
}

void LoadedVariables::leave() {
    const LoadOrigins before = std::move(branches_.back());
    branches_.pop_back();
    for (const auto& [local, old] : before) {
        if (!branches_.empty()) branches_.back().try_emplace(local, old);
        LoadOrigin now = origin(local);
        for (const ir::Expr* read : old.reads) add(now.reads, read);
        // `s = out[0]`, and perhaps `s += x`.
        if (old.is_copy != now.is_copy)
            now.op = old.is_copy ? now.op : old.op;
        else if (old.op != now.op)
            now.op.reset();
        now.is_copy = now.is_copy && old.is_copy;
        set(local, std::move(now));
    }
}

bool LoadedVariables::is_copy(const ir::Expr& expr) const {
    const ir::Expr& value = ir::without_conversions(expr);
    const auto* local = value.as<ir::LocalRef>();
    return local ? origin(local->id).is_copy : value.as<ir::Element>() || value.as<ir::RecordField>();
}

std::optional<BinaryOp> LoadedVariables::op_on(const ir::Expr& expr, const IsPart& is_part) const {
    const ir::Expr& value = ir::without_conversions(expr);
    const auto op_of_part = [&](const ir::Expr& part) -> std::optional<std::optional<BinaryOp>> {
        if (!is_part(part)) return std::nullopt;
        const auto* local = part.as<ir::LocalRef>();
        const LoadOrigin known = local ? origin(local->id) : LoadOrigin{{}, true};
        if (!known.is_copy && !known.op) return std::nullopt;  // made of it in another way
        return known.is_copy ? std::nullopt : known.op;
    };
    if (const auto whole = op_of_part(value)) return *whole;
    const auto* two = value.as<ir::Binary>();
    if (!two) return std::nullopt;
    auto before = op_of_part(ir::without_conversions(*two->lhs));
    if (!before && two->op != BinaryOp::Sub) before = op_of_part(ir::without_conversions(*two->rhs));
    if (!before || (*before && **before != two->op)) return std::nullopt;
    return two->op;
}

LoadOrigin LoadedVariables::origin(ir::LocalId local) const {
    const auto known = held_.find(local);
    return known == held_.end() ? LoadOrigin() : known->second;
}

void LoadedVariables::set(ir::LocalId local, LoadOrigin to) {
    if (to.reads.empty())
        held_.erase(local);
    else
        held_[local] = std::move(to);
}

std::string_view atomic_for(const StoredPlace& place, const LoadedVariables& variables, const ir::Expr* condition) {
    const ir::Expr* const value = &ir::without_conversions(*place.value);
    std::string_view name;
    const auto is_place = [&](const ir::Expr& part) {
        const ir::Expr& bare = ir::without_conversions(part);
        return bare.as<ir::LocalRef>() ? place.is_read_by(bare, variables.held()) : place.is_value_of(bare);
    };
    const auto op = variables.op_on(*value, is_place);
    if (op && !place.value->type.is_boolean()) name = atomic_for(*op);  // booleans have none
    const auto* call = value->as<ir::BuiltinCall>();
    if (call && call->args.size() == 2 && (is_place(*call->args[0]) || is_place(*call->args[1]))) {
        if (is_maximum(*call->builtin)) name = kAtomicMax;
        if (is_minimum(*call->builtin)) name = kAtomicMin;
    }
    const auto* test = condition ? condition->as<ir::Binary>() : nullptr;
    const bool is_less = test && (test->op == BinaryOp::Lt || test->op == BinaryOp::Le);
    const bool is_more = test && (test->op == BinaryOp::Gt || test->op == BinaryOp::Ge);
    // `if x > best: best = x`, not `if x > end: x -= end`.
    if ((is_less || is_more) && !place.is_read_by(*value, variables.held()) &&
        (is_place(*test->lhs) || is_place(*test->rhs)))
        name = is_place(*test->lhs) == is_less ? kAtomicMax : kAtomicMin;
    return name.empty() ? kNoAtomic : name;
}

}  // namespace pyk
