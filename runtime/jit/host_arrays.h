// The host arrays of one launch in a GPU's memory.
#pragma once

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "pyk/argument.hpp"
#include "pyk/buffer.h"

namespace pyk::jit {

using Strides = std::array<long long, max_ndim>;
/// Bytes from one element to the next along each axis, of elements side by side: in Fortran's order if the array is,
/// else in C's.
Strides dense_strides(const Argument& array);

/// Copies in, and back; an array that is passed twice, and one of the same bytes in another shape, is there once.
/// Arrays that only overlap are copied each for itself. Memory comes from the stream's pool. Its end waits for what was
/// queued, if nobody did: a call with host arrays is done with them when it returns.
class HostArrays {
  public:
    HostArrays(driver::Context& device, StreamRef stream) : device_(device), stream_(stream) {}
    ~HostArrays();
    HostArrays(const HostArrays&) = delete;
    HostArrays& operator=(const HostArrays&) = delete;

    /// Gives the device's address in `address`. Fails in a capture, whose graph would read the host's memory later.
    Status add(const Argument& array, bool written, void*& address);
    /// Copies back what was written, and waits.
    Status copy_back();

  private:
    /// Where it begins, its bytes, and of a strided array how its elements lie.
    using Key = std::tuple<void*, std::size_t, std::vector<long long>>;
    struct Copy {
        Buffer buffer;
        const Argument* array = nullptr;
        bool is_filled = false, written = false;
        std::vector<unsigned char> gathered;  ///< the elements of a strided array side by side
    };
    Status fill(Copy& copy);

    Device device_;
    StreamRef stream_;
    std::map<Key, Copy> copies_;
    bool is_queued_ = false;
};

}  // namespace pyk::jit
