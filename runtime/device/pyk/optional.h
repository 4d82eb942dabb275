// A value or None.
//
// Defines: optional, some
#ifndef PYK_OPTIONAL_H
#define PYK_OPTIONAL_H

#include "pyk/config.h"
#include "pyk/exit.h"

namespace pyk {

template <class T>
struct optional {
    bool has_value;
    T value;
};

/// One that has a value. None where a value is needed ends the thread, as in Numba.
template <class T>
PYK_DEVICE const optional<T>& some(const optional<T>& x) {
    if (!x.has_value) exit_thread("TypeError: None where a value is needed");
    return x;
}

}  // namespace pyk

#endif  // PYK_OPTIONAL_H
