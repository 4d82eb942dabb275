// `np.split` and `np.array_split` into as many parts as the program asks for when it runs. Where the number is known,
// or the places are given, they are functions of the library, and give a tuple. Here the parts are a list that only
// knows the array and how many there are: each is a view, made where it is asked for.
#include "sema/infer.h"

namespace pyk {

bool Inference::is_parts(const Value& value) {
    const auto* row = value.entity ? std::get_if<const Builtin*>(&*value.entity) : nullptr;
    return row && (*row)->name == "pyk.parts" && value.receiver;
}

// The library's function of the two arguments, unless the second is a number that only the run knows.
Value Inference::split(const FunctionInfo& function, const CallSite& site) {
    std::vector<Value> args = lower_list(site.node.args, site.out);
    for (const Value& arg : args)
        if (arg.is_unknown()) return Value();
    const bool is_counted = args[0].type.is_array() && args[1].type.is_integer() && !args[1].constant;
    if (!is_counted) return call_function(function, nullptr, std::move(args), site.node, site.span);
    args[0] = as_it_is(std::move(args[0]), "whole", site.out);
    std::vector<Value> asked, parts;
    asked.push_back(duplicate(args[0]));
    asked.push_back(converted(std::move(args[1]), Scalar::int64, site.span));
    parts.push_back(std::move(args[0]));
    parts.push_back(call_instance(library_function(function.name + "_count"), std::move(asked), site.span));
    return bound_to(*find_builtin("pyk.parts"), std::move(parts), site.span, site.out);
}

Value Inference::part_count(const Value& parts) { return std::move(parts_of(parts)[1]); }

// `parts[i]`.
Value Inference::part_at(const Value& parts, Value index, Span span, ir::Block& out) {
    if (index.is_unknown() || !needs_value(index, index.span)) return Value();
    if (!index.type.is_integer()) return error(diag::index_type, index.span, index.type.name());
    std::vector<Value> args = parts_of(parts);
    args.push_back(converted(std::move(index), Scalar::int64, span));
    return kept_result(call_instance(library_function("part_at"), std::move(args), span), out);
}

Iterable Inference::iterable_parts(const Value& parts, Span span) {
    auto whole = std::make_shared<Value>(duplicate(parts));
    return {part_count(parts).expr, [this, whole, span](ir::ExprPtr counter, ir::Block& out) {
                Value index;
                index.type = Scalar::int64;
                index.span = span;
                index.expr = std::move(counter);
                return part_at(*whole, std::move(index), span, out);
            }};
}

}  // namespace pyk
