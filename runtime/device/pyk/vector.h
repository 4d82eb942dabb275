// CUDA's vector types for targets that lack them: the same names, layouts and alignments.
//
// Defines: char1, make_char1, char2, make_char2, char3, make_char3, char4, make_char4, short1, make_short1, short2,
// make_short2, short3, make_short3, short4, make_short4, int1, make_int1, int2, make_int2, int3, make_int3, int4,
// make_int4, longlong1, make_longlong1, longlong2, make_longlong2, longlong3, make_longlong3, longlong4_16a,
// make_longlong4_16a, uchar1, make_uchar1, uchar2, make_uchar2, uchar3, make_uchar3, uchar4, make_uchar4, ushort1,
// make_ushort1, ushort2, make_ushort2, ushort3, make_ushort3, ushort4, make_ushort4, uint1, make_uint1, uint2,
// make_uint2, uint3, make_uint3, uint4, make_uint4, ulonglong1, make_ulonglong1, ulonglong2, make_ulonglong2,
// ulonglong3, make_ulonglong3, ulonglong4_16a, make_ulonglong4_16a, float1, make_float1, float2, make_float2, float3,
// make_float3, float4, make_float4, double1, make_double1, double2, make_double2, double3, make_double3, double4_16a,
// make_double4_16a
#ifndef PYK_VECTOR_H
#define PYK_VECTOR_H

namespace pyk {

/// The vectors of one component type: one to four of them; `four` is the name of the last.
#define PYK_VECTORS(name, four, T)                                     \
    struct name##1 {                                                   \
        T x;                                                           \
    };                                                                 \
    struct alignas(2 * sizeof(T)) name##2 {                            \
        T x, y;                                                        \
    };                                                                 \
    struct name##3 {                                                   \
        T x, y, z;                                                     \
    };                                                                 \
    struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) four {          \
        T x, y, z, w;                                                  \
    };                                                                 \
    inline name##1 make_##name##1(T x) { return {x}; }                 \
    inline name##2 make_##name##2(T x, T y) { return {x, y}; }         \
    inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    inline four make_##four(T x, T y, T z, T w) { return {x, y, z, w}; }

PYK_VECTORS(char, char4, signed char)
PYK_VECTORS(short, short4, short)
PYK_VECTORS(int, int4, int)
PYK_VECTORS(longlong, longlong4_16a, long long)
PYK_VECTORS(uchar, uchar4, unsigned char)
PYK_VECTORS(ushort, ushort4, unsigned short)
PYK_VECTORS(uint, uint4, unsigned int)
PYK_VECTORS(ulonglong, ulonglong4_16a, unsigned long long)
PYK_VECTORS(float, float4, float)
PYK_VECTORS(double, double4_16a, double)

#undef PYK_VECTORS

}  // namespace pyk

#endif  // PYK_VECTOR_H
