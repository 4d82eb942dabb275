#include "sema/host_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"

namespace pyk {
namespace {

ir::LocalId add_parameter(ir::Function& function, std::string name, Type type, Span span) {
    const ir::LocalId id =
        ir::add_local(function, ir::Local{std::move(name), type, ir::Storage::parameter, span, false, {}, 0});
    function.params.push_back(id);
    return id;
}

/// `declared`: what the signature says; of another type the value is converted, as Numba does.
void add_result(ir::Function& function, size_t number, ir::ExprPtr value, Type declared, Span span) {
    if (declared && declared.is_scalar()) value = ir::convert(std::move(value), declared);
    const Type type = value->type;
    const ir::LocalId out =
        add_parameter(function, fmt::format("result{}", number), Type::array(type, 1, Layout::C), span);
    ir::Store store{ir::local(function, out, span), {}, std::move(value)};
    store.indices.push_back({ir::integer(0, Scalar::int64, span), false});
    function.body.push_back({span, std::move(store)});
}

}  // namespace

void add_host_call(Specializer& specializer, const FunctionInfo& info, std::vector<Parameter> params, Type declared,
                   std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    Instance& function = specializer.instance(info, std::move(params), InstanceKind::device);
    roots.push_back(function.id);
    if (function.failed) return;  // reported when the module is closed
    const Type result = function.result;
    const bool is_tuple = result.is_tuple() && !result.is_optional();
    const bool fits = result.is_none() || result.is_scalar() ||
                      (is_tuple && std::ranges::all_of(result.elements(), &Type::is_scalar));
    if (!fits) {
        diagnostics.report(diag::host_result, info.def->name_span, std::string_view(info.name), result.name());
        return;
    }
    const Span span = function.function.span;
    ir::Function kernel;
    kernel.name = info.name + "_call";
    kernel.is_kernel = true;
    kernel.result = Type::none();
    kernel.options = function.function.options;
    kernel.span = span;
    ir::Call call{function.id, {}};
    for (const ir::LocalId theirs : function.function.params) {
        const ir::Local& local = function.function.local(theirs);
        call.args.push_back(ir::local(kernel, add_parameter(kernel, local.name, local.type, span), span));
    }
    ir::ExprPtr value = ir::make(result, span, std::move(call));
    if (result.is_none()) {
        kernel.body.push_back({span, ir::Evaluate{std::move(value)}});
    } else if (!is_tuple) {
        add_result(kernel, 0, std::move(value), declared, span);
    } else {
        const ir::LocalId all =
            ir::add_local(kernel, ir::Local{"results", result, ir::Storage::temporary, span, false, {}, 0});
        kernel.body.push_back({span, ir::Assign{all, std::move(value)}});
        const bool has_types = declared && declared.is_tuple() && declared.size() == result.size();
        for (uint32_t i = 0; i < result.size(); ++i)
            add_result(kernel, i, ir::make(result.elements()[i], span, ir::TupleItem{ir::local(kernel, all, span), i}),
                       has_types ? declared.elements()[i] : Type(), span);
    }
    roots.push_back(specializer
                        .made(fmt::format("call {}", static_cast<uint32_t>(function.id)), info, std::move(kernel),
                              {{function.id, span}})
                        .id);
}

}  // namespace pyk
