// Device memory and arrays in it.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "pyk/device.h"
#include "pyk/stream.h"

namespace pyk {

/// Bytes in a device's memory, owned: moved, not copied. The copying calls wait until the bytes have moved; with a
/// stream they first wait for that stream's earlier work. Different buffers may be used from different threads at once.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : context_(other.context_), address_(std::exchange(other.address_, 0)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

    /// Uninitialised; of 0 bytes: an empty buffer.
    static Result<DeviceBuffer> allocate(const Device& device, std::size_t bytes);

    /// Copies host memory to the bytes from `offset` on, or back; fails when that is beyond the end.
    Status upload(const void* host, std::size_t bytes, std::size_t offset = 0, const Stream& stream = {});
    Status download(void* host, std::size_t bytes, std::size_t offset = 0, const Stream& stream = {}) const;
    /// Sets all bytes to one value.
    Status fill(unsigned char value, const Stream& stream = {});

    /// A device address: for kernels, not for the host.
    void* address() const { return reinterpret_cast<void*>(address_); }
    std::size_t size() const { return size_; }

  private:
    driver::Context* context_ = nullptr;
    std::size_t address_ = 0;
    std::size_t size_ = 0;
};

/// A C-contiguous array of N axes in device memory, owned: moved, not copied.
template <class T, int N = 1>
class Array {
  public:
    using Shape = std::array<long long, N>;

    static Result<Array> allocate(const Device& device, Shape shape) {
        Result<DeviceBuffer> buffer =
            DeviceBuffer::allocate(device, static_cast<std::size_t>(count(shape)) * sizeof(T));
        if (!buffer) return buffer.status();
        return Array(*std::move(buffer), shape);
    }
    /// Copies `host`, which has the shape's number of elements in C order.
    static Result<Array> from_host(const Device& device, const T* host, Shape shape) {
        Result<Array> array = allocate(device, shape);
        if (!array) return array;
        if (Status s = array->buffer_.upload(host, array->buffer_.size()); !s) return s;
        return array;
    }
    static Result<Array> from_host(const Device& device, const std::vector<T>& host) {
        static_assert(N == 1, "a vector has one axis");
        return from_host(device, host.data(), {static_cast<long long>(host.size())});
    }

    /// All elements, in C order; waits for the stream's earlier work.
    Result<std::vector<T>> to_host(const Stream& stream = {}) const {
        std::vector<T> host(static_cast<std::size_t>(size()));
        if (Status s = buffer_.download(host.data(), buffer_.size(), 0, stream); !s) return s;
        return host;
    }

    /// A device address.
    T* data() const { return static_cast<T*>(buffer_.address()); }
    const Shape& shape() const { return shape_; }
    long long size() const { return count(shape_); }
    DeviceBuffer& buffer() { return buffer_; }

  private:
    Array(DeviceBuffer buffer, Shape shape) : buffer_(std::move(buffer)), shape_(shape) {}
    static long long count(const Shape& shape) {
        long long product = 1;
        for (long long extent : shape) product *= extent;
        return product;
    }

    DeviceBuffer buffer_;
    Shape shape_;
};

}  // namespace pyk
