// Why module code has no value that is known: the part of it that is not computed.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kDeepest = 12;  ///< of parts in parts, and of functions that call functions
constexpr size_t kLongest = 60;

std::string shortened(std::string_view text) {
    const size_t line = text.find('\n');
    const bool is_long = line != text.npos || text.size() > kLongest;
    return is_long ? fmt::format("{}…", text.substr(0, std::min(line, kLongest))) : std::string(text);
}

/// What a comprehension goes over first; null: it is another expression. Its other parts have names of its own.
const ast::Expr* gone_over(const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::ListComp>()) return node->generators[0].iter;
    if (const auto* node = expr.as<ast::SetComp>()) return node->generators[0].iter;
    if (const auto* node = expr.as<ast::GeneratorExp>()) return node->generators[0].iter;
    if (const auto* node = expr.as<ast::DictComp>()) return node->generators[0].iter;
    return nullptr;
}

/// Whether an expression calls a function of Python's that sets variables by their names, and has this one in a text.
bool sets_by_text(const ast::Expr& whole, std::string_view name) {
    bool sets = false, says = false;
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& expr) {
        const auto* constant = expr.as<ast::Constant>();
        const auto* text = constant ? std::get_if<ast::StrValue>(&constant->value) : nullptr;
        says |= text && text->text.find(name) != text->text.npos;
        if (const auto* call = expr.as<ast::Call>()) {
            const auto* callee = call->func->as<ast::Name>();
            sets |= callee && (callee->id == "globals" || callee->id == "exec");
            says |= std::ranges::any_of(call->keywords, [&](const ast::Keyword& one) { return one.arg == name; });
        }
        for_each_host_child(expr, look);
    };
    look(whole);
    return sets && says;
}

}  // namespace

// The innermost part of an expression without a value all of whose own parts have one, also in the variables that it
// names and the functions that it calls. Null: what there is does not say.
const ast::Expr* ModuleScope::unknown_part(const ast::Expr& expr, int depth) const {
    if (depth > kDeepest || evaluate(expr)) return nullptr;
    if (const auto* name = expr.as<ast::Name>()) {
        const Declaration* declared = declaration(name->id);
        const auto* variable = declared ? declared->as<Variable>() : nullptr;
        if (!variable) return parent_ && !declared ? enclosing()->unknown_part(expr, depth + 1) : nullptr;
        const Then then(*this, declared->at);
        return variable->value ? unknown_part(*variable->value, depth + 1) : nullptr;
    }
    const ast::Expr* found = nullptr;
    bool has_unknown = false;
    const auto look = [&](const ast::Expr& part) {
        if (found || part.as<ast::Slice>() || part.as<ast::Starred>() || evaluate(part)) return;
        has_unknown = true;
        found = unknown_part(part, depth + 1);
    };
    const auto* call = expr.as<ast::Call>();
    const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
    const ast::Expr* first = gone_over(expr);
    if (first) look(*first);
    if (method) look(*method->value);
    const bool is_whole = first || expr.as<ast::Lambda>() || expr.as<ast::JoinedStr>();
    if (!is_whole)
        for_each_host_child(expr, [&](const ast::Expr& part) {
            const auto* callee = call && &part == call->func ? part.as<ast::Name>() : nullptr;
            const bool is_of_python =
                callee && !is_declared(callee->id);  // `open(…)`: the call is what is not computed
            if (!is_of_python && !(method && &part == call->func)) look(part);
        });
    if (has_unknown) return found;
    const FunctionInfo* info = call ? function_in(evaluate(*call->func)) : nullptr;
    const ModuleScope* run = info && info->kind == FunctionKind::plain ? run_of(*call) : nullptr;
    const ast::Expr* inside = run && run->returned_ ? run->unknown_part(*run->returned_, depth + 1) : nullptr;
    return inside ? inside : &expr;
}

std::optional<Note> ModuleScope::not_computed(std::string_view name) const {
    const Declaration* declared = declaration(name);
    if (!declared) return parent_ ? enclosing()->not_computed(name) : std::nullopt;
    const auto* variable = declared->as<Variable>();
    if (!variable || !variable->value || !remedy(name, *variable).empty()) return std::nullopt;
    const Then then(*this, declared->at);
    const ast::Expr* part = unknown_part(*variable->value, 0);
    if (!part || !part->span) return std::nullopt;
    return Note{part->span, fmt::format("`{}` is not computed before kernels run", shortened(part->span.text()))};
}

Span ModuleScope::set_by_text(std::string_view name) const {
    Span found;
    for_each_expression(file_->body, [&](const ast::Expr& expr) {
        if (!found && sets_by_text(expr, name)) found = expr.span;
    });
    return found;
}

}  // namespace pyk
