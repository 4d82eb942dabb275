#include "types/numba_names.h"

#include <algorithm>
#include <utility>

namespace pyk {

std::optional<Scalar> scalar_from_numba(std::string_view name) {
    static constexpr std::pair<std::string_view, Scalar> kOwn[] = {
        {"byte", Scalar::uint8},    {"size_t", Scalar::uint64}, {"ssize_t", Scalar::int64},
        {"np_long", Scalar::int64}, {"py_int", Scalar::int64},  {"np_float_", Scalar::float32}};
    const auto* own = std::ranges::find(kOwn, name, &std::pair<std::string_view, Scalar>::first);
    if (own != std::end(kOwn)) return own->second;
    for (const std::string_view prefix : {"np_", "py_", "c_"})
        if (name.starts_with(prefix)) return scalar_from_name(name.substr(prefix.size()));
    return scalar_from_name(name);
}

}  // namespace pyk
