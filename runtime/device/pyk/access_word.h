// What one load or store moves.
//
// Defines: access_word, is_access_word, lanes_of_size, lanes_of
#ifndef PYK_ACCESS_WORD_H
#define PYK_ACCESS_WORD_H

#include "pyk/config.h"

namespace pyk {

PYK_HOST_DEVICE constexpr bool is_access_word(int bytes) {
    return bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/// Elements of so many bytes that are moved at once.
PYK_HOST_DEVICE constexpr int lanes_of_size(int bytes) { return is_access_word(bytes) ? 16 / bytes : 1; }

/// As many elements as the widest of the types has in 16 bytes; one where some do not fill them.
template <class... T>
PYK_HOST_DEVICE constexpr int lanes_of() {
    int fewest = 16;
    ((fewest = lanes_of_size(int(sizeof(T))) < fewest ? lanes_of_size(int(sizeof(T))) : fewest), ...);
    return fewest;
}

/// By its bytes.
template <int Bytes>
struct access_word;
#ifdef __CUDACC__
template <>
struct access_word<16> {
    using type = uint4;
};
template <>
struct access_word<8> {
    using type = uint2;
};
#else
struct words {
    unsigned long long word[2];
};
template <>
struct access_word<16> {
    using type = words;
};
template <>
struct access_word<8> {
    using type = unsigned long long;
};
#endif
template <>
struct access_word<4> {
    using type = unsigned int;
};
template <>
struct access_word<2> {
    using type = unsigned short;
};
template <>
struct access_word<1> {
    using type = unsigned char;
};

}  // namespace pyk

#endif  // PYK_ACCESS_WORD_H
