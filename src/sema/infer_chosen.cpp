// Elements that arrays choose: `a[mask]`, `a[indices]`, `a[:, indices]`, `a[rows, columns]`. A function of the library
// gathers or scatters them, along the first axis that is chosen from.
#include <fmt/format.h>

#include <algorithm>

#include "sema/infer.h"

namespace pyk {

// Whether a subscript is an array of indices or of truth values.
bool Inference::chooses(const Value& subscript) {
    return subscript.is_runtime() && subscript.type.is_array() && subscript.type.ndim() > 0 &&
           (subscript.type.element().is_integer() || subscript.type.element().is_boolean());
}

// The one for these subscripts; empty: reported.
std::string Inference::choosing_function(std::string_view verb, const Value& part,
                                         const std::vector<std::pair<size_t, Value>>& by, Span span) {
    const bool is_mask = by[0].second.type.element().is_boolean();
    const auto is_list = [](const auto& one) {
        return one.second.type.ndim() == 1 && !one.second.type.element().is_boolean();
    };
    if (by.size() == 1 && is_mask && by[0].second.type.ndim() == 1) return fmt::format("pyk_{}_masked", verb);
    if (by.size() == 1 && is_mask && by[0].second.type.ndim() == part.type.ndim())
        return fmt::format("pyk_{}_masked_all", verb);
    if (by.size() == 1 && !is_mask) return fmt::format("pyk_{}_at", verb);
    if (by.size() == 2 && std::ranges::all_of(by, is_list) && by[0].first == 0 && by[1].first == 1)
        return fmt::format("pyk_{}_at_pairs", verb);
    error(diag::unsupported_syntax, span, "these arrays as subscripts",
          "one array of truth values for an axis or for all axes, or one of indices for an axis, or two for the "
          "first two axes; or write loops");
    return {};
}

// The array, of one subscript its axis, the subscripts.
std::vector<Value> Inference::choosing_args(Value part, std::vector<std::pair<size_t, Value>> by, Span span) {
    std::vector<Value> args;
    args.push_back(std::move(part));
    if (by.size() == 1) args.push_back(of_const(Const{Const::Int(static_cast<int64_t>(by[0].first)), {}}, span));
    for (auto& one : by) args.push_back(std::move(one.second));
    return args;
}

Value Inference::chosen(Value part, std::vector<std::pair<size_t, Value>> by, Span span, ir::Block& out) {
    if (part.is_unknown()) return Value();
    if (!specializer_.can_allocate())
        return error(diag::new_array_in_kernel, span, span.text(), "write a loop over the elements");
    const std::string function = choosing_function("take", part, by, span);
    if (function.empty()) return Value();
    std::vector<Value> args = choosing_args(std::move(part), std::move(by), span);
    return kept_result(call_instance(library_function(function), std::move(args), span), out);
}

void Inference::store_chosen(Value part, std::vector<std::pair<size_t, Value>> by, Value value, Span span,
                             ir::Block& out) {
    if (part.is_unknown() || value.is_unknown() || !needs_value(value, value.span)) return;
    const std::string function = choosing_function("put", part, by, span);
    if (function.empty()) return;
    std::vector<Value> args = choosing_args(std::move(part), std::move(by), span);
    args.push_back(std::move(value));
    fill_by(function, std::move(args), span, out);
}

}  // namespace pyk
