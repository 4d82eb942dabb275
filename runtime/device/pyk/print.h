// Printing as Python does.
//
// Defines: python_bool
#ifndef PYK_PRINT_H
#define PYK_PRINT_H

#include "pyk/config.h"

namespace pyk {

PYK_DEVICE const char* python_bool(bool value) { return value ? "True" : "False"; }

}  // namespace pyk

#endif  // PYK_PRINT_H
