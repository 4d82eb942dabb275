// `try` in module code: which of its statements run.
#include <algorithm>
#include <tuple>
#include <utility>

#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

bool is_import(const ast::Stmt* stmt) { return stmt->as<ast::Import>() || stmt->as<ast::ImportFrom>(); }

/// Python's exceptions that values raise, each with those that it is derived from.
struct Exception {
    std::string_view name, base;
};
constexpr Exception kExceptions[] = {{"IndexError", "LookupError"},
                                     {"KeyError", "LookupError"},
                                     {"ZeroDivisionError", "ArithmeticError"},
                                     {"ValueError", ""},
                                     {"LookupError", ""},
                                     {"ArithmeticError", ""},
                                     {"TypeError", ""},
                                     {"AttributeError", ""},
                                     {"ImportError", ""},
                                     {"NameError", ""}};

/// Whether `except expr` takes an exception; nullopt: not known.
std::optional<bool> takes(const ast::Expr* expr, std::string_view raised) {
    if (!expr) return true;
    if (const auto* several = expr->as<ast::Tuple>()) {
        for (const ast::Expr* one : several->elts) {
            const auto is = takes(one, raised);
            if (!is || *is) return is;
        }
        return false;
    }
    const auto* name = expr->as<ast::Name>();
    if (!name) return std::nullopt;
    if (name->id == "Exception" || name->id == "BaseException" || name->id == raised) return true;
    const auto* known = std::ranges::find(kExceptions, name->id, &Exception::name);
    const auto* own = std::ranges::find(kExceptions, raised, &Exception::name);
    return known == std::end(kExceptions) ? std::nullopt : std::optional(own->base == name->id);
}

/// Whether the file gives environment variables values of its own.
bool sets_environment(const ast::Module& file) {
    bool is_stored = false;
    for_each_expression(file.body, [&](const ast::Expr& expr) {
        for_each_call(expr, [&](const ast::Call& call) {
            const auto* method = call.func->as<ast::Attribute>();
            const bool sets = method && (method->attr == "setdefault" || method->attr == "update");
            is_stored |= last_name(*call.func) == "putenv" || (sets && last_name(*method->value) == "environ");
        });
    });
    for_each_stmt(file.body, [&](const ast::Stmt& stmt) {
        const auto* assigned = stmt.as<ast::Assign>();
        for (const ast::Expr* target : assigned ? assigned->targets : ast::ExprList())
            if (const auto* item = target->as<ast::Subscript>()) is_stored |= last_name(*item->value) == "environ";
    });
    return is_stored;
}

}  // namespace

// The exception that an expression surely raises, where what is evaluated before raises none; empty: none that is
// known.
std::string_view ModuleScope::Shared::raised_by(const ModuleScope& scope, const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::Subscript>()) {
        if (const auto inner = raised_by(scope, *node->value); !inner.empty()) return inner;
        // The environment of whoever compiles is not read.
        if (scope.path_of(*node->value) == "os.environ")
            return sets_environment(*scope.file_) ? std::string_view() : "KeyError";
        const auto base = node->slice->as<ast::Slice>() ? std::nullopt : scope.constant(*node->value);
        const auto index = base ? scope.constant(*node->slice) : std::nullopt;
        if (!index) return {};
        const auto* list = base->as<Const::List>();
        const auto* items = list ? &(*list)->items : base->as<Const::Tuple>();
        const auto place = index->as<Const::Int>() ? to_int(*index) : std::nullopt;
        const auto count = static_cast<int64_t>(items ? items->size() : 0);
        if (items && place) return *place >= count || *place < -count ? "IndexError" : std::string_view();
        const bool is_plain = index->as<std::string>() || index->as<Const::Int>();
        return base->as<Const::Dict>() && is_plain && !item_at(*base, *index) ? "KeyError" : std::string_view();
    }
    if (const auto* node = expr.as<ast::BinOp>()) {
        for (const ast::Expr* one : {node->left, node->right})
            if (const auto inner = raised_by(scope, *one); !inner.empty()) return inner;
        const bool divides =
            node->op == ast::BinaryOp::Div || node->op == ast::BinaryOp::FloorDiv || node->op == ast::BinaryOp::Mod;
        const auto left = divides ? scope.constant(*node->left) : std::nullopt;
        const auto right = left ? scope.constant(*node->right) : std::nullopt;
        const bool are_numbers = right && is_number(*left) && is_number(*right) && !left->typed && !right->typed;
        return are_numbers && !truth(*right) ? "ZeroDivisionError" : std::string_view();
    }
    const auto* call = expr.as<ast::Call>();
    const auto* callee = call ? call->func->as<ast::Name>() : nullptr;
    if (!callee || call->args.size() != 1 || !call->keywords.empty() || scope.is_declared(callee->id)) return {};
    if (callee->id != "int" && callee->id != "float") return {};
    if (const auto inner = raised_by(scope, *call->args[0]); !inner.empty()) return inner;
    const auto text = scope.constant(*call->args[0]);
    const bool is_word = text && text->as<std::string>() && !text->as<std::string>()->empty() &&
                         std::ranges::all_of(*text->as<std::string>(), [](char c) { return c >= 'o' && c <= 'z'; });
    return is_word ? "ValueError" : std::string_view();
}

// Where the first statement surely raises, what runs is known. False: it does not.
bool ModuleScope::declare_raising(const ast::Try& node) {
    const auto* assigned = node.body.empty() ? nullptr : node.body[0]->as<ast::Assign>();
    if (!assigned || in_loop_ || !node.finalbody.empty()) return false;
    const std::string_view raised = Shared::raised_by(*this, *assigned->value);
    if (raised.empty()) return false;
    for (const ast::ExceptHandler& handler : node.handlers) {
        const auto is = takes(handler.type, raised);
        if (!is) return false;
        if (!*is) continue;
        declare(handler.body);
        return true;
    }
    return false;
}

// Whether the next statement surely raises nothing: an import of what is there, or a value that is known.
bool ModuleScope::cannot_fail(const ast::Stmt& stmt) const {
    if (is_import(&stmt)) return can_import(stmt);
    const auto* assigned = stmt.as<ast::Assign>();
    if (!assigned) return stmt.as<ast::Pass>();
    // What changes something is called once.
    bool is_method = false;
    for_each_call(*assigned->value,
                  [&](const ast::Call& call) { is_method |= Shared::object_called(*this, call) != nullptr; });
    const auto& changes = shared_->changes_of_calls(*this, stmt);
    return !is_method && changes.inside.empty() && changes.followed.empty() && evaluate(*assigned->value);
}

// Where the body is known to work, its handlers do not run. Else they may, but what the body defines stays; what it
// would import from files that are not there has the handlers' values.
void ModuleScope::declare(const ast::Try& node) {
    if (declare_raising(node)) return;
    const bool imports = std::ranges::any_of(node.body, is_import);
    bool works = true;
    for (const ast::Stmt* stmt : node.body) {
        if (flow_ != Flow::on) break;
        works = works && ((imports && !is_import(stmt)) || cannot_fail(*stmt));
        declare(*stmt);
    }
    const std::vector<std::string_view> missing = names_of_missing_files(node.body);
    const auto is_missing = [&](const ast::Expr* target) {
        const auto* name = target->as<ast::Name>();
        return name && std::ranges::find(missing, name->id) != missing.end();
    };
    if (!works) {
        const bool certain = certain_;
        for (const ast::ExceptHandler& handler : node.handlers)
            for (const ast::Stmt* stmt : handler.body) {
                const auto* def = stmt->as<ast::FunctionDef>();
                const auto* assigned = stmt->as<ast::Assign>();
                certain_ = certain && assigned && std::ranges::all_of(assigned->targets, is_missing);
                if (!def || !is_declared(def->name)) declare(*stmt);
            }
        certain_ = certain;
    }
    const bool certain = std::exchange(certain_, certain_ && (works || std::ranges::any_of(node.body, is_import)));
    declare(node.orelse);
    certain_ = certain;
    // It runs whichever way the others were left, and may leave another way itself.
    const Flow left = std::exchange(flow_, Flow::on);
    const auto returned = std::pair(returned_, returned_value_);
    declare(node.finalbody);
    if (flow_ == Flow::on) {
        flow_ = left;
        std::tie(returned_, returned_value_) = returned;
    } else if (flow_ != Flow::returned) {
        returned_ = nullptr;
        returned_value_.reset();
    }
}

}  // namespace pyk
