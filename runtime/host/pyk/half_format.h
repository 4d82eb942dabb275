// Which types are 16-bit floats: those of <pyk/half.h>, and CUDA's own where the program has them. It needs none of
// their headers.
#pragma once

struct __half;  // of cuda_fp16.h and cuda_bf16.h
struct __nv_bfloat16;

namespace pyk {

struct half_format;  // of pyk/half.h
struct brain_format;
template <class Format>
struct small_float;

enum class HalfFormat : unsigned char { none, ieee, brain };

template <class T>
inline constexpr HalfFormat half_format_of = HalfFormat::none;
template <class T>
inline constexpr HalfFormat half_format_of<const T> = half_format_of<T>;
template <>
inline constexpr HalfFormat half_format_of<small_float<half_format>> = HalfFormat::ieee;
template <>
inline constexpr HalfFormat half_format_of<small_float<brain_format>> = HalfFormat::brain;
template <>
inline constexpr HalfFormat half_format_of<::__half> = HalfFormat::ieee;
template <>
inline constexpr HalfFormat half_format_of<::__nv_bfloat16> = HalfFormat::brain;

}  // namespace pyk
