// Printing to a sink of the program's choice: a line travels to the host as words of 8 bytes, and becomes text there.
//
// Defines: print
#ifndef PYK_PRINT_LINE_H
#define PYK_PRINT_LINE_H

#include "pyk/config.h"
#include "pyk/print_ring.h"
#include "pyk/same_bits.h"

namespace pyk {

PYK_DEVICE unsigned long long print_word(double value) { return same_bits<unsigned long long>(value); }
PYK_DEVICE unsigned long long print_word(bool value) { return value; }
PYK_DEVICE unsigned long long print_word(long long value) { return static_cast<unsigned long long>(value); }
PYK_DEVICE unsigned long long print_word(unsigned long long value) { return value; }

/// The format's word `index`.
PYK_DEVICE unsigned long long print_format_word(const char* format, unsigned int length, unsigned int index) {
    unsigned long long word = 0;
    for (unsigned int k = 0; k < 8 && index * 8 + k < length; ++k)
        word |= static_cast<unsigned long long>(static_cast<unsigned char>(format[index * 8 + k])) << 8 * k;
    return word;
}

}  // namespace pyk

#ifdef __CUDACC__

/// In the module's global memory; the host finds it by this name.
extern "C" {
__device__ pyk::print_ring* pyk_prints;
}

namespace pyk {

/// A place of that many words in the ring, or false: it is full.
PYK_DEVICE bool print_place(print_ring& ring, unsigned int count, unsigned long long& place) {
    volatile unsigned long long& taken = ring.taken;
    volatile unsigned long long& known_free = ring.known_free;
    const long long most = static_cast<long long>(ring.capacity);
    unsigned long long at = taken;
    for (;;) {
        if (static_cast<long long>(at + count - known_free) > most) {
            const unsigned long long freed = *ring.freed;
            known_free = freed;
            if (static_cast<long long>(at + count - freed) > most) return false;
        }
        const unsigned long long seen = atomicCAS(&ring.taken, at, at + count);
        if (seen == at) break;
        at = seen;
    }
    place = at;
    return true;
}

inline __device__ __noinline__ void print_line(const char* format, unsigned int length,
                                               const unsigned long long* values, unsigned int value_count) {
    print_ring& ring = *pyk_prints;
    const unsigned int format_words = (length + 7) / 8, count = 1 + format_words + value_count;
    unsigned long long at = 0;
    if (!print_place(ring, count, at)) {
        atomicAdd(ring.lost, 1ull);
        return;
    }
    const unsigned long long mask = ring.capacity - 1;
    for (unsigned int i = 0; i < format_words; ++i)
        ring.words[(at + 1 + i) & mask] = print_format_word(format, length, i);
    for (unsigned int i = 0; i < value_count; ++i) ring.words[(at + 1 + format_words + i) & mask] = values[i];
    __threadfence_system();  // the first word says that the others are there
    ring.words[at & mask] = static_cast<unsigned long long>(length) << 32 | count;
}

}  // namespace pyk

#else

/// The host finds it by this name in the shared object.
extern "C" {
__attribute__((weak, visibility("protected"))) pyk::print_channel pyk_prints = {nullptr, nullptr};
}

namespace pyk {

inline void print_line(const char* format, unsigned int length, const unsigned long long* values,
                       unsigned int value_count) {
    const unsigned int format_words = (length + 7) / 8, count = 1 + format_words + value_count;
    unsigned long long* const words =
        static_cast<unsigned long long*>(__builtin_alloca(count * sizeof(unsigned long long)));
    words[0] = static_cast<unsigned long long>(length) << 32 | count;
    for (unsigned int i = 0; i < format_words; ++i) words[1 + i] = print_format_word(format, length, i);
    for (unsigned int i = 0; i < value_count; ++i) words[1 + format_words + i] = values[i];
    if (pyk_prints.write) pyk_prints.write(pyk_prints.to, words, count);
}

}  // namespace pyk

#endif

namespace pyk {

/// `printf`, of a format with `%lld`, `%llu`, `%llx`, `%llo`, `%f`, `%e`, `%g` and their flags, widths and precisions;
/// but `%s` is of a boolean, a bare `%g` of a float and `%c` of two that are a complex number, as Python writes them.
template <int N, class... Values>
PYK_DEVICE void print(const char (&format)[N], Values... values) {
    const unsigned long long words[] = {print_word(values)..., 0};
    print_line(format, N - 1, words, sizeof...(Values));
}

}  // namespace pyk

#endif  // PYK_PRINT_LINE_H
