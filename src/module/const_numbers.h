// Constants that are known to be numbers, as numbers of C++.
#pragma once

#include <cmath>
#include <complex>

#include "module/constant.h"

namespace pyk {

inline bool is_real(const Const& c) { return c.as<bool>() || c.as<Const::Int>() || c.as<double>(); }

inline bool is_nan(const Const& c) { return c.as<double>() && std::isnan(*c.as<double>()); }

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

/// What NumPy computes in where one of two numbers is its own: a number of Python's takes the other one's type, if that
/// has its kind. Null: neither is NumPy's.
Type common_type(const Const& a, const Const& b);

}  // namespace pyk
