// `try` in functions that the host calls.
//
// An error may lead from any place of a body to its handler. So each definition in the body goes at once, as over an
// edge, into what the handler knows of the name (may_lead_to_handlers). `finally` is lowered once for each way out:
// behind the body, after an error, and before each jump.
#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

/// Whether something in the block leaves it by itself.
const ast::Stmt* find_jump(const ast::Block& block, bool in_loop = false) {
    for (const ast::Stmt* stmt : block) {
        if (stmt->as<ast::Return>()) return stmt;
        if (!in_loop && (stmt->as<ast::Break>() || stmt->as<ast::Continue>())) return stmt;
        const auto* loop = stmt->as<ast::For>();
        const auto* loop_while = stmt->as<ast::While>();
        const ast::Block* repeated = loop ? &loop->body : loop_while ? &loop_while->body : nullptr;
        const ast::Stmt* found = nullptr;
        for_each_block(*stmt, [&](const ast::Block& inner) {
            if (!found) found = find_jump(inner, in_loop || &inner == repeated);
        });
        if (found) return found;
    }
    return nullptr;
}

/// Of all but `finally`.
bool has_jump(const ast::Try& node) {
    return find_jump(node.body) || find_jump(node.orelse) ||
           std::ranges::any_of(node.handlers, [](const ast::ExceptHandler& each) { return find_jump(each.body); });
}

}  // namespace

void Inference::lower_try(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out) {
    if (!can_handle(stmt, node)) return lower(node.body, out);  // what it assigns is assigned
    node.finalbody.empty() ? lower_handled(stmt, node, out) : lower_final(stmt, node, out);
}

// What Numba handles: every error alike.
bool Inference::can_handle(const ast::Stmt& stmt, const ast::Try& node) {
    if (!specializer_.can_allocate()) {
        unsupported(stmt);
        return false;
    }
    const auto refuse = [&](Span span, std::string_view construct, std::string_view advice) {
        error(diag::unsupported_syntax, span, construct, advice);
        return false;
    };
    if (node.is_star) return refuse(stmt.span, "`except*` handlers", "write `except Exception:`");
    for (const ast::ExceptHandler& handler : node.handlers) {
        const auto* type = handler.type ? handler.type->as<ast::Name>() : nullptr;
        if (handler.type && (!type || type->id != "Exception" || names_.index(type->id)))
            return refuse(handler.type->span, "handlers of some errors alone",
                          "write `except Exception:`, and test for the others beforehand");
        if (!handler.name.empty())
            return refuse(handler.type->span, "names of errors (`as`)", "write `except Exception:`");
    }
    if (const ast::Stmt* jump = find_jump(node.finalbody))
        return refuse(jump->span, "jumps out of `finally`", "leave behind it");
    return true;
}

// The body, from which errors lead to a handler of that kind; `env_` is the one behind it.
ir::Block Inference::guarded(const ast::Stmt& stmt, JoinKind kind, const std::function<void(ir::Block&)>& lower_body,
                             ir::Block& out) {
    Join& failed = join(&stmt, kind);
    failed.phis.clear();
    open_phis(failed, stmt, names_.at(stmt).header, kind);
    path_ = {stmt.span, "not assigned when an error comes first"};
    flow_into(failed, out);
    handlers_.push_back(&failed);
    const std::set<VersionId> some = some_;
    const size_t facts = facts_.size();
    ir::Block body;
    lower_body(body);
    some_ = some;
    facts_.resize(facts);
    handlers_.pop_back();
    statement_ = stmt.span;
    return body;
}

// A name was defined anew: that is what handlers find from here on.
void Inference::may_lead_to_handlers(uint32_t name, ir::Block& out) {
    for (Join* handler : handlers_) {
        const auto phi = handler->phis.find(name);
        if (phi == handler->phis.end()) continue;
        merge_into(phi->second, (*env_)[name], out);
        handler->incoming.push_back(*env_);
    }
}

// Whether a handler reads what the statement assigns: a loop's iterations then run in order, as Numba's all do.
bool Inference::shows_in_handlers(const ast::Stmt& stmt) {
    const NameSet& assigned = names_.at(stmt).assigned;
    return std::ranges::any_of(handlers_, [&](const Join* handler) {
        return std::ranges::any_of(handler->phis, [&](const auto& phi) { return assigned.contains(phi.first); });
    });
}

void Inference::lower_handled(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out) {
    ir::Try tried;
    tried.body = guarded(
        stmt, JoinKind::handler, [&](ir::Block& body) { lower(node.body, body); }, out);
    Join& end = join(&stmt, JoinKind::if_end);
    path_ = {stmt.span, "not assigned when no error comes"};
    std::optional<ir::LocalId> succeeds;
    std::optional<Env> behind = env_;
    if (node.orelse.empty()) {
        flow_into(end, tried.body);
    } else if (reachable()) {
        succeeds = temporary("succeeds", Scalar::boolean, stmt.span);
        out.push_back({stmt.span, ir::Assign{*succeeds, ir::boolean(false, stmt.span)}});
        tried.body.push_back({stmt.span, ir::Assign{*succeeds, ir::boolean(true, stmt.span)}});
    }
    const ast::ExceptHandler& handler = node.handlers[0];  // which takes every error
    env_ = seal(join(&stmt, JoinKind::handler), names_.at(stmt).header, &stmt, handler.span, JoinKind::handler);
    const bool is_own = !finals_.empty() && finals_.back().body == &node.finalbody;
    if (is_own && finals_.back().is_done) {
        ir::If in_final{ir::local(function_, *finals_.back().is_done, stmt.span), {}, {}};
        in_final.then.push_back({stmt.span, ir::Raise{"RuntimeError: an error in `finally`"}});
        tried.handler.push_back({stmt.span, std::move(in_final)});
    }
    const bool was_in_handler = std::exchange(in_handler_, true);
    lower(handler.body, tried.handler);
    in_handler_ = was_in_handler;
    statement_ = stmt.span;
    path_ = {handler.span, "not assigned when an error leads here"};
    flow_into(end, tried.handler);
    out.push_back({stmt.span, std::move(tried)});
    if (succeeds) {
        ir::If otherwise{ir::local(function_, *succeeds, stmt.span), {}, {}};
        env_ = std::move(behind);
        lower(node.orelse, otherwise.then);
        statement_ = stmt.span;
        path_ = {stmt.span, "not assigned when no error comes"};
        flow_into(end, otherwise.then);
        out.push_back({stmt.span, std::move(otherwise)});
    }
    env_ = seal(end, stmt, JoinKind::if_end);
}

void Inference::lower_final(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out) {
    Final last{&node.finalbody, loops_.size(), std::nullopt};
    if (has_jump(node)) {
        last.is_done = temporary("is_done", Scalar::boolean, stmt.span);
        out.push_back({stmt.span, ir::Assign{*last.is_done, ir::boolean(false, stmt.span)}});
    }
    ir::Try tried;
    tried.keeps_error = true;
    const auto lower_body = [&](ir::Block& body) {
        finals_.push_back(last);
        node.handlers.empty() ? lower(node.body, body) : lower_handled(stmt, node, body);
        finals_.pop_back();
    };
    tried.body = guarded(stmt, JoinKind::final_block, lower_body, out);
    std::optional<Env> behind = env_;

    env_ = seal(join(&stmt, JoinKind::final_block), names_.at(stmt).header, &stmt, stmt.span, JoinKind::final_block);
    const uint32_t around = std::exchange(copy_, copy_of(&stmt, finals_.size()));
    ir::Block cleanup;
    lower(node.finalbody, cleanup);
    copy_ = around;
    statement_ = stmt.span;
    if (last.is_done) {
        ir::If not_yet{ir::unary(UnaryOp::Not, ir::local(function_, *last.is_done, stmt.span), stmt.span), {}, {}};
        not_yet.then = std::move(cleanup);
        tried.handler.push_back({stmt.span, std::move(not_yet)});
    } else {
        tried.handler = std::move(cleanup);
    }
    tried.handler.push_back({stmt.span, ir::Raise{}});
    out.push_back({stmt.span, std::move(tried)});
    env_ = std::move(behind);
    if (reachable()) lower(node.finalbody, out);
}

// Before a jump out of all but so many loops: each `finally` that it leaves, from the inside.
void Inference::run_finals(const ast::Stmt& jump, size_t loops, ir::Block& out) {
    if (finals_.empty()) return;
    const std::vector<Final> all = finals_;
    const uint32_t around = copy_;
    while (reachable() && !finals_.empty() && finals_.back().loops >= loops) {
        const Final last = finals_.back();
        finals_.pop_back();
        if (last.is_done) out.push_back({jump.span, ir::Assign{*last.is_done, ir::boolean(true, jump.span)}});
        copy_ = around;
        copy_ = copy_of(&jump, finals_.size());
        lower(*last.body, out);
    }
    copy_ = around;
    finals_ = all;
    statement_ = jump.span;
}

}  // namespace pyk
