// Types as values that the module computes: `float32[:]`, `types.Array(…)`, `types.Tuple(…)`, and signatures.
#include <algorithm>
#include <map>
#include <utility>

#include "module/host_sets.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "types/time.h"

namespace pyk {
namespace {

constexpr int64_t kMostElements = 1000;  ///< of a tuple

// What a slice inside a type's brackets says of an axis: `:` or `::1`.
enum class Axis { any, contiguous, invalid };

Axis axis_of(const ModuleScope& scope, const ast::Expr& expr) {
    const auto* slice = expr.as<ast::Slice>();
    if (!slice || slice->lower || slice->upper) return Axis::invalid;
    if (!slice->step) return Axis::any;
    const auto step = scope.constant(*slice->step);
    return step && to_int(*step) == 1 ? Axis::contiguous : Axis::invalid;
}

/// What a call gives a parameter, by its place or by its name; null: nothing.
ast::ExprRef argument(const ast::Call& call, size_t at, std::string_view name) {
    if (at < call.args.size()) return call.args[at];
    const auto named = std::ranges::find(call.keywords, name, &ast::Keyword::arg);
    return named != call.keywords.end() ? named->value : nullptr;
}

std::optional<Type> type_argument(const ModuleScope& scope, const ast::Call& call, std::string_view name) {
    const ast::ExprRef written = argument(call, 0, name);
    return written ? evaluate_type(scope, *written) : std::nullopt;
}

std::optional<Const> argument_value(const ModuleScope& scope, ast::ExprRef written, Const fallback) {
    return written ? scope.constant(*written) : std::optional(std::move(fallback));
}

/// `types.Array(dtype, ndim, layout, readonly=False, …, aligned=True)`, and the `copy` of such a type, whose arguments
/// are the first four: what it does not say is as in `like`, which is no type for the first.
std::optional<Type> array_of_call(const ModuleScope& scope, const ast::Call& call, Type like = {}) {
    const ast::ExprRef dtype = argument(call, 0, "dtype"), ndim = argument(call, 1, "ndim");
    const ast::ExprRef layout = argument(call, 2, "layout");
    if (!like && !(dtype && ndim && layout)) return std::nullopt;
    const auto element = dtype ? evaluate_type(scope, *dtype) : std::optional(like.element());
    const auto axes = argument_value(scope, ndim, {Const::Int(like ? like.ndim() : 0), {}});
    const auto letters =
        argument_value(scope, layout, {std::string(1, like ? "CFA"[static_cast<size_t>(like.layout())] : ' '), {}});
    const auto readonly = argument_value(scope, argument(call, 3, "readonly"), {like && like.readonly(), {}});
    const auto aligned = argument_value(scope, argument(call, 5, "aligned"), {!like || like.aligned(), {}});
    const auto count = axes ? to_int(*axes) : std::nullopt;
    const auto* letter = letters ? letters->as<std::string>() : nullptr;
    const size_t kind = letter && letter->size() == 1 ? std::string_view("CFA").find(*letter) : std::string_view::npos;
    const bool is_valid = element && element->is_element() && count && *count >= 0 && *count <= Type::kMostAxes;
    if (!is_valid || kind == std::string_view::npos || !readonly || !aligned) return std::nullopt;
    return Type::array(*element, static_cast<int>(*count), static_cast<Layout>(kind), truth(*readonly),
                       truth(*aligned));
}

}  // namespace

std::optional<Type> copied_array_type(const ModuleScope& scope, Type array, const ast::Call& call) {
    return array_of_call(scope, call, array);
}

std::optional<Type> subscripted_type(const ModuleScope& scope, Type element, const ast::Expr& axes) {
    if (!element.is_element()) return std::nullopt;
    const auto* tuple = axes.as<ast::Tuple>();
    std::vector<Axis> kinds;
    if (!tuple) kinds.push_back(axis_of(scope, axes));
    for (const ast::Expr* axis : tuple ? tuple->elts : ast::ExprList()) kinds.push_back(axis_of(scope, *axis));
    const auto contiguous = std::ranges::count(kinds, Axis::contiguous);
    if (kinds.empty() || std::ranges::count(kinds, Axis::invalid) != 0 || contiguous > 1) return std::nullopt;
    const bool last = kinds.back() == Axis::contiguous, first = kinds.front() == Axis::contiguous;
    if (contiguous == 1 && !last && !first) return std::nullopt;
    return Type::array(element, static_cast<int>(kinds.size()), last ? Layout::C : first ? Layout::F : Layout::A);
}

bool is_type_maker(std::string_view name) {
    static constexpr std::string_view kMakers[] = {"Array",         "UniTuple", "Tuple",    "from_types", "NamedTuple",
                                                   "NamedUniTuple", "CPointer", "optional", "Optional"};
    return std::ranges::find(kMakers, name) != std::end(kMakers);
}

namespace {

/// Of a class of named tuples and the types of its fields.
std::optional<Type> named_tuple_of(const ModuleScope& scope, ast::ExprRef written, const std::vector<Type>& fields) {
    const auto entity = written ? scope.evaluate(*written) : std::nullopt;
    const auto* known = entity ? std::get_if<const ClassInfo*>(&*entity) : nullptr;
    if (!known || (*known)->kind != ClassKind::named_tuple || (*known)->fields.size() != fields.size())
        return std::nullopt;
    return Type::named_tuple(TupleKind::named, (*known)->name, (*known)->field_names(), fields);
}

}  // namespace

std::optional<Type> constructed_type(const ModuleScope& scope, std::string_view maker, const ast::Call& call) {
    const std::string_view name = maker.substr(maker.rfind('.') + 1);
    if (name == "Array") return array_of_call(scope, call);
    if (name == "UniTuple" || name == "NamedUniTuple") {
        const auto element = type_argument(scope, call, "dtype");
        const auto count = argument_value(scope, argument(call, 1, "count"), {});
        const auto n = count ? to_int(*count) : std::nullopt;
        if (!element || !n || *n < 1 || *n > kMostElements) return std::nullopt;
        const std::vector<Type> elements(static_cast<size_t>(*n), *element);
        if (name == "UniTuple") return Type::tuple(elements);
        return named_tuple_of(scope, argument(call, 2, "cls"), elements);
    }
    if (name == "Tuple" || name == "from_types") return type_argument(scope, call, "types");
    if (name == "NamedTuple") {
        const auto fields = type_argument(scope, call, "types");
        if (!fields || !fields->is_tuple()) return std::nullopt;
        return named_tuple_of(scope, argument(call, 1, "cls"), {fields->elements().begin(), fields->elements().end()});
    }
    if (name == "CPointer") {
        const auto element = type_argument(scope, call, "dtype");
        return element && !element->is_array() ? std::optional(Type::pointer(*element)) : std::nullopt;
    }
    if (name == "optional" || name == "Optional") {
        const auto value = type_argument(scope, call, "typ");
        return value && !value->is_optional() ? std::optional(Type::optional(*value)) : std::nullopt;
    }
    return std::nullopt;
}

namespace {

/// Whether a type is one of a class of `numba.types`; nullopt: there is no such class here.
std::optional<bool> is_of_class(Type type, std::string_view name) {
    const bool is_number = type.is_scalar() && !type.is_boolean();
    static const std::map<std::string_view, bool (*)(Type)> kClasses = {
        {"Float", [](Type t) { return t.is_float(); }},
        {"Integer", [](Type t) { return t.is_integer(); }},
        {"IntegerLiteral", [](Type) { return false; }},
        {"Boolean", [](Type t) { return t.is_boolean(); }},
        {"Complex", [](Type t) { return t.is_complex(); }},
        {"Array", [](Type t) { return t.is_array(); }},
        {"ArrayCompatible", [](Type t) { return t.is_array(); }},
        {"BaseTuple", [](Type t) { return t.is_tuple() && !t.is_optional(); }},
        {"UniTuple", [](Type t) { return t.is_tuple() && t.is_uniform_tuple(); }},
        {"Tuple", [](Type t) { return t.is_tuple() && !t.is_optional() && !t.is_uniform_tuple(); }},
        {"Optional", [](Type t) { return t.is_optional(); }},
        {"NoneType", [](Type t) { return t.is_none(); }},
        {"Record", [](Type t) { return t.is_record(); }},
        {"NPDatetime", is_datetime},
        {"NPTimedelta", is_timedelta},
    };
    if (name == "Number") return is_number;
    const auto found = kClasses.find(name);
    return found == kClasses.end() ? std::nullopt : std::optional(found->second(type));
}

/// Whether a value is one of a class of Python's or NumPy's; nullopt: there is no such class here.
std::optional<bool> is_of_python_class(const Const& value, std::string_view name) {
    static const std::map<std::string_view, bool (*)(const Const&)> kClasses = {
        {"bool", [](const Const& c) { return c.as<bool>() && !c.typed; }},
        {"int", [](const Const& c) { return (c.as<Const::Int>() || c.as<bool>()) && !c.typed; }},
        {"float", [](const Const& c) { return c.as<double>() && (!c.typed || c.typed.is(Scalar::float64)); }},
        {"complex", [](const Const& c) { return c.as<std::complex<double>>() && !c.typed.is(Scalar::complex64); }},
        {"str", [](const Const& c) { return c.as<std::string>() != nullptr; }},
        {"list", [](const Const& c) { return c.as<Const::List>() != nullptr; }},
        {"tuple", [](const Const& c) { return c.as<Const::Tuple>() != nullptr; }},
        {"dict", [](const Const& c) { return c.as<Const::Dict>() && !is_set(c); }},
        {"set", is_set},
        {"ndarray", [](const Const& c) { return c.as<Const::Array>() != nullptr; }},
        {"integer", [](const Const& c) { return c.typed && c.typed.is_integer(); }},
        {"floating", [](const Const& c) { return c.typed && c.typed.is_float(); }},
    };
    const auto found = kClasses.find(name);
    return found == kClasses.end() ? std::nullopt : std::optional(found->second(value));
}

}  // namespace

std::optional<bool> is_instance(const ModuleScope& scope, const ast::Call& call) {
    if (call.args.size() != 2) return std::nullopt;
    const auto value = scope.evaluate(*call.args[0]);
    const TypeName* type = value ? std::get_if<TypeName>(&*value) : nullptr;
    const auto constant = type || !value ? std::nullopt : to_const(*value);
    if (!type && !constant) return std::nullopt;
    const auto* several = call.args[1]->as<ast::Tuple>();
    bool found = false;
    for (const ast::Expr* one : several ? several->elts : ast::ExprList(&call.args[1], 1)) {
        if (constant) {
            const auto is = is_of_python_class(*constant, last_name(*one));
            if (!is) return std::nullopt;
            found |= *is;
            continue;
        }
        const auto known = scope.evaluate(*one);
        const Path* path = known ? std::get_if<Path>(&*known) : nullptr;
        const auto is = path ? is_of_class(type->type, path->name.substr(path->name.rfind('.') + 1)) : std::nullopt;
        if (!is) return std::nullopt;
        found |= *is;
    }
    return found;
}

// The very class: `True` is no `int` here.
std::optional<bool> compared_types(const ModuleScope& scope, const ast::Compare& node) {
    const auto* call = node.left->as<ast::Call>();
    const auto* asked = call ? call->func->as<ast::Name>() : nullptr;
    if (!asked || asked->id != "type" || scope.definition(asked->id) || call->args.size() != 1 || node.ops.size() != 1)
        return std::nullopt;
    const auto value = scope.constant(*call->args[0]);
    if (!value || value->member_of) return std::nullopt;
    const auto is_one = [&](const ast::Expr& written) -> std::optional<bool> {
        const auto known = scope.evaluate(written);
        const TypeName* type = known ? std::get_if<TypeName>(&*known) : nullptr;
        if (written.as<ast::Attribute>() && type) return value->typed == type->type;
        const auto* name = written.as<ast::Name>();
        if (!name || scope.definition(name->id)) return std::nullopt;
        const auto is = is_of_python_class(*value, name->id);
        return is && *is ? !value->typed && (name->id != "int" || !value->as<bool>()) : is;
    };
    const ast::CompareOp op = node.ops[0];
    const ast::Expr& other = *node.comparators[0];
    const bool is_negated = op == ast::CompareOp::IsNot || op == ast::CompareOp::NotEq || op == ast::CompareOp::NotIn;
    if (op == ast::CompareOp::Is || op == ast::CompareOp::Eq || op == ast::CompareOp::IsNot ||
        op == ast::CompareOp::NotEq) {
        const auto is = is_one(other);
        return is ? std::optional(*is != is_negated) : std::nullopt;
    }
    const auto* tuple = other.as<ast::Tuple>();
    const auto* list = other.as<ast::ListExpr>();
    if ((op != ast::CompareOp::In && op != ast::CompareOp::NotIn) || (!tuple && !list)) return std::nullopt;
    bool found = false;
    for (const ast::Expr* one : tuple ? tuple->elts : list->elts) {
        const auto is = is_one(*one);
        if (!is) return std::nullopt;
        found = found || *is;
    }
    return found != is_negated;
}

// A signature is its text, which decorators take as well. Types that have none make no value.
std::optional<Const> called_signature(const ModuleScope& scope, const Entity& callee, const ast::Call& call) {
    const Path* path = std::get_if<Path>(&callee);
    const TypeName* called = std::get_if<TypeName>(&callee);
    const bool is_function = path && path->name.ends_with("typing.signature");
    if ((!called && !is_function) || !call.keywords.empty()) return std::nullopt;
    std::optional<Type> result = called ? std::optional(called->type) : std::nullopt;
    std::vector<Type> types;
    const auto add = [&](const std::optional<Type>& type) {
        SignatureError error{};
        if (!type || parse_type(type->signature(), error) != type) return false;
        if (result)
            types.push_back(*type);
        else
            result = type;
        return true;
    };
    for (const ast::Expr* arg : call.args) {
        const auto* starred = arg->as<ast::Starred>();
        const auto all = starred ? scope.constant(*starred->value) : std::nullopt;
        const auto items = all ? items_of(*all) : std::nullopt;
        if (starred && !items) return std::nullopt;
        if (!starred && !add(evaluate_type(scope, *arg))) return std::nullopt;
        for (const Const& item : items.value_or(std::vector<Const>()))
            if (!add(type_in(scope, item))) return std::nullopt;
    }
    if (!result || (types.empty() && !is_function && !result->is_none())) return std::nullopt;
    std::string text = result->is_none() ? "void(" : result->signature() + "(";
    for (const Type& type : types) text += (&type == types.data() ? "" : ", ") + type.signature();
    return Const{text + ")", {}};
}

}  // namespace pyk
