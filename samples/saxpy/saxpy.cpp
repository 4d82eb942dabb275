#include "demo/samples.h"

void demo::run_saxpy(Session& session) {
    const int n = 1'000'003;
    const auto x = random<float>(n, -1, 1, 1), y = random<float>(n, -1, 1, 2);
    const auto result = session.array(y);
    session.launch("saxpy", {64}, {128}, 2.5f, session.array(x), result);
    expect_near(session, "y", session.read(result), 1e-6, [&](size_t i) { return 2.5 * x[i] + y[i]; });
}
