#include "module/const_gather.h"

#include <algorithm>
#include <cstring>

namespace pyk {
namespace {

/// An extent of arrays that meet, or nullopt where they do not fit.
bool stretch(std::vector<int64_t>& shape, const std::vector<int64_t>& other) {
    if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
    const size_t shift = shape.size() - other.size();
    for (size_t k = 0; k < other.size(); ++k) {
        int64_t& extent = shape[k + shift];
        if (extent == 1) extent = other[k];
        if (other[k] != 1 && other[k] != extent) return false;
    }
    return true;
}

}  // namespace

std::vector<int64_t> steps_of(std::span<const int64_t> shape) {
    std::vector<int64_t> steps(shape.size(), 1);
    for (size_t k = shape.size(); k-- > 1;) steps[k - 1] = steps[k] * shape[k];
    return steps;
}

std::optional<ConstArray> gathered(const ConstArray& array, std::vector<int64_t> shape, const Source& source) {
    const Type element = array.type.element();
    const size_t bytes = element.byte_size();
    auto made = zeros(element, shape);
    if (!made) return std::nullopt;
    std::vector<int64_t> at(shape.size());
    const int64_t most = count(array);
    for (int64_t i = 0, n = count(*made); i < n; ++i) {
        const int64_t from = source(at);
        if (from >= most || from < -1) return std::nullopt;
        if (from >= 0)
            std::memcpy(made->table.bytes.data() + static_cast<size_t>(i) * bytes,
                        array.table.bytes.data() + static_cast<size_t>(from) * bytes, bytes);
        for (size_t k = at.size(); k-- > 0;) {
            if (++at[k] < shape[k]) break;
            at[k] = 0;
        }
    }
    return made;
}

std::optional<ConstArray> places_of(const ConstArray& mask) {
    std::vector<int64_t> places;
    for (int64_t i = 0; i < count(mask); ++i) {
        const auto value = item(mask, i);
        if (!value) return std::nullopt;
        if (truth(*value)) places.push_back(i);
    }
    auto made = zeros(Scalar::int64, {static_cast<int64_t>(places.size())});
    for (size_t i = 0; made && i < places.size(); ++i)
        set_item(*made, static_cast<int64_t>(i), Const{Const::Int(places[i]), {}});
    return made;
}

std::optional<ConstArray> picked(const ConstArray& array, std::vector<AxisPick> picks) {
    const auto& extents = array.table.shape;
    if (picks.size() > extents.size()) return std::nullopt;
    while (picks.size() < extents.size()) picks.push_back({std::nullopt, {0, 1, extents[picks.size()]}});
    // Where the axes of the places stand: where they are named, or in front where slices are between them.
    std::vector<int64_t> together;
    std::vector<size_t> named;
    for (size_t k = 0; k < picks.size(); ++k) {
        if (!picks[k].places) continue;
        named.push_back(k);
        if (!stretch(together, picks[k].places->table.shape)) return std::nullopt;
    }
    const bool are_side_by_side = !named.empty() && named.back() - named.front() + 1 == named.size();
    const size_t front = are_side_by_side ? named.front() : 0;  // so many slices stand before them
    std::vector<int64_t> shape;
    for (const AxisPick& pick : picks)
        if (!pick.places) shape.push_back(pick.slice.count);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(front), together.begin(), together.end());
    const std::vector<int64_t> steps = steps_of(extents);
    return gathered(array, shape, [&](std::span<const int64_t> at) -> int64_t {
        int64_t from = 0;
        size_t slice = 0;
        for (size_t k = 0; k < picks.size(); ++k) {
            int64_t index = 0;
            if (const auto& places = picks[k].places) {
                const auto& own = places->table.shape;
                const std::vector<int64_t> own_steps = steps_of(own);
                int64_t which = 0;
                for (size_t j = 0; j < own.size(); ++j)
                    if (own[j] != 1) which += at[front + together.size() - own.size() + j] * own_steps[j];
                index = to_int(*item(*places, which)).value_or(INT64_MIN);
                if (index < 0) index += extents[k];
                if (index < 0 || index >= extents[k]) return INT64_MAX;
            } else {
                const size_t axis = slice < front ? slice : slice + together.size();
                index = picks[k].slice.first + at[axis] * picks[k].slice.step;
                ++slice;
            }
            from += index * steps[k];
        }
        return from;
    });
}

}  // namespace pyk
