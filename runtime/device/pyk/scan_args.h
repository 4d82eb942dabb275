// What the launches of a scan say: filled in by the host, read by scan.h and scan_cpu.h. The elements are in tiles, a
// block each.
//
// Defines: scan_args, ordered_scan_args, scan_stage, scan_items_of, scan_tile_of, scan_tile_on_cpu_elements
#ifndef PYK_SCAN_ARGS_H
#define PYK_SCAN_ARGS_H

#include "pyk/reduce_args.h"

namespace pyk {

enum class scan_stage : int {
    prepare,    ///< of the tiles' states: a thread for each
    look_back,  ///< the scan in one pass: a tile waits for those before it
    sums,       ///< what each tile comes to
    prefixes,   ///< what comes before each tile: one block
    tiles,      ///< the scan with that
};

struct scan_args {
    // Enough registers for a thread's elements, and blocks for those that wait for others.
    static constexpr int threads = 128, blocks_at_once = 10;
    alignas(16) unsigned char init[most_init_bytes];
    long long count;  ///< of elements
    long long tiles;
    scan_stage stage;
    int is_exclusive;
    int has_init;    ///< always, if exclusive
    int is_aligned;  ///< inputs and output are dense, and each begins at a multiple of 16 bytes
    char* out;
    long long out_step;  ///< in bytes
    char* state;         ///< of the tiles: CUB's, or what comes before each
    long long state_bytes;
    element_input inputs[most_inputs];
};

/// Of the scan whose order is fixed.
using ordered_scan_args = scan_args;

/// Elements of a thread on a GPU, by the bytes of a value: an odd number of times 16 bytes, which threads read from
/// shared memory without getting in each other's way.
constexpr int scan_items_of(int value_bytes) {
    const int items = (value_bytes == 1 ? 48 : value_bytes == 2 ? 48 : 112) / value_bytes;
    return items > 1 ? items : 1;
}
constexpr int scan_tile_of(int value_bytes) { return scan_args::threads * scan_items_of(value_bytes); }
inline constexpr int scan_tile_on_cpu_elements = 16384;

}  // namespace pyk

#endif  // PYK_SCAN_ARGS_H
