#include "sema/sema.h"

#include "sema/own_memory.h"
#include "sema/parallel.h"
#include "sema/readonly.h"

#include <algorithm>
#include <map>

#include "ir/walk.h"
#include "module/free_names.h"
#include "module/meant.h"
#include "module/scope_shared.h"
#include "sema/algorithms.h"
#include "sema/array_functions.h"
#include "sema/host_call.h"
#include "sema/specialize.h"
#include "sema/typing.h"

namespace pyk {
namespace {

// Signatures from annotations, when every parameter has one that is a type.
// `unclear`: where some parameters have annotations, the first that has none, or one that is no type.
std::vector<Signature> annotated_signature(const ModuleScope& scope, const ast::FunctionDef& def,
                                           std::optional<Note>& unclear) {
    Signature signature;
    bool has_some = false;
    for (const auto* list : {&def.args->posonlyargs, &def.args->args})
        for (const ast::Arg& arg : *list) {
            has_some |= arg.annotation != nullptr;
            const auto type = arg.annotation ? evaluate_type(scope, *arg.annotation) : std::nullopt;
            if (type)
                signature.params.push_back(*type);
            else if (!unclear && !arg.annotation)
                unclear = Note{arg.span, fmt::format("`{}` has no annotation", arg.arg)};
            else if (const std::string missing = unclear ? "" : missing_name(scope, *arg.annotation); !missing.empty())
                unclear = Note{arg.annotation->span, fmt::format("`{}` is not defined", missing)};
            else if (!unclear)
                unclear = Note{arg.annotation->span,
                               fmt::format("`{}` is no type of kernels: arrays are `float32[:]`, numbers `float32`",
                                           arg.annotation->span.text())};
        }
    if (!has_some) unclear.reset();
    if (unclear || signature.params.empty()) return {};
    return {signature};
}

}  // namespace

std::string KernelInfo::count() const {
    return has_rest() ? fmt::format("{} or more", params.size() - 1) : std::to_string(params.size());
}

void KernelInfo::spread_rest(Signature& signature) const {
    if (!has_rest() || signature.params.size() != params.size() || !signature.params.back().is_tuple()) return;
    const Type rest = signature.params.back();
    signature.params.pop_back();
    signature.params.insert(signature.params.end(), rest.elements().begin(), rest.elements().end());
}

namespace {

bool returns_value(const ast::Block& body) {
    bool found = false;
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        const auto* node = stmt.as<ast::Return>();
        const auto* literal = node && node->value ? node->value->as<ast::Constant>() : nullptr;
        found = found || (node && node->value && !(literal && std::holds_alternative<ast::NoneValue>(literal->value)));
    });
    return found;
}

// Numba compiles what `@cuda.jit` decorates for what calls it: as a device function where another function does.
bool is_called_for_value(const ast::Module& module, const FunctionInfo& info) {
    if (!returns_value(info.def->body)) return false;
    bool found = false;
    for_each_expression(module.body, [&](const ast::Expr& expr) {
        for_each_call(expr, [&](const ast::Call& call) {
            const auto* callee = call.func->as<ast::Name>();
            found = found || (callee && callee->id == info.def->name);
        });
    });
    return found;
}

std::vector<KernelInfo> kernels_of(const ModuleScope& scope, Diagnostics& diagnostics) {
    std::vector<KernelInfo> kernels;
    std::vector<std::pair<Span, std::string>> with_results;
    for (const FunctionInfo* info : scope.kernels()) {
        if (is_called_for_value(scope.file(), *info)) continue;
        KernelInfo kernel;
        kernel.name = info->name;
        for (const std::string_view name : scope.names_to_define(*info)) kernel.open_names.emplace_back(name);
        kernel.way_out = scope.way_to_define(*info);
        Diagnostics ignored;
        Diagnostics& findings = kernel.open_names.empty() ? diagnostics : ignored;
        kernel.span = info->def->name_span;
        for (const auto* list : {&info->def->args->posonlyargs, &info->def->args->args})
            for (const ast::Arg& arg : *list) kernel.params.emplace_back(arg.arg);
        const ast::Arg* rest = info->def->args->vararg;
        if (rest) kernel.params.push_back(fmt::format("*{}", rest->arg));
        if (info->signatures)
            kernel.signatures = signatures_of(*info, findings);
        else if (!rest)
            kernel.signatures = annotated_signature(*info->scope, *info->def, kernel.unclear);
        for (Signature& signature : kernel.signatures) kernel.spread_rest(signature);
        kernel.is_annotated = !info->signatures;
        for (const Signature& signature : kernel.signatures)
            if (!kernel.takes(signature.params.size()))
                findings.report(diag::signature_arity, info->signatures ? info->signatures->span : kernel.span,
                                std::string_view(kernel.name), kernel.count(),
                                static_cast<int>(signature.params.size()));
        // `@cuda.jit("float32(float32)")` is a device function without device=True: it has a result.
        const auto has_result = [](const Signature& s) { return s.result && !s.result.is_none(); };
        if (!kernel.signatures.empty() && std::ranges::all_of(kernel.signatures, has_result))
            with_results.push_back({info->signatures->span, kernel.signatures.front().result.signature()});
        else
            kernels.push_back(std::move(kernel));
    }
    // Where there is no other, it was meant as the kernel.
    if (kernels.empty())
        for (const auto& [span, result] : with_results) diagnostics.report(diag::signature_result, span, result);
    for (const ModuleScope::Replaced& kernel : scope.replaced_kernels()) {
        diagnostics.report(diag::defined_again, kernel.span, kernel.name);
        diagnostics.note(kernel.launch, "it is launched here");
        diagnostics.note(kernel.by, fmt::format("`{}` is this one then; give it a name of its own", kernel.name));
    }
    for (const FunctionInfo* function : scope.with_lost_decorators())
        diagnostics.report(diag::decorator_lost, function->lost_decorator->span, std::string_view(function->name));
    for (const ModuleScope::Misspelt& decorator : scope.misspelt_decorators())
        diagnostics.report(diag::unknown_decorator, decorator.span, std::string_view(decorator.path),
                           std::string_view(decorator.near));
    check_names(scope.file(), scope, diagnostics);
    return kernels;
}

/// Of the last parameters; null: a keyword-only one without.
std::vector<ast::ExprRef> written_defaults(const ast::Arguments& args) {
    std::vector<ast::ExprRef> written(args.defaults.begin(), args.defaults.end());
    written.insert(written.end(), args.kw_defaults.begin(), args.kw_defaults.end());
    return written;
}

// Those behind the last parameter without one; Numba's signatures are of all parameters.
std::vector<KernelInfo::Default> defaults_of(const FunctionInfo& info) {
    std::vector<KernelInfo::Default> values;
    const ast::Arguments& args = *info.def->args;
    if (info.signatures || args.vararg) return values;
    const ModuleScope::Then then(*info.scope, info.at);
    const std::vector<ast::ExprRef> written = written_defaults(args);
    for (size_t i = written.size(); i-- > 0 && written[i];) {
        const auto known = info.scope->evaluate(*written[i]);
        if (!known) break;
        const Const value = to_const(*known).value_or(Const{});
        const bool is_real = is_number(value) && !type_of(value).is_complex();
        const bool is_none = value.as<Const::None>() != nullptr && to_const(*known);
        values.insert(values.begin(), {is_real && !is_none ? std::optional(to_scalar(value)) : std::nullopt, is_none});
    }
    return values;
}

std::vector<KernelInfo> host_functions_of(const ModuleScope& scope, Diagnostics& diagnostics) {
    std::vector<KernelInfo> functions;
    for (const FunctionInfo* info : scope.host_functions()) {
        KernelInfo function;
        function.name = info->name;
        function.span = info->def->name_span;
        const ast::Arg* rest = info->def->args->vararg;
        for_each_parameter(*info->def->args, [&](const ast::Arg& arg) {
            function.params.push_back(fmt::format("{}{}", &arg == rest ? "*" : "", arg.arg));
        });
        function.defaults = defaults_of(*info);
        // A signature that means nothing here is one of a function that only kernels call.
        Diagnostics ignored;
        if (info->signatures) function.signatures = signatures_of(*info, ignored);
        for (Signature& signature : function.signatures) function.spread_rest(signature);
        for (const Signature& signature : function.signatures)
            if (!function.takes(signature.params.size()))
                diagnostics.report(diag::signature_arity, info->signatures->span, std::string_view(function.name),
                                   function.count(), static_cast<int>(signature.params.size()));
        functions.push_back(std::move(function));
    }
    return functions;
}

bool is_written(const ast::Expr& signatures) {
    const auto* list = signatures.as<ast::ListExpr>();
    return list ? std::ranges::all_of(list->elts, [](const ast::Expr* one) { return is_written(*one); })
                : signatures.as<ast::Constant>() != nullptr;
}

// Functions for kernels to call: their signatures where they are written out (others are known where they are called),
// and the two values of a reduction.
void check_operators(const ModuleScope& scope, Diagnostics& diagnostics) {
    for (const FunctionInfo* info : scope.operators()) {
        const ast::Arguments& args = *info->def->args;
        const auto count = args.posonlyargs.size() + args.args.size();
        if (info->array == ArrayKind::reduction && !args.vararg && count != 2)
            diagnostics.report(diag::reduction_params, info->def->name_span, std::string_view(info->name),
                               static_cast<int>(count), std::string_view(info->name));
        if (info->array != ArrayKind::none || info->is_for_host || !info->signatures || !is_written(*info->signatures))
            continue;
        for (const Signature& signature : signatures_of(*info, diagnostics))
            if (signature.params.size() != count && !args.vararg)
                diagnostics.report(diag::signature_arity, info->signatures->span, std::string_view(info->name),
                                   static_cast<int>(count), static_cast<int>(signature.params.size()));
    }
}

}  // namespace

Callables find_callables(const ModuleScope& scope, Diagnostics& diagnostics) {
    Callables found;
    found.kernels = kernels_of(scope, diagnostics);
    found.array_functions = array_functions_of(scope, !found.kernels.empty(), diagnostics);
    found.operators = operators_of(scope);
    check_operators(scope, diagnostics);
    found.host_functions = host_functions_of(scope, diagnostics);
    return found;
}

namespace {

std::vector<Parameter> parameters_of(const FunctionInfo& kernel, const Request& request) {
    std::vector<Parameter> params(request.signature.params.begin(), request.signature.params.end());
    const ast::Arguments& args = *kernel.def->args;
    for (const auto& [index, value] : request.constants) {
        size_t at = index;
        for (const auto* list : {&args.posonlyargs, &args.args, &args.kwonlyargs}) {
            if (at < list->size()) {
                const ast::Arg& arg = (*list)[at];
                params[index] = defined(std::string(arg.arg), value);
                break;
            }
            at -= list->size();
        }
    }
    const std::vector<ast::ExprRef> written = written_defaults(args);
    const ModuleScope::Then then(*kernel.scope, kernel.at);
    for (const size_t index : request.defaulted)
        params[index] = kernel.scope->evaluate(*written[written.size() - (params.size() - index)]).value();
    return params;
}

/// Whether Numba's CPU compiler compiles it, wherever it runs here.
bool is_for_numba_cpu(const FunctionInfo& info, const Request& request) {
    if (request.accesses.empty()) return request.cpu_only;
    Diagnostics reported;
    return info.array == ArrayKind::stencil || array_function(info, reported).target != ArrayTarget::cuda;
}

/// As in Numba, whose array functions raise on the CPU and do not on GPUs.
void tell_errors(ir::Module& module) {
    for (ir::Function& function : module.functions)
        ir::for_each_stmt(function.body,
                          [&](const ir::Stmt& stmt) { function.debug |= stmt.as<ir::Raise>() != nullptr; });
}

void add_export(Specializer& specializer, const FunctionInfo& info, const Request& request,
                std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    const ModuleScope::Compiling compiling(info);
    Instance& instance = specializer.instance(info, parameters_of(info, request), InstanceKind::device);
    const Type wanted = request.signature.result;
    if (!instance.failed && wanted && wanted != instance.result)
        diagnostics.report(diag::bad_signature, request.span,
                           fmt::format("`{}` gives {}", request.kernel, instance.result.name()));
    instance.function.is_exported = true;
    if (std::ranges::find(roots, instance.id) == roots.end()) roots.push_back(instance.id);
}

InstanceKind kind_of(const Signature& signature) {
    if (signature.index32) return InstanceKind::index32_kernel;
    return signature.noalias ? InstanceKind::noalias_kernel : InstanceKind::kernel;
}

enum class RequestKind : uint8_t { kernel, array_function, host_call, device_function };

RequestKind kind_of(const Request& request) {
    if (!request.accesses.empty()) return RequestKind::array_function;
    if (request.is_host_call()) return RequestKind::host_call;
    return request.is_export ? RequestKind::device_function : RequestKind::kernel;
}

/// The functions of a file, by the kind of request that may name them.
using Requestable = std::map<RequestKind, std::vector<const FunctionInfo*>>;

Requestable requestable(const ModuleScope& scope, const std::vector<Request>& requests) {
    Requestable known{{RequestKind::kernel, scope.kernels()},
                      {RequestKind::array_function, scope.array_functions()},
                      {RequestKind::host_call, scope.host_functions()}};
    if (std::ranges::any_of(requests, &Request::is_export)) known[RequestKind::device_function] = scope.operators();
    return known;
}

/// Null: the file has none, reported.
const FunctionInfo* info_for(const Requestable& known, const Request& request, Diagnostics& diagnostics) {
    const std::vector<const FunctionInfo*>& functions = known.at(kind_of(request));
    const auto found = std::ranges::find(functions, request.kernel, &FunctionInfo::name);
    if (found != functions.end()) return *found;
    diagnostics.report(diag::unknown_kernel, request.span, std::string_view(request.kernel));
    return nullptr;
}

/// Whether the function has so many parameters, and of such types; reports.
bool check_request(const FunctionInfo& info, const Request& request, Diagnostics& diagnostics) {
    const ast::Arguments& args = *info.def->args;
    const Span span = request.span ? request.span : info.def->name_span;
    const size_t params = args.posonlyargs.size() + args.args.size() + args.kwonlyargs.size();
    const size_t given = request.signature.params.size();
    const bool has_rest = args.vararg && kind_of(request) != RequestKind::array_function;
    if (has_rest ? given < params : given != params)
        diagnostics.report(diag::signature_arity, span, std::string_view(request.kernel), static_cast<int>(params),
                           static_cast<int>(given));
    else if (std::ranges::any_of(request.signature.params, &Type::is_optional))
        diagnostics.report(diag::bad_signature, span,
                           std::string_view("a kernel takes nothing optional; None itself is an argument"));
    else
        return true;
    return false;
}

void add_kernel(Specializer& specializer, const FunctionInfo& info, const Request& request,
                std::vector<ir::FunctionId>& roots) {
    const ir::FunctionId id = specializer.instance(info, parameters_of(info, request), kind_of(request.signature)).id;
    if (std::ranges::find(roots, id) == roots.end()) roots.push_back(id);
}

void add_request(Specializer& specializer, const FunctionInfo& info, const Request& request,
                 std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    switch (kind_of(request)) {
        case RequestKind::kernel:
            add_kernel(specializer, info, request, roots);
            break;
        case RequestKind::array_function:
            add_array_entry(specializer, info, request, roots, diagnostics);
            break;
        case RequestKind::host_call:
            add_host_call(specializer, info, parameters_of(info, request), request.signature.result, roots,
                          diagnostics);
            break;
        case RequestKind::device_function:
            add_export(specializer, info, request, roots, diagnostics);
            break;
    }
}

}  // namespace

std::optional<ir::Module> analyze(const ModuleScope& scope, const std::vector<Request>& requests,
                                  Diagnostics& diagnostics, Typing typing) {
    const Requestable known = requestable(scope, requests);
    const std::string& path = scope.file().source->name();
    Specializer specializer(path.substr(path.find_last_of('/') + 1),
                            typing_in_comment(scope.file(), diagnostics).value_or(typing));
    std::vector<ir::FunctionId> roots;
    bool tells_errors = false;
    if (std::ranges::all_of(requests, &Request::cpu_only)) specializer.allow_allocation();
    for (const Request& request : requests) {
        if (request.algorithm) {
            specializer.use_cpu_types(false);
            add_algorithm_entry(specializer, scope, request, roots, diagnostics);
            continue;
        }
        const FunctionInfo* info = info_for(known, request, diagnostics);
        if (!info || !check_request(*info, request, diagnostics)) continue;
        const bool is_for_cpu = is_for_numba_cpu(*info, request);
        specializer.use_cpu_types(is_for_cpu);
        tells_errors |= is_for_cpu && request.cpu_only && kind_of(request) == RequestKind::array_function;
        add_request(specializer, *info, request, roots, diagnostics);
    }
    std::optional<ir::Module> closed = specializer.close(roots, diagnostics);
    if (!diagnostics.all().empty())
        for (const ir::NamedType& named : scope.named_types()) diagnostics.rename(named.type.name(), named.name);
    if (!closed) return std::nullopt;
    closed->types = scope.named_types();
    if (tells_errors) tell_errors(*closed);
    if (!diagnostics.has_errors()) check_readonly(*closed, diagnostics);
    if (!diagnostics.has_errors()) check_own_memory(*closed, diagnostics);
    check_array_functions(*closed, diagnostics);
    settle_parallel_loops(*closed, std::ranges::any_of(requests, &Request::is_host_call), diagnostics);
    return diagnostics.has_errors() ? std::nullopt : std::move(closed);
}

}  // namespace pyk
