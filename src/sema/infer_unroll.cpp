// `for x in cuda.literal_unroll(tuple)`: the body once per element, each with the element's own type and value.
#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

// The jumps that belong to the loop whose body this is.
struct Jumps {
    bool breaks = false, continues = false;
};

void add_jumps(const ast::Block& body, Jumps& jumps) {
    for (const ast::Stmt* stmt : body) {
        jumps.breaks |= stmt->as<ast::Break>() != nullptr;
        jumps.continues |= stmt->as<ast::Continue>() != nullptr;
        if (const auto* loop = stmt->as<ast::For>())
            add_jumps(loop->orelse, jumps);
        else if (const auto* loop_while = stmt->as<ast::While>())
            add_jumps(loop_while->orelse, jumps);
        else
            for_each_block(*stmt, [&](const ast::Block& inner) { add_jumps(inner, jumps); });
    }
}

}  // namespace

Value Inference::special_unroll(const CallSite& site) { return error(diag::only_in_for, site.span, site.builtin.name); }

bool Inference::lower_unrolled(const ast::Stmt& stmt, const ast::For& node, ir::Block& out) {
    ast::ExprRef tuple = nullptr;
    if (const auto* call = node.iter->as<ast::Call>(); call && call->args.size() == 1 && call->keywords.empty()) {
        ir::Block unused;
        const Value callee = lower(*call->func, unused);
        const auto* builtin = callee.entity ? std::get_if<const Builtin*>(&*callee.entity) : nullptr;
        if (builtin && (*builtin)->special == Special::literal_unroll) tuple = call->args[0];
    }
    if (!tuple) return false;
    Value value = lower(*tuple, out);
    if (value.is_unknown()) return true;
    if (is_range(value))
        if (std::optional<std::vector<Value>> numbers = numbers_of(value)) {
            unroll(stmt, node, std::move(*numbers), out);
            return true;
        }
    if (!is_sequence(value.type) && !(value.constant && value.constant->as<Const::Tuple>())) {
        error(diag::cannot_unpack, tuple->span, described(value));
        return true;
    }
    std::vector<Value> items = elements(std::move(value), out);
    for (Value& item : items)
        if (any(item.effects)) item = spill(std::move(item), "item", out);
    unroll(stmt, node, std::move(items), out);
    return true;
}

// Of `range(len(t))`; nullopt: they are not known, or too many.
std::optional<std::vector<Value>> Inference::numbers_of(const Value& range) {
    constexpr int64_t kMost = 1024;
    std::vector<int64_t> bounds;
    for (const Value& part : parts_of(range)) {
        const auto bound = part.constant ? to_int(*part.constant) : std::nullopt;
        if (!bound) return std::nullopt;
        bounds.push_back(*bound);
    }
    std::vector<Value> numbers;
    const auto is_inside = [&](int64_t at) { return bounds[2] > 0 ? at < bounds[1] : at > bounds[1]; };
    for (int64_t at = bounds[0]; bounds[2] != 0 && is_inside(at);) {
        if (static_cast<int64_t>(numbers.size()) == kMost) return std::nullopt;
        numbers.push_back(of_const(Const{Const::Int(at), {}}, range.span));
        if (__builtin_add_overflow(at, bounds[2], &at)) break;
    }
    return numbers;
}

// That copy of what belongs to a statement, within the copy that is being lowered.
uint32_t Inference::copy_of(const ast::Stmt* stmt, size_t number) {
    return copies_.try_emplace({stmt, copy_, number}, static_cast<uint32_t>(copies_.size() + 1)).first->second;
}

// Each copy of the body is lowered as if it stood there by itself. `continue` leaves the block around its copy, `break`
// the block around all of them: `while True: …; break`, which C++ has a jump out of.
void Inference::unroll(const ast::Stmt& stmt, const ast::For& node, std::vector<Value> items, ir::Block& out) {
    Jumps jumps;
    add_jumps(node.body, jumps);
    Join& end = join(&stmt, JoinKind::loop_end);
    ir::While whole{ir::boolean(true, stmt.span), {}, {}};
    ir::Block& copies = jumps.breaks ? whole.body : out;
    std::optional<ir::LocalId> left;
    if (jumps.breaks && jumps.continues) {
        left = temporary("left", Scalar::boolean, stmt.span);
        out.push_back({stmt.span, ir::Assign{*left, ir::boolean(false, stmt.span)}});
    }
    const uint32_t around = copy_;
    for (size_t i = 0; i < items.size() && reachable(); ++i) {
        copy_ = around;
        copy_ = copy_of(&stmt, i);
        statement_ = stmt.span;
        Join& next = join(&stmt, JoinKind::loop_header);
        loops_.push_back({&next, &end, true, left});
        ir::While once{ir::boolean(true, stmt.span), {}, {}};
        ir::Block& body = jumps.continues ? once.body : copies;
        assign(*node.target, std::move(items[i]), body, stmt.span);
        lower(node.body, body);
        statement_ = stmt.span;
        loops_.pop_back();
        if (!jumps.continues) continue;
        flow_into(next, once.body);
        if (reachable()) once.body.push_back({stmt.span, ir::Break{}});
        copies.push_back({stmt.span, std::move(once)});
        if (left) {
            ir::If leave{ir::local(function_, *left, stmt.span), {}, {}};
            leave.then.push_back({stmt.span, ir::Break{}});
            copies.push_back({stmt.span, std::move(leave)});
        }
        env_ = seal(next, names_.at(stmt).header, &stmt, stmt.span, JoinKind::loop_header);
    }
    copy_ = around;
    if (!jumps.breaks) {
        if (reachable()) lower(node.orelse, out);
        return;
    }
    finish_unrolled(stmt, node, std::move(whole), out);
}

// Behind the last copy: `orelse`, which `break` passes over and whose own jumps belong to the loop around.
void Inference::finish_unrolled(const ast::Stmt& stmt, const ast::For& node, ir::While whole, ir::Block& out) {
    Join& end = join(&stmt, JoinKind::loop_end);
    if (node.orelse.empty()) {
        flow_into(end, whole.body);
        if (reachable()) whole.body.push_back({stmt.span, ir::Break{}});
    } else {
        const ir::LocalId again = temporary("again", Scalar::boolean, stmt.span);
        out.push_back({stmt.span, ir::Assign{again, ir::boolean(true, stmt.span)}});
        whole.condition = ir::local(function_, again, stmt.span);
        if (reachable()) whole.body.push_back({stmt.span, ir::Assign{again, ir::boolean(false, stmt.span)}});
        if (reachable()) lower(node.orelse, whole.orelse);
        statement_ = stmt.span;
        flow_into(end, whole.orelse);
    }
    out.push_back({stmt.span, std::move(whole)});
    env_ = seal(end, stmt, JoinKind::loop_end);
}

}  // namespace pyk
