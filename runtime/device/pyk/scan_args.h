// What the launches of a scan say: filled in by the host, read by scan.h and scan_cpu.h. The elements are in tiles, a
// block each.
//
// Defines: scan_args, ordered_scan_args, scan_stage, scan_tile_of, scan_tile_on_cpu_elements
#ifndef PYK_SCAN_ARGS_H
#define PYK_SCAN_ARGS_H

#include "pyk/reduce_args.h"

namespace pyk {

enum class scan_stage : int {
    prepare,    ///< of the tiles' states: a block for 256 of them
    look_back,  ///< the scan in one pass: a tile waits for those before it
    sums,       ///< what each tile comes to
    prefixes,   ///< what comes before each tile: one block
    tiles,      ///< the scan with that
};

struct scan_args {
    alignas(16) unsigned char init[16];
    long long count;  ///< of elements
    long long tiles;
    scan_stage stage;
    int is_exclusive;
    int has_init;  ///< always, if exclusive
    char* out;
    long long out_step;  ///< in bytes
    char* state;         ///< of the tiles: CUB's, or what comes before each
    long long state_bytes;
    element_input inputs[most_inputs];
};

/// Of the scan whose order is fixed.
using ordered_scan_args = scan_args;

/// Elements of a tile on a GPU, by the bytes of a value.
constexpr int scan_tile_of(int value_bytes) {
    const int items = 64 / value_bytes;
    return 256 * (items < 4 ? 4 : items > 16 ? 16 : items);
}
inline constexpr int scan_tile_on_cpu_elements = 16384;

}  // namespace pyk

#endif  // PYK_SCAN_ARGS_H
