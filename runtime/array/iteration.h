// How the elements of several arrays are gone through together: shapes broadcast, axes put in the order of memory and
// joined where they can be. Plain arithmetic; nothing here touches memory.
#pragma once

#include <array>
#include <climits>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pyk/elementwise_loop.h"
#include "pyk/flat_loop.h"
#include "pyk/status.h"

namespace pyk::arrays {

using Shape = std::vector<long long>;

std::string text_of(const Shape& shape);

/// An array as far as its elements' places go.
struct Layout {
    char* data = nullptr;  ///< null: a number, which stands for every element
    long long element_bytes = 1;
    Shape shape;    ///< empty: a number, or one element
    Shape strides;  ///< in bytes
};

Shape dense_strides(const Shape& shape, long long element_bytes);

/// NumPy's broadcasting. Fails where two extents differ and none is 1.
Result<Shape> broadcast(const std::vector<Layout>& arrays);
/// Why an array of this shape cannot take a result of the other; empty: it can.
std::string why_not_output(const Shape& output, const Shape& result);

struct Axis {
    long long extent = 1;
    std::vector<long long> strides;  ///< of each operand, in bytes
};

/// Axes that go on where the one before them ends are one with that.
std::vector<Axis> joined(std::vector<Axis> axes);

/// The operands' elements, the output's last. `axes`: the one that runs fastest first; at least one.
struct Iteration {
    std::vector<Axis> axes;
    std::vector<char*> data;
    std::vector<long long> element_bytes;

    long long count() const;
};

/// `operands`: the inputs, then the output, which has the shape that all are broadcast to.
Iteration iterate(const std::vector<Layout>& operands);

/// What a loop goes through in one launch: those of GPUs count in 32 bits, but for that of elements side by side.
inline constexpr long long kCountedIn32Bits = 1ll << 31, kAnyCount = LLONG_MAX;

/// Calls `use` with all of it, in parts of less than `limit` elements and at most `most_axes` axes each, the first axis
/// among them; stops where that fails.
Status for_each_part(Iteration whole, long long limit, const std::function<Status(Iteration&)>& use);

/// Whether two arrays may have a byte in common.
bool may_overlap(const Layout& a, const Layout& b);
/// From the first to behind the last byte of its elements. Precondition: there is one.
std::pair<char*, char*> bytes_of(const Layout& array);
/// Whether they are the same elements in the same order.
bool is_same(const Layout& a, const Layout& b);
/// Whether two of its elements may be one: an axis of several without a stride.
bool repeats(const Layout& array);

/// `flat`: the elements lie side by side, and all arrays have an element that is aligned to 16 bytes in common.
enum class Access : unsigned char { flat, rows, strided, tiled };
Access access_of(const Iteration& iteration);

/// A tile of 32 by 32 elements in shared memory, which inputs that lie side by side along the second axis go through.
std::size_t shared_bytes_of_tile(const Iteration& iteration);
/// The axis along which inputs lie side by side comes second. Precondition: access_of says `tiled`.
void bring_turned_axis_second(Iteration& iteration);

division divide_by(long long divisor);

/// The flat loop's elements before the first that is aligned to 16 bytes in every array. nullopt: there is none. An
/// output without data is new memory, which is aligned.
std::optional<int> aligned_head(const Iteration& iteration, long long lanes);
/// Whether each row of each array begins at such a place.
bool rows_are_aligned(const Iteration& iteration, long long lanes);

/// As many elements as the widest has in 16 bytes; one where some do not fill them. As pyk::lanes_of of the prelude.
long long lanes_of(long long element_bytes);
long long lanes_of(const Iteration& iteration);

}  // namespace pyk::arrays
