#include "ir/thread_spread.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Beside the parts of a launch.
struct OfThread {
    BuiltinName name;
    ThreadAxes axes;  ///< along which it tells threads apart
    /// Those along which a kernel that reads it has more than one thread. A group counts threads of blocks of any
    /// shape: its kernel need not have been written for more than one axis.
    ThreadAxes read;
};
constexpr ThreadAxes kFirstAxes = 0b001'001;
constexpr OfThread kOfThread[] = {
    {"cuda.lanemask_lt", 0b000'001, 0b000'001},
    {"cuda.activemask", 0b000'001, 0b000'001},
    {"tile_group.thread_rank", kBlockAxes, kBlockAxes& kFirstAxes},
    {"tile_group.meta_group_rank", kBlockAxes, kBlockAxes& kFirstAxes},
    {"coalesced_group.thread_rank", kBlockAxes, kBlockAxes& kFirstAxes},
    {"block_group.thread_rank", kBlockAxes, kBlockAxes& kFirstAxes},
    {"grid_group.thread_rank", kAllAxes, kFirstAxes},
};

/// Null: it is none of them.
const OfThread* of_thread(const Builtin& builtin) {
    const auto* const found = std::ranges::find_if(kOfThread, [&](const OfThread& row) { return builtin == row.name; });
    return found == std::end(kOfThread) ? nullptr : found;
}

bool is_constant(const ir::Expr& expr) {
    const ir::Expr& bare = ir::without_conversions(expr);
    return bare.as<ir::Constant>() || bare.as<ir::ConstantRef>();
}

bool is_operation(const ir::Expr& expr, BinaryOp op) {
    const auto* n = ir::without_conversions(expr).as<ir::Binary>();
    return n && n->op == op;
}

/// `i + 1`, which a remainder brings back to the first: a neighbour on a ring.
bool is_shifted(const ir::Expr& expr) { return is_operation(expr, BinaryOp::Add) || is_operation(expr, BinaryOp::Sub); }

/// `cuda.brev(i) >> 32 - n`: the place of `i` in a Fourier transform. The bits that fall out are zeros.
bool is_reversed(const ir::Expr& expr) { return ir::call_of(ir::without_conversions(expr), "cuda.brev"); }

/// What told threads apart does no longer.
Spread come_again(Spread spread) {
    spread.repeated |= spread.apart;
    spread.apart = 0;
    return spread;
}

Spread moved(Spread spread) {
    spread.moved |= spread.axes();
    return spread;
}

}  // namespace

bool is_part_of_shared(const ir::Expr& expr) {
    const auto* call = expr.as<ir::BuiltinCall>();
    return call && is_part_of_shared(*call->builtin);
}

Spread& Spread::operator|=(Spread other) {
    apart |= other.apart;
    repeated |= other.repeated;
    loaded |= other.loaded;
    uneven |= other.uneven;
    moved |= other.moved;
    return *this;
}

Spread Spread::with(Spread other) const {
    const auto together = static_cast<ThreadAxes>(repeated & other.repeated);
    other |= *this;
    other.apart |= together;
    return other;
}

ThreadAxes axes_of(const Builtin& builtin) {
    switch (builtin.launch.value) {
        case LaunchValue::thread_index:
            return static_cast<ThreadAxes>(0b000'001 << builtin.launch.axis);
        case LaunchValue::block_index:
            return static_cast<ThreadAxes>(0b001'000 << builtin.launch.axis);
        case LaunchValue::grid_index:
            return static_cast<ThreadAxes>(0b001'001 << builtin.launch.axis);
        case LaunchValue::lane:
            return 0b000'001;
        default:
            break;
    }
    const OfThread* const known = of_thread(builtin);
    return known ? known->axes : ThreadAxes(0);
}

ThreadAxes axes_read(const ir::Module& module, const ir::Function& function) {
    ThreadAxes axes = 0;
    std::set<const ir::Function*> seen;
    std::vector<const ir::Function*> open{&function};
    while (!open.empty()) {
        const ir::Function& next = *open.back();
        open.pop_back();
        if (!seen.insert(&next).second) continue;
        ir::for_each_expr_deep(next.body, [&](const ir::Expr& expr) {
            if (const auto* n = expr.as<ir::BuiltinCall>()) {
                const OfThread* const known = of_thread(*n->builtin);
                axes |= known ? known->read : axes_of(*n->builtin);
            }
            if (const auto* call = expr.as<ir::Call>()) open.push_back(&module.function(call->callee));
        });
    }
    return axes;
}

bool asks_threads(const ir::Block& body) {
    bool found = false;
    ir::for_each_expr_deep(body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        found = found || (call && (axes_of(*call->builtin) || is_action(call->builtin->effects)));
    });
    return found;
}

Spreads::Spreads(const ir::Function& function, const ir::Doers& askers)
    : function_(function), askers_(askers), locals_(function.locals.size()), launch_sizes_(function.locals.size()) {
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* assign = stmt.as<ir::Assign>(); assign && is_size_of_launch(*assign->value))
            launch_sizes_[static_cast<size_t>(assign->target)] = true;
    });
}

/// Threads of a block or of the grid, or a number made of it.
bool Spreads::is_size_of_launch(const ir::Expr& expr) const {
    bool found = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
        if (const auto* local = part.as<ir::LocalRef>()) found |= launch_sizes_[static_cast<size_t>(local->id)];
        const auto* call = part.as<ir::BuiltinCall>();
        const LaunchValue value = call ? call->builtin->launch.value : LaunchValue::none;
        found |= value == LaunchValue::threads_of_block || value == LaunchValue::blocks_of_grid ||
                 value == LaunchValue::threads_of_grid;
    });
    return found;
}

bool Spreads::add(ir::LocalId local, Spread spread) {
    Spread& known = locals_[static_cast<size_t>(local)];
    const Spread before = known;
    known |= spread;
    return known != before;
}

Spread Spreads::of(const std::vector<ir::Index>& indices) const {
    Spread all;
    for (const ir::Index& index : indices) all = all.with(of(*index.value));
    return all;
}

// What is read from memory. A thread's own memory, and a block's, hold what the kernel put there.
Spread Spreads::of_loaded(const ir::Expr& array, Spread place) const {
    const ir::LocalRef* const root = ir::base_local(array);
    const ir::Storage storage = root ? function_.local(root->id).storage : ir::Storage::variable;
    if (storage == ir::Storage::local) return {kAllAxes};
    const ThreadAxes of_block = storage == ir::Storage::shared ? kGridAxes : ThreadAxes(0);
    return {of_block, 0, place.axes(), 0};
}

// Who writes `i % w` has an `i` that goes beyond `w`, so that places come again; not so `i % cuda.blockDim.x`, the
// place in the block, nor `(i + 1) % n` and `3 * i % n`, where `i` may stay below `n`.
Spread Spreads::of_remainder(const ir::Binary& n, Spread lhs) const {
    const Spread rhs = of(*n.rhs);
    const bool comes_again =
        is_constant(*n.rhs) ? !is_shifted(*n.lhs) : !lhs.moved && !rhs.axes() && !is_size_of_launch(*n.rhs);
    return comes_again ? come_again(lhs) : moved(lhs.with(rhs));
}

Spread Spreads::of_arithmetic(const ir::Binary& n, Spread lhs) const {
    const Spread rhs = of(*n.rhs);
    Spread both = lhs.with(rhs);
    if (!lhs.axes() != !rhs.axes()) return moved(both);
    // `cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x` is a number of the thread as well.
    if (n.op == BinaryOp::Add && lhs.axes())
        both.moved = (is_operation(*n.lhs, BinaryOp::Mul) ? 0 : lhs.moved) |
                     (is_operation(*n.rhs, BinaryOp::Mul) ? 0 : rhs.moved);
    return both;
}

Spread Spreads::of_binary(const ir::Binary& n) const {
    const Spread lhs = of(*n.lhs);
    switch (n.op) {
        case BinaryOp::FloorDiv:
        case BinaryOp::TruncDiv:
        case BinaryOp::Shr:
        case BinaryOp::CShr:
            if (is_reversed(*n.lhs)) break;
            // Neighbours have one quotient, blocks have their own.
            return Spread{static_cast<ThreadAxes>(lhs.apart & kGridAxes),
                          static_cast<ThreadAxes>(lhs.repeated | (lhs.apart & kBlockAxes)), lhs.loaded, lhs.uneven}
                .with(of(*n.rhs));
        case BinaryOp::Mod:
        case BinaryOp::TruncMod:
            return of_remainder(n, lhs);
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
            return of_arithmetic(n, lhs);
        case BinaryOp::BitAnd:
            if (!is_constant(*n.rhs)) break;
            return come_again(lhs);
        default:
            break;
    }
    return moved(lhs.with(of(*n.rhs)));
}

Spread Spreads::of(const ir::Expr& expr) const {
    if (const auto* n = expr.as<ir::LocalRef>()) {
        Spread spread = locals_[static_cast<size_t>(n->id)];
        // A thread's own memory is told apart; a block's by the block.
        const ir::Storage storage = function_.local(n->id).storage;
        if (storage == ir::Storage::local) spread.apart = kAllAxes;
        if (storage == ir::Storage::shared) spread.apart |= kGridAxes;
        return spread;
    }
    if (const auto* n = expr.as<ir::Binary>()) return of_binary(*n);
    if (const auto* n = expr.as<ir::Element>()) {
        const Spread place = of(*n->array).with(of(n->indices));
        return expr.type.is_record() ? place : of_loaded(*n->array, place);
    }
    if (const auto* n = expr.as<ir::RecordField>()) {
        const Spread place = of(*n->record);
        return expr.type.is_record() || expr.type.is_array() ? place : of_loaded(*n->record, place);
    }
    if (const auto* n = expr.as<ir::View>()) {
        Spread place = of(*n->array);
        for (const ir::Subscript& subscript : n->subscripts) {
            const auto* index = std::get_if<ir::Index>(&subscript);
            const ir::Expr* first = index ? index->value.get() : std::get<ir::SliceOf>(subscript).start.get();
            if (first) place = place.with(of(*first));
        }
        return place;
    }
    if (const auto* n = expr.as<ir::BuiltinCall>()) {
        if (const ThreadAxes axes = axes_of(*n->builtin)) return {axes};
        if (is_part_of_shared(expr)) return {kGridAxes};
        if (any(n->builtin->effects)) return {kAllAxes};
        if (*n->builtin == "pyk.stride") return {};
    }
    if (expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>()) return {};
    if (const auto* n = expr.as<ir::Call>(); n && askers_.contains(n->callee)) return {kAllAxes};
    Spread all;
    ir::for_each_child(expr, [&](const ir::Expr& child) { all = all.with(of(child)); });
    const auto* n = expr.as<ir::Convert>();
    if (n && expr.type.is_integer() && n->operand->type.is_float()) return come_again(all);
    return n ? all : moved(all);
}

}  // namespace pyk
