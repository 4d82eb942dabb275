// All of the atomics.
#ifndef PYK_ATOMIC_H
#define PYK_ATOMIC_H

#include "pyk/atomic_add.h"
#include "pyk/atomic_bits.h"
#include "pyk/atomic_inc.h"
#include "pyk/atomic_minmax.h"

#endif  // PYK_ATOMIC_H
