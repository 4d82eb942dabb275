// A program of somebody whose compiler warns of everything: all headers, and what their templates become.
#include <complex>
#include <optional>
#include <tuple>
#include <vector>

#include "pyk/algorithms.hpp"
#include "pyk/aot.h"
#include "pyk/aot_array.h"
#include "pyk/aot_core.h"
#include "pyk/aot_function.h"
#include "pyk/aot_stencil.h"
#include "pyk/function.hpp"
#include "pyk/fuse.hpp"
#include "pyk/gufunc.hpp"
#include "pyk/half.h"
#include "pyk/interop.h"
#include "pyk/pyk.h"
#include "pyk/pyk.hpp"
#include "pyk/random.hpp"
#include "pyk/runtime.h"
#include "pyk/stencil.hpp"
#include "pyk/ufunc.hpp"

struct Point {
    float x, y;
};
PYK_RECORD(Point, x, y);
struct Path {
    int value, type;  // the names of members of pyk's own
    Point at[3];
    char name[8];
    std::int16_t cells[2][2];
};
PYK_RECORD(Path, value, kind, at, name, cells);  // a member by another name
#ifdef SWAPPED
struct Swapped {
    float y, x;
};
PYK_RECORD(Swapped, x, y);
#else
using Swapped = Point;
#endif
#ifdef IN_NAMESPACE
namespace geometry {
struct Corner {
    float x, y;
};
PYK_RECORD(Corner, x, y);
}  // namespace geometry
#endif

int main() {
    const auto module = pyk::load("k.pyk").value();
    const auto kernel = module.kernel("k").value();
    std::vector<float> host(4);
    std::vector<Point> points(4);
    std::vector<Path> paths(4);
    const std::vector<pyk::float16> halves(4);
    auto table = pyk::Array<std::complex<double>, 2>::allocate(pyk::Device::cpu(), {2, 2}).value();
    kernel(pyk::grid(1), pyk::block(4))(1, 2.0f, true, 'c', 5ull, host, points, halves, table, table.view(), Swapped{});
    kernel.forall(4)(paths, paths[0], std::tuple(1, 2.0, std::pair(3, 4u)), std::optional<float>(), pyk::none,
                     pyk::in(host), pyk::out(host), pyk::host(host.data(), {2, 2}), pyk::cell(host[0]),
                     pyk::constant(3));
    const pyk::AnyArray sum = pyk::ufunc(module, "add").value()(host, 1);
    const pyk::AnyArray sorted = pyk::sort(host).value();
    const auto total =
        pyk::function<std::tuple<double, pyk::Array<float>, std::optional<int>>(const std::vector<float>&)>(module,
                                                                                                            "total");
    return static_cast<int>(std::get<0>(total.value()(host))) + static_cast<int>(sum.size() + sorted.size());
}
