#include "jit/host_arrays.h"

#include "jit/elements.h"
#include "pyk/array_view.h"

namespace pyk::jit {
namespace {

std::size_t bytes_of(const Argument& array) {
    std::size_t bytes = element_bytes(array);
    for (int axis = 0; axis < array.ndim; ++axis) bytes *= static_cast<std::size_t>(array.shape[axis]);
    return bytes;
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

Status HostArrays::add(const Argument& array, bool written, void*& address) {
    const std::size_t bytes = bytes_of(array);
    auto [at, is_new] = copies_.try_emplace({array.data, bytes});
    Copy& copy = at->second;
    copy.written |= written && array.copy_out;
    if (is_new) {
        copy.array = &array;
        Result<Buffer> buffer = Buffer::allocate(device_, bytes, MemoryKind::pooled, stream_);
        if (!buffer) return buffer.status();
        copy.buffer = *std::move(buffer);
        const void* from = array.data;
        if (array.order == Order::strided && bytes) {
            copy.gathered.resize(bytes);
            Status s =
                copy_on_host(copy.gathered.data(), dense_strides(array).data(), array.data, array.strides, array);
            if (!s) return s;
            from = copy.gathered.data();
        }
        if (array.copy_in)
            if (Status s = copy.buffer.upload(from, bytes, 0, stream_); !s) return s;
    }
    address = copy.buffer.address();
    return {};
}

Status HostArrays::copy_back() {
    for (auto& [host, copy] : copies_) {
        if (!copy.written) continue;
        void* const to = copy.gathered.empty() ? host.first : copy.gathered.data();
        if (Status s = copy.buffer.download(to, host.second, 0, stream_); !s) return s;
    }
    const Stream stream = Stream::borrow(device_, stream_.handle);
    if (Status s = stream.synchronize(); !s) return s;
    for (auto& [host, copy] : copies_) {
        if (!copy.written || copy.gathered.empty()) continue;
        const Argument& array = *copy.array;
        Status s = copy_on_host(host.first, array.strides, copy.gathered.data(), dense_strides(array).data(), array);
        if (!s) return s;
    }
    return {};
}

}  // namespace pyk::jit
