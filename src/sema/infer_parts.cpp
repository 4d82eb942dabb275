// `np.split` and `np.array_split` into as many parts as the program asks for when it runs: a number, or an array of the
// places where they begin. Where the number is known, or the places are a tuple, they are functions of the library, and
// give a tuple. Here the parts are a list that only knows the array and how many there are, or where: each is a view,
// made where it is asked for.
#include "sema/infer.h"

namespace pyk {

bool Inference::is_parts(const Value& value) {
    const auto* row = value.entity ? std::get_if<const Builtin*>(&*value.entity) : nullptr;
    return row && **row == "pyk.parts" && value.receiver;
}

// The library's function of the two arguments, unless only the run knows what the second says.
Value Inference::split(const FunctionInfo& function, const CallSite& site) {
    std::vector<Value> args = lower_list(site.node.args, site.out);
    for (const Value& arg : args)
        if (arg.is_unknown()) return Value();
    const bool is_counted = args[1].type.is_integer() && !args[1].constant;
    const bool is_placed = args[1].type.is_array() && args[1].type.ndim() == 1 && args[1].type.element().is_integer();
    if (!args[0].type.is_array() || (!is_counted && !is_placed))
        return call_function(function, nullptr, std::move(args), site.node, site.span);
    args[0] = as_it_is(std::move(args[0]), "whole", site.out);
    std::vector<Value> asked, parts;
    if (is_counted) asked.push_back(duplicate(args[0]));
    asked.push_back(is_counted ? converted(std::move(args[1]), Scalar::int64, site.span) : std::move(args[1]));
    parts.push_back(std::move(args[0]));
    const std::string asking = is_counted ? function.name + "_count" : "split_places";
    parts.push_back(kept_result(call_instance(library_function(asking), std::move(asked), site.span), site.out));
    return bound_to(builtin("pyk.parts"), std::move(parts), site.span, site.out);
}

Value Inference::part_count(const Value& parts) {
    Value count = std::move(parts_of(parts)[1]);
    if (!count.type.is_array()) return count;
    std::vector<Value> places;
    places.push_back(std::move(count));
    return call_instance(library_function("count_of_places"), std::move(places), parts.span);
}

// `parts[i]`.
Value Inference::part_at(const Value& parts, Value index, Span span, ir::Block& out) {
    if (index.is_unknown() || !needs_value(index, index.span)) return Value();
    if (!index.type.is_integer()) return error(diag::index_type, index.span, index.type.name());
    std::vector<Value> args = parts_of(parts);
    args.push_back(converted(std::move(index), Scalar::int64, span));
    const std::string_view function = args[1].type.is_array() ? "part_between" : "part_at";
    return kept_result(call_instance(library_function(function), std::move(args), span), out);
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
