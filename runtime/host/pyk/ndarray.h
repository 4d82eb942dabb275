// Arrays in device, pinned, mapped or managed memory, owned.
#pragma once

#include <utility>
#include <vector>

#include "pyk/array_view.h"
#include "pyk/buffer.h"

namespace pyk {

namespace detail {

/// `count` elements that `download(memory, bytes)` gets; of bool too, whose vector has no such memory.
template <class T, class Download>
Result<std::vector<T>> downloaded(long long count, Download download) {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>> host(static_cast<std::size_t>(count));
    if (Status s = download(host.data(), host.size() * sizeof(T)); !s) return s;
    if constexpr (std::is_same_v<T, bool>)
        return std::vector<bool>(host.begin(), host.end());
    else
        return host;
}

}  // namespace detail

/// A C-contiguous array of N axes, owned: moved, not copied. Where it is host-accessible (MemoryKind), `view()` may be
/// read and written by the host. Different arrays may be used from different threads at once.
template <class T, int N = 1>
class Array {
  public:
    using Shape = std::array<long long, static_cast<std::size_t>(N)>;

    /// No memory and no elements.
    Array() = default;

    /// Uninitialised. `stream`: of pooled memory. Fails for a negative extent, and where there is not so much memory.
    static Result<Array> allocate(const Device& device, Shape shape, MemoryKind kind = MemoryKind::device,
                                  StreamRef stream = {}) {
        std::size_t bytes = sizeof(T);
        bool is_too_large = false;
        for (const long long extent : shape) {
            if (extent < 0) return Status::failure("an array with a negative extent", Error::Kind::arguments);
            is_too_large |= __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes);
        }
        if (is_too_large) return Status::failure("an array of more bytes than there are", Error::Kind::memory);
        Result<Buffer> buffer = Buffer::allocate(device, bytes, kind, stream);
        if (!buffer) return buffer.status();
        return Array(*std::move(buffer), shape);
    }
    /// Copies `host`, which has the shape's number of elements in C order. On the default stream it waits: streams that
    /// were made do not wait for that one. Else the copy is queued, as `Buffer::upload` is.
    static Result<Array> from_host(const Device& device, const T* host, Shape shape,
                                   MemoryKind kind = MemoryKind::device, StreamRef stream = {}) {
        Result<Array> array = allocate(device, shape, kind, stream);
        if (!array) return array;
        if (Status s = array->buffer_.upload(host, array->buffer_.size(), 0, stream); !s) return s;
        if (stream.handle) return array;
        if (Status s = Stream::borrow(device, nullptr).synchronize(); !s) return s;
        return array;
    }
    /// Copies a vector to the device's own memory.
    static Result<Array> from_host(const Device& device, const std::vector<T>& host) {
        static_assert(N == 1, "a vector has one axis");
        const Shape shape = {static_cast<long long>(host.size())};
        if constexpr (std::is_same_v<T, bool>) {  // whose vector is of bits
            const std::vector<unsigned char> bytes(host.begin(), host.end());
            return from_host(device, reinterpret_cast<const bool*>(bytes.data()), shape);
        } else {
            return from_host(device, host.data(), shape);
        }
    }
    /// Takes over memory: the shape's elements in C order. Fails where the buffer is too small.
    static Result<Array> adopt(Buffer buffer, Shape shape) {
        const long long elements = detail::count_of(shape.data(), N);
        if (elements < 0)
            return Status::failure("an array with a negative extent, or of more elements than there are",
                                   Error::Kind::arguments);
        if (buffer.size() / sizeof(T) < static_cast<std::size_t>(elements))
            return Status::failure("an array beyond the end of its buffer", Error::Kind::arguments);
        return Array(std::move(buffer), shape);
    }

    /// All elements, in C order; waits for the stream's earlier work.
    Result<std::vector<T>> to_host(StreamRef stream = {}) const {
        return detail::downloaded<T>(size(), [&](void* host, std::size_t bytes) -> Status {
            if (Status s = buffer_.download(host, bytes, 0, stream); !s || !buffer_.device()) return s;
            return Stream::borrow(Device(*buffer_.device()), stream.handle).synchronize();
        });
    }
    /// Elements from, or to, an array of this shape at any strides, in host memory or a device's; queued on the stream
    /// (Buffer says how long host memory must stay). Fails where the shapes differ.
    Status copy_from(const View<const T, N>& from, StreamRef stream = {}) { return copy(view(), from, stream); }
    Status copy_to(const View<T, N>& to, StreamRef stream = {}) const {
        return copy(to, View<const T, N>(view()), stream);
    }
    /// Sets all elements; queued on the stream.
    Status fill(T value, StreamRef stream = {}) {
        return fill_elements(data(), &value, sizeof(T), size(), buffer_.device(), stream);
    }

    /// An address for kernels.
    T* data() const { return static_cast<T*>(buffer_.address()); }
    const Shape& shape() const { return shape_; }
    /// The number of elements.
    long long size() const { return count(shape_); }
    /// All elements where they are; good as long as the array.
    View<T, N> view() const { return View<T, N>(data(), shape_, buffer_.device()); }
    template <class U, class = std::enable_if_t<are_elements<T, U>>>
    operator View<U, N>() const {  // NOLINT
        return view();
    }
    Buffer& buffer() { return buffer_; }
    const Buffer& buffer() const { return buffer_; }

  private:
    Array(Buffer buffer, Shape shape) : buffer_(std::move(buffer)), shape_(shape) {}
    static long long count(const Shape& shape) {
        long long product = 1;
        for (long long extent : shape) product *= extent;
        return product;
    }

    Buffer buffer_;
    Shape shape_{};
};

}  // namespace pyk
