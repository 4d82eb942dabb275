#include "array/reduce.h"

#include <algorithm>
#include <cstring>

#include "array/iteration.h"

namespace pyk::arrays {
namespace {

long long chunk_of(long long width) { return static_cast<long long>(reduce_threads) * reduce_rounds * width; }

}  // namespace

Status reduce(const Reduction& reduction, const ReduceMemory& scratch, const ReduceLaunch& launch) {
    reduce_args args{};
    args.has_init = reduction.init != nullptr;
    if (reduction.init) std::memcpy(args.init, reduction.init, std::min(reduction.value_bytes, sizeof args.init));
    args.count = reduction.count;
    args.is_dense = reduction.is_dense;
    args.is_aligned = reduction.is_aligned;
    for (std::size_t i = 0; i < reduction.inputs.size(); ++i) args.inputs[i] = reduction.inputs[i];
    long long chunk = chunk_of(reduction.width);
    for (;; chunk = chunk_of(lanes_of(static_cast<long long>(reduction.value_bytes)))) {
        const long long blocks = (args.count + chunk - 1) / chunk;
        reduce_args pass = args;
        if (blocks == 1) {
            pass.out = reduction.out;
            return launch(pass, 1);
        }
        const Result<void*> partial = scratch(static_cast<std::size_t>(blocks) * reduction.value_bytes);
        if (!partial) return partial.status();
        pass.has_init = 0;
        pass.out = static_cast<char*>(*partial);
        if (Status s = launch(pass, blocks); !s) return s;
        args.is_partial = args.is_dense = args.is_aligned = 1;
        args.inputs[0] = {pass.out, static_cast<long long>(reduction.value_bytes)};
        args.count = blocks;
    }
}

}  // namespace pyk::arrays
