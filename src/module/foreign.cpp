#include "module/foreign.h"

#include <algorithm>
#include <filesystem>

#include "module/scope_shared.h"

namespace pyk {

// --- scopes ---
ModuleScope::Origin ModuleScope::origin(const ast::Expr& expr) const {
    const auto* name = expr.as<ast::Name>();
    if (!name) return {this, &expr, now()};
    const ModuleScope* scope = this;
    while (scope->parent_ && !scope->is_declared(name->id)) scope = scope->parent_;
    const Declaration* declared = scope->declaration(name->id);
    std::string_view id = name->id;
    if (const auto* import = declared ? declared->as<Import>() : nullptr) {
        scope = file(import->module, import->level);
        id = import->attr;
        declared = scope ? scope->declaration(id) : nullptr;
    }
    const ast::Expr* written = scope ? scope->definition(id) : nullptr;
    if (!written) return {this, &expr, now()};
    const Then then(*scope, declared->at);
    return scope->origin(*written);
}

// `f = cuda.declare_device("f", "int32(int32)")`: a function without a body.
const FunctionInfo* ModuleScope::declared(const ast::Call& node) const {
    static const ast::Arguments no_parameters{};
    static const ast::FunctionDef no_body{"", {}, &no_parameters, {}, {}, nullptr, false};
    auto& slot = shared_->made[{&node, this}];
    if (!slot) {
        const auto name = node.args.empty() ? std::nullopt : constant(*node.args[0]);
        const auto* text = name ? name->as<std::string>() : nullptr;
        slot = std::make_unique<FunctionInfo>();
        slot->def = &no_body;
        slot->span = node.args.empty() ? node.func->span : cover(node.func->span, node.args[0]->span);
        slot->kind = FunctionKind::device;
        slot->name = text ? *text : "declare_device";
        slot->scope = this;
        slot->declaration = &node;
        slot->at = now();
    }
    return slot.get();
}

// --- what is linked ---
namespace {

using Kind = ir::LinkedCode::Kind;

struct KindName {
    std::string_view name;  ///< of a file's extension, or of a class of numba.cuda
    Kind kind;
};
constexpr KindName kExtensions[] = {
    {".cu", Kind::cuda},  {".ptx", Kind::ptx},   {".cubin", Kind::cubin}, {".fatbin", Kind::fatbin},
    {".o", Kind::object}, {".a", Kind::archive}, {".ltoir", Kind::ltoir}, {".cpp", Kind::cpp},
    {".cc", Kind::cpp},   {".cxx", Kind::cpp},
};
constexpr KindName kClasses[] = {
    {"CUSource", Kind::cuda}, {"PTXSource", Kind::ptx},   {"Cubin", Kind::cubin}, {"Fatbin", Kind::fatbin},
    {"Object", Kind::object}, {"Archive", Kind::archive}, {"LTOIR", Kind::ltoir},
};

template <size_t N>
std::optional<Kind> kind_of(const KindName (&names)[N], std::string_view name) {
    const auto* found = std::ranges::find(names, name, &KindName::name);
    return found == std::end(names) ? std::nullopt : std::optional(found->kind);
}

// What text an expression gives, bytes too.
std::optional<std::string> text_of(const ModuleScope& scope, const ast::Expr& expr) {
    const auto [where, written, when] = scope.origin(expr);
    const ModuleScope::Then then(*where, when);
    if (const auto* constant = written->as<ast::Constant>())
        if (const auto* bytes = std::get_if<ast::BytesValue>(&constant->value)) return std::string(bytes->bytes);
    const auto value = where->constant(*written);
    const auto* text = value ? value->as<std::string>() : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

// A path as host code writes it: a text, `os.path.join(os.path.dirname(__file__), "f.cu")`,
// `str(Path(__file__).parent / "f.cu")`.
std::optional<std::filesystem::path> path_of(const ModuleScope& scope, const ast::Expr& expr) {
    if (const auto text = text_of(scope, expr)) return *text;
    const auto [where, written, when] = scope.origin(expr);
    const ModuleScope::Then then(*where, when);
    if (last_name(*written) == "__file__" && written->span.file) return written->span.file->name();
    const auto parent = [](const std::filesystem::path& path) {
        return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    };
    if (const auto* attribute = written->as<ast::Attribute>(); attribute && attribute->attr == "parent") {
        const auto path = path_of(*where, *attribute->value);
        return path ? std::optional(parent(*path)) : std::nullopt;
    }
    if (const auto* binary = written->as<ast::BinOp>(); binary && binary->op == ast::BinaryOp::Div) {
        const auto folder = path_of(*where, *binary->left), name = path_of(*where, *binary->right);
        return folder && name ? std::optional(*folder / *name) : std::nullopt;
    }
    const auto* call = written->as<ast::Call>();
    if (!call) return std::nullopt;
    const std::string_view function = last_name(*call->func);
    if (call->args.empty()) {
        const auto* method = call->func->as<ast::Attribute>();
        return method && function == "resolve" ? path_of(*where, *method->value) : std::nullopt;
    }
    constexpr std::string_view kKnown[] = {"join", "dirname", "abspath", "realpath", "str", "fspath", "Path"};
    if (std::ranges::find(kKnown, function) == std::end(kKnown)) return std::nullopt;
    std::filesystem::path path;
    for (const ast::Expr* argument : call->args) {
        const auto part = path_of(*where, *argument);
        if (!part) return std::nullopt;
        path /= *part;
    }
    return function == "dirname" ? parent(path) : path;
}

// A path is relative to the file that names it.
std::optional<ir::LinkedCode> file_named(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    const auto path = path_of(scope, expr);
    if (!path) {
        diagnostics.report(diag::bad_link, expr.span, "give a path, or `cuda.CUSource(…)` and its like");
        return std::nullopt;
    }
    const auto kind = kind_of_file(path->string());
    if (!kind) {
        diagnostics.report(diag::bad_link, expr.span, kLinkedFiles);
        return std::nullopt;
    }
    const SourceFile* file = expr.span.file;
    const std::filesystem::path folder = file ? std::filesystem::path(file->name()).parent_path() : "";
    // What `__file__` starts with is where it says already.
    const bool is_known = text_of(scope, expr).has_value();
    return ir::LinkedCode{*kind, (is_known ? folder / *path : *path).lexically_normal().string(), {}, expr.span};
}

// `cuda.CUSource("…")`
std::optional<ir::LinkedCode> code_in(const ModuleScope& scope, const ast::Call& call, Kind kind, Span span,
                                      Diagnostics& diagnostics) {
    const ast::Expr* data = call.args.empty() ? nullptr : call.args[0];
    std::optional<std::string> name;
    if (call.args.size() > 1) name = text_of(scope, *call.args[1]);
    for (const ast::Keyword& keyword : call.keywords) {
        if (keyword.arg == "data") data = keyword.value;
        if (keyword.arg == "name") name = text_of(scope, *keyword.value);
        if (keyword.arg == "setup_callback" || keyword.arg == "teardown_callback" || keyword.arg == "nrt")
            diagnostics.report(diag::option_ignored, keyword.span, keyword.arg, "Numba's runtime is not here");
    }
    const auto text = data ? text_of(scope, *data) : std::nullopt;
    if (!text) {
        diagnostics.report(diag::bad_link, data ? data->span : span, "the code must be a text known at compile time");
        return std::nullopt;
    }
    if (text->empty()) return std::nullopt;  // nothing to link
    return ir::LinkedCode{kind, name.value_or(""), *text, span};
}

}  // namespace

std::optional<ir::LinkedCode::Kind> kind_of_file(const std::string& path) {
    return kind_of(kExtensions, std::filesystem::path(path).extension().string());
}

bool is_linked_code(const ModuleScope& scope, const ast::Expr& expr) {
    const auto [where, written, when] = scope.origin(expr);
    const ModuleScope::Then then(*where, when);
    const auto any = [&, where = where](const ast::ExprList& items) {
        return std::ranges::any_of(items, [&](const ast::Expr* item) { return is_linked_code(*where, *item); });
    };
    if (const auto* list = written->as<ast::ListExpr>()) return any(list->elts);
    if (const auto* tuple = written->as<ast::Tuple>()) return any(tuple->elts);
    const auto* call = written->as<ast::Call>();
    return call && kind_of(kClasses, last_name(*call->func));
}

std::vector<ir::LinkedCode> read_links(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics) {
    const auto [where, written, when] = scope.origin(expr);
    const ModuleScope::Then then(*where, when);
    std::vector<ir::LinkedCode> links;
    const auto add_all = [&](const ast::ExprList& items) {
        for (const ast::Expr* item : items)
            for (ir::LinkedCode& link : read_links(*where, *item, diagnostics)) links.push_back(std::move(link));
        return links;
    };
    if (const auto* list = written->as<ast::ListExpr>()) return add_all(list->elts);
    if (const auto* tuple = written->as<ast::Tuple>()) return add_all(tuple->elts);
    if (const auto* set = written->as<ast::Set>()) return add_all(set->elts);
    if (const auto* constant = written->as<ast::Constant>(); constant && std::get_if<ast::NoneValue>(&constant->value))
        return links;
    const auto* call = written->as<ast::Call>();
    const auto kind = call ? kind_of(kClasses, last_name(*call->func)) : std::nullopt;
    auto link =
        kind ? code_in(*where, *call, *kind, expr.span, diagnostics) : file_named(*where, *written, diagnostics);
    if (link) {
        link->span = expr.span;
        links.push_back(std::move(*link));
    }
    return links;
}

// --- declarations ---
namespace {

// Values travel as C has them; a tuple and an array as their parts.
bool can_be_passed(Type type) {
    if (type.is_tuple() && (type.tuple_kind() == TupleKind::plain || type.tuple_kind() == TupleKind::named))
        return std::ranges::all_of(type.elements(), can_be_passed);
    if (type.is_array()) return type.element().is_scalar() && !type.element().is_small_float();
    return type.is_pointer() || (type.is_scalar() && !type.is_small_float());
}

// The arguments by their parameters' names; null: not given.
std::optional<std::vector<const ast::Expr*>> arguments_of(const ast::Call& call, Diagnostics& diagnostics) {
    static constexpr std::string_view kNames[] = {"name", "sig", "link", "use_cooperative", "abi"};
    std::vector<const ast::Expr*> given(std::size(kNames), nullptr);
    for (size_t i = 0; i < std::min(call.args.size(), given.size()); ++i) given[i] = call.args[i];
    for (const ast::Keyword& keyword : call.keywords) {
        const auto* at = std::ranges::find(kNames, keyword.arg);
        if (at == std::end(kNames)) {
            diagnostics.report(diag::unknown_parameter, keyword.span, "cuda.declare_device", keyword.arg);
            return std::nullopt;
        }
        given[static_cast<size_t>(at - std::begin(kNames))] = keyword.value;
    }
    return given;
}

}  // namespace

std::optional<Declaration> read_declaration(const FunctionInfo& info, Diagnostics& diagnostics) {
    const auto given = arguments_of(*info.declaration, diagnostics);
    if (!given) return std::nullopt;
    const ModuleScope::Then declared(*info.scope, info.at);
    const size_t errors = diagnostics.error_count();
    Declaration result;
    const auto name = (*given)[0] ? text_of(*info.scope, *(*given)[0]) : std::nullopt;
    if (!name || !(*given)[1]) {
        diagnostics.report(diag::bad_declaration, info.span);
        return std::nullopt;
    }
    result.name = *name;
    const ast::Expr& sig = *(*given)[1];
    std::vector<Signature> signatures;
    {
        const auto [where, written, when] = info.scope->origin(sig);
        const ModuleScope::Then then(*where, when);
        signatures = evaluate_signatures(*where, *written, diagnostics);
    }
    if (signatures.size() == 1 && diagnostics.error_count() == errors) {
        result.signature = std::move(signatures[0]);
        if (!result.signature.result)
            diagnostics.report(diag::bad_signature, sig.span, "it says no result, as in 'int32(float32)'");
        for (const Type type : result.signature.params)
            if (!can_be_passed(type)) diagnostics.report(diag::foreign_type, sig.span, type.name());
        const Type type = result.signature.result;
        if (type && !type.is_none() && (!can_be_passed(type) || type.is_array() || type.is_tuple()))
            diagnostics.report(diag::foreign_type, sig.span, type.name());
    }
    if (const ast::Expr* link = (*given)[2]) result.links = read_links(*info.scope, *link, diagnostics);
    if (const ast::Expr* cooperative = (*given)[3])
        if (const auto value = info.scope->constant(*cooperative)) result.cooperative = truth(*value);
    if (const ast::Expr* abi = (*given)[4]) {
        const auto text = text_of(*info.scope, *abi);
        if (!text || (*text != "c" && *text != "numba")) diagnostics.report(diag::bad_abi, abi->span);
        result.c_abi = text && *text == "c";
    }
    return diagnostics.error_count() == errors ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace pyk
