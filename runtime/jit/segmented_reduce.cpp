// Reductions of segments.
#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/segments_args.h"

namespace pyk::jit {
namespace {

/// As many threads as a segment of the usual length keeps busy.
int team_of(long long count, long long segments) {
    const long long usual = count / segments;
    if (usual > 1024) return reduce_threads;
    int team = 1;
    while (team < 32 && team * 4 <= usual) team *= 2;
    return team;
}

class SegmentedCall {
  public:
    SegmentedCall(const Operator& combine, const Operator* transform, const Inputs& arrays,
                  const ReductionOptions& options)
        : combine_(combine),
          options_(options),
          call_({"segments", &combine_, transform, options.dtype, std::nullopt}, arrays, options.stream) {}

    Result<AnyArray> make(const Inputs& offsets) {
        if (offsets.arguments().size() != 1) return refuse("a segmented reduction takes one array of offsets");
        const Argument& given = offsets.arguments()[0];
        if (given.ndim != 1 || (given.element != Element::int32 && given.element != Element::int64))
            return refuse("offsets are an array of one axis, of int32 or int64");
        if (given.shape[0] == 0) return refuse("offsets say where each segment begins, and where the last ends");
        if (Status s = call_.prepare(2); !s) return s;
        if (call_.shape().size() != 1) return refuse("a segmented reduction takes arrays of one axis");
        if (Status s = call_.in_order(nullptr); !s) return s;
        const long long segments = given.shape[0] - 1;
        Result<AnyArray> result = new_array(call_.value(), {segments}, call_.device(), options_.stream);
        if (!result) return result;
        segments_args args{};
        if (Status s = write_start(options_.init, combine_, call_.value(), "a segmented reduction", args.init); !s)
            return s;
        const Result<arrays::Layout> placed = call_.place_beside(given);
        if (!placed) return placed.status();
        if (segments == 0) return call_.where_it_belongs(std::move(result));
        args.count = call_.count();
        args.segments = segments;
        args.offsets = placed->data;
        args.offset_step = placed->strides[0];
        args.offset_bytes = static_cast<int>(placed->element_bytes);
        args.team = team_of(args.count, segments);
        args.out = static_cast<char*>(result->data());
        for (std::size_t i = 0; i < call_.inputs().size(); ++i) args.inputs[i] = call_.inputs()[i];
        const long long of_block = call_.device().info.is_cpu ? segments_of_chunk : reduce_threads / args.team;
        const long long blocks = (segments + of_block - 1) / of_block;
        if (blocks >= 1ll << 31) return refuse("more segments than a grid has blocks");
        if (Status s = call_.launch(args, blocks); !s) return s;
        if (Status s = call_.finish(); !s) return s;
        return call_.where_it_belongs(std::move(result));
    }

  private:
    const Operator& combine_;
    const ReductionOptions& options_;
    AlgorithmCall call_;
};

}  // namespace

Result<AnyArray> segmented_reduce(const Operator& combine, const Inputs& array, const Inputs& offsets,
                                  const ReductionOptions& options) {
    return guarded([&] { return SegmentedCall(combine, nullptr, array, options).make(offsets); });
}

Result<AnyArray> transform_segmented_reduce(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                            const Inputs& offsets, const ReductionOptions& options) {
    return guarded([&] { return SegmentedCall(combine, &transform, arrays, options).make(offsets); });
}

}  // namespace pyk::jit
