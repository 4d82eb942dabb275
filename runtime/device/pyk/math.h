// All of the arithmetic.
#ifndef PYK_MATH_H
#define PYK_MATH_H

#include "pyk/bits.h"
#include "pyk/floor.h"
#include "pyk/frexp.h"
#include "pyk/minmax.h"
#include "pyk/number.h"
#include "pyk/pow.h"
#include "pyk/round.h"
#include "pyk/shift.h"

#endif  // PYK_MATH_H
