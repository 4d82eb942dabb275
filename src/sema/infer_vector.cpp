// CUDA's vector types, and `cuda.threadIdx` and its like as values.
#include "sema/infer.h"
#include "types/fp8.h"

namespace pyk {

// `cuda.float4(v, 1, w.x)`: scalars and vectors of the same component type, in order; float32 from packs of 8-bit
// floats.
Value Inference::call_vector(Type type, const ast::Call& node, Span span, ir::Block& out) {
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, type.name());
    std::vector<Value> args = lower_list(node.args, out), parts;
    std::string given;
    bool fits = true;
    const Type component = type.elements()[0];
    for (Value& arg : args) {
        if (arg.is_unknown() || !needs_value(arg, arg.span)) return Value();
        given += (given.empty() ? "" : ", ") + arg.type.name();
        if (arg.type.is_vector()) {
            fits &= arg.type.elements()[0] == component;
            for (Value& part : elements(std::move(arg), out)) parts.push_back(std::move(part));
        } else if (fp8_count(arg.type) > 1) {
            fits &= component.is(Scalar::float32);
            for (Value& part : unpacked_fp8(std::move(arg), out)) parts.push_back(std::move(part));
        } else {
            fits &= conversion(arg.type, component).has_value();
            parts.push_back(std::move(arg));
        }
    }
    if (!fits || parts.size() != type.size())
        return error(diag::no_overload, span, std::string_view(type.name()), std::string_view(given));
    for (Value& part : parts) part = converted(std::move(part), component, part.span);
    Value whole = make_tuple(std::move(parts), span);
    if (!whole.expr) return Value();
    whole.type = whole.expr->type = type;
    whole.constant.reset();
    whole.is_literal = false;
    whole.weak_items.clear();
    return whole;
}

// Whether an entity is `cuda.threadIdx`, `blockIdx`, `blockDim` or `gridDim`.
bool Inference::is_dim3(const Rare<Entity>& entity) {
    const Path* path = entity ? std::get_if<Path>(&*entity) : nullptr;
    return path && (path->name == "cuda.threadIdx" || path->name == "cuda.blockIdx" || path->name == "cuda.blockDim" ||
                    path->name == "cuda.gridDim");
}

Value Inference::dim3_of(const Entity& entity, Span span) {
    std::vector<Value> axes;
    for (const char axis : {'x', 'y', 'z'})
        axes.push_back(resolved(*find_builtin(fmt::format("{}.{}", std::get<Path>(entity).name, axis)), {}, span));
    Value value = make_tuple(std::move(axes), span);
    value.type = value.expr->type = dim3_type();
    return value;
}

// A name such as `cuda.threadIdx`, or one of an object of the module, stands for its parts as long as it can; where a
// value is needed it is one of Dim3, or a struct.
void Inference::materialize(Value& value) {
    if (!value.is_runtime() && is_dim3(value.entity)) value = dim3_of(*value.entity, value.span);
    as_structure(value);
}

}  // namespace pyk
