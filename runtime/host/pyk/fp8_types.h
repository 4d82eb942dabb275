// 8-bit floats as C++ programs hold and pass them, one or several in a pack, the first in the lowest byte. Of CUDA's
// cuda_fp8.h, whose types are as good, nothing is needed.
#pragma once

#include <type_traits>

#include "pyk/fp8.h"
#include "pyk/fp8_format.h"

namespace pyk {

template <Fp8Format Format, unsigned Count>
struct fp8 {
    std::conditional_t<Count == 1, unsigned char, std::conditional_t<Count == 2, unsigned short, unsigned>> bits;

    fp8() = default;
    /// Rounded as cuda_fp8.h rounds.
    template <class X, class = std::enable_if_t<Count == 1 && std::is_arithmetic_v<X>>>
    explicit fp8(X x) {
        const auto real = static_cast<std::conditional_t<std::is_same_v<X, float>, float, double>>(x);
        if constexpr (Format == Fp8Format::e4m3)
            bits = to_fp8_e4m3(real);
        else if constexpr (Format == Fp8Format::e5m2)
            bits = to_fp8_e5m2(real);
        else
            bits = to_fp8_e8m0(real);
    }
    explicit operator float() const {
        static_assert(Count == 1, "a pack is several numbers");
        if constexpr (Format == Fp8Format::e4m3)
            return from_fp8_e4m3(bits);
        else if constexpr (Format == Fp8Format::e5m2)
            return from_fp8_e5m2(bits);
        else
            return from_fp8_e8m0(bits);
    }
};

using fp8_e5m2 = fp8<Fp8Format::e5m2, 1>;
using fp8_e4m3 = fp8<Fp8Format::e4m3, 1>;
using fp8_e8m0 = fp8<Fp8Format::e8m0, 1>;
using fp8x2_e5m2 = fp8<Fp8Format::e5m2, 2>;
using fp8x2_e4m3 = fp8<Fp8Format::e4m3, 2>;
using fp8x2_e8m0 = fp8<Fp8Format::e8m0, 2>;
using fp8x4_e5m2 = fp8<Fp8Format::e5m2, 4>;
using fp8x4_e4m3 = fp8<Fp8Format::e4m3, 4>;
using fp8x4_e8m0 = fp8<Fp8Format::e8m0, 4>;

}  // namespace pyk
