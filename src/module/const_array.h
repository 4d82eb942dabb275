// NumPy's arrays as module code makes them: constructors, element-wise arithmetic, shapes. The values are what the
// kernels' tables hold.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "module/constant.h"

namespace pyk {

/// Larger arrays are no constants: a kernel takes them as arguments.
inline constexpr size_t kMaxTableBytes = size_t(1) << 20;

/// What `np.array` is given: lists in lists, tuples, numbers. A tuple may be the value of a record.
struct Nested {
    enum class Kind : uint8_t { value, list, tuple } kind = Kind::value;
    Const value;
    std::vector<Nested> items;
};

/// Of zeros; without axes it has one element. nullopt: too large, or no shape of an array that kernels can use.
std::optional<ConstArray> zeros(Type element, std::vector<int64_t> shape, Layout layout = Layout::C);
/// `element` invalid: NumPy's choice for the values.
std::optional<ConstArray> array_of(const Nested& nested, Type element);

int64_t count(const ConstArray& array);
/// An element in C order, with the array's type. nullopt: a record.
std::optional<Const> item(const ConstArray& array, int64_t index);
/// An element that is a record.
Const record_at(const ConstArray& array, int64_t index);
/// A field of a record, or that of each record of an array; nullopt: it has none of this name.
std::optional<Const> field_of(const Const& value, std::string_view name);
/// Converts as `astype` does. False: it cannot.
bool set_item(ConstArray& array, int64_t index, const Const& value);

std::optional<ConstArray> astype(const ConstArray& array, Type element);
/// The extents to which two arrays are broadcast; nullopt: they do not go together.
std::optional<std::vector<int64_t>> broadcast_shapes(const std::vector<int64_t>& a, const std::vector<int64_t>& b);
/// Extents for so many elements, one of them -1 at most, which follows from the others; nullopt: they are not so many.
std::optional<std::vector<int64_t>> settled_shape(std::vector<int64_t> shape, int64_t count);
std::optional<ConstArray> reshaped(const ConstArray& array, std::vector<int64_t> shape);
ConstArray transposed(const ConstArray& array);
/// The same values, laid out otherwise.
ConstArray in_layout(const ConstArray& array, Layout layout);

/// The array that a value is; null: it is none.
const ConstArray* array_in(const std::optional<Const>& constant);
/// nullopt: there is no array.
std::optional<Const> as_value(std::optional<ConstArray> array);

/// One subscript of an axis: an index, or `start:stop:step` clipped as Python clips, or a new axis of one element.
struct ConstSubscript {
    enum class Kind : uint8_t { index, slice, new_axis } kind = Kind::index;
    int64_t index = 0;
    std::optional<int64_t> start = {}, stop = {}, step = {};
};
/// The places that a slice takes of `extent` items.
struct SlicedAxis {
    int64_t first = 0, step = 1, count = 0;
};
/// As Python clips. The step is not 0.
SlicedAxis sliced(const ConstSubscript& slice, int64_t extent);
/// An element, or an array; nullopt: out of range.
std::optional<Const> subscripted(const ConstArray& array, std::span<const ConstSubscript> subscripts);

/// Element by element with broadcasting; numbers that are no arrays stay weak. Of arrays without axes it is a number.
using ConstFunction = std::function<std::optional<Const>(std::span<const Const>)>;
std::optional<Const> elementwise(std::span<const Const> operands, const ConstFunction& function);

/// An operator of numbers, sequences or arrays.
std::optional<Const> apply_arrays(ast::BinaryOp op, const Const& lhs, const Const& rhs);

/// NumPy's pairwise sum.
std::optional<Const> sum(const ConstArray& array);
/// By `less(a, b)`: the least, or the greatest.
std::optional<Const> extreme(const ConstArray& array, bool least);

std::optional<ConstArray> arange(const Const& start, const Const& stop, const Const& step, Type element);
std::optional<ConstArray> linspace(const Const& start, const Const& stop, int64_t count, bool endpoint, Type element);

}  // namespace pyk
