// NumPy's .npy files, versions 1 to 3.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "types/type.h"

namespace pyk {

/// An array in memory: elements without gaps, in C or Fortran order.
struct NpyArray {
    Type element;  ///< a scalar, a time, a record
    bool fortran_order = false;
    std::vector<int64_t> shape;  ///< empty: one element, NumPy's 0-d array
    std::string bytes;

    int64_t size() const;
    /// C for whatever is contiguous in both orders.
    Layout layout() const { return fortran_order && shape.size() > 1 ? Layout::F : Layout::C; }
    bool operator==(const NpyArray&) const = default;
};

/// The number of elements of a shape and the number of bytes they take; false: negative, or more than memory can hold.
bool checked_size(const std::vector<int64_t>& shape, size_t element_bytes, size_t& bytes);

/// The bytes of a file → the array, or what is wrong with them.
std::variant<NpyArray, std::string> parse_npy(std::string_view file);

/// The array as a file of version 1.0, byte for byte what `numpy.save` writes.
std::string format_npy(const NpyArray& array);

}  // namespace pyk
