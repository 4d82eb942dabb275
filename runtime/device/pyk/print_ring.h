// Lines on their way from kernels to the host, which shares these layouts.
//
// Defines: print_ring, print_channel
#ifndef PYK_PRINT_RING_H
#define PYK_PRINT_RING_H

namespace pyk {

// A line: a word with the number of all its words and, from bit 32 on, that of the format's bytes; the format, filled
// up with zeros; a word per value.

/// Where the lines of a GPU's kernels wait for the host. Positions count words from the beginning of the ring's life.
struct print_ring {
    volatile unsigned long long* words;  ///< in host memory; zeros where nothing is written
    unsigned long long capacity;         ///< in words: a power of two
    volatile unsigned long long* freed;  ///< in host memory: up to where the host has read
    unsigned long long* lost;            ///< in host memory: lines that found no place
    unsigned long long taken;            ///< up to where lines were given a place
    unsigned long long known_free;       ///< `*freed` when the device looked last
};

/// What takes the lines of a CPU's kernels.
struct print_channel {
    void (*write)(void* to, const unsigned long long* words, unsigned int count);
    void* to;
};

}  // namespace pyk

#endif  // PYK_PRINT_RING_H
