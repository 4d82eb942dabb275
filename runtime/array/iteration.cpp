#include "array/iteration.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "memory_range.h"
#include "pyk/access_word.h"
#include "pyk/array_view.h"

namespace pyk::arrays {
namespace {

// Rows shorter than this are no better than single elements.
constexpr long long kShortestRow = 32;

long long stride_of(const Layout& array, std::size_t axis, std::size_t rank) {
    const std::size_t missing = rank - array.shape.size();
    if (axis < missing || array.shape[axis - missing] == 1) return 0;
    return array.strides[axis - missing];
}

// The output decides; where it has no say, the inputs in turn.
bool runs_faster(const Axis& a, const Axis& b) {
    for (std::size_t k = a.strides.size(); k-- > 0;) {
        const long long x = std::llabs(a.strides[k]), y = std::llabs(b.strides[k]);
        if (x != y && x != 0 && y != 0) return x < y;
    }
    return false;
}

bool joins(const Axis& inner, const Axis& outer) {
    for (std::size_t k = 0; k < inner.strides.size(); ++k)
        if (outer.strides[k] != inner.strides[k] * inner.extent) return false;
    return true;
}

void advance(std::vector<char*>& data, const Axis& axis, long long steps) {
    for (std::size_t k = 0; k < data.size(); ++k)
        if (data[k]) data[k] += steps * axis.strides[k];
}

// Backwards over the output is forwards from its other end.
void turn(Axis& axis, std::vector<char*>& data) {
    advance(data, axis, axis.extent - 1);
    for (long long& stride : axis.strides) stride = -stride;
}

}  // namespace

std::string text_of(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? "," : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

Shape dense_strides(const Shape& shape, long long element_bytes) {
    Shape strides(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = element_bytes;
        element_bytes *= shape[i];
    }
    return strides;
}

Result<Shape> broadcast(const std::vector<Layout>& arrays) {
    Shape result;
    for (const Layout& array : arrays) {
        if (array.shape.size() > result.size()) result.insert(result.begin(), array.shape.size() - result.size(), 1);
        for (std::size_t i = 0; i < array.shape.size(); ++i) {
            const long long extent = array.shape[i];
            long long& known = result[result.size() - array.shape.size() + i];
            if (extent == known || extent == 1) continue;
            if (known != 1) {
                std::string shapes;
                for (const Layout& each : arrays) shapes += " " + text_of(each.shape);
                return Status::failure("arrays could not be broadcast together with shapes" + shapes,
                                       Error::Kind::arguments);
            }
            known = extent;
        }
    }
    if (pyk::detail::count_of(result.data(), static_cast<int>(result.size())) < 0)
        return Status::failure(
            "arrays broadcast together to " + text_of(result) + ", more elements than can be counted",
            Error::Kind::arguments);
    return result;
}

std::string why_not_output(const Shape& output, const Shape& result) {
    bool fits = output.size() >= result.size();
    for (std::size_t i = 0; fits && i < result.size(); ++i)
        fits = result[i] == 1 || result[i] == output[output.size() - result.size() + i];
    if (fits) return {};
    return "the output has shape " + text_of(output) + ", the result " + text_of(result);
}

std::vector<Axis> joined(std::vector<Axis> axes) {
    std::vector<Axis> result;
    for (Axis& axis : axes) {
        if (!result.empty() && joins(result.back(), axis))
            result.back().extent *= axis.extent;
        else
            result.push_back(std::move(axis));
    }
    return result;
}

long long Iteration::count() const {
    long long count = 1;
    for (const Axis& axis : axes) count *= axis.extent;
    return count;
}

Iteration iterate(const std::vector<Layout>& operands) {
    Iteration it;
    for (const Layout& operand : operands) {
        it.data.push_back(operand.data);
        it.element_bytes.push_back(operand.element_bytes);
    }
    const Shape& shape = operands.back().shape;
    std::vector<Axis> axes;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 1) continue;
        Axis axis{shape[i], {}};
        for (const Layout& operand : operands) axis.strides.push_back(stride_of(operand, i, shape.size()));
        if (axis.strides.back() < 0) turn(axis, it.data);
        axes.push_back(std::move(axis));
    }
    // Insertion: "runs faster" is no strict order where some strides are 0.
    for (std::size_t i = 1; i < axes.size(); ++i)
        for (std::size_t k = i; k > 0 && runs_faster(axes[k], axes[k - 1]); --k) std::swap(axes[k], axes[k - 1]);
    it.axes = joined(std::move(axes));
    if (it.axes.empty()) {
        Axis one{1, {}};
        for (const Layout& operand : operands) one.strides.push_back(operand.data ? operand.element_bytes : 0);
        it.axes.push_back(std::move(one));
    }
    return it;
}

namespace {

// For each place along the shortest axis but the first: the others.
Status for_each_slice(Iteration whole, long long limit, const std::function<Status(Iteration&)>& use) {
    const auto shortest = std::min_element(whole.axes.begin() + 1, whole.axes.end(),
                                           [](const Axis& a, const Axis& b) { return a.extent < b.extent; });
    const Axis axis = std::move(*shortest);
    whole.axes.erase(shortest);
    for (long long i = 0; i < axis.extent; ++i) {
        if (Status s = for_each_part(whole, limit, use); !s) return s;
        advance(whole.data, axis, 1);
    }
    return {};
}

// The slowest axis of several is halved.
Status for_each_half(Iteration whole, long long limit, const std::function<Status(Iteration&)>& use) {
    const auto axis = std::find_if(whole.axes.rbegin(), whole.axes.rend(), [](const Axis& a) { return a.extent != 1; });
    const long long half = axis->extent / 2, rest = axis->extent - half;
    axis->extent = half;
    if (Status s = for_each_part(whole, limit, use); !s) return s;
    axis->extent = rest;
    advance(whole.data, *axis, half);
    return for_each_part(std::move(whole), limit, use);
}

}  // namespace

Status for_each_part(Iteration whole, long long limit, const std::function<Status(Iteration&)>& use) {
    if (whole.axes.size() > most_axes) return for_each_slice(std::move(whole), limit, use);
    return whole.count() < limit ? use(whole) : for_each_half(std::move(whole), limit, use);
}

namespace {

MemoryRange range_of(const Layout& array) {
    if (std::find(array.shape.begin(), array.shape.end(), 0) != array.shape.end()) return {0, 0, false};
    return pyk::range_of(array.data, static_cast<std::size_t>(array.element_bytes), array.shape.data(),
                         array.strides.data(), static_cast<int>(array.shape.size()), false);
}

}  // namespace

bool may_overlap(const Layout& a, const Layout& b) {
    if (!a.data || !b.data) return false;
    const MemoryRange x = range_of(a), y = range_of(b);
    return x.begin < y.end && y.begin < x.end;
}

std::pair<char*, char*> bytes_of(const Layout& array) {
    const MemoryRange range = range_of(array);
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    return {array.data - (at - range.begin), array.data + (range.end - at)};
}

bool is_same(const Layout& a, const Layout& b) {
    if (a.data != b.data || a.element_bytes != b.element_bytes || a.shape != b.shape) return false;
    for (std::size_t i = 0; i < a.shape.size(); ++i)
        if (a.shape[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

bool repeats(const Layout& array) {
    if (std::find(array.shape.begin(), array.shape.end(), 0) != array.shape.end()) return false;
    for (std::size_t i = 0; i < array.shape.size(); ++i)
        if (array.shape[i] > 1 && array.strides[i] == 0) return true;
    return false;
}

namespace {

constexpr long long kTile = 32, kShortestOfTile = 16;

// pyk::is_turned of the prelude, for the axis that would come second.
bool is_turned(const Iteration& it, std::size_t operand, std::size_t axis) {
    const long long bytes = it.element_bytes[operand];
    return bytes <= most_turned_bytes && it.data[operand] && it.axes[axis].strides[operand] == bytes &&
           it.axes[0].strides[operand] != bytes;
}

// Bytes of an element of each turned input.
std::size_t turned_bytes(const Iteration& it, std::size_t axis) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k + 1 < it.data.size(); ++k)
        if (is_turned(it, k, axis)) bytes += static_cast<std::size_t>(it.element_bytes[k]);
    return bytes;
}

// The axis along which most bytes lie side by side that the first axis jumps through.
std::optional<std::size_t> turned_axis(const Iteration& it) {
    const Axis& first = it.axes.front();
    const bool dense = !it.data.back() || first.strides.back() == it.element_bytes.back();
    if (!dense || first.extent < kShortestOfTile) return std::nullopt;
    std::optional<std::size_t> best;
    std::size_t most = 0;
    for (std::size_t axis = 1; axis < it.axes.size(); ++axis) {
        const std::size_t bytes = turned_bytes(it, axis);
        if (it.axes[axis].extent < kShortestOfTile || bytes <= most) continue;
        best = axis;
        most = bytes;
    }
    return best;
}

}  // namespace

std::size_t shared_bytes_of_tile(const Iteration& it) {
    long long widest = 0;
    for (std::size_t k = 0; k + 1 < it.data.size(); ++k)
        if (is_turned(it, k, 1)) widest = std::max(widest, it.element_bytes[k]);
    return static_cast<std::size_t>(kTile * (kTile + 1) * widest);
}

void bring_turned_axis_second(Iteration& it) {
    if (const auto axis = turned_axis(it)) std::swap(it.axes[1], it.axes[*axis]);
}

Access access_of(const Iteration& it) {
    const Axis& first = it.axes.front();
    bool flat = it.axes.size() == 1, rows = first.extent >= kShortestRow;
    for (std::size_t k = 0; k < it.data.size(); ++k) {
        const bool is_dense = !it.data[k] || first.strides[k] == it.element_bytes[k];
        flat &= is_dense;
        rows &= is_dense || (first.strides[k] == 0 && k + 1 < it.data.size());
    }
    if (flat && aligned_head(it, lanes_of(it))) return Access::flat;
    if (flat || rows) return flat ? Access::strided : Access::rows;
    return turned_axis(it) ? Access::tiled : Access::strided;
}

division divide_by(long long divisor) {
    const auto d = static_cast<std::uint64_t>(divisor);
    unsigned shift = 0;
    while ((std::uint64_t{1} << shift) < d) ++shift;
    const std::uint64_t multiplier = ((((std::uint64_t{1} << shift) - d) << 32) / d) + 1;
    return {static_cast<unsigned>(d), static_cast<unsigned>(multiplier), shift};
}

long long lanes_of(long long element_bytes) {
    return element_bytes > 16 ? 1 : lanes_of_size(static_cast<int>(element_bytes));
}

long long lanes_of(const Iteration& it) {
    long long fewest = 16;
    for (const long long bytes : it.element_bytes) fewest = std::min(fewest, lanes_of(bytes));
    return fewest;
}

std::optional<int> aligned_head(const Iteration& it, long long lanes) {
    for (long long head = 0; head < lanes; ++head) {
        bool all = true;
        for (std::size_t k = 0; k < it.data.size(); ++k) {
            const auto at =
                reinterpret_cast<std::uintptr_t>(it.data[k]) + static_cast<std::uintptr_t>(head * it.element_bytes[k]);
            const bool is_number = !it.data[k] && k + 1 < it.data.size();
            const bool is_record = !is_access_word(static_cast<int>(lanes * it.element_bytes[k]));
            all &= is_number || is_record || at % static_cast<std::uintptr_t>(lanes * it.element_bytes[k]) == 0;
        }
        if (all) return static_cast<int>(head);
    }
    return std::nullopt;
}

bool rows_are_aligned(const Iteration& it, long long lanes) {
    for (std::size_t k = 0; k < it.data.size(); ++k) {
        if (!it.data[k] || it.axes.front().strides[k] == 0) continue;
        const long long bytes = lanes * it.element_bytes[k];
        if (reinterpret_cast<std::uintptr_t>(it.data[k]) % static_cast<std::uintptr_t>(bytes) != 0) return false;
        for (std::size_t axis = 1; axis < it.axes.size(); ++axis)
            if (it.axes[axis].strides[k] % bytes != 0) return false;
    }
    return true;
}

}  // namespace pyk::arrays
