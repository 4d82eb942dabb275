// `for x in cuda.literal_unroll(tuple)`: the body once per element, each with the element's own type and value.
#include <algorithm>

#include "sema/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

// A `break` or `continue` that belongs to the loop whose body this is.
const ast::Stmt* jump_in(const ast::Block& body) {
    const ast::Stmt* found = nullptr;
    for (const ast::Stmt* stmt : body) {
        if (found) break;
        if (stmt->as<ast::Break>() || stmt->as<ast::Continue>()) return stmt;
        if (const auto* loop = stmt->as<ast::For>())
            found = jump_in(loop->orelse);
        else if (const auto* loop_while = stmt->as<ast::While>())
            found = jump_in(loop_while->orelse);
        else
            for_each_block(*stmt, [&](const ast::Block& inner) { found = found ? found : jump_in(inner); });
    }
    return found;
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
    if (!is_sequence(value.type) && !(value.constant && value.constant->as<Const::Tuple>())) {
        error(diag::cannot_unpack, tuple->span, value.is_runtime() ? value.type.name() : std::string("this"));
        return true;
    }
    if (const ast::Stmt* jump = jump_in(node.body)) {
        error(diag::unsupported_syntax, jump->span, "`break` and `continue` in loops over `literal_unroll`",
              "put the statements that they skip under an `if`");
        return true;
    }
    std::vector<Value> items = elements(std::move(value), out);
    for (Value& item : items)
        if (any(item.effects)) item = spill(std::move(item), "item", out);
    unroll(stmt, node, std::move(items), out);
    return true;
}

// Each copy of the body is lowered as if it stood there by itself.
void Inference::unroll(const ast::Stmt& stmt, const ast::For& node, std::vector<Value> items, ir::Block& out) {
    const uint32_t around = copy_;
    for (size_t i = 0; i < items.size() && reachable(); ++i) {
        const auto copy = copies_.try_emplace({&stmt, around, i}, static_cast<uint32_t>(copies_.size() + 1)).first;
        copy_ = copy->second;
        statement_ = stmt.span;
        assign(*node.target, std::move(items[i]), out, stmt.span);
        lower(node.body, out);
    }
    copy_ = around;
    if (reachable()) lower(node.orelse, out);
}

}  // namespace pyk
