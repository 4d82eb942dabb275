// Which types are 8-bit floats, one or several in a pack: those of <pyk/fp8_types.h>, and CUDA's own where the program
// has them. It needs none of their headers.
#pragma once

struct __nv_fp8_e5m2;  // of cuda_fp8.h
struct __nv_fp8_e4m3;
struct __nv_fp8_e8m0;
struct __nv_fp8x2_e5m2;
struct __nv_fp8x2_e4m3;
struct __nv_fp8x2_e8m0;
struct __nv_fp8x4_e5m2;
struct __nv_fp8x4_e4m3;
struct __nv_fp8x4_e8m0;

namespace pyk {

enum class Fp8Format : unsigned char { e5m2, e4m3, e8m0 };
template <Fp8Format Format, unsigned Count>
struct fp8;  // of pyk/fp8_types.h

template <Fp8Format Format, unsigned Count>
struct Fp8Shape {
    static constexpr Fp8Format format = Format;
    static constexpr unsigned count = Count;
};
/// The format of a type and how many it holds; 0: it is another.
template <class T>
struct Fp8Of : Fp8Shape<Fp8Format::e5m2, 0> {};
template <Fp8Format Format, unsigned Count>
struct Fp8Of<fp8<Format, Count>> : Fp8Shape<Format, Count> {};
template <>
struct Fp8Of<::__nv_fp8_e5m2> : Fp8Shape<Fp8Format::e5m2, 1> {};
template <>
struct Fp8Of<::__nv_fp8_e4m3> : Fp8Shape<Fp8Format::e4m3, 1> {};
template <>
struct Fp8Of<::__nv_fp8_e8m0> : Fp8Shape<Fp8Format::e8m0, 1> {};
template <>
struct Fp8Of<::__nv_fp8x2_e5m2> : Fp8Shape<Fp8Format::e5m2, 2> {};
template <>
struct Fp8Of<::__nv_fp8x2_e4m3> : Fp8Shape<Fp8Format::e4m3, 2> {};
template <>
struct Fp8Of<::__nv_fp8x2_e8m0> : Fp8Shape<Fp8Format::e8m0, 2> {};
template <>
struct Fp8Of<::__nv_fp8x4_e5m2> : Fp8Shape<Fp8Format::e5m2, 4> {};
template <>
struct Fp8Of<::__nv_fp8x4_e4m3> : Fp8Shape<Fp8Format::e4m3, 4> {};
template <>
struct Fp8Of<::__nv_fp8x4_e8m0> : Fp8Shape<Fp8Format::e8m0, 4> {};

}  // namespace pyk
