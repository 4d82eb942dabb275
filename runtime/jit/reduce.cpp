// Reductions of all elements.
#include <deque>

#include "array/reduce.h"
#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"

namespace pyk::jit {
namespace {

class ReduceCall {
  public:
    ReduceCall(const Operator& combine, const Operator* transform, const Inputs& arrays,
               const ReductionOptions& options)
        : combine_(combine),
          options_(options),
          call_({"reduce", &combine_, transform, options.dtype, std::nullopt}, arrays, options.stream) {}

    Result<AnyArray> make() {
        if (Status s = call_.prepare(2); !s) return s;
        Result<AnyArray> result = new_array(call_.value(), {}, call_.device(), options_.stream);
        if (!result) return result;
        if (Status s = run(result->data()); !s) return s;
        return call_.where_it_belongs(std::move(result));
    }

    Status into(const Argument& out) {
        if (Status s = call_.prepare(2); !s) return s;
        if (Status s = call_.check_output(out); !s) return s;
        for (int axis = 0; axis < out.ndim; ++axis)
            if (out.shape[axis] == 0) return refuse("the output has no element");
        // One element: whatever the strides, it is the first.
        Argument first = out;
        first.order = Order::cell;
        first.ndim = 0;
        std::deque<HostArrays> copies;
        const Result<arrays::Layout> placed = place(first, true, call_.device(), options_.stream, copies);
        if (!placed) return placed.status();
        if (Status s = run(placed->data); !s) return s;
        return copies.empty() ? Status() : copies.back().copy_back();
    }

  private:
    Status run(void* out) {
        if (call_.count() == 0) return put_nothing(out);
        if (Status s = call_.in_any_order(); !s) return s;
        arrays::Reduction reduction;
        alignas(16) unsigned char init[most_init_bytes] = {};
        if (options_.init || is_sum()) {
            if (Status s = write_init(init); !s) return s;
            reduction.init = init;
        }
        reduction.inputs = call_.inputs();
        reduction.count = call_.count();
        reduction.is_dense = call_.is_dense();
        reduction.is_aligned = call_.is_aligned();
        reduction.width = call_.width();
        reduction.value_bytes = element_bytes(call_.value());
        reduction.out = static_cast<char*>(out);
        const Status s = arrays::reduce(
            reduction, [&](std::size_t bytes) { return call_.scratch(bytes); },
            [&](const reduce_args& args, long long blocks) { return call_.launch(args, blocks); });
        return s ? call_.finish() : s;
    }

    /// Of numbers by pyk's own operator: begins with 0 as NumPy's, so that a sum of -0.0 is 0.0.
    bool is_sum() const { return !combine_.engine() && combine_.name() == plus.name && call_.value().is_number(); }

    Status write_init(unsigned char* to) const {
        return write_start(options_.init, combine_, call_.value(), "a reduction of no elements", to);
    }

    Status put_nothing(void* out) const {
        unsigned char bytes[most_init_bytes] = {};
        if (Status s = write_init(bytes); !s) return s;
        return fill_elements(out, bytes, element_bytes(call_.value()), 1, &call_.device(), options_.stream);
    }

    const Operator& combine_;
    const ReductionOptions& options_;
    AlgorithmCall call_;
};

// `array` without what `size` leaves out, and what else a reduction of it is told.
Result<ReductionOptions> told(Argument& array, const Reduction::Options& options) {
    ReductionOptions all;
    all.init = options.init;
    all.dtype = array.element_type();
    all.stream = options.stream;
    if (array.named && !options.init.argument().named)
        return refuse("a reduction starts with `init`, which is a number where nothing is said: give one of " +
                      name_of(array.element_type()));
    if (array.ndim != 1) return refuse("a reduction takes an array of one axis, not of " + std::to_string(array.ndim));
    if (!options.size) return all;
    const long long end = *options.size < 0 ? array.shape[0] + *options.size : *options.size;
    // What is left lies as before: strides stay, order stays.
    array.shape[0] = end < 0 ? 0 : end < array.shape[0] ? end : array.shape[0];
    return all;
}

}  // namespace

Result<AnyArray> reduce(const Operator& combine, const Inputs& array, const ReductionOptions& options) {
    return guarded([&] { return ReduceCall(combine, nullptr, array, options).make(); });
}

Result<AnyArray> transform_reduce(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                  const ReductionOptions& options) {
    return guarded([&] { return ReduceCall(combine, &transform, arrays, options).make(); });
}

namespace detail {

Status reduce_into(const Argument& out, const Operator& combine, const Operator* transform, const Inputs& arrays,
                   ReductionOptions options) {
    return guarded([&] { return ReduceCall(combine, transform, arrays, options).into(out); });
}

}  // namespace detail

Result<AnyArray> Reduction::call_all(const Argument& array, const Options& options) const {
    Argument used = array;
    const Result<ReductionOptions> all = told(used, options);
    if (!all) return all.status();
    return reduce(combine_, Inputs(std::vector<Argument>{used}), *all);
}

Status Reduction::into_all(const Argument& out, const Argument& array, const Options& options) const {
    Argument used = array;
    const Result<ReductionOptions> all = told(used, options);
    if (!all) return all.status();
    return detail::reduce_into(out, combine_, nullptr, Inputs(std::vector<Argument>{used}), *all);
}

}  // namespace pyk::jit
