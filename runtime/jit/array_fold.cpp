// Reductions and accumulations of array functions of two.
#include "array/fold.h"

#include <algorithm>
#include <cstring>

#include "driver.h"
#include "jit/array_call.h"
#include "jit/convert.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/algorithms.hpp"

namespace pyk::jit {
namespace {

using arrays::Layout;
using arrays::Shape;

// One call. Passes over one axis each, and where lines share an axis over those lines.
class FoldCall {
  public:
    FoldCall(ArrayFunction& function, const Argument& array, StreamRef stream)
        : function_(function), name_(function.summary.name), array_(array), stream_(stream) {}

    Status prepare(const char* method) {
        if (function_.summary.params.size() != 2)
            return refuse("`" + std::string(method) + "` is of functions of two arguments");
        if (array_.ndim == 0) return refuse("`" + name_ + "." + method + "` takes an array with axes");
        if (!array_.element_type().is_value())
            return refuse("`" + name_ + "." + method + "` takes no array of " + name_of(array_.element_type()));
        const Result<driver::Context*> device = device_of(*function_.instances.engine, {&array_, 1, nullptr, stream_});
        if (!device) return device.status();
        device_ = *device;
        workers_ = device_->info.is_cpu ? device_->info.multiprocessors : 0;
        if (Status s = choose_loop(method); !s) return s;
        if (element_ != array_.element_type())
            if (Status s = convert_array(); !s) return s;
        Result<Layout> placed = place(array_, false, *device_, stream_, copies_);
        if (!placed) return placed.status();
        input_ = *std::move(placed);
        return {};
    }

    Result<AnyArray> reduce(const ReduceOptions& options) {
        const Result<std::vector<std::size_t>> axes = axes_of(options);
        if (!axes) return axes.status();
        const Result<const Instance*> instance =
            instance_of(function_, {element_, element_}, ElementAccess::fold, {element_, element_}, *device_, stream_);
        if (!instance) return instance.status();
        Shape kept = input_.shape;
        for (const std::size_t axis : *axes) kept[axis] = 1;
        std::optional<AnyArray> folded;
        // The last axis first: those before it keep their numbers.
        for (auto axis = axes->rbegin(); axis != axes->rend(); ++axis)
            if (Status s = fold(**instance, *axis, folded); !s) return s;
        if (Status s = finish(**instance, stream_); !s) return s;
        Shape shape;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const bool is_gone = std::find(axes->begin(), axes->end(), i) != axes->end();
            if (!is_gone || options.keepdims) shape.push_back(kept[i]);
        }
        return std::move(*folded).reshaped(std::move(shape));
    }

    Result<AnyArray> accumulate(int given) {
        const Result<std::size_t> axis = axis_of(given);
        if (!axis) return axis.status();
        if (is_long_line(*axis) && may_reorder())
            // Where CUB's headers are missing, one thread does it.
            if (Result<AnyArray> scanned = scan_all(); scanned) return scanned;
        const Result<const Instance*> instance =
            instance_of(function_, {element_, element_}, ElementAccess::scan, {element_, element_}, *device_, stream_);
        if (!instance) return instance.status();
        Result<AnyArray> result = new_array(element_, input_.shape, *device_, stream_);
        if (!result || result->size() == 0) return result;
        if (Status s = launch_fold(**instance, arrays::scan_along(input_, *axis, layout_of(*result))); !s) return s;
        if (Status s = finish(**instance, stream_); !s) return s;
        return result;
    }

  private:
    /// The function goes on with what it gave: its types must be one.
    Status choose_loop(const char* method) {
        element_ = array_.element_type();
        const ArraySummary& summary = function_.summary;
        if (summary.loops.empty()) return {};
        const auto takes_two = [&](ElementType element) {
            return std::find(summary.loops.begin(), summary.loops.end(), arrays::Loop{element, element}) !=
                   summary.loops.end();
        };
        if (summary.choice == LoopChoice::exact) {
            if (takes_two(element_)) return {};
        } else if (const ElementType sum = element_of_sums(); sum != element_ && takes_two(sum)) {
            element_ = sum;
            return {};
        } else if (summary.choice == LoopChoice::exact_or_safe && takes_two(element_)) {
            return {};
        } else if (const auto first = arrays::first_safe_loop(summary.loops, {{element_}, {element_}})) {
            element_ = summary.loops[*first][0];
            if (takes_two(element_)) return {};
        }
        return refuse("`" + name_ + "." + method + "` of " + name_of(array_.element_type()) +
                      ": no signature takes two of them");
    }

    /// NumPy goes by the name: what is called so adds and multiplies small integers in 64 bits.
    ElementType element_of_sums() const {
        if (name_ != "add" && name_ != "multiply") return element_;
        switch (element_.element) {
            case Element::boolean:
            case Element::int8:
            case Element::int16:
            case Element::int32:
                return Element::int64;
            case Element::uint8:
            case Element::uint16:
            case Element::uint32:
                return Element::uint64;
            default:
                return element_;
        }
    }

    Status convert_array() {
        Result<AnyArray> made = new_array(element_, Shape(array_.shape, array_.shape + array_.ndim), *device_, stream_);
        if (!made) return made.status();
        converted_ = *std::move(made);
        const Argument to = MakeArgument<AnyArray>::from(converted_);
        if (Status s = convert(*function_.instances.engine, array_, to, stream_); !s) return s;
        array_ = to;
        return {};
    }

    Result<std::size_t> axis_of(int given) const {
        const int rank = static_cast<int>(input_.shape.size());
        const int axis = given < 0 ? given + rank : given;
        if (axis < 0 || axis >= rank)
            return refuse("axis " + std::to_string(given) + " of an array of " + std::to_string(rank) + " axes");
        return static_cast<std::size_t>(axis);
    }

    Result<std::vector<std::size_t>> axes_of(const ReduceOptions& options) const {
        std::vector<std::size_t> axes;
        if (options.all) {
            for (std::size_t i = 0; i < input_.shape.size(); ++i) axes.push_back(i);
            if (axes.size() > 1 && !may_reorder())
                return refuse("reduction operation `" + name_ +
                              "` is not reorderable, so at most one axis may be "
                              "specified; say identity=… in its decorator");
            return axes;
        }
        const Result<std::size_t> axis = axis_of(options.axis);
        if (!axis) return axis.status();
        axes.push_back(*axis);
        return axes;
    }

    /// As NumPy has it of functions with an identity; Numba's for GPUs reduce in a tree, whatever the function.
    bool may_reorder() const {
        return function_.summary.identity != Identity::none || function_.summary.choice == LoopChoice::exact;
    }

    /// All elements lie along the axis, and are enough for a scan of several launches.
    bool is_long_line(std::size_t axis) const {
        constexpr long long kShortest = 65536;
        long long count = 1;
        for (const long long extent : input_.shape) count *= extent;
        return count == input_.shape[axis] && count >= kShortest && workers_ != 1;
    }

    Result<AnyArray> scan_all() const {
        Argument placed = array_;
        placed.device = device_;
        placed.data = input_.data;
        placed.order = Order::strided;
        for (std::size_t axis = 0; axis < input_.shape.size(); ++axis) placed.strides[axis] = input_.strides[axis];
        ScanOptions options;
        options.dtype = element_;
        options.is_ordered = true;
        options.stream = stream_;
        const Operator combine(function_.instances.engine->shared_from_this(), name_, 2);
        return scan(combine, Inputs(std::vector<Argument>{placed}), options);
    }

    static Layout layout_of(const AnyArray& array) {
        const auto bytes = static_cast<long long>(element_bytes(array.element_type()));
        return {static_cast<char*>(array.data()), bytes, array.shape(), arrays::dense_strides(array.shape(), bytes)};
    }

    /// The input, or what the pass before made of it, without one axis.
    Status fold(const Instance& instance, std::size_t axis, std::optional<AnyArray>& folded) {
        Layout from = folded ? layout_of(*folded) : input_;
        Shape shape = from.shape;
        shape.erase(shape.begin() + static_cast<long>(axis));
        long long others = 1;
        for (const long long extent : shape) others *= extent;
        if (others == 0 || from.shape[axis] == 0) return fold_nothing(shape, others, from.shape[axis] == 0, folded);
        for (;;) {
            const long long lines = arrays::lines_of(from, axis, others, may_reorder(), workers_);
            Shape to = shape;
            if (lines > 1) to.insert(to.begin(), lines);
            Result<AnyArray> made = new_array(element_, to, *device_, stream_);
            if (!made) return made.status();
            arrays::Fold pass = arrays::fold_along(from, axis, layout_of(*made), lines, may_reorder(), workers_);
            if (lines == 1) pass.axis.has_identity = write_identity(pass.axis.identity);
            if (Status s = launch_fold(instance, pass); !s) return s;
            folded = *std::move(made);
            if (lines == 1) return {};
            from = layout_of(*folded);
            axis = 0;
        }
    }

    /// Of numbers. False: there is none.
    bool write_identity(unsigned char* to) const {
        const Identity identity = function_.summary.identity;
        if (identity != Identity::zero && identity != Identity::one) return false;
        Argument value;
        value.integer = identity == Identity::one;
        return element_.is_number() && write_scalar(to, element_.element, value);
    }

    // An axis without elements asks for an identity, as NumPy has it, also where there is no result to give it to.
    Status fold_nothing(const Shape& shape, long long others, bool is_axis_empty, std::optional<AnyArray>& folded) {
        unsigned char bytes[16] = {};
        if (!write_identity(bytes) && is_axis_empty)
            return refuse("zero-size array to reduction operation `" + name_ + "`, which has no identity");
        Result<AnyArray> made = new_array(element_, shape, *device_, stream_);
        if (!made) return made.status();
        folded = *std::move(made);
        return fill_elements(folded->data(), bytes, element_bytes(element_), others, device_, stream_);
    }

    Status launch_fold(const Instance& instance, arrays::Fold pass) const {
        return arrays::launch_fold(pass, workers_,
                                   [&](const arrays::PackedLoop& packed) { return launch(instance, packed, stream_); });
    }

    ArrayFunction& function_;
    const std::string& name_;
    Argument array_;
    AnyArray converted_;  ///< what it is, where its type is another
    StreamRef stream_;
    driver::Context* device_ = nullptr;
    int workers_ = 0;  ///< of the CPU
    ElementType element_ = Element::float64;
    Layout input_;
    std::deque<HostArrays> copies_;
};

}  // namespace

namespace detail {

Result<AnyArray> reduce(ArrayFunction& function, const Argument& array, const ReduceOptions& options,
                        StreamRef stream) {
    return guarded([&]() -> Result<AnyArray> {
        Argument given = array;
        ReduceOptions wanted = options;
        // The one element of an array without axes is reduced as a line of one is, which has no axis left.
        if (array.is_array() && array.ndim == 0) {
            given.ndim = 1;
            given.shape[0] = 1;
            given.order = Order::c;
            wanted.keepdims = false;
        }
        FoldCall call(function, given, stream);
        if (Status s = call.prepare("reduce"); !s) return s;
        return where_it_belongs(call.reduce(wanted), {&given, 1, nullptr, stream});
    });
}

Result<AnyArray> accumulate(ArrayFunction& function, const Argument& array, int axis, StreamRef stream) {
    return guarded([&]() -> Result<AnyArray> {
        FoldCall call(function, array, stream);
        if (Status s = call.prepare("accumulate"); !s) return s;
        return where_it_belongs(call.accumulate(axis), {&array, 1, nullptr, stream});
    });
}

}  // namespace detail
}  // namespace pyk::jit
