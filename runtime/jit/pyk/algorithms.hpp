// Algorithms over arrays, with operators written in Python: reductions, scans, selections, sorts, histograms.
//
//   const pyk::AnyArray total = pyk::reduce(pyk::plus, x).value();            // 0 axes: one element
//   const double dot = pyk::transform_reduce(pyk::plus, pyk::multiplies, {x, y}).value().item<double>().value();
//
//   const pyk::jit::Module module = pyk::load_or_throw("norms.pyk");
//   const pyk::Operator longer = pyk::find_operator(module, "longer").value();  // any function of the file
//   const pyk::AnyArray longest = pyk::reduce(longer, x).value();
//
// Arrays are what kernels take (pyk/argument.hpp), of any strides and up to 32 axes. Those of a GPU stay there, and the
// work is queued on the stream; host arrays are copied for a call on a GPU, which waits, and the result is in host
// memory. Sizes are counted in 64 bits. Every call here may come from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pyk/ufunc.hpp"

namespace pyk::jit {

/// A function that an algorithm calls for elements. Copies share what was compiled.
class Operator {
  public:
    /// `engine`: null of pyk's own. `arity`: how many values it takes.
    Operator(Shared<Engine> engine, std::string name, std::size_t arity)
        : engine_(std::move(engine)), name_(std::move(name)), arity_(arity) {}

    const std::string& name() const { return name_; }
    const Shared<Engine>& engine() const { return engine_; }
    std::size_t arity() const { return arity_; }

  private:
    Shared<Engine> engine_;
    std::string name_;
    std::size_t arity_;
};

/// The function of that name in the module's file: plain, `@cuda.jit(device=True)`, `@njit`, `@vectorize`.
Result<Operator> find_operator(const Module& module, std::string_view name);

/// One of pyk's own operators. Values and types are NumPy's: a NaN of minimum and maximum stays, integers are summed in
/// 64 bits.
struct OwnOperator {
    const char* name;
    std::size_t arity = 2;
    operator Operator() const { return Operator(nullptr, name, arity); }  // NOLINT: it is one
};
inline constexpr OwnOperator plus{"pyk.plus"}, multiplies{"pyk.multiplies"}, minimum{"pyk.minimum"},
    maximum{"pyk.maximum"}, logical_and{"pyk.logical_and"}, logical_or{"pyk.logical_or"}, bit_and{"pyk.bit_and"},
    bit_or{"pyk.bit_or"}, bit_xor{"pyk.bit_xor"};
/// Orders: as NumPy sorts, NaN last; and the other way round, NaN first.
inline constexpr OwnOperator less{"pyk.less"}, greater{"pyk.greater"};
/// Of one value.
inline constexpr OwnOperator square{"pyk.square", 1}, absolute{"pyk.absolute", 1}, is_nonzero{"pyk.is_nonzero", 1};

/// The arrays that an algorithm reads, `x` or `{x, y}`: together as an array function's, broadcast to one shape. Refers
/// to them.
class Inputs {
  public:
    template <class... Arrays, class = std::enable_if_t<(!std::is_same_v<std::decay_t<Arrays>, Inputs> && ...)>>
    Inputs(Arrays&&... arrays) : arguments_{make_argument(arrays)...} {}  // NOLINT: an array is one
    explicit Inputs(std::vector<Argument> arguments) : arguments_(std::move(arguments)) {}

    const std::vector<Argument>& arguments() const { return arguments_; }

  private:
    std::vector<Argument> arguments_;
};

/// A number of any type; it becomes one of the type that is needed, and must fit it. Or a date, a vector, a record or a
/// tuple of up to 64 bytes, of that very type.
class Number {
  public:
    static constexpr std::size_t most_bytes = 64;

    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || IsComplex<T>::value || Named<T>::value ||
                                                IsTuple<T>::value>>
    Number(T value) : Number(make_argument(value)) {  // NOLINT: a number is one
        static_assert(sizeof(T) <= most_bytes, "a record of more bytes cannot be what a reduction starts with");
    }
    explicit Number(const Argument& argument) : argument_(argument) {
        const std::size_t bytes = argument.named ? argument.named->size : 0;
        if (bytes == 0 || bytes > most_bytes) return;
        if (argument.element == Element::tuple)
            argument.tuple.write(argument.tuple.object, bytes_);
        else
            std::memcpy(bytes_, argument.data, bytes);
        argument_.element = Element::named;
    }

    /// Refers to this.
    Argument argument() const {
        Argument argument = argument_;
        if (argument.named) argument.data = const_cast<unsigned char*>(bytes_);
        return argument;
    }

  private:
    Argument argument_;
    alignas(16) unsigned char bytes_[most_bytes] = {};
};

/// Of `reduce` and its like. `stream`: where the work is queued.
struct ReductionOptions {
    /// What the result is combined with, on the left; the result of an array without elements. Without it that is the
    /// operator's identity where it is pyk's own and has one (0 of plus, 1 of multiplies …), else an error.
    std::optional<Number> init;
    /// What values are of while they are reduced, and the result. Without it, what the operator gives of two elements:
    /// int64 of a sum of int32 and of a count of booleans, float32 of a sum of float32.
    std::optional<ElementType> dtype;
    StreamRef stream;
};

/// All elements, combined by a function of two that is associative and commutative: the order is not that of the
/// elements. It depends on nothing but their number and type, so that the result is the same each time, and on every
/// device where the operator's is. The result has no axes.
Result<AnyArray> reduce(const Operator& combine, const Inputs& array, const ReductionOptions& options = {});
/// The same of what a function makes of the elements, one of each array.
Result<AnyArray> transform_reduce(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                  const ReductionOptions& options = {});

namespace detail {
Status reduce_into(const Argument& out, const Operator& combine, const Operator* transform, const Inputs& arrays,
                   ReductionOptions options);
}

/// The same into the first element of an array, whose type is `dtype`.
template <class Out>
Status reduce_into(Out&& out, const Operator& combine, const Inputs& array, const ReductionOptions& options = {}) {
    return detail::reduce_into(make_argument(out), combine, nullptr, array, options);
}
template <class Out>
Status transform_reduce_into(Out&& out, const Operator& combine, const Operator& transform, const Inputs& arrays,
                             const ReductionOptions& options = {}) {
    return detail::reduce_into(make_argument(out), combine, &transform, arrays, options);
}

/// Of scans. `stream`: where the work is queued.
struct ScanOptions {
    /// Of each element what comes before it, not with it. Needs `init` where the operator has no identity.
    bool is_exclusive = false;
    std::optional<Number> init;        ///< what all is combined with, on the left
    std::optional<ElementType> dtype;  ///< as of reductions
    /// The same result each time. Sums of floats on a GPU are else combined as they come to be ready, which is faster
    /// (two accesses of memory for an element, not three) and gives other last bits at each call.
    bool is_ordered = false;
    StreamRef stream;
};

/// Of each element the combination of all up to it, in an array of the same shape: the elements in C order, combined by
/// a function of two that is associative.
Result<AnyArray> scan(const Operator& combine, const Inputs& array, const ScanOptions& options = {});
/// The same of what a function makes of the elements, one of each array.
Result<AnyArray> transform_scan(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                const ScanOptions& options = {});

namespace detail {
Status scan_into(const Argument& out, const Operator& combine, const Operator* transform, const Inputs& arrays,
                 ScanOptions options);
}

/// The same into an array of as many elements and one axis, or side by side in C order; its type is `dtype`. It may be
/// an input, or overlap one: inputs are read as they were before.
template <class Out>
Status scan_into(Out&& out, const Operator& combine, const Inputs& array, const ScanOptions& options = {}) {
    return detail::scan_into(make_argument(out), combine, nullptr, array, options);
}

/// Of each segment of an array the combination of its elements; the order is not theirs. `offsets`: int32 or int64, of
/// one axis, where each segment begins, and behind them where the last ends; what is beyond the elements is cut off. A
/// segment without elements gives `init`, or the operator's identity: without either the call fails.
Result<AnyArray> segmented_reduce(const Operator& combine, const Inputs& array, const Inputs& offsets,
                                  const ReductionOptions& options = {});
/// The same of what a function makes of the elements, one of each array.
Result<AnyArray> transform_segmented_reduce(const Operator& combine, const Operator& transform, const Inputs& arrays,
                                            const Inputs& offsets, const ReductionOptions& options = {});

/// The elements of which a function says true, in C order and in an array of one axis. Waits for how many there are.
/// On a GPU the array has memory for all of them.
Result<AnyArray> select(const Operator& predicate, const Inputs& array, StreamRef stream = {});

/// The elements in the order that a function of two says, which is whether one comes before another: stable, in an
/// array of one axis.
Result<AnyArray> sort(const Inputs& array, const Operator& before = less, StreamRef stream = {});
/// Their places in C order, as int64, in that order.
Result<AnyArray> argsort(const Inputs& array, const Operator& before = less, StreamRef stream = {});
/// Two new arrays of one length, where the given ones lay: in a device's memory, or the host's.
struct SortedPairs {
    AnyArray keys, values;
};
/// Keys in that order, and values, of one axis, beside their keys.
Result<SortedPairs> sort_by_key(const Inputs& keys, const Inputs& values, const Operator& before = less,
                                StreamRef stream = {});

/// How many elements lie in each of `bins` equal parts of [low, high], as int64: NumPy's `histogram`, bit for bit. The
/// last has its end too; what lies in none is not counted.
Result<AnyArray> histogram(const Inputs& array, long long bins, double low, double high, StreamRef stream = {});
/// How many elements a function puts into each of `bins`, numbered from 0; what it puts elsewhere is not counted.
Result<AnyArray> histogram(const Operator& bin, const Inputs& array, long long bins, StreamRef stream = {});

struct ReductionCallOptions {
    std::optional<long long> size;  ///< so many of the elements, from the first on; as in `array[:size]`
    Number init = 0;
    StreamRef stream;
};

/// What `@cuda.reduce` makes of a function of two: called as Numba's object. Values are of the array's type, and `init`
/// is always part of the result.
class Reduction {
  public:
    using Options = ReductionCallOptions;

    explicit Reduction(Operator combine) : combine_(std::move(combine)) {}

    const std::string& name() const { return combine_.name(); }

    /// Of an array of one axis. The result has no axes.
    Result<AnyArray> call_all(const Argument& array, const Options& options) const;
    template <class Array>
    Result<AnyArray> call(Array&& array, const Options& options = Options()) const {
        return call_all(make_argument(array), options);
    }
    template <class Array>
    AnyArray operator()(Array&& array, const Options& options = Options()) const {
        return call_all(make_argument(array), options).value();
    }
    /// Numba's `res=`: into the first element of an array of the same type.
    template <class Out, class Array>
    Status into(Out&& out, Array&& array, const Options& options = Options()) const {
        return into_all(make_argument(out), make_argument(array), options);
    }
    Status into_all(const Argument& out, const Argument& array, const Options& options) const;

  private:
    Operator combine_;
};

/// The `@cuda.reduce` object of that name in the module's file.
Result<Reduction> reduction(const Module& module, std::string_view name);
/// Of all of them, in the order of the file.
std::vector<std::string> reduction_names(const Module& module);

}  // namespace pyk::jit

namespace pyk {

using jit::absolute;
using jit::argsort;
using jit::bit_and;
using jit::bit_or;
using jit::bit_xor;
using jit::find_operator;
using jit::greater;
using jit::histogram;
using jit::Inputs;
using jit::is_nonzero;
using jit::less;
using jit::logical_and;
using jit::logical_or;
using jit::maximum;
using jit::minimum;
using jit::multiplies;
using jit::Operator;
using jit::plus;
using jit::reduce;
using jit::reduce_into;
using jit::Reduction;
using jit::reduction;
using jit::ReductionOptions;
using jit::scan;
using jit::scan_into;
using jit::ScanOptions;
using jit::segmented_reduce;
using jit::select;
using jit::sort;
using jit::sort_by_key;
using jit::SortedPairs;
using jit::square;
using jit::transform_reduce;
using jit::transform_reduce_into;
using jit::transform_scan;
using jit::transform_segmented_reduce;

}  // namespace pyk
