// Constants that are known to be numbers, as numbers of C++.
#pragma once

#include <complex>

#include "module/constant.h"

namespace pyk {

inline bool is_real(const Const& c) { return c.as<bool>() || c.as<Const::Int>() || c.as<double>(); }

inline double as_double(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    if (const Const::Int* i = c.as<Const::Int>()) return static_cast<double>(*i);
    return *c.as<double>();
}

inline std::complex<double> as_complex(const Const& c) {
    const auto* z = c.as<std::complex<double>>();
    return z ? *z : std::complex<double>(as_double(c));
}

inline Const::Int as_int(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    return *c.as<Const::Int>();
}

}  // namespace pyk
