// Types and signatures as they stand in decorators and annotations.
#include <algorithm>

#include "sema/scope.h"
#include "types/time.h"

namespace pyk {
namespace {

// What a slice inside a type's brackets says of an axis: `:` or `::1`.
enum class Axis { any, contiguous, invalid };

Axis axis_of(const ast::Expr& expr) {
    const auto* slice = expr.as<ast::Slice>();
    if (!slice || slice->lower || slice->upper) return Axis::invalid;
    if (!slice->step) return Axis::any;
    const auto* step = slice->step->as<ast::Constant>();
    const auto* value = step ? std::get_if<ast::IntValue>(&step->value) : nullptr;
    return value && value->value == 1 ? Axis::contiguous : Axis::invalid;
}

std::optional<Type> array_type(Type element, std::span<const ast::ExprRef> axes) {
    if (!element.is_element()) return std::nullopt;
    std::vector<Axis> kinds;
    for (const ast::Expr* axis : axes) kinds.push_back(axis_of(*axis));
    if (std::ranges::count(kinds, Axis::invalid) != 0 || std::ranges::count(kinds, Axis::contiguous) > 1)
        return std::nullopt;
    const int ndim = static_cast<int>(kinds.size());
    if (kinds.back() == Axis::contiguous) return Type::array(element, ndim, Layout::C);
    if (kinds.front() == Axis::contiguous) return Type::array(element, ndim, Layout::F);
    if (std::ranges::count(kinds, Axis::contiguous) != 0) return std::nullopt;
    return Type::array(element, ndim, Layout::A);
}

// The type that a name of the module stands for: `VECTOR = float32[:]`.
std::optional<Type> defined_type(const ModuleScope& scope, std::string_view name) {
    return scope.of_definition(name, [&](const ast::Expr& written) { return evaluate_type(scope, written); });
}

// `*TYPES` stands for what the list or tuple of that name holds.
std::optional<std::vector<Type>> types_of(const ModuleScope& scope, std::span<const ast::ExprRef> exprs) {
    std::vector<Type> types;
    for (const ast::Expr* expr : exprs) {
        if (const auto* starred = expr->as<ast::Starred>()) {
            const auto of = [&](const ast::Expr& written) -> std::optional<std::vector<Type>> {
                const auto* list = written.as<ast::ListExpr>();
                const auto* tuple = written.as<ast::Tuple>();
                if (!list && !tuple) return std::nullopt;
                return types_of(scope, list ? list->elts : tuple->elts);
            };
            const auto* name = starred->value->as<ast::Name>();
            const auto all = name ? scope.of_definition(name->id, of) : of(*starred->value);
            if (!all) return std::nullopt;
            types.insert(types.end(), all->begin(), all->end());
            continue;
        }
        const auto type = evaluate_type(scope, *expr);
        if (!type) return std::nullopt;
        types.push_back(*type);
    }
    return types;
}

std::optional<Type> named_type(const ModuleScope& scope, std::string_view name) {
    const auto entity = scope.lookup(name);
    const auto* type = entity ? std::get_if<TypeName>(&*entity) : nullptr;
    const auto* info = entity ? std::get_if<const ClassInfo*>(&*entity) : nullptr;
    if (info) return class_type(scope, **info);
    return type ? std::optional(type->type) : entity ? std::nullopt : defined_type(scope, name);
}

TypeNames names_of(const ModuleScope& scope) {
    return [&](std::string_view name) { return named_type(scope, name); };
}

// `UniTuple(int64, 2)`, `Tuple((int64, float32))`, `Array(float32, 2, 'C')`.
std::optional<Type> constructed_type(const ModuleScope& scope, const ast::Call& call) {
    const std::string_view name = last_name(*call.func);
    if (name == "UniTuple" && call.args.size() == 2) {
        const auto element = evaluate_type(scope, *call.args[0]);
        const auto count = scope.constant(*call.args[1]);
        const auto n = count ? to_int(*count) : std::nullopt;
        if (!element || !n || *n < 1 || *n > 1000) return std::nullopt;
        return Type::tuple(std::vector<Type>(static_cast<size_t>(*n), *element));
    }
    if (name == "CPointer" && call.args.size() == 1) {
        const auto element = evaluate_type(scope, *call.args[0]);
        return element && !element->is_array() ? std::optional(Type::pointer(*element)) : std::nullopt;
    }
    if (name == "NPDatetime" || name == "NPTimedelta") {
        const auto unit = call.args.empty() ? std::nullopt : scope.constant(*call.args[0]);
        const auto* text = unit ? unit->as<std::string>() : nullptr;
        const auto code = text ? unit_from_name(*text) : std::nullopt;
        if (!code) return std::nullopt;
        return name == "NPDatetime" ? datetime_type(*code) : timedelta_type(*code);
    }
    if ((name == "optional" || name == "Optional") && call.args.size() == 1) {
        const auto value = evaluate_type(scope, *call.args[0]);
        return value && !value->is_optional() ? std::optional(Type::optional(*value)) : std::nullopt;
    }
    if (name == "Tuple" && call.args.size() == 1) return evaluate_type(scope, *call.args[0]);
    if (name == "Array" && call.args.size() >= 3) {
        const auto element = evaluate_type(scope, *call.args[0]);
        const auto ndim = scope.constant(*call.args[1]), layout = scope.constant(*call.args[2]);
        const auto n = ndim ? to_int(*ndim) : std::nullopt;
        const std::string* text = layout ? layout->as<std::string>() : nullptr;
        const auto flag = std::ranges::find(call.keywords, "readonly", &ast::Keyword::arg);
        const ast::Expr* written = flag != call.keywords.end() ? flag->value
                                   : call.args.size() > 3      ? call.args[3]
                                                               : nullptr;
        const auto readonly = written ? scope.constant(*written) : Const{false, {}};
        if (!element || !element->is_element() || !n || *n < 0 || !text || !readonly) return std::nullopt;
        return Type::array(*element, static_cast<int>(*n),
                           *text == "C"   ? Layout::C
                           : *text == "F" ? Layout::F
                                          : Layout::A,
                           truth(*readonly));
    }
    return std::nullopt;
}

bool is_void(const ast::Expr& expr) { return last_name(expr) == "void" || last_name(expr) == "none"; }

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

std::optional<Signature> signature_of(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    const auto known = expr.as<ast::Tuple>() ? std::nullopt : scope.constant(expr);
    if (const auto* text = known ? known->as<std::string>() : nullptr) {
        SignatureError error{};
        if (auto signature = parse_signature(*text, error, names_of(scope))) return signature;
        diagnostics.report(diag::bad_signature, within(expr, *text, error), std::string_view(error.message));
        return std::nullopt;
    }
    Signature signature;
    std::span<const ast::ExprRef> params;
    if (const auto* call = expr.as<ast::Call>(); call && !constructed_type(scope, *call)) {
        params = call->args;
        if (is_void(*call->func))
            signature.result = Type::none();
        else if (const auto result = evaluate_type(scope, *call->func))
            signature.result = *result;
        else
            return std::nullopt;
    } else if (const auto* tuple = expr.as<ast::Tuple>()) {
        params = tuple->elts;
    } else {
        return std::nullopt;
    }
    const auto types = types_of(scope, params);
    if (!types) return std::nullopt;
    signature.params = *types;
    return signature;
}

// `SIGNATURES = ["void(…)", …]` by its name, or made by a comprehension: texts all of them.
std::optional<std::vector<Signature>> listed_texts(const ModuleScope& scope, const ast::Expr& expr,
                                                   Diagnostics& diagnostics) {
    if (expr.as<ast::ListExpr>() || expr.as<ast::Tuple>() || expr.as<ast::Constant>()) return std::nullopt;
    const auto known = scope.constant(expr);
    const auto* list = known ? known->as<Const::List>() : nullptr;
    const auto* items = list ? &(*list)->items : known ? known->as<Const::Tuple>() : nullptr;
    if (!items || !std::ranges::all_of(*items, [](const Const& item) { return item.as<std::string>() != nullptr; }))
        return std::nullopt;
    std::vector<Signature> all;
    for (const Const& item : *items) {
        SignatureError error{};
        if (auto signature = parse_signature(*item.as<std::string>(), error, names_of(scope)))
            all.push_back(std::move(*signature));
        else
            diagnostics.report(diag::bad_signature, expr.span, std::string_view(error.message));
    }
    return all;
}

}  // namespace

std::optional<Type> evaluate_type(const ModuleScope& scope, const ast::Expr& expr) {
    if (const auto* constant = expr.as<ast::Constant>()) {
        const auto* text = std::get_if<ast::StrValue>(&constant->value);
        SignatureError error{};
        return text ? parse_type(text->text, error, names_of(scope)) : std::nullopt;
    }
    if (const auto* node = expr.as<ast::Subscript>()) {
        const auto element = evaluate_type(scope, *node->value);
        if (!element) return std::nullopt;
        const auto* tuple = node->slice->as<ast::Tuple>();
        return array_type(*element, tuple ? std::span<const ast::ExprRef>(tuple->elts)
                                          : std::span<const ast::ExprRef>(&node->slice, 1));
    }
    if (const auto* node = expr.as<ast::Tuple>()) {
        const auto types = types_of(scope, node->elts);
        return types ? std::optional(Type::tuple(*types)) : std::nullopt;
    }
    if (const auto* node = expr.as<ast::Call>()) {
        if (const auto type = constructed_type(scope, *node)) return type;
        return called_type(scope, *node);
    }
    const auto entity = scope.evaluate(expr);
    if (!entity) {
        const auto* name = expr.as<ast::Name>();
        return name ? defined_type(scope, name->id) : std::nullopt;
    }
    if (const TypeName* type = std::get_if<TypeName>(&*entity)) return type->type;
    if (const ClassInfo* const* info = std::get_if<const ClassInfo*>(&*entity)) return class_type(scope, **info);
    if (const Builtin* const* builtin = std::get_if<const Builtin*>(&*entity)) {
        // Python's own names are types too: `int` is int64, `float` float64.
        if ((*builtin)->special == Special::int_) return Scalar::int64;
        if ((*builtin)->special == Special::float_) return Scalar::float64;
        if ((*builtin)->special == Special::bool_) return Scalar::boolean;
        if ((*builtin)->special == Special::complex_) return Scalar::complex128;
    }
    return std::nullopt;
}

TypeNames names_of(std::shared_ptr<const ModuleScope> scope) {
    return [scope = std::move(scope)](std::string_view name) { return named_type(*scope, name); };
}

std::vector<Signature> signatures_of(const FunctionInfo& info, Diagnostics& diagnostics) {
    const ModuleScope::Then then(*info.signature_scope, info.signed_at);
    return evaluate_signatures(*info.signature_scope, *info.signatures, diagnostics);
}

std::vector<Signature> evaluate_signatures(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    if (auto listed = listed_texts(scope, expr, diagnostics)) return *std::move(listed);
    if (const auto* name = expr.as<ast::Name>(); name && !scope.constant(expr)) {
        const auto named = scope.of_definition(name->id, [&](const ast::Expr& written) {
            return std::optional(evaluate_signatures(scope, written, diagnostics));
        });
        if (named) return *named;
    }
    std::vector<Signature> all;
    const auto* list = expr.as<ast::ListExpr>();
    const std::span<const ast::ExprRef> exprs =
        list ? std::span<const ast::ExprRef>(list->elts) : std::span<const ast::ExprRef>();
    const ast::Expr* single = &expr;
    for (const ast::Expr* one : list ? exprs : std::span<const ast::ExprRef>(&single, 1)) {
        const size_t errors = diagnostics.error_count();
        if (auto signature = signature_of(scope, *one, diagnostics))
            all.push_back(std::move(*signature));
        else if (diagnostics.error_count() == errors)
            diagnostics.report(diag::bad_signature, one->span,
                               std::string_view("a signature is `void(float32[::1], int32)`, or a text of it"));
    }
    return all;
}

}  // namespace pyk
