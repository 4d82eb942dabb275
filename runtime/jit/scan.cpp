// Scans of all elements.
#include <algorithm>
#include <deque>

#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/scan_args.h"

namespace pyk::jit {
namespace {

/// What CUB has of each tile, at most: a state of its own beside two values, or one word of both; and of as many tiles
/// more as a warp looks at.
long long state_bytes_of(long long tiles, long long value_bytes) {
    return (tiles + 32) * (16 + 2 * value_bytes) + 1024;
}

class ScanCall {
  public:
    ScanCall(const Operator& combine, const Operator* transform, const Inputs& arrays, const ScanOptions& options)
        : combine_(combine),
          options_(options),
          call_({options.is_ordered ? "ordered_scan" : "scan", &combine_, transform, options.dtype, std::nullopt},
                arrays, options.stream) {}

    Result<AnyArray> make() {
        if (Status s = call_.prepare(2); !s) return s;
        Result<AnyArray> result = new_array(call_.value(), call_.shape(), call_.device(), options_.stream);
        if (!result) return result;
        if (Status s = call_.in_order(nullptr); !s) return s;
        const auto step = static_cast<long long>(element_bytes(call_.value()));
        if (Status s = run(static_cast<char*>(result->data()), step); !s) return s;
        return call_.where_it_belongs(std::move(result));
    }

    Status into(const Argument& out) {
        if (Status s = call_.prepare(2); !s) return s;
        if (Status s = call_.check_output(out); !s) return s;
        std::deque<HostArrays> copies;
        const Result<arrays::Layout> placed = place(out, true, call_.device(), options_.stream, copies);
        if (!placed) return placed.status();
        long long count = 1;
        for (const long long extent : placed->shape) count *= extent;
        if (count != call_.count())
            return refuse("the output has " + std::to_string(count) + " elements, the result " +
                          std::to_string(call_.count()));
        const bool is_dense = placed->strides == arrays::dense_strides(placed->shape, placed->element_bytes);
        if (placed->shape.size() > 1 && !is_dense) return refuse("the output does not lie side by side in C order");
        const long long step = is_dense ? placed->element_bytes : placed->strides[0];
        if (step == 0 && count > 1) return refuse("elements of the output share memory");
        if (Status s = call_.in_order(&*placed); !s) return s;
        if (Status s = run(placed->data, step); !s) return s;
        return copies.empty() ? Status() : copies.back().copy_back();
    }

  private:
    Status run(char* out, long long step) {
        scan_args args{};
        if (Status s = write_init(args); !s) return s;
        if (call_.count() == 0) return {};
        const auto bytes = static_cast<long long>(element_bytes(call_.value()));
        const bool is_cpu = call_.device().info.is_cpu;
        const long long tile = is_cpu ? scan_tile_on_cpu_elements : scan_tile_of(static_cast<int>(bytes));
        args.count = call_.count();
        args.tiles = (args.count + tile - 1) / tile;
        if (args.tiles >= 1ll << 31) return refuse("a scan of more than 2^31 tiles");
        args.is_exclusive = options_.is_exclusive;
        args.out = out;
        args.out_step = step;
        args.is_aligned = call_.is_aligned() && step == bytes && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
        for (std::size_t i = 0; i < call_.inputs().size(); ++i) args.inputs[i] = call_.inputs()[i];
        const bool looks_back = !is_cpu && !options_.is_ordered;
        args.state_bytes = looks_back ? state_bytes_of(args.tiles, bytes) : 2 * args.tiles * bytes;
        const Result<void*> state = call_.scratch(static_cast<std::size_t>(args.state_bytes));
        if (!state) return state.status();
        args.state = static_cast<char*>(*state);
        if (looks_back) {
            if (Status s =
                    launch(args, scan_stage::prepare, (args.tiles + scan_args::threads - 1) / scan_args::threads);
                !s)
                return s;
        } else if (args.tiles > 1) {
            if (Status s = launch(args, scan_stage::sums, args.tiles); !s) return s;
            if (Status s = launch(args, scan_stage::prefixes, 1); !s) return s;
        }
        if (Status s = launch(args, looks_back ? scan_stage::look_back : scan_stage::tiles, args.tiles); !s) return s;
        return call_.finish();
    }

    Status launch(scan_args args, scan_stage stage, long long blocks) const {
        args.stage = stage;
        return call_.launch(args, blocks);
    }

    Status write_init(scan_args& args) const {
        if (!options_.init && !options_.is_exclusive) return {};
        args.has_init = 1;
        return write_start(options_.init, combine_, call_.value(), "an exclusive scan", args.init);
    }

    const Operator& combine_;
    const ScanOptions& options_;
    AlgorithmCall call_;
};

}  // namespace

Result<AnyArray> scan(const Operator& combine, const Inputs& array, const ScanOptions& options) {
    return guarded([&] { return ScanCall(combine, nullptr, array, options).make(); });
}

Result<AnyArray> transform_scan(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                const ScanOptions& options) {
    return guarded([&] { return ScanCall(combine, &transform, arrays, options).make(); });
}

namespace detail {

Status scan_into(const Argument& out, const Operator& combine, const Operator* transform, const Inputs& arrays,
                 ScanOptions options) {
    return guarded([&] { return ScanCall(combine, transform, arrays, options).into(out); });
}

}  // namespace detail
}  // namespace pyk::jit
