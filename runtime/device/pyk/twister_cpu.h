// The generators of Python's `random` and of `np.random` in functions that the host calls: the Mersenne Twister
// MT19937, of which each OS thread has one for either module. The executor keeps them; host and emitted code share the
// layout. Streams and what is drawn from them are those of CPython and NumPy (RandomState), as in Numba.
//
// Defines: twister, random_seed, random_bits, random_double, random_normal, random_below
#ifndef PYK_TWISTER_CPU_H
#define PYK_TWISTER_CPU_H

#include <cmath>

#include "pyk/cpu.h"

namespace pyk {

struct twister {
    static constexpr int length = 624;

    unsigned int words[length];
    int next;         ///< the word that is drawn next; `length`: they are to be renewed
    bool has_normal;  ///< normal numbers come in pairs: `normal` is the second of one
    double normal;
};

/// In three loops, without remainders: the CPU computes several words at once.
[[gnu::noinline]] inline void renew(twister& g) {
    constexpr int n = twister::length, m = 397;
    unsigned int* const words = g.words;
    const auto mixed = [](unsigned int first, unsigned int second) {
        return (((first & 0x80000000u) | (second & 0x7fffffffu)) >> 1) ^ (second & 1 ? 0x9908b0dfu : 0);
    };
    for (int i = 0; i < n - m; ++i) words[i] = words[i + m] ^ mixed(words[i], words[i + 1]);
    for (int i = n - m; i < n - 1; ++i) words[i] = words[i + m - n] ^ mixed(words[i], words[i + 1]);
    words[n - 1] = words[m - 1] ^ mixed(words[n - 1], words[0]);
    g.next = 0;
}

/// 32 random bits.
inline unsigned int next_word(twister& g) {
    if (g.next >= twister::length) renew(g);
    unsigned int y = g.words[g.next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

/// In [0, 1), a multiple of 2**-53.
inline double next_double(twister& g) {
    const unsigned int high = next_word(g) >> 5, low = next_word(g) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

/// `count` bits, 1 to 64: NumPy takes the lower ones of a word and the upper word first, Python the other way round.
inline unsigned long long next_bits(twister& g, int count, bool is_numpy) {
    const auto part = [&](int bits) -> unsigned long long {
        return is_numpy ? next_word(g) & (0xffffffffu >> (32 - bits)) : next_word(g) >> (32 - bits);
    };
    if (count <= 32) return part(count);
    if (is_numpy) {
        const unsigned long long high = part(count - 32);
        return high << 32 | next_word(g);
    }
    const unsigned long long low = next_word(g);
    return part(count - 32) << 32 | low;
}

inline void random_seed(const thread& t, long long module, unsigned int seed) {
    twister& g = *t.block->generator(static_cast<int>(module));
    g.words[0] = seed;
    for (unsigned int i = 1; i < twister::length; ++i)
        g.words[i] = 1812433253u * (g.words[i - 1] ^ (g.words[i - 1] >> 30)) + i;
    g.next = twister::length;
    g.has_normal = false;
}

inline unsigned long long random_bits(const thread& t, long long module, long long count) {
    return next_bits(*t.block->generator(static_cast<int>(module)), static_cast<int>(count), module == 1);
}

inline double random_double(const thread& t, long long module) {
    return next_double(*t.block->generator(static_cast<int>(module)));
}

/// Of mean 0 and deviation 1: Marsaglia's polar method, the second number first.
inline double random_normal(const thread& t, long long module) {
    twister& g = *t.block->generator(static_cast<int>(module));
    if (g.has_normal) {
        g.has_normal = false;
        return g.normal;
    }
    double x, y, squared;
    do {
        x = 2.0 * next_double(g) - 1.0;
        y = 2.0 * next_double(g) - 1.0;
        squared = x * x + y * y;
    } while (squared >= 1.0 || squared == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(squared) / squared);
    g.normal = factor * x;
    g.has_normal = true;
    return factor * y;
}

/// An integer in [0, count), each as likely as another; `count` is positive.
inline long long random_below(const thread& t, long long module, long long count) {
    const bool is_numpy = module != 0;
    if (is_numpy && count == 1) return 0;
    twister& g = *t.block->generator(static_cast<int>(module));
    const auto limit = static_cast<unsigned long long>(count);
    const int bits = 64 - __builtin_clzll(is_numpy ? limit - 1 : limit);
    unsigned long long drawn = next_bits(g, bits, is_numpy);
    while (drawn >= limit) drawn = next_bits(g, bits, is_numpy);
    return static_cast<long long>(drawn);
}

}  // namespace pyk

#endif  // PYK_TWISTER_CPU_H
