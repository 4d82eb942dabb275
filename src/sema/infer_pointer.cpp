// C's pointers: `p[i]`, and arrays at an address, `carray(p, shape)`.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {

// What a pointer points to, as an array without an end.
Value Inference::pointed(Value pointer) {
    const Type element = pointer.type.element();
    if (!element.is_element()) return error(diag::not_subscriptable, pointer.span, pointer.type.name());
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(pointer.expr));
    return made_by("pyk.pointed", Type::array(element, 1, Layout::C), std::move(args), pointer.effects, pointer.span);
}

// A pointer takes one index, which does not count from an end. False: reported.
bool Inference::takes_as_written(std::vector<ir::Subscript>& subscripts, Span span) {
    auto* index = subscripts.size() == 1 ? std::get_if<ir::Index>(&subscripts[0]) : nullptr;
    if (index)
        index->wraps = false;
    else
        error(diag::pointer_index, span);
    return index != nullptr;
}

Value Inference::special_carray(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    ast::ExprRef exprs[3] = {};
    static constexpr std::string_view kNames[] = {"ptr", "shape", "dtype"};
    if (node.args.size() > 3)
        return error(diag::wrong_argument_count, span, builtin.name, "2 or 3", static_cast<int>(node.args.size()));
    for (size_t i = 0; i < node.args.size(); ++i) exprs[i] = node.args[i];
    for (const ast::Keyword& keyword : node.keywords) {
        const auto* name = std::ranges::find(kNames, keyword.arg);
        if (name == std::end(kNames)) return error(diag::unknown_parameter, keyword.span, builtin.name, keyword.arg);
        exprs[name - std::begin(kNames)] = keyword.value;
    }
    if (!exprs[0] || !exprs[1])
        return error(diag::wrong_argument_count, span, builtin.name, "2 or 3", static_cast<int>(node.args.size()));
    const std::vector<ast::ExprRef> written = {exprs[0], exprs[1]};
    std::vector<Value> values = lower_list(written, out);
    if (values[0].is_unknown() || values[1].is_unknown()) return Value();
    if (!needs_value(values[0], exprs[0]->span) || !needs_value(values[1], exprs[1]->span)) return Value();
    if (!values[0].type.is_pointer()) return error(diag::no_overload, span, builtin.name, values[0].type.name());
    Type element = values[0].type.element();
    if (exprs[2]) {
        const auto dtype = dtype_of(*exprs[2]);
        if (!dtype) return error(diag::not_a_dtype, exprs[2]->span);
        if (!element.is_none() && element != *dtype)
            return error(diag::cannot_convert, exprs[2]->span, values[0].type.name(), Type::pointer(*dtype).name());
        element = *dtype;
    }
    if (!element.is_element()) return error(diag::not_a_dtype, span);
    Effects effects = values[0].effects | values[1].effects;
    std::vector<Value> extents;
    if (values[1].type.is_tuple())
        extents = elements(std::move(values[1]), out);
    else
        extents.push_back(std::move(values[1]));
    if (extents.empty() || extents.size() > 5) return error(diag::shape_not_constant, exprs[1]->span, builtin.name);
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(values[0].expr));
    for (Value& extent : extents) {
        if (!extent.type.is_integer()) return error(diag::index_type, exprs[1]->span, extent.type.name());
        args.push_back(in_type(extent, Scalar::int64));
    }
    const auto ndim = static_cast<int>(extents.size());
    const Layout layout = builtin == "cuda.farray" && ndim > 1 ? Layout::F : Layout::C;
    return made_by(layout == Layout::F ? BuiltinName("cuda.farray") : "cuda.carray", Type::array(element, ndim, layout),
                   std::move(args), effects, span);
}

}  // namespace pyk
