// What the launch of a reduction says: filled in by the host (runtime/array), read by reduce.h and reduce_cpu.h.
//
// The order of a reduction is that of the elements' numbers alone, the same on every device. The elements are in chunks
// of `reduce_rounds` rounds, a round of `reduce_threads` times as many lanes as 16 bytes have of the widest input. A
// lane goes through the rounds, a thread then through its lanes, the threads of a chunk fold in halves; what the chunks
// give is reduced in the same way.
//
// Defines: reduce_args, reduce_threads, reduce_rounds, most_inputs, most_init_bytes, element_input
#ifndef PYK_REDUCE_ARGS_H
#define PYK_REDUCE_ARGS_H

namespace pyk {

inline constexpr int reduce_threads = 256;
inline constexpr int reduce_rounds = 16;
inline constexpr int most_inputs = 8;
inline constexpr int most_init_bytes = 64;  ///< of what reductions and scans start with

/// Elements along one axis.
struct element_input {
    const char* data;
    long long step;  ///< in bytes
};

struct reduce_args {
    static constexpr int threads = reduce_threads, blocks_at_once = 0;
    alignas(16) unsigned char init[most_init_bytes];  ///< what the result is combined with at last
    long long count;                                  ///< of elements
    int is_partial;                                   ///< the elements are what chunks gave, dense in the first input
    int is_dense;                                     ///< the elements of each input lie side by side
    int is_aligned;                                   ///< and every input begins at a multiple of 16 bytes
    int has_init;
    char* out;  ///< a result for each chunk
    element_input inputs[most_inputs];
};

}  // namespace pyk

#endif  // PYK_REDUCE_ARGS_H
