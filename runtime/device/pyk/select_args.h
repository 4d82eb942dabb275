// What the launches of a selection say: filled in by the host, read by select.h and select_cpu.h. The elements are in
// tiles, a block each.
//
// Defines: select_args, select_stage, select_items, select_tile
#ifndef PYK_SELECT_ARGS_H
#define PYK_SELECT_ARGS_H

#include "pyk/reduce_args.h"

namespace pyk {

inline constexpr int select_items = 16;
inline constexpr int select_tile = 256 * select_items;

enum class select_stage : int {
    prepare,  ///< of the tiles' states, on a GPU: a block for 256 of them
    count,    ///< what each tile has, on the CPU
    places,   ///< where each tile's begin, on the CPU: one block
    write,
};

struct select_args {
    static constexpr int threads = 256, blocks_at_once = 0;
    long long count;  ///< of elements
    long long tiles;
    select_stage stage;
    char* out;          ///< as many elements as there may be
    long long* chosen;  ///< how many there are
    char* state;        ///< of the tiles: CUB's, or where each begins
    long long state_bytes;
    element_input inputs[most_inputs];
};

}  // namespace pyk

#endif  // PYK_SELECT_ARGS_H
