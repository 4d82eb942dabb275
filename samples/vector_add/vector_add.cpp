#include "demo/samples.h"

void demo::run_vector_add(Session& session) {
    const int n = 1'000'000;
    const auto a = random<float>(n, 0, 1, 1), b = random<float>(n, 0, 1, 2);
    const auto c = session.zeros<float>({n});
    session.launch("vector_add", {blocks(n, 256)}, {256}, session.array(a), session.array(b), c);
    expect_near(session, "c", session.read(c), 0, [&](size_t i) { return a[i] + b[i]; });
}
