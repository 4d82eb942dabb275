// Types and signatures as they stand in decorators and annotations.
#include <algorithm>

#include <fmt/format.h>

#include "module/host_values.h"
#include "module/meant.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "support/words.h"

namespace pyk {
namespace {

// `ray_t`, `geometry.ray_t`.
std::optional<Entity> named(const ModuleScope& scope, std::string_view name) {
    const size_t dot = name.rfind('.');
    if (dot == name.npos) return scope.lookup(name);
    const auto owner = named(scope, name.substr(0, dot));
    return owner ? scope.member(*owner, name.substr(dot + 1)) : std::nullopt;
}

std::optional<Type> named_type(const ModuleScope& scope, std::string_view name) {
    const auto entity = named(scope, name);
    if (const auto* info = entity ? std::get_if<const ClassInfo*>(&*entity) : nullptr) return class_type(scope, **info);
    const auto value = entity ? to_const(*entity) : std::nullopt;
    return value && !value->as<std::string>() ? type_in(scope, *value) : std::nullopt;
}

TypeNames names_of(const ModuleScope& scope) {
    return [&](std::string_view name) { return named_type(scope, name); };
}

/// The types that parameters are written as, `*TYPES` too; nullopt: `wrong` is none.
std::optional<std::vector<Type>> types_of(const ModuleScope& scope, ast::ExprList exprs, ast::ExprRef& wrong) {
    std::vector<Type> types;
    for (const ast::Expr* expr : exprs) {
        wrong = expr;
        const auto* starred = expr->as<ast::Starred>();
        const auto* list = starred ? starred->value->as<ast::ListExpr>() : nullptr;
        const auto* tuple = starred ? starred->value->as<ast::Tuple>() : nullptr;
        if (list || tuple) {
            const auto all = types_of(scope, list ? list->elts : tuple->elts, wrong);
            if (!all) return std::nullopt;
            types.insert(types.end(), all->begin(), all->end());
            continue;
        }
        const auto held = starred ? scope.constant(*starred->value) : std::nullopt;
        if (const auto items = held ? items_of(*held) : std::nullopt) {
            for (const Const& item : *items) {
                const auto type = type_in(scope, item);
                if (!type) return std::nullopt;
                types.push_back(*type);
            }
            continue;
        }
        const auto type = evaluate_type(scope, starred ? *starred->value : *expr);
        if (!type || (starred && !type->is_tuple())) return std::nullopt;
        if (starred)
            types.insert(types.end(), type->elements().begin(), type->elements().end());
        else
            types.push_back(*type);
    }
    return types;
}

// What is wrong in a signature's text: in the literal, where the text stands in it as it is.
Span within(const ast::Expr& expr, std::string_view text, const SignatureError& error) {
    const Span span = expr.span;
    if (!expr.as<ast::Constant>() || !span.file) return span;
    const std::string_view written = span.file->text().substr(span.begin, span.end - span.begin);
    const size_t quote = written.find_first_of("'\"");
    const size_t begin = quote == std::string_view::npos ? quote : written.find_first_not_of(written[quote], quote);
    if (begin == std::string_view::npos || written.substr(begin, text.size()) != text) return span;
    // Behind the end: at the last byte.
    const size_t at = begin + std::min(error.offset, text.size() - 1);
    return {span.file, span.begin + static_cast<uint32_t>(at),
            span.begin + static_cast<uint32_t>(std::min(at + error.length, begin + text.size()))};
}

void report_bad(Diagnostics& diagnostics, Span span, std::string_view message) {
    diagnostics.report(diag::bad_signature, span, message);
}

constexpr std::string_view kForm = "a signature is `void(float32[::1], int32)`, or a text of it";

/// What a value says that the module computes: a text, a tuple of types, or a list of these.
class SignatureReader {
  public:
    /// `is_of_array_function`: a tuple is a list of signatures, elsewhere the types of one.
    SignatureReader(const ModuleScope& scope, bool is_of_array_function, Diagnostics& diagnostics)
        : scope_(scope), is_of_array_function_(is_of_array_function), diagnostics_(diagnostics) {}

    std::vector<Signature> all;

    void read(const ast::Expr& expr) {
        const auto* list = expr.as<ast::ListExpr>();
        const auto* tuple = is_of_array_function_ ? expr.as<ast::Tuple>() : nullptr;
        for (const ast::Expr* one : list ? list->elts : tuple ? tuple->elts : ast::ExprList()) read_one(*one);
        if (list || tuple) return;
        // `guvectorize(*args)`: the last one is the layout.
        const auto* args = expr.as<ast::Starred>();
        const auto value = is_of_array_function_ ? scope_.constant(args ? *args->value : expr) : std::nullopt;
        auto items = value && (args || value->as<Const::Tuple>()) ? items_of(*value) : std::nullopt;
        if (!items) return read_one(expr);
        if (args && !items->empty()) items->pop_back();
        for (const Const& item : *items) read_value(expr, item);
    }

  private:
    // Written out, so that what is wrong is found in it.
    void read_one(const ast::Expr& expr) {
        const auto* call = expr.as<ast::Call>();
        const auto* tuple = expr.as<ast::Tuple>();
        const auto value = tuple ? std::nullopt : scope_.constant(expr);
        if (value) return read_value(expr, *value);
        const bool is_literal = expr.as<ast::Constant>() || expr.as<ast::ListExpr>();
        if (!call && !tuple && !is_literal) return report_unknown(expr);
        if ((!call && !tuple) || (call && !call->keywords.empty())) return report_bad(diagnostics_, expr.span, kForm);
        Signature signature;
        ast::ExprRef wrong = nullptr;
        if (call) {
            wrong = call->func;
            const auto result = evaluate_type(scope_, *call->func);
            if (!result) return report_not_a_type(*wrong);
            signature.result = *result;
        }
        const auto types = types_of(scope_, call ? call->args : tuple->elts, wrong);
        if (!types) return report_not_a_type(*wrong);
        signature.params = *types;
        all.push_back(std::move(signature));
    }

    // Of a text that the module puts together: which of its names is not known.
    void report_unknown(const ast::Expr& expr) {
        if (evaluate_type(scope_, expr))
            return report_bad(diagnostics_, expr.span,
                              "it is one type, and those of all parameters stand in parentheses: "
                              "`(float32[::1], int32)`, `void(float32[::1])`");
        report_bad(diagnostics_, expr.span, "its value is not known before the file runs");
        bool is_told = false;
        for_each_word(expr.span.text(), is_of_name, [&](std::string_view name, size_t) {
            if (is_told || !scope_.is_opaque(name)) return;
            is_told = true;
            if (const auto at = scope_.assigned_at(name)) diagnostics_.note(at->span, at->text);
        });
    }

    void report_not_a_type(const ast::Expr& expr) {
        if (lacks_import(scope_, expr, diagnostics_)) return;
        report_bad(diagnostics_, expr.span, fmt::format("`{}` is not a type", expr.span.text()));
        const auto* subscript = expr.as<ast::Subscript>();
        const auto* name = (subscript ? *subscript->value : expr).as<ast::Name>();
        if (const auto part = name ? unread_dtype(scope_, name->id) : std::nullopt)
            diagnostics_.note(part->span, part->text);
    }

    void read_value(const ast::Expr& expr, const Const& value) {
        if (value.as<Const::None>()) return;
        if (const auto* text = value.as<std::string>()) {
            SignatureError error{};
            auto signature = parse_signature(*text, error, names_of(scope_));
            const std::string near = signature && !signature->name.empty() ? nearest_scalar(signature->name) : "";
            if (!near.empty())
                report_bad(diagnostics_, within(expr, *text, {0, {}, signature->name.size()}),
                           fmt::format("`{}` is not a type; did you mean `{}`?", signature->name, near));
            else if (signature)
                all.push_back(std::move(*signature));
            else
                report_bad(diagnostics_, within(expr, *text, error), error.message);
            return;
        }
        const auto* tuple = value.as<Const::Tuple>();
        const auto items = items_of(value);
        if (!items) return report_bad(diagnostics_, expr.span, kForm);
        // `vectorize(*args)`: the first argument, behind which others may follow.
        if (tuple && !items->empty() && items->front().as<Const::List>()) return read_value(expr, items->front());
        if (!tuple || std::ranges::any_of(*items, [](const Const& item) { return item.as<std::string>(); })) {
            for (const Const& item : *items) read_value(expr, item);
            return;
        }
        Signature signature;
        for (const Const& item : *items) {
            const auto type = type_in(scope_, item);
            if (!type) return report_bad(diagnostics_, expr.span, kForm);
            signature.params.push_back(*type);
        }
        all.push_back(std::move(signature));
    }

    const ModuleScope& scope_;
    bool is_of_array_function_;
    Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Type> type_in(const ModuleScope& scope, const Const& value) {
    if (const auto* type = value.as<Type>()) return *type;
    if (const auto* text = value.as<std::string>()) {
        SignatureError error{};
        return parse_type(*text, error, names_of(scope));
    }
    if (const auto* builtin = value.as<const Builtin*>()) {
        // Python's own names are types too: `int` is int64, `float` float64.
        if ((*builtin)->special == Special::int_) return Scalar::int64;
        if ((*builtin)->special == Special::float_) return Scalar::float64;
        if ((*builtin)->special == Special::bool_) return Scalar::boolean;
        if ((*builtin)->special == Special::complex_) return Scalar::complex128;
    }
    const auto* list = value.as<Const::List>();
    const auto* items = list ? &(*list)->items : value.as<Const::Tuple>();
    if (!items) return std::nullopt;
    std::vector<Type> types;
    for (const Const& item : *items) {
        const auto type = type_in(scope, item);
        if (!type) return std::nullopt;
        types.push_back(*type);
    }
    return Type::tuple(types);
}

std::optional<Type> evaluate_type(const ModuleScope& scope, const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::Tuple>()) {
        ast::ExprRef wrong = nullptr;
        const auto types = types_of(scope, node->elts, wrong);
        return types ? std::optional(Type::tuple(*types)) : std::nullopt;
    }
    const auto entity = scope.evaluate(expr);
    if (!entity) return std::nullopt;
    if (const ClassInfo* const* info = std::get_if<const ClassInfo*>(&*entity)) return class_type(scope, **info);
    const auto value = to_const(*entity);
    return value ? type_in(scope, *value) : std::nullopt;
}

TypeNames names_of(std::shared_ptr<const ModuleScope> scope) {
    return [scope = std::move(scope)](std::string_view name) { return named_type(*scope, name); };
}

namespace {

/// `argtypes=[float32, int32], restype=float32`, as Numba had it once: the types of one signature.
std::optional<Signature> by_argtypes(const FunctionInfo& info) {
    const auto value_of = [](const ast::Call& call, std::string_view name) -> ast::ExprRef {
        const auto found = std::ranges::find(call.keywords, name, &ast::Keyword::arg);
        return found == call.keywords.end() ? ast::ExprRef(nullptr) : found->value;
    };
    for (const auto& [call, scope] : info.decorators) {
        if (value_of(*call, "argtypes") != info.signatures) continue;
        const auto params = evaluate_type(*scope, *info.signatures);
        if (!params || !params->is_tuple()) return std::nullopt;
        Signature signature;
        signature.params.assign(params->elements().begin(), params->elements().end());
        const ast::ExprRef result = value_of(*call, "restype");
        if (const auto type = result ? evaluate_type(*scope, *result) : std::nullopt) signature.result = *type;
        return signature;
    }
    return std::nullopt;
}

/// The second of `cuda.jit("void(float32[::1])", "void(float64[::1])")`, which Numba takes for `device=`; null: none.
const ast::Expr* text_behind(const FunctionInfo& info) {
    for (const auto& [call, scope] : info.decorators)
        if (call->args.size() > 1 && call->args[0] == info.signatures) {
            const auto second = scope->constant(*call->args[1]);
            return second && second->as<std::string>() ? call->args[1] : nullptr;
        }
    return nullptr;
}

}  // namespace

std::vector<Signature> signatures_of(const FunctionInfo& info, Diagnostics& diagnostics) {
    const ModuleScope::Then then(*info.signature_scope, info.signed_at);
    if (auto signature = by_argtypes(info)) return {std::move(*signature)};
    const bool is_of_array_function = info.array == ArrayKind::ufunc || info.array == ArrayKind::gufunc;
    if (const ast::Expr* second = info.array == ArrayKind::none ? text_behind(info) : nullptr)
        report_bad(diagnostics, second->span, "it stands alone in front of the options; several are a list, `[…, …]`");
    SignatureReader reader(*info.signature_scope, is_of_array_function, diagnostics);
    reader.read(*info.signatures);
    return std::move(reader.all);
}

std::vector<Signature> evaluate_signatures(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    SignatureReader reader(scope, false, diagnostics);
    reader.read(expr);
    return std::move(reader.all);
}

}  // namespace pyk
