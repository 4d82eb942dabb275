#include "jit/host_arrays.h"

#include "driver.h"
#include "jit/elements.h"
#include "pyk/array_view.h"

namespace pyk::jit {
namespace {

std::size_t bytes_of(const Argument& array) {
    std::size_t bytes = element_bytes(array);
    for (int axis = 0; axis < array.ndim; ++axis) bytes *= static_cast<std::size_t>(array.shape[axis]);
    return bytes;
}

bool is_gathered(const Argument& array) { return array.order == Order::strided; }

// What tells apart strided arrays that begin together; empty of others.
std::vector<long long> way_of(const Argument& array) {
    if (!is_gathered(array)) return {};
    std::vector<long long> way{static_cast<long long>(element_bytes(array))};
    way.insert(way.end(), array.shape, array.shape + array.ndim);
    way.insert(way.end(), array.strides, array.strides + array.ndim);
    return way;
}

Status copy_on_host(void* to, const long long* to_strides, const void* from, const long long* from_strides,
                    const Argument& array) {
    return copy_elements(to, to_strides, from, from_strides, array.shape, array.ndim, element_bytes(array), nullptr,
                         {});
}

}  // namespace

Strides dense_strides(const Argument& array) {
    Strides strides{};
    auto step = static_cast<long long>(element_bytes(array));
    for (int i = 0; i < array.ndim; ++i) {
        const int axis = array.order == Order::fortran ? i : array.ndim - 1 - i;
        strides[static_cast<std::size_t>(axis)] = step;
        step *= array.shape[axis];
    }
    return strides;
}

HostArrays::~HostArrays() {
    if (!is_queued_) return;
    const Status ignored = Stream::borrow(device_, stream_.handle).synchronize();
}

Status HostArrays::add(const Argument& array, bool written, void*& address) {
    if (device_.context().is_capturing(stream_.handle))
        return Status::failure("host arrays cannot be passed to a call in a capture: the graph would read them later",
                               Error::Kind::arguments);
    const std::size_t bytes = bytes_of(array);
    auto [at, is_new] = copies_.try_emplace({array.data, bytes, way_of(array)});
    Copy& copy = at->second;
    if (is_new) {
        Result<Buffer> buffer = Buffer::allocate(device_, bytes, MemoryKind::pooled, stream_);
        if (!buffer) return buffer.status();
        copy.buffer = *std::move(buffer);
        copy.array = &array;
    }
    if (array.copy_in && !copy.is_filled)
        if (Status s = fill(copy); !s) return s;
    copy.written |= written && array.copy_out;
    address = copy.buffer.address();
    return {};
}

Status HostArrays::fill(Copy& copy) {
    const Argument& array = *copy.array;
    const void* from = array.data;
    if (is_gathered(array)) {
        copy.gathered.resize(copy.buffer.size());
        from = copy.gathered.data();
        Status s = copy_on_host(copy.gathered.data(), dense_strides(array).data(), array.data, array.strides, array);
        if (!s) return s;
    }
    copy.is_filled = true;
    is_queued_ = true;
    return copy.buffer.upload(from, copy.buffer.size(), 0, stream_);
}

Status HostArrays::copy_back() {
    for (auto& [key, copy] : copies_) {
        if (!copy.written) continue;
        const bool gathered = is_gathered(*copy.array);
        if (gathered) copy.gathered.resize(copy.buffer.size());
        void* const to = gathered ? copy.gathered.data() : copy.array->data;
        if (Status s = copy.buffer.download(to, copy.buffer.size(), 0, stream_); !s) return s;
    }
    const Stream stream = Stream::borrow(device_, stream_.handle);
    is_queued_ = false;
    if (Status s = stream.synchronize(); !s) return s;
    for (auto& [key, copy] : copies_) {
        if (!copy.written || !is_gathered(*copy.array)) continue;
        const Argument& array = *copy.array;
        Status s = copy_on_host(array.data, array.strides, copy.gathered.data(), dense_strides(array).data(), array);
        if (!s) return s;
    }
    return {};
}

}  // namespace pyk::jit
