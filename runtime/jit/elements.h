// Element types as data: sizes, names, and values in memory.
#pragma once

#include <cstddef>
#include <string>

#include "jit/compiler/interface.h"

namespace pyk::jit {

struct ElementRow {
    const char* name;  ///< as in signatures: `float32`
    const char* code;  ///< as in symbols: `f4`
    std::size_t size, alignment;
    enum class Kind : unsigned char { boolean, integer, natural, real, complex, record, none } kind;
};
const ElementRow& row_of(Element element);
/// Bytes of an element, of an ElementType, an ArgumentType or an Argument.
template <class Typed>
std::size_t element_bytes(const Typed& type) {
    return type.named ? type.named->size : row_of(type.element).size;
}

/// The same of alignments.
template <class Typed>
std::size_t element_alignment(const Typed& type) {
    return type.named ? type.named->alignment : row_of(type.element).alignment;
}

/// `float32[:, ::1]`.
std::string name_of(const ArgumentType& type);
/// `float32`.
std::string name_of(ElementType type);

/// Writes a scalar argument's value as another type. False: it does not fit (a fraction, or too large, for an integer).
bool write_scalar(unsigned char* to, Element type, const Argument& value);
/// The same as Numba converts an argument of a function: fractions are cut off, and of an integer that is too large the
/// lower bits count. False: a negative number for an unsigned type, one beyond 64 bits, no number, a complex one.
bool write_argument(unsigned char* to, Element type, const Argument& value);

}  // namespace pyk::jit
