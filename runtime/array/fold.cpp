#include "array/fold.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace pyk::arrays {
namespace {

constexpr long long kThreadsOfGpu = 1 << 18;  // that read side by side, each a few elements at a time
constexpr long long kShortestLine = 16;       // not worth a second pass below
constexpr long long kWarp = 32;
constexpr long long kShortestLineOnCpu = 1 << 15;

Axis axis_of(long long extent, long long in, long long out) { return {extent, {in, out}}; }

// The axes but one, those that run fastest in the input first.
std::vector<Axis> others(const Layout& input, std::size_t axis, const Shape& out_strides) {
    std::vector<Axis> axes;
    for (std::size_t i = 0, k = 0; i < input.shape.size(); ++i) {
        if (i == axis) continue;
        if (input.shape[i] != 1) axes.push_back(axis_of(input.shape[i], input.strides[i], out_strides[k]));
        ++k;
    }
    std::stable_sort(axes.begin(), axes.end(),
                     [](const Axis& a, const Axis& b) { return std::llabs(a.strides[0]) < std::llabs(b.strides[0]); });
    return joined(std::move(axes));
}

Iteration begin(const Layout& input, const Layout& output) {
    return {{}, {input.data, output.data}, {input.element_bytes, output.element_bytes}};
}

}  // namespace

long long lines_of(const Layout& input, std::size_t axis, long long others, bool may_reorder, int cpu_workers) {
    const long long length = input.shape[axis];
    if (!may_reorder) return 1;
    const long long shortest = cpu_workers ? kShortestLineOnCpu : kShortestLine;
    const long long wanted = cpu_workers ? cpu_workers * 4ll : kThreadsOfGpu;
    const bool by_warps = !cpu_workers && input.strides[axis] == input.element_bytes;
    const long long lines = std::min(std::max(wanted / std::max(others, 1ll), by_warps ? kWarp : 1), length / shortest);
    if (lines <= 1) return 1;
    // Of blocks none is empty.
    const long long block = (length + lines - 1) / lines;
    return (length + block - 1) / block;
}

Fold fold_along(const Layout& input, std::size_t axis, const Layout& output, long long lines, bool may_reorder,
                int cpu_workers) {
    Fold fold{begin(input, output), {}};
    const long long length = input.shape[axis], step = input.strides[axis];
    const long long block = (length + lines - 1) / lines;
    const bool is_interleaved = cpu_workers == 0;
    fold.axis = {length, lines, is_interleaved ? step * lines : step, 0, is_interleaved, may_reorder, 0, {}};
    Shape strides = output.strides;
    const long long between = lines > 1 ? strides.front() : 0;
    if (lines > 1) strides.erase(strides.begin());
    fold.it.axes.push_back(axis_of(lines, is_interleaved ? step : step * block, between));
    for (Axis& other : others(input, axis, strides)) fold.it.axes.push_back(std::move(other));
    return fold;
}

Fold scan_along(const Layout& input, std::size_t axis, const Layout& output) {
    Fold fold{begin(input, output), {}};
    fold.axis = {input.shape[axis], 1, input.strides[axis], output.strides[axis], 0, 0, 0, {}};
    Shape strides = output.strides;
    strides.erase(strides.begin() + static_cast<long>(axis));
    fold.it.axes.push_back(axis_of(1, 0, 0));
    for (Axis& other : others(input, axis, strides)) fold.it.axes.push_back(std::move(other));
    return fold;
}

void pack_fold(const Fold& fold, int cpu_workers, PackedLoop& packed) {
    static_assert(offsetof(fold_loop, loop) == 0, "the loop comes first");
    const std::vector<Number> numbers(2);
    if (cpu_workers)
        pack_for_cpu(fold.it, numbers, cpu_workers, packed);
    else
        pack_strided(fold.it, numbers, 1, packed);
    auto& loop = *reinterpret_cast<fold_loop*>(packed.bytes);
    loop.axis = fold.axis;
    packed.size = sizeof loop;
    if (!cpu_workers) return;
    // A line is work enough for a chunk where it is long.
    const long long length = std::max(1ll, fold.axis.length / fold.axis.lines);
    loop.loop.chunk = std::max(1ll, (1 << 14) / length);
    packed.blocks = static_cast<unsigned>((loop.loop.count + loop.loop.chunk - 1) / loop.loop.chunk);
}

Status launch_fold(Fold fold, int cpu_workers, const std::function<Status(const PackedLoop&)>& launch) {
    return for_each_part(std::move(fold.it), cpu_workers ? kAnyCount : kCountedIn32Bits, [&](Iteration& lines) {
        PackedLoop packed;
        pack_fold({std::move(lines), fold.axis}, cpu_workers, packed);
        return launch(packed);
    });
}

}  // namespace pyk::arrays
