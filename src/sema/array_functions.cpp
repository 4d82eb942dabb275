#include "sema/array_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/thread_spread.h"
#include "ir/walk.h"
#include "sema/stencils.h"
#include "support/nearest.h"
#include "types/convert.h"

namespace pyk {
namespace {

/// `cuda.grid(1)` became `cuda.grid.x`.
std::string_view written_name(const Builtin& builtin) {
    const std::string_view name = builtin.name;
    const bool is_part = name.starts_with("cuda.grid.") || name.starts_with("cuda.gridsize.");
    return is_part ? name.substr(0, name.rfind('.')) : name;
}

struct TargetName {
    std::string_view name;
    ArrayTarget target;
};
constexpr TargetName kTargets[] = {
    {"cpu", ArrayTarget::cpu}, {"parallel", ArrayTarget::parallel}, {"cuda", ArrayTarget::cuda}};

void refuse(const ast::Keyword& keyword, std::string_view what, Diagnostics& diagnostics) {
    diagnostics.report(diag::bad_option, keyword.value->span, keyword.arg, what);
}

void read_target(const Const& value, const ast::Keyword& keyword, ArrayFunctionInfo& info, Diagnostics& diagnostics) {
    const auto* text = value.as<std::string>();
    const auto* found = std::ranges::find(kTargets, text ? std::string_view(*text) : "", &TargetName::name);
    if (found == std::end(kTargets)) return refuse(keyword, "'cpu', 'parallel' or 'cuda'", diagnostics);
    info.target = found->target;
}

void read_identity(const Const& value, const ast::Keyword& keyword, ArrayFunctionInfo& info, Diagnostics& diagnostics) {
    const auto number = value.as<bool>() ? std::nullopt : to_int(value);
    const auto* text = value.as<std::string>();
    if (value.as<Const::None>())
        info.identity = Identity::none;
    else if (number && (*number == 0 || *number == 1))
        info.identity = *number ? Identity::one : Identity::zero;
    else if (text && *text == "reorderable")
        info.identity = Identity::reorderable;
    else
        refuse(keyword, "None, 0, 1 or 'reorderable'", diagnostics);
}

// Of all array decorators, those that mean nothing here among them.
constexpr std::string_view kElementOptions[] = {"target",   "identity", "writable_args", "boundscheck", "cache",
                                                "fastmath", "forceobj", "is_dynamic",    "locals",      "nopython"};
constexpr std::string_view kStencilOptions[] = {"neighborhood", "standard_indexing", "cval", "mode", "func_or_mode"};

/// False: some are unknown.
bool check_options(const FunctionInfo& function, Diagnostics& diagnostics) {
    const bool is_stencil = function.array == ArrayKind::stencil, has_core = function.array == ArrayKind::gufunc;
    const std::string_view decorator = is_stencil ? "stencil" : has_core ? "guvectorize" : "vectorize";
    const std::span<const std::string_view> known = is_stencil ? std::span<const std::string_view>(kStencilOptions)
                                                               : std::span<const std::string_view>(kElementOptions);
    bool are_known = true;
    for (const ast::Keyword& keyword : function.array_decorator->keywords) {
        const std::string_view name = keyword.arg;
        if (name.empty() || std::ranges::find(known, name) != known.end()) continue;
        const std::string near = nearest_name(name, known);
        const std::string hint = has_core && (name == "layout" || name == "signature")
                                     ? "; the layout is the last argument by place"
                                 : near.empty() ? ""
                                                : fmt::format("; did you mean `{}`?", near);
        diagnostics.report(diag::unknown_option, keyword.span, decorator, name, std::string_view(hint));
        are_known = false;
    }
    return are_known;
}

void read_options(const FunctionInfo& function, ArrayFunctionInfo& info, Diagnostics& diagnostics) {
    for (const ast::Keyword& keyword : function.array_decorator->keywords) {
        const bool is_target = keyword.arg == "target";
        if (!is_target && keyword.arg != "identity") continue;
        const auto value = function.scope->constant(*keyword.value);
        if (!value)
            diagnostics.report(diag::option_unknown_value, keyword.value->span, keyword.arg);
        else if (is_target)
            read_target(*value, keyword, info, diagnostics);
        else
            read_identity(*value, keyword, info, diagnostics);
    }
}

// NumPy's kinds, each of which can take those before it (`casting='same_kind'`).
int kind_of(Type type) {
    if (type.is_boolean()) return 0;
    if (type.is_integer()) return type.is_signed() ? 2 : 1;
    return type.is_complex() ? 4 : 3;
}

// What is no number is kept as what it is.
bool can_keep(Type value, Type kept) {
    if (!value.is_scalar() || !kept.is_scalar()) return value == kept;
    return kind_of(value) <= kind_of(kept);
}

}  // namespace

std::string library_method(const FunctionInfo& function, std::string_view method) {
    if (function.array != ArrayKind::ufunc || (method != "reduce" && method != "at")) return {};
    Diagnostics ignored;
    const Identity identity = array_function(function, ignored).identity;
    const bool has_start = method == "reduce" && (identity == Identity::zero || identity == Identity::one);
    return fmt::format("ufunc_{}{}", method, !has_start ? "" : identity == Identity::zero ? "_0" : "_1");
}

bool check_element_signature(const ArrayFunctionInfo& info, const Signature& signature, Span span,
                             Diagnostics& diagnostics) {
    const auto other = std::ranges::find_if_not(signature.params, &Type::is_element);
    if (other == signature.params.end()) return true;
    if (other->is_array())
        diagnostics.report(diag::array_function_types, span, std::string_view(info.name));
    else
        diagnostics.report(diag::bad_signature, span,
                           fmt::format("array function `{}` is of what arrays consist of, and {} is no such type",
                                       info.name, other->name()));
    return false;
}

namespace {

// Whether that is all that is wrong.
bool has_wrong_types(const Diagnostics& found) {
    const auto is_of_types = [](const Diagnostic& one) {
        return one.severity != Severity::error || one.id == "array-function-types";
    };
    return found.has_errors() && std::ranges::all_of(found.all(), is_of_types);
}

// Of several loops for the same types NumPy calls the first, and Numba's table for GPUs keeps the last.
void drop_repeated(ArrayFunctionInfo& info) {
    std::vector<Signature> kept;
    for (Signature& signature : info.signatures) {
        const auto same = std::ranges::find(kept, signature.params, &Signature::params);
        if (same == kept.end())
            kept.push_back(std::move(signature));
        else if (info.target == ArrayTarget::cuda)
            *same = std::move(signature);
    }
    info.signatures = std::move(kept);
}

}  // namespace

std::vector<ArrayFunctionInfo> array_functions_of(const ModuleScope& scope, bool for_kernels,
                                                  Diagnostics& diagnostics) {
    std::vector<ArrayFunctionInfo> functions;
    for (const FunctionInfo* function : scope.array_functions()) {
        Diagnostics found;
        ArrayFunctionInfo info = array_function(*function, found);
        const bool is_optional = for_kernels && info.target != ArrayTarget::cuda;
        if (is_optional && has_wrong_types(found)) {
            report_left_out(info.name, info.span, found, diagnostics);
            continue;
        }
        diagnostics.merge(found);
        functions.push_back(std::move(info));
    }
    return functions;
}

void report_left_out(std::string_view name, Span span, const Diagnostics& found, Diagnostics& diagnostics) {
    const auto error = std::ranges::find(found.all(), Severity::error, &Diagnostic::severity);
    diagnostics.report(diag::function_left_out, span, name).note(error->span, error->text);
}

ArrayFunctionInfo array_function(const FunctionInfo& function, Diagnostics& diagnostics) {
    ArrayFunctionInfo info{.name = function.name, .span = function.def->name_span};
    for (const auto* list : {&function.def->args->posonlyargs, &function.def->args->args})
        for (const ast::Arg& arg : *list) info.params.emplace_back(arg.arg);
    const bool options_are_known = !function.array_decorator || check_options(function, diagnostics);
    if (function.array == ArrayKind::stencil) {
        info.is_stencil = true;
        info.standard = stencil_options(function).standard;
        check_stencil(function, diagnostics);
    } else if (function.array_decorator) {
        read_options(function, info, diagnostics);
    }
    if (function.array == ArrayKind::gufunc && options_are_known)
        read_core_layout(function, info, diagnostics);
    else if (function.array == ArrayKind::gufunc)
        info.core.emplace();
    if (function.signatures) info.signatures = signatures_of(function, diagnostics);
    drop_repeated(info);
    for (const Signature& signature : info.signatures) {
        const Span span = function.signatures->span;
        if (signature.params.size() != info.params.size())
            diagnostics.report(diag::signature_arity, span, std::string_view(info.name),
                               static_cast<int>(info.params.size()), static_cast<int>(signature.params.size()));
        else if (info.core && !info.core->operands.empty())
            check_core_signature(info, signature, span, diagnostics);
        else if (!info.core)
            check_element_signature(info, signature, span, diagnostics);
    }
    if (info.params.empty() || function.def->args->vararg || !function.def->args->kwonlyargs.empty())
        diagnostics.report(diag::array_function_params, info.span, std::string_view(info.name));
    return info;
}

Instance& adapted(Specializer& specializer, const FunctionInfo& info, const Instance& function,
                  const std::vector<Type>& elements, Type result) {
    const Span span = function.function.span;
    ir::Function made;
    made.name = info.name;
    made.span = span;
    made.result = result;
    made.docstring = function.function.docstring;
    ir::Call call{function.id, {}};
    std::string key = fmt::format("elements of {}", static_cast<uint32_t>(function.id));
    for (size_t i = 0; i < elements.size(); ++i) {
        const std::string& name = function.function.local(function.function.params[i]).name;
        const ir::LocalId local = ir::add_parameter(made, name, elements[i], span);
        call.args.push_back(ir::convert(ir::local(made, local, span), function.params[i].type));
        key += " " + elements[i].code();
    }
    ir::ExprPtr value = ir::make(function.result, span, std::move(call));
    if (function.declared && function.declared != function.result)
        value = ir::convert(std::move(value), function.declared);
    made.body.push_back({span, ir::Return{ir::convert(std::move(value), result)}});
    return specializer.made(key + " " + result.code(), info, std::move(made), {{function.id, span}});
}

namespace {

// Reductions and accumulations go on with what the function gave.
bool check_fold(const FunctionInfo& info, const Request& request, Type result, Diagnostics& diagnostics) {
    const auto folds = [](ir::ElementAccess access) {
        return access == ir::ElementAccess::fold || access == ir::ElementAccess::scan;
    };
    const std::vector<Type>& params = request.signature.params;
    if (std::ranges::none_of(request.accesses, folds)) return true;
    if (params.size() == 2 && params[0] == result && params[1] == result) return true;
    std::string types;
    for (const Type type : params) types += (types.empty() ? "" : ", ") + type.name();
    diagnostics.report(diag::array_function_fold, info.def->name_span, std::string_view(info.name),
                       std::string_view(types), result.name());
    return false;
}

}  // namespace

bool add_array_entry(Specializer& specializer, const FunctionInfo& info, const Request& request,
                     std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    if (info.array == ArrayKind::stencil) return add_stencil(specializer, info, request, roots, diagnostics);
    if (info.array == ArrayKind::gufunc) {
        Diagnostics reported;
        return add_core_entry(specializer, info, array_function(info, reported), request, roots, diagnostics);
    }
    const std::vector<Type>& params = request.signature.params;
    Instance& function = specializer.instance(info, {params.begin(), params.end()}, InstanceKind::device);
    roots.push_back(function.id);
    specializer.tell_as_function(function.id);
    if (function.failed) return true;  // reported when the module is closed
    const Type declared = request.signature.result ? request.signature.result : function.result;
    if (!function.result.is_element() || !declared.is_element()) {
        diagnostics.report(diag::array_function_result, info.def->name_span, std::string_view(info.name),
                           function.result.name());
        return false;
    }
    if (!conversion(function.result, declared)) {
        diagnostics.report(diag::cannot_convert, info.def->name_span, function.result.name(), declared.name());
        return false;
    }
    if (!check_fold(info, request, declared, diagnostics)) return false;
    std::vector<Type> elements = request.elements.empty() ? params : request.elements;
    const Type result = elements.size() > params.size() ? elements.back() : declared;
    if (!can_keep(declared, result)) {
        diagnostics.report(diag::array_function_output, info.def->name_span, std::string_view(info.name),
                           declared.name(), result.name());
        return false;
    }
    elements.resize(params.size());
    function.declared = declared;
    ir::FunctionId root = function.id;
    if (elements != params || result != function.result || declared != function.result) {
        root = adapted(specializer, info, function, elements, result).id;
        roots.push_back(root);
    }
    specializer.add_array_entry({root, info.name, {}, request.accesses});
    return true;
}

// --- what elements cannot do ----------------------------------------------------------------------------------------
namespace {

void reach(const ir::Module& module, ir::FunctionId id, std::set<ir::FunctionId>& reached) {
    if (!reached.insert(id).second) return;
    ir::for_each_expr_deep(module.function(id).body, [&](const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::Call>()) reach(module, call->callee, reached);
    });
}

}  // namespace

void check_array_functions(const ir::Module& module, Diagnostics& diagnostics) {
    std::set<ir::FunctionId> reached;
    for (const ir::ArrayEntry& entry : module.arrays) {
        reach(module, entry.function, reached);
        if (entry.algorithm && entry.algorithm->transform) reach(module, *entry.algorithm->transform, reached);
    }
    for (const ir::FunctionId id : reached) {
        const ir::Function& function = module.function(id);
        for (const ir::Local& local : function.locals)
            if (local.storage == ir::Storage::shared)
                diagnostics.report(diag::array_function_thread, local.span, "cuda.shared.array");
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            if (call && !is_for_host(*call->builtin) && takes_thread(*call->builtin))
                diagnostics.report(diag::array_function_thread, expr.span, written_name(*call->builtin));
        });
    }
}

}  // namespace pyk
