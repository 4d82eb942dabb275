#include "sema/sema.h"

#include <algorithm>

#include "sema/specialize.h"
#include "sema/typing.h"

namespace pyk {
namespace {

// Signatures from annotations, when every parameter has one that is a type.
std::vector<Signature> annotated_signature(const ModuleScope& scope, const ast::FunctionDef& def) {
    Signature signature;
    for (const auto* list : {&def.args->posonlyargs, &def.args->args})
        for (const ast::Arg& arg : *list) {
            const auto type = arg.annotation ? evaluate_type(scope, *arg.annotation) : std::nullopt;
            if (!type) return {};
            signature.params.push_back(*type);
        }
    if (signature.params.empty()) return {};
    return {signature};
}

}  // namespace

std::vector<KernelInfo> find_kernels(const ast::Module& module, const Defines& defines, Diagnostics& diagnostics) {
    const ModuleScope scope(module, defines);
    std::vector<KernelInfo> kernels;
    for (const FunctionInfo* info : scope.functions()) {
        if (info->kind != FunctionKind::kernel) continue;
        KernelInfo kernel;
        kernel.name = std::string(info->def->name);
        kernel.span = info->def->name_span;
        for (const auto* list : {&info->def->args->posonlyargs, &info->def->args->args})
            for (const ast::Arg& arg : *list) kernel.params.emplace_back(arg.arg);
        kernel.signatures = info->signatures ? evaluate_signatures(scope, *info->signatures, diagnostics)
                                             : annotated_signature(scope, *info->def);
        for (const Signature& signature : kernel.signatures)
            if (signature.params.size() != kernel.params.size())
                diagnostics.report(diag::signature_arity, info->signatures ? info->signatures->span : kernel.span,
                                   std::string_view(kernel.name), static_cast<int>(kernel.params.size()),
                                   static_cast<int>(signature.params.size()));
        // `@cuda.jit("float32(float32)")` is a device function without device=True: it has a result.
        const auto has_result = [](const Signature& s) { return s.result && !s.result.is_none(); };
        if (!kernel.signatures.empty() && std::ranges::all_of(kernel.signatures, has_result)) continue;
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

TypeNames type_names(const ast::Module& module, const Defines& defines) {
    return names_of(std::make_shared<ModuleScope>(module, defines));
}

std::optional<ir::Module> analyze(const ast::Module& module, const std::vector<Request>& requests,
                                  const Defines& defines, Diagnostics& diagnostics, Typing typing) {
    const ModuleScope scope(module, defines);
    const std::string& path = module.source->name();
    Specializer specializer(scope, path.substr(path.find_last_of('/') + 1),
                            typing_in_comment(module, diagnostics).value_or(typing));
    std::vector<ir::FunctionId> kernels;
    for (const Request& request : requests) {
        const FunctionInfo* info = scope.function(request.kernel);
        if (!info || info->kind != FunctionKind::kernel) {
            diagnostics.report(diag::unknown_kernel, request.span, std::string_view(request.kernel));
            continue;
        }
        const size_t params =
            info->def->args->posonlyargs.size() + info->def->args->args.size() + info->def->args->kwonlyargs.size();
        if (params != request.signature.params.size()) {
            diagnostics.report(diag::signature_arity, request.span ? request.span : info->def->name_span,
                               std::string_view(request.kernel), static_cast<int>(params),
                               static_cast<int>(request.signature.params.size()));
            continue;
        }
        const ir::FunctionId id =
            specializer
                .instance(*info, request.signature.params,
                          request.signature.noalias ? InstanceKind::noalias_kernel : InstanceKind::kernel)
                .id;
        if (std::ranges::find(kernels, id) == kernels.end()) kernels.push_back(id);
    }
    return specializer.close(kernels, diagnostics);
}

}  // namespace pyk
