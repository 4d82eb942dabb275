#include <numeric>

#include "demo/samples.h"

void demo::run_reduction(Session& session) {
    const auto values = random<double>(1'000'000, 0, 1, 1);
    const auto total = session.zeros<double>({1});
    session.launch("block_sum", {64}, {256}, session.array(values), total);
    const double want = std::accumulate(values.begin(), values.end(), 0.0);
    expect_near(session, "total", session.read(total), 1e-12, [&](size_t) { return want; });
}
