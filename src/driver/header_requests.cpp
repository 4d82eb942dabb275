#include "driver/header_requests.h"

#include <algorithm>

#include "driver/requests.h"
#include "support/large_stack.h"

namespace pyk {
namespace {

Type laid_out(Type type, Layout layout) {
    return type.is_array() ? Type::array(type.element(), type.ndim(), layout) : type;
}

/// An array of any strides of what a stencil gives; nullopt: it is faulty, which its translation says.
std::optional<Type> stencil_output(const Program& program, const Request& request) {
    return on_large_stack([&]() -> std::optional<Type> {
        Diagnostics ignored;
        const auto module = analyze(*program.scope, {request}, ignored, program.typing);
        if (!module || ignored.has_errors()) return std::nullopt;
        const auto kernel = std::ranges::find_if(module->functions, &ir::Function::is_kernel);
        if (kernel == module->functions.end()) return std::nullopt;
        const Type output = kernel->local(kernel->params.back()).type;
        return Type::array(output.element(), output.ndim(), Layout::A);
    });
}

bool is_known(const std::vector<Request>& requests, const Request& wanted) {
    return std::ranges::any_of(requests, [&](const Request& request) {
        return request.kernel == wanted.kernel && request.signature.params == wanted.signature.params;
    });
}

}  // namespace

std::vector<Request> in_all_layouts(const Program& program, std::vector<Request> requests) {
    std::vector<Request> all;
    for (Request& request : requests) {
        const ArrayFunctionInfo* function = find_array_function(program, request.kernel);
        if (!function || (!function->core && !function->is_stencil)) {
            all.push_back(std::move(request));
            continue;
        }
        if (function->is_stencil)
            if (const auto output = stencil_output(program, request)) request.elements = {*output};
        Request dense = request;
        if (function->core) dense.accesses.push_back(ir::ElementAccess::staged);
        for (auto* types : {&dense.signature.params, &dense.elements})
            for (Type& type : *types) type = laid_out(type, Layout::C);
        for (Type& type : request.signature.params)
            if (type.is_array() && type.layout() != Layout::C) type = laid_out(type, Layout::A);
        if (!is_known(all, dense)) all.push_back(std::move(dense));
        if (!is_known(all, request)) all.push_back(std::move(request));
    }
    return all;
}

namespace {

PartsLayout layout_of(const CoreLayout& core, const std::vector<bool>& writable) {
    PartsLayout layout{core.text(), {}, core.operands, core.inputs, writable};
    for (const CoreExtent& extent : core.extents) layout.extents.push_back(extent.name);
    return layout;
}

/// The parameters, then the output.
PartsLayout layout_of(const ArrayFunctionInfo& stencil, const Signature& signature) {
    PartsLayout layout;
    layout.inputs = stencil.params.size();
    for (size_t i = 0; i < stencil.params.size(); ++i) {
        const Type type = signature.params[i];
        const bool is_standard = std::ranges::find(stencil.standard, stencil.params[i]) != stencil.standard.end();
        std::vector<size_t>& axes = layout.operands.emplace_back();
        for (int axis = 0; type.is_array() && !is_standard && axis < type.ndim(); ++axis)
            axes.push_back(static_cast<size_t>(axis));
    }
    layout.operands.emplace_back();
    return layout;
}

}  // namespace

std::map<std::string, PartsLayout> array_layouts(const Program& program, const std::vector<Request>& requests) {
    std::map<std::string, PartsLayout> layouts;
    for (const Request& request : requests) {
        const ArrayFunctionInfo* function = find_array_function(program, request.kernel);
        if (function && function->core) layouts.emplace(request.kernel, layout_of(*function->core, function->writable));
        if (function && function->is_stencil) layouts.emplace(request.kernel, layout_of(*function, request.signature));
    }
    return layouts;
}

}  // namespace pyk
