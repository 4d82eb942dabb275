// `raise`, `assert`, `breakpoint()`.
#include <algorithm>

#include "module/const_text.h"
#include "module/free_names.h"
#include "module/meant.h"
#include "sema/has_to_run.h"
#include "sema/infer.h"
#include "support/nearest.h"

namespace pyk {
namespace {

// Every exception of Python ends so, but for a few.
bool is_exception(std::string_view name) {
    return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning") ||
           name == "StopIteration" || name == "KeyboardInterrupt" || name == "SystemExit";
}

constexpr std::string_view kExceptions[] = {
    "ArithmeticError", "AssertionError", "Exception",           "IndexError",         "KeyError",
    "LookupError",     "NameError",      "NotImplementedError", "OverflowError",      "RuntimeError",
    "TypeError",       "ValueError",     "ZeroDivisionError",   "FloatingPointError", "MemoryError"};

/// What a name of the module is, which may be a class of exceptions: of those no more is known.
bool may_be_exception(const Entity& entity) {
    return std::holds_alternative<Path>(entity) || std::holds_alternative<const ModuleScope*>(entity);
}

std::string text_in_message(const Const& constant) {
    if (constant.as<Const::None>()) return "None";
    if (const double* number = constant.as<double>()) return fmt::format("{}", *number);
    return text_of(constant).value_or("…");
}

/// `"… {}".format(n)`
bool is_format(const ast::Expr& expr) {
    const auto* call = expr.as<ast::Call>();
    const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
    return method && method->attr == "format" && method->value->as<ast::Constant>();
}

bool uses_local(const ast::Expr& expr, const Names& names) {
    const auto* name = expr.as<ast::Name>();
    bool uses = name && names.index(name->id);
    for_each_host_child(expr, [&](const ast::Expr& child) { uses = uses || uses_local(child, names); });
    return uses;
}

/// What a module's `Error = ValueError`, `ERROR = ValueError("bad")` says when it is raised; empty: it is no such.
std::string raised_by_name(const ModuleScope& scope, std::string_view name) {
    const ast::Expr* written = scope.definition(name);
    const auto* call = written ? written->as<ast::Call>() : nullptr;
    std::string text(written ? last_name(call ? *call->func : *written) : "");
    if (!is_exception(text)) return "";
    for (size_t i = 0; call && i < call->args.size(); ++i) {
        const auto value = scope.constant(*call->args[i]);
        text += (i ? ", " : ": ") + (value ? text_in_message(*value) : "…");
    }
    return text;
}

}  // namespace

// The text of an exception's argument, where it is known; a run-time value is evaluated and not kept.
std::string Inference::message_of(const ast::Expr& expr, ir::Block& out) {
    if (const auto* text = expr.as<ast::JoinedStr>()) {
        std::string message;
        for (const ast::ExprRef& part : text->values) message += known_formatted({{&part, 1}}).value_or("…");
        return message;
    }
    if (is_format(expr)) {
        const auto text = uses_local(expr, names_) ? std::nullopt : scope_.constant(expr);
        return text ? text_in_message(*text) : "…";
    }
    Value value = lower(expr, out);
    if (value.constant) return text_in_message(*value.constant);
    if (const Const* constant = value.entity ? std::get_if<Const>(&*value.entity) : nullptr)
        return text_in_message(*constant);
    if (value.expr && has_to_run(value)) out.push_back({statement_, ir::Evaluate{std::move(value.expr)}});
    return "…";
}

void Inference::lower_raise(const ast::Raise& node, Span span, ir::Block& out) {
    if (const auto* choice = node.exc ? node.exc->as<ast::IfExp>() : nullptr) {
        Value test = lower_condition(*choice->test, out);
        if (test.constant && !any(test.effects))
            return lower_raise({truth(*test.constant) ? choice->body : choice->orelse, node.cause}, span, out);
        ir::If branch{test.expr ? std::move(test.expr) : ir::boolean(false, span), {}, {}};
        const Env here = *env_;
        lower_raise({choice->body, node.cause}, span, branch.then);
        env_ = here;
        lower_raise({choice->orelse, node.cause}, span, branch.otherwise);
        out.push_back({span, std::move(branch)});
        return;
    }
    if (!node.exc && in_handler_) {
        error(diag::unsupported_syntax, span, "errors that a handler raises again", "raise one of your own");
        env_.reset();
        return;
    }
    if (!node.exc) {
        out.push_back({span, ir::Raise{"RuntimeError: No active exception to reraise"}});
        env_.reset();
        return;
    }
    const auto* call = node.exc->as<ast::Call>();
    const std::string_view name = last_name(call ? *call->func : *node.exc);
    const Span plain_span = (call ? call->func : node.exc)->span;
    const auto* plain = (call ? call->func : node.exc)->as<ast::Name>();
    const bool is_of_module = plain && !names_.index(plain->id);
    const auto entity = is_of_module ? scope_.lookup(plain->id) : std::nullopt;
    const bool is_computed = is_of_module && !entity && scope_.is_opaque(plain->id);
    if (is_of_module && !entity && !is_computed && !is_exception(name)) {
        const std::string near = nearest_name(name, kExceptions);
        if (near.empty()) {
            unknown_name(name, plain_span);
        } else {
            error(diag::unknown_name_near, plain_span, name, std::string_view(near));
            diagnostics_.suggest(did_you_mean(plain_span, near));
        }
    } else if (name.empty() || (entity ? !may_be_exception(*entity) : !is_computed && !is_exception(name))) {
        error(diag::not_an_exception, node.exc->span);
    } else {
        std::string text = is_computed ? raised_by_name(scope_, name) : "";
        if (text.empty()) text = name;
        if (call)
            for (size_t i = 0; i < call->args.size(); ++i) text += (i ? ", " : ": ") + message_of(*call->args[i], out);
        out.push_back({span, ir::Raise{std::move(text)}});
    }
    env_.reset();
}

void Inference::lower_assert(const ast::Assert& node, Span span, ir::Block& out) {
    const auto* tuple = node.test->as<ast::Tuple>();
    if (tuple && !tuple->elts.empty()) diagnostics_.report(diag::asserted_tuple, node.test->span);
    Outcomes outcomes;
    Value test = lower_condition(*node.test, out, &outcomes);
    const bool known = test.constant && !any(test.effects);
    if (known && truth(*test.constant)) return;
    if (names_.has_walrus()) env_ = outcomes.when_false;
    ir::Block failing;
    std::string text = "AssertionError";
    if (node.msg) text += ": " + message_of(*node.msg, failing);
    failing.push_back({span, ir::Raise{std::move(text)}});
    if (known) {
        std::ranges::move(failing, std::back_inserter(out));
        env_.reset();
        return;
    }
    if (names_.has_walrus()) env_ = std::move(outcomes.when_true);
    Value fails = unary(UnaryOp::Not, std::move(test), node.test->span);
    if (fails.expr) out.push_back({span, ir::If{std::move(fails.expr), std::move(failing), {}}});
}

// A debugger stops where Numba's does; without one nothing stops.
Value Inference::special_breakpoint(const CallSite& site) {
    if (!site.node.args.empty() || !site.node.keywords.empty())
        return error(diag::wrong_argument_count, site.span, site.builtin.name, "0",
                     static_cast<int>(site.node.args.size()));
    Value value = resolved(builtin("pyk.breakpoint"), {}, site.span);
    return value;
}

}  // namespace pyk
