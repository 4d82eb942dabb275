#include "pyk/array_view.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "driver.h"
#include "memory_range.h"
#include "pyk/buffer.h"

namespace pyk {
namespace {

/// One axis of a copy, the strides in bytes.
struct Axis {
    long long extent, to, from;
};

/// The axes that matter, outermost first, joined where two walk memory as one.
std::vector<Axis> joined_axes(const long long* to, const long long* from, const long long* shape, int ndim) {
    std::vector<Axis> axes;
    for (int i = 0; i < ndim; ++i) {
        if (shape[i] == 1) continue;
        const Axis inner{shape[i], to[i], from[i]};
        if (!axes.empty() && axes.back().to == inner.to * inner.extent && axes.back().from == inner.from * inner.extent)
            axes.back() = {axes.back().extent * inner.extent, inner.to, inner.from};
        else
            axes.push_back(inner);
    }
    return axes;
}

struct Copy {
    driver::Context* device;  ///< null: host to host
    void* stream;

    Status bytes(char* to, const char* from, std::size_t count) const {
        if (device) return device->copy(to, from, count, stream);
        std::memmove(to, from, count);
        return {};
    }
    Status rows(char* to, const char* from, const Axis& axis, std::size_t width) const {
        const auto is_pitch = [&](long long stride) {
            return stride >= static_cast<long long>(width) && stride <= std::numeric_limits<int>::max();
        };
        if (device && is_pitch(axis.to) && is_pitch(axis.from))
            return device->copy_rows(to, static_cast<std::size_t>(axis.to), from, static_cast<std::size_t>(axis.from),
                                     width, static_cast<std::size_t>(axis.extent), stream);
        for (long long i = 0; i < axis.extent; ++i)
            if (Status s = bytes(to + i * axis.to, from + i * axis.from, width); !s) return s;
        return {};
    }
    /// All elements of the axes from `axis` to `end`, each a run of `width` bytes.
    Status run(char* to, const char* from, const Axis* axis, const Axis* end, std::size_t width) const {
        if (axis == end) return bytes(to, from, width);
        if (axis + 1 == end) return rows(to, from, *axis, width);
        for (long long i = 0; i < axis->extent; ++i)
            if (Status s = run(to + i * axis->to, from + i * axis->from, axis + 1, end, width); !s) return s;
        return {};
    }
    Status all(char* to, const char* from, const std::vector<Axis>& axes, std::size_t width) const {
        return run(to, from, axes.data(), axes.data() + axes.size(), width);
    }
};

// By way of other memory, in which the elements lie side by side.
Status copy_overlapping(char* to, const char* from, const std::vector<Axis>& axes, std::size_t width, const Copy& copy,
                        driver::Context* device, StreamRef stream) {
    std::vector<Axis> in = axes, out = axes;
    auto bytes = static_cast<long long>(width);
    for (std::size_t axis = axes.size(); axis-- > 0; bytes *= axes[axis].extent) in[axis].to = out[axis].from = bytes;
    Result<Buffer> between = Buffer::allocate(device ? Device(*device) : Device::cpu(), static_cast<std::size_t>(bytes),
                                              MemoryKind::pooled, device ? stream : StreamRef());
    if (!between) return between.status();
    auto* const dense = static_cast<char*>(between->address());
    if (Status s = copy.all(dense, from, in, width); !s) return s;
    return copy.all(to, dense, out, width);
}

}  // namespace

driver::Context* detail::copying_device(driver::Context* to, driver::Context* from) {
    return to && (!to->info.is_cpu || !from) ? to : from;
}

Status copy_elements(void* to, const long long* to_strides, const void* from, const long long* from_strides,
                     const long long* shape, int ndim, std::size_t element_bytes, driver::Context* device,
                     StreamRef stream) {
    if (std::find(shape, shape + ndim, 0) != shape + ndim) return {};
    if (!to || !from)
        return Status::failure(std::string("copy: an array ") + detail::no_memory, Error::Kind::arguments);
    if (Status s = driver::check_stream(device, stream); !s) return s;
    std::vector<Axis> axes = joined_axes(to_strides, from_strides, shape, ndim);
    std::size_t width = element_bytes;
    const auto side_by_side = static_cast<long long>(element_bytes);
    if (!axes.empty() && axes.back().to == side_by_side && axes.back().from == side_by_side) {
        width *= static_cast<std::size_t>(axes.back().extent);
        axes.pop_back();
    }
    const Copy copy{device, stream.handle};
    const MemoryRange ranges[] = {range_of(from, element_bytes, shape, from_strides, ndim, false),
                                  range_of(to, element_bytes, shape, to_strides, ndim, true)};
    auto* const bytes = static_cast<char*>(to);
    if (any_overlap(ranges, 2))
        return copy_overlapping(bytes, static_cast<const char*>(from), axes, width, copy, device, stream);
    return copy.all(bytes, static_cast<const char*>(from), axes, width);
}

Status fill_elements(void* to, const void* value, std::size_t element_bytes, long long count, driver::Context* device,
                     StreamRef stream) {
    if (count == 0) return {};
    if (!to || !device)
        return Status::failure(std::string("fill: the array ") + detail::no_memory, Error::Kind::arguments);
    if (Status s = driver::check_stream(device, stream); !s) return s;
    const auto n = static_cast<std::size_t>(count);
    const auto* bytes = static_cast<const unsigned char*>(value);
    if (std::all_of(bytes, bytes + element_bytes, [&](unsigned char b) { return b == bytes[0]; }))
        return device->fill(to, 1, bytes[0], 1, n * element_bytes, stream.handle);
    const std::size_t width = element_bytes % 4 == 0 ? 4 : element_bytes % 2 == 0 ? 2 : 1;
    for (std::size_t at = 0; at < element_bytes; at += width) {
        unsigned word = 0;
        std::memcpy(&word, bytes + at, width);
        Status s =
            device->fill(static_cast<char*>(to) + at, element_bytes, word, static_cast<int>(width), n, stream.handle);
        if (!s) return s;
    }
    return {};
}

}  // namespace pyk
