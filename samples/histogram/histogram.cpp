#include "demo/samples.h"

void demo::run_histogram(Session& session) {
    std::vector<uint8_t> data;
    for (const double x : random<double>(1'000'000, 0, 16, 1)) data.push_back(static_cast<uint8_t>(x * x));
    const auto counts = session.zeros<int32_t>({256});
    session.launch("histogram", {32}, {256}, session.array(data), counts);
    std::vector<int32_t> want(256);
    for (const uint8_t byte : data) ++want[byte];
    expect_near(session, "counts", session.read(counts), 0, [&](size_t i) { return want[i]; });
}
