#include "emit/pure_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "emit/expression.h"
#include "ir/thread_end.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

constexpr size_t kMostExpressions = 40;
constexpr std::array kParts{LaunchValue::thread_index, LaunchValue::block_index, LaunchValue::threads_of_block};

/// Needs to know which thread it is in, or more than its arguments and its result.
bool is_of_thread(const Builtin& builtin) { return any(builtin.effects) || takes_thread(builtin); }

class Recognition {
  public:
    Recognition(const ir::Module& module, const ir::Function& kernel)
        : module_(module), kernel_(kernel), usage_(kernel) {}

    std::variant<PureMap, std::string> run() {
        const std::string why = refusal();
        if (!why.empty()) return why;
        return std::move(map_);
    }

  private:
    std::string refusal();
    /// Along x.
    bool is_part(const ir::Expr& expr, LaunchValue value) const;
    bool is_blocks_start(const ir::Expr& expr) const;
    bool is_grid_index(const ir::Expr& expr) const;
    const ir::Expr& named(const ir::Expr& expr) const;
    std::string split();
    std::string find_guard(const ir::Block& block, size_t at);
    bool read_guard(const ir::Expr& condition, bool leaves);
    bool is_invariant(const ir::Expr& expr) const;
    std::string check_block(const ir::Block& block);
    std::string check_stmt(const ir::Stmt& stmt);
    std::string check_store(const ir::Store& store);
    std::string check_expr(const ir::Expr& expr);
    std::string check_children(const ir::Expr& expr);
    std::string check_callee(ir::FunctionId id);
    std::string element(const ir::Expr& array, const std::vector<ir::Index>& indices, bool writes);
    std::set<ir::LocalId> always_stored(const ir::Stmt* first, const ir::Stmt* end) const;

    bool is_assigned(ir::LocalId id) const { return usage_.writes[static_cast<size_t>(id)] != 0; }
    bool is_assigned_once(ir::LocalId id) const { return usage_.writes[static_cast<size_t>(id)] == 1; }

    const ir::Module& module_;
    const ir::Function& kernel_;
    Usage usage_;
    PureMap map_;
    std::map<ir::LocalId, const ir::Expr*> parts_;  ///< of the index, by what they are called: `tx = cuda.threadIdx.x`
    std::set<ir::FunctionId> callees_;
};

std::string Recognition::refusal() {
    for (const ir::Local& local : kernel_.locals) {
        if (local.storage == ir::Storage::shared || local.storage == ir::Storage::local)
            return fmt::format("it has the array `{}` of its own", local.name);
        if (local.maybe_unassigned) return fmt::format("`{}` may be read before it is assigned", local.name);
    }
    if (std::string why = split(); !why.empty()) return why;
    for (const ir::Stmt* stmt = map_.body.first; stmt != map_.body.second; ++stmt)
        if (std::string why = check_stmt(*stmt); !why.empty()) return why;
    if (map_.expressions > kMostExpressions) return "it computes more than it moves";
    const std::set<ir::LocalId> stored = always_stored(map_.body.first, map_.body.second);
    bool writes = false;
    for (const PureMap::Use& use : map_.uses) {
        writes |= use.writes;
        if (use.writes && !stored.contains(use.array))
            return fmt::format("`{}` is not stored to by every thread", kernel_.local(use.array).name);
    }
    return writes ? "" : "it stores nothing";
}

/// What a part of the index stands for, conversions aside.
const ir::Expr& Recognition::named(const ir::Expr& expr) const {
    const ir::Expr& inner = unwrapped(expr);
    const auto* ref = inner.as<ir::LocalRef>();
    const auto part = ref ? parts_.find(ref->id) : parts_.end();
    return part == parts_.end() ? inner : unwrapped(*part->second);
}

bool Recognition::is_part(const ir::Expr& expr, LaunchValue value) const {
    const auto* call = named(expr).as<ir::BuiltinCall>();
    return call && call->builtin->launch == LaunchPart{value, 0};
}

/// `blockIdx.x * blockDim.x`
bool Recognition::is_blocks_start(const ir::Expr& expr) const {
    const auto* product = named(expr).as<ir::Binary>();
    if (!product || product->op != BinaryOp::Mul) return false;
    const bool block_first = is_part(*product->lhs, LaunchValue::block_index);
    return is_part(block_first ? *product->rhs : *product->lhs, LaunchValue::threads_of_block) &&
           (block_first || is_part(*product->rhs, LaunchValue::block_index));
}

/// `cuda.grid(1)`, or what people write for it.
bool Recognition::is_grid_index(const ir::Expr& expr) const {
    if (is_part(expr, LaunchValue::grid_index)) return named(expr).type.is(Scalar::int64);
    const auto* sum = expr.as<ir::Binary>();
    if (!sum || sum->op != BinaryOp::Add) return false;
    const bool thread_first = is_part(*sum->lhs, LaunchValue::thread_index);
    return is_blocks_start(thread_first ? *sum->rhs : *sum->lhs) &&
           (thread_first || is_part(*sum->rhs, LaunchValue::thread_index));
}

// The index, the guard, and what lies before and behind.
std::string Recognition::split() {
    const ir::Block& block = kernel_.body;
    bool found = false;
    size_t at = 0;
    for (; at < block.size(); ++at) {
        const auto* assign = block[at].as<ir::Assign>();
        if (!assign) break;
        if (!found && is_grid_index(*assign->value) && is_assigned_once(assign->target) &&
            kernel_.local(assign->target).type == Type(Scalar::int64)) {
            found = true;
            map_.index = assign->target;
        } else if (is_invariant(*assign->value) && is_assigned_once(assign->target) &&
                   kernel_.local(assign->target).type.is_scalar()) {
            map_.prefix.push_back(&block[at]);
        } else if (is_assigned_once(assign->target) &&
                   (is_blocks_start(*assign->value) ||
                    std::ranges::any_of(kParts, [&](LaunchValue part) { return is_part(*assign->value, part); }))) {
            parts_.emplace(assign->target, assign->value.get());
        } else {
            break;
        }
    }
    if (!found) return "it has no index `i = cuda.grid(1)`";
    return find_guard(block, at);
}

std::string Recognition::find_guard(const ir::Block& block, size_t at) {
    const ir::Stmt* const end = block.data() + block.size();
    map_.body = {block.data() + at, end};
    if (at == block.size()) return "it does nothing";
    const auto* guard = block[at].as<ir::If>();
    if (!guard || !guard->otherwise.empty()) return "";
    const bool leaves = guard->then.size() == 1 && guard->then[0].as<ir::Return>();
    if (!leaves && at + 1 != block.size()) return "";
    if (!read_guard(*guard->condition, leaves)) {
        map_.limits.clear();
        return leaves ? "its guard is more than the end of the index" : "";
    }
    map_.body = leaves ? PureMap::Range{block.data() + at + 1, end}
                       : PureMap::Range{guard->then.data(), guard->then.data() + guard->then.size()};
    return "";
}

/// `i < limit`; where the guard leaves, `i >= limit`. Several of them.
bool Recognition::read_guard(const ir::Expr& condition, bool leaves) {
    if (const auto* several = condition.as<ir::Logical>())
        return several->is_and != leaves && read_guard(*several->lhs, leaves) && read_guard(*several->rhs, leaves);
    if (const auto* unary = condition.as<ir::Unary>(); unary && unary->op == UnaryOp::Not)
        return read_guard(*unary->operand, !leaves);
    const auto* compare = condition.as<ir::Binary>();
    if (!compare) return false;
    const bool index_first = ir::is_local(*compare->lhs, map_.index);
    if (!index_first && !ir::is_local(*compare->rhs, map_.index)) return false;
    static const std::map<BinaryOp, BinaryOp> kMirrored = {{BinaryOp::Lt, BinaryOp::Gt},
                                                           {BinaryOp::Gt, BinaryOp::Lt},
                                                           {BinaryOp::Le, BinaryOp::Ge},
                                                           {BinaryOp::Ge, BinaryOp::Le}};
    const auto mirrored = kMirrored.find(compare->op);
    if (mirrored == kMirrored.end()) return false;
    const BinaryOp op = index_first ? compare->op : mirrored->second;
    if (op != (leaves ? BinaryOp::Ge : BinaryOp::Lt) && op != (leaves ? BinaryOp::Gt : BinaryOp::Le)) return false;
    const ir::Expr& limit = index_first ? *compare->rhs : *compare->lhs;
    if (limit.type != Type(Scalar::int64) || !is_invariant(limit)) return false;
    map_.limits.push_back({&limit, op == BinaryOp::Le || op == BinaryOp::Gt});
    return true;
}

/// The same in all threads, without a look into memory.
bool Recognition::is_invariant(const ir::Expr& expr) const {
    bool result = true;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
        if (const auto* ref = part.as<ir::LocalRef>()) {
            const bool is_prefix = std::ranges::any_of(
                map_.prefix, [&](const ir::Stmt* stmt) { return stmt->as<ir::Assign>()->target == ref->id; });
            const ir::Local& local = kernel_.local(ref->id);
            result &= is_prefix || (local.storage == ir::Storage::parameter && !is_assigned(ref->id));
            return;
        }
        result &= part.as<ir::Constant>() || part.as<ir::ConstantRef>() || part.as<ir::Unary>() ||
                  part.as<ir::Binary>() || part.as<ir::Convert>() || part.as<ir::ShapeOf>() || part.as<ir::SizeOf>();
    });
    return result;
}

// --- the body -------------------------------------------------------------------------------------------------------
std::string Recognition::check_block(const ir::Block& block) {
    for (const ir::Stmt& stmt : block)
        if (std::string why = check_stmt(stmt); !why.empty()) return why;
    return "";
}

std::string Recognition::check_stmt(const ir::Stmt& stmt) {
    if (const auto* assign = stmt.as<ir::Assign>()) {
        const ir::Local& target = kernel_.local(assign->target);
        if (!target.type.is_scalar()) return "it has variables that are no numbers";
        // The elements of a thread would have one variable for it.
        if (target.storage == ir::Storage::parameter)
            return fmt::format("it assigns to its argument `{}`", target.name);
        return check_expr(*assign->value);
    }
    if (const auto* store = stmt.as<ir::Store>()) return check_store(*store);
    if (const auto* branch = stmt.as<ir::If>()) {
        if (std::string why = check_expr(*branch->condition); !why.empty()) return why;
        if (std::string why = check_block(branch->then); !why.empty()) return why;
        return check_block(branch->otherwise);
    }
    if (ir::is_loop(stmt)) return "it has a loop";
    if (stmt.as<ir::Return>()) return "it returns early";
    if (stmt.as<ir::Raise>()) return "it may raise an exception";
    return "it does more than to load, compute and store";
}

std::string Recognition::check_store(const ir::Store& store) {
    if (std::string why = element(*store.array, store.indices, true); !why.empty()) return why;
    return check_expr(*store.value);
}

std::string Recognition::check_expr(const ir::Expr& expr) {
    ++map_.expressions;
    if (const auto* n = expr.as<ir::Element>()) return element(*n->array, n->indices, false);
    if (expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>()) return "";
    if (const auto* ref = expr.as<ir::LocalRef>(); ref && parts_.contains(ref->id))
        return fmt::format("it uses `{}` beside the index", kernel_.local(ref->id).name);
    if (const auto* call = expr.as<ir::BuiltinCall>(); call && is_of_thread(*call->builtin))
        return fmt::format("it uses `{}`", call->builtin->name);
    if (may_end_thread(expr)) return "it may end its thread: by an index out of range, or None where a value is needed";
    if (const auto* call = expr.as<ir::Call>())
        if (std::string why = check_callee(call->callee); !why.empty()) return why;
    if (!expr.type.is_scalar() && !expr.type.is_tuple()) return "it passes on more than numbers";
    return check_children(expr);
}

std::string Recognition::check_children(const ir::Expr& expr) {
    std::string why;
    ir::for_each_child(expr, [&](const ir::Expr& child) {
        if (why.empty()) why = check_expr(child);
    });
    return why;
}

std::string Recognition::check_callee(ir::FunctionId id) {
    const ir::Function& callee = module_.function(id);
    if (!callees_.insert(id).second) return "";
    std::string why;
    if (callee.foreign || callee.ptx || any(callee.effects)) why = "does more than to compute";
    const auto of_array = [&](ir::LocalId param) { return callee.local(param).type.is_array(); };
    if (std::ranges::any_of(callee.params, of_array)) why = "takes an array";
    ir::for_each_stmt(callee.body, [&](const ir::Stmt& stmt) {
        if (ir::is_loop(stmt)) why = "has a loop";
        if (stmt.as<ir::Raise>()) why = "may raise an exception";
    });
    ir::for_each_expr_deep(callee.body, [&](const ir::Expr& expr) {
        ++map_.expressions;
        const auto* builtin = expr.as<ir::BuiltinCall>();
        if (may_end_thread(expr)) why = "may end its thread";
        if (builtin && is_of_thread(*builtin->builtin)) why = fmt::format("uses `{}`", builtin->builtin->name);
    });
    if (!why.empty()) return fmt::format("`{}` {}", callee.name, why);
    ir::for_each_expr_deep(callee.body, [&](const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::Call>(); call && why.empty()) why = check_callee(call->callee);
    });
    return why;
}

std::string Recognition::element(const ir::Expr& array, const std::vector<ir::Index>& indices, bool writes) {
    const auto* ref = array.as<ir::LocalRef>();
    if (!ref || kernel_.local(ref->id).storage != ir::Storage::parameter)
        return "it has elements of what is no argument";
    const ir::Local& local = kernel_.local(ref->id);
    const Type type = local.type;
    if (type.ndim() != 1 || type.layout() != Layout::C || !type.aligned())
        return fmt::format("`{}` is no contiguous array of one axis", local.name);
    if (!type.element().is_scalar()) return fmt::format("`{}` has elements that are no numbers", local.name);
    if (indices[0].wraps || !ir::is_local(*indices[0].value, map_.index))
        return fmt::format("`{}` has another index than `{}`", local.name, kernel_.local(map_.index).name);
    const auto known = std::ranges::find(map_.uses, ref->id, &PureMap::Use::array);
    PureMap::Use& use = known == map_.uses.end() ? map_.uses.emplace_back(PureMap::Use{ref->id}) : *known;
    (writes ? use.writes : use.reads) = true;
    return "";
}

std::set<ir::LocalId> Recognition::always_stored(const ir::Stmt* first, const ir::Stmt* end) const {
    std::set<ir::LocalId> stored;
    for (const ir::Stmt* stmt = first; stmt != end; ++stmt) {
        if (const auto* store = stmt->as<ir::Store>()) stored.insert(store->array->as<ir::LocalRef>()->id);
        const auto* branch = stmt->as<ir::If>();
        if (!branch) continue;
        const auto of_block = [&](const ir::Block& block) {
            return always_stored(block.data(), block.data() + block.size());
        };
        const std::set<ir::LocalId> then = of_block(branch->then), otherwise = of_block(branch->otherwise);
        std::ranges::set_intersection(then, otherwise, std::inserter(stored, stored.end()));
    }
    return stored;
}

}  // namespace

std::variant<PureMap, std::string> pure_map(const ir::Module& module, const ir::Function& kernel) {
    return Recognition(module, kernel).run();
}

}  // namespace pyk::emitter
