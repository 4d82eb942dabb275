// The host arrays of one launch in a GPU's memory.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "pyk/argument.hpp"
#include "pyk/buffer.h"

namespace pyk::jit {

using Strides = std::array<long long, Argument::max_ndim>;
/// Bytes from one element to the next along each axis, of elements side by side: in Fortran's order if the array is,
/// else in C's.
Strides dense_strides(const Argument& array);

/// Copies in, and back; an array that is passed twice is there once. Memory comes from the stream's pool.
class HostArrays {
  public:
    HostArrays(driver::Context& device, StreamRef stream) : device_(device), stream_(stream) {}

    /// Gives the device's address in `address`.
    Status add(const Argument& array, bool written, void*& address);
    /// Copies back what was written, and waits.
    Status copy_back();

  private:
    struct Copy {
        Buffer buffer;
        const Argument* array = nullptr;
        bool written = false;
        std::vector<unsigned char> gathered;  ///< the elements of a strided array side by side
    };
    Device device_;
    StreamRef stream_;
    std::map<std::pair<void*, std::size_t>, Copy> copies_;
};

}  // namespace pyk::jit
