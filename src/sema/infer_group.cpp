// Cooperative groups: which threads they are is known before run time, or is a mask of lanes in a local.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

const Group* as_group(const Value& value) { return value.entity ? std::get_if<Group>(&*value.entity) : nullptr; }

Value group_value(Group group, Span span) {
    Value value;
    value.entity = group;
    value.span = span;
    return value;
}

/// Of `cg.plus`, or of a call of it as in C++, `cg.plus()`.
std::optional<std::string_view> operator_name(const Value& value) {
    const auto* row = value.entity ? std::get_if<const Builtin*>(&*value.entity) : nullptr;
    if (!row || (*row)->special != Special::group_operator) return std::nullopt;
    return (*row)->name.substr((*row)->name.rfind('.') + 1);
}

/// What a method of a group gives that is CUDA's dim3: `cuda.threadIdx` of `block.thread_index()`; empty: it is
/// another.
std::string_view axes_of(const Builtin& method) {
    struct Row {
        BuiltinName method;
        std::string_view axes;
    };
    static constexpr Row kAxes[] = {
        {"block_group.dim_threads", "cuda.blockDim"},   {"block_group.group_index", "cuda.blockIdx"},
        {"block_group.thread_index", "cuda.threadIdx"}, {"grid_group.block_index", "cuda.blockIdx"},
        {"grid_group.dim_blocks", "cuda.gridDim"},
    };
    const auto* found = std::ranges::find_if(kAxes, [&](const Row& row) { return method == row.method; });
    return found == std::end(kAxes) ? std::string_view() : found->axes;
}

}  // namespace

// What a group is at run time: the size of a tile, the lanes of threads that came together, nothing else.
Value Inference::group_operand(const Group& group, Span span) {
    if (group.size) return of_const(Const{Const::Int(group.size), {}}, span);
    Value lanes;
    lanes.span = span;
    lanes.type = Scalar::uint32;
    lanes.expr = ir::make(lanes.type, span, ir::LocalRef{static_cast<ir::LocalId>(group.lanes)});
    return lanes;
}

// The tile's place among those of the tile that it is a part of, and how many these are.
Value Inference::place_in_tile(const Group& group, bool is_rank, Span span) {
    if (!is_rank)
        return converted(of_const(Const{Const::Int(group.whole / group.size), {}}, span), Scalar::uint32, span);
    std::vector<Value> whole;
    whole.push_back(of_const(Const{Const::Int(group.whole), {}}, span));
    Value rank = resolved(builtin("tile_group.thread_rank"), std::move(whole), span);
    Value size = of_const(Const{Const::Int(group.size), {}}, span);
    return converted(binary(BinaryOp::FloorDiv, std::move(rank), std::move(size), span), Scalar::uint32, span);
}

Value Inference::group_method(const Group& group, const ast::Attribute& node, Span span) {
    const Builtin* method = find_builtin(fmt::format("{}.{}", group.family, node.attr));
    if (!method || node.attr.starts_with("reduce_"))
        return error(diag::unknown_attribute, node.attr_span, "this group", node.attr);
    Value bound;
    bound.entity = method;
    bound.span = span;
    if (group.whole && node.attr.starts_with("meta_group_")) {
        bound.entity = &builtin("number.item");
        bound.receiver = std::make_shared<const Value>(place_in_tile(group, node.attr == "meta_group_rank", span));
    } else if (group.size || has_lanes(group))
        bound.receiver = std::make_shared<const Value>(group_operand(group, span));
    return bound;
}

Value Inference::special_group(const CallSite& site) {
    const bool is_tile = site.builtin.special == Special::tiled_partition;
    const size_t wanted = is_tile ? 2 : 0;
    if (!site.node.keywords.empty()) return error(diag::no_keywords, site.node.keywords[0].span, site.builtin.name);
    if (site.node.args.size() != wanted)
        return error(diag::wrong_argument_count, site.span, site.builtin.name, is_tile ? "2" : "0",
                     static_cast<int>(site.node.args.size()));
    if (const std::string_view axes = axes_of(site.builtin); !axes.empty()) {
        std::vector<Value> parts;
        for (const char axis : {'x', 'y', 'z'}) {
            Value part = resolved(*find_builtin(fmt::format("{}.{}", axes, axis)), {}, site.span);
            parts.push_back(converted(std::move(part), Scalar::uint32, site.span));
        }
        // A tuple whose items have the names of dim3's.
        Value whole = make_tuple(std::move(parts), site.span);
        whole.type = whole.expr->type =
            Type::named_tuple(TupleKind::named, "Dim3", {"x", "y", "z"}, std::vector<Type>(3, Scalar::uint32));
        return whole;
    }
    if (site.builtin.special == Special::this_grid) return group_value({"grid_group"}, site.span);
    if (site.builtin.special == Special::this_thread_block) return group_value({"block_group"}, site.span);
    if (!is_tile) {
        const Value lanes = spill(resolved(builtin("cuda.activemask"), {}, site.span), "lanes", site.out);
        const auto* local = lanes.expr ? lanes.expr->as<ir::LocalRef>() : nullptr;
        return local ? group_value({"coalesced_group", 0, static_cast<uint32_t>(local->id)}, site.span) : Value();
    }
    const Value whole = lower(*site.node.args[0], site.out), size = lower(*site.node.args[1], site.out);
    const Group* group = as_group(whole);
    if (whole.is_unknown()) return Value();
    const int64_t most = group && group->size ? group->size : 32;
    if (!group || (!group->size && group->family != "block_group"))
        return error(diag::not_a_group, whole.span, site.builtin.name, "the block, or a tile of it");
    const auto n = size.constant ? to_int(*size.constant) : std::nullopt;
    if (!n || *n < 1 || *n > most || (*n & (*n - 1)) != 0) return error(diag::tile_size, site.node.args[1]->span);
    return group_value({"tile_group", static_cast<int>(*n), 0, group->size}, site.span);
}

Value Inference::special_group_operator(const CallSite& site) {
    if (!site.node.args.empty() || !site.node.keywords.empty())
        return error(diag::wrong_argument_count, site.span, site.builtin.name, "0",
                     static_cast<int>(site.node.args.size()));
    Value value;
    value.entity = &site.builtin;
    value.span = site.span;
    return value;
}

// `cg.reduce(group, value, cg.plus)`: the group's own row for the operator.
Value Inference::special_group_reduce(const CallSite& site) {
    if (!site.node.keywords.empty()) return error(diag::no_keywords, site.node.keywords[0].span, site.builtin.name);
    if (site.node.args.size() != 3)
        return error(diag::wrong_argument_count, site.span, site.builtin.name, "3",
                     static_cast<int>(site.node.args.size()));
    std::vector<Value> values = lower_list(site.node.args, site.out);
    for (const Value& value : values)
        if (value.is_unknown()) return Value();
    const Group* group = as_group(values[0]);
    if (!group || group->family == "grid_group" || group->family == "block_group")
        return error(diag::not_a_group, values[0].span, site.builtin.name, "a tile or the threads that came together");
    const auto name = operator_name(values[2]);
    if (!name)
        return error(diag::not_a_group, values[2].span, site.builtin.name,
                     "one of `cg.plus`, `less`, `greater`, `bit_and`, `bit_or`, `bit_xor`");
    std::vector<Value> operands;
    operands.push_back(group_operand(*group, site.span));
    operands.push_back(std::move(values[1]));
    if (!needs_value(operands[1], operands[1].span)) return Value();
    const bool is_of_bits = name->starts_with("bit_");
    if (is_of_bits && !operands[1].type.is_integer() && !operands[1].type.is_boolean())
        return error(diag::no_overload, operands[1].span, site.builtin.name, std::string_view(operands[1].type.name()));
    return resolved(*find_builtin(fmt::format("{}.reduce_{}", group->family, *name)), std::move(operands), site.span);
}

}  // namespace pyk
