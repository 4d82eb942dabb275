// What the launch of an array function says of its operands where their elements lie side by side: filled in by the
// host (runtime/array), read by elementwise.h and single.h. The inputs come in their order, the output last.
//
// Defines: flat_loop, flat_operand
#ifndef PYK_FLAT_LOOP_H
#define PYK_FLAT_LOOP_H

#include "pyk/config.h"

namespace pyk {

struct alignas(16) flat_operand {
    unsigned char value[16];  ///< a number that stands for every element, as often as there is room
    char* data;               ///< the first element that is aligned to 16 bytes; null: there is only `value`
};

/// Elements that lie side by side, in one axis.
template <int Operands>
struct flat_loop {
    long long vectors;  ///< of as many elements as a thread has
    long long head;     ///< so many elements lie before the first from which on every array is aligned to 16 bytes
    long long rest;     ///< these, and those behind the vectors
    flat_operand operands[Operands];
};

}  // namespace pyk

#endif  // PYK_FLAT_LOOP_H
