#include "types/vector.h"

#include <string>
#include <vector>

namespace pyk {
namespace {

constexpr std::string_view kAxes[] = {"x", "y", "z", "w"};

// Of two names the last is the one that is written.
constexpr std::pair<std::string_view, Scalar> kCudaNames[] = {
    {"char", Scalar::int8},        {"short", Scalar::int16},    {"int", Scalar::int32},
    {"long", Scalar::int64},       {"longlong", Scalar::int64}, {"uchar", Scalar::uint8},
    {"ushort", Scalar::uint16},    {"uint", Scalar::uint32},    {"ulong", Scalar::uint64},
    {"ulonglong", Scalar::uint64}, {"float", Scalar::float32},  {"double", Scalar::float64}};

std::optional<Scalar> component_named(std::string_view name) {
    if (name.ends_with('x')) {
        name.remove_suffix(1);
        for (const ScalarInfo& row : all_scalars()) {
            const bool fits = row.kind != ScalarKind::boolean && row.kind != ScalarKind::complex &&
                              (row.kind != ScalarKind::floating || row.bits >= 32);
            if (fits && row.name == name) return row.scalar;
        }
        return std::nullopt;
    }
    for (const auto& [cuda_name, scalar] : kCudaNames)
        if (cuda_name == name) return scalar;
    return std::nullopt;
}

Type with_axes(TupleKind kind, std::string name, Type component, size_t count) {
    return Type::named_tuple(kind, std::move(name), {std::begin(kAxes), std::begin(kAxes) + count},
                             std::vector<Type>(count, component));
}

}  // namespace

std::optional<Type> vector_from_name(std::string_view name) {
    if (name.empty() || name.back() < '1' || name.back() > '4') return std::nullopt;
    const auto component = component_named(name.substr(0, name.size() - 1));
    if (!component) return std::nullopt;
    return with_axes(TupleKind::vector, std::string(info(*component).name) + "x" + name.back(), *component,
                     static_cast<size_t>(name.back() - '0'));
}

std::string_view cuda_component(Scalar component) {
    std::string_view last;
    for (const auto& [cuda_name, scalar] : kCudaNames)
        if (scalar == component) last = cuda_name;
    return last;
}

Type dim3_type() { return with_axes(TupleKind::dim3, "Dim3", Scalar::int32, 3); }

bool is_sequence(Type type) {
    if (!type.is_tuple()) return false;
    const TupleKind kind = type.tuple_kind();
    return kind == TupleKind::plain || kind == TupleKind::named;
}

bool is_structure(Type type) { return type && type.is_tuple() && type.tuple_kind() == TupleKind::structure; }

}  // namespace pyk
