// Sums whose elements stand anywhere.
#include "passes/sum_in_turn.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_in_turn(const std::string& before, const std::string& after) {
    const auto text = [](const std::string& body) {
        return "kernel k = k_(a: float64[::1], places: int64[::1], small: uint8[::1], counts: int64[::1], n: int64) {\n"
               "  var total: float64\n  var count: int64\n  temp i: int64\n  total = 0.0:float64\n  count = 0\n" +
               body + "  store a[count] = total\n}\n";
    };
    expect_pass(sum_in_turn, text(before), text(after));
}
std::string in_loop(const std::string& statement) {
    return "  for i in range(0, n, 1) {\n    " + statement + "\n  }\n";
}

TEST(SumInTurn, OfElementsWhosePlacesAreLoaded) {
    expect_in_turn(in_loop("total = (total + (a[i] * a[places[i]]))"),
                   in_loop("total = (total + (a[i] * a[@pyk.in_turn(places[i]):int64]))"));
    expect_in_turn(in_loop("total = (total - a[(places[i] + 1)])"),
                   in_loop("total = (total - a[@pyk.in_turn((places[i] + 1)):int64])"));
}

TEST(SumInTurn, NotOfOthers) {
    for (const std::string statement : {
             "total = (total + a[i])",
             "count = (count + counts[places[i]])",
             "total = a[places[i]]",
             "total = (a[places[i]] + 1.0:float64)",
             "total = (total + a[small[i]])",
         })
        expect_in_turn(in_loop(statement), in_loop(statement));
    expect_in_turn("  total = (total + a[places[n]])\n", "  total = (total + a[places[n]])\n");
}

}  // namespace
}  // namespace pyk::test
