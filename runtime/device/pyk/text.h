// Texts of a fixed length (NumPy's `S12` and `U4`): what is behind their last character is zero.
//
// Defines: text, text_length, text_equal, text_order, text_code
#ifndef PYK_TEXT_H
#define PYK_TEXT_H

#include "pyk/config.h"
#include "pyk/exit.h"

namespace pyk {

/// N characters, bytes (`S`) or code points (`U`).
template <class C, int N>
struct text {
    C at[N];

    PYK_HOST_DEVICE static constexpr unsigned int code(C c) {
        return sizeof(C) == 1 ? static_cast<unsigned char>(c) : static_cast<unsigned int>(c);
    }
};

/// Without the zeros at its end.
template <class C, int N>
PYK_HOST_DEVICE long long text_length(const text<C, N>& x) {
    int length = N;
    while (length > 0 && x.at[length - 1] == 0) --length;
    return length;
}

/// Negative, zero or positive as the first is before, equal to or behind the second, by the codes of their characters.
template <class C, int N, int M>
PYK_HOST_DEVICE int text_order(const text<C, N>& x, const text<C, M>& y) {
    for (int i = 0; i < N || i < M; ++i) {
        const unsigned int a = i < N ? x.code(x.at[i]) : 0, b = i < M ? y.code(y.at[i]) : 0;
        if (a != b) return a < b ? -1 : 1;
    }
    return 0;
}

template <class C, int N, int M>
PYK_HOST_DEVICE bool text_equal(const text<C, N>& x, const text<C, M>& y) {
    return text_order(x, y) == 0;
}

/// The code of a character. As in Numba, no index counts from the end, and a zero is none.
template <class C, int N>
PYK_DEVICE unsigned int text_code(const text<C, N>& x, long long i) {
    const unsigned int code = i >= 0 && i < N ? x.code(x.at[i]) : 0;
    if (code == 0) exit_thread("IndexError: index out of range");
    return code;
}

}  // namespace pyk

#endif  // PYK_TEXT_H
