#include "demo/samples.h"

namespace {

constexpr int kBodies = 1500;

std::vector<double> accelerations(const std::vector<float>& bodies) {
    std::vector<double> out(3 * kBodies);
    for (int i = 0; i < kBodies; ++i)
        for (int j = 0; j < kBodies; ++j) {
            double d[3], r2 = 1e-4;
            for (int axis = 0; axis < 3; ++axis) {
                d[axis] = static_cast<double>(bodies[4 * j + axis]) - bodies[4 * i + axis];
                r2 += d[axis] * d[axis];
            }
            const double weight = bodies[4 * j + 3] / (r2 * std::sqrt(r2));
            for (int axis = 0; axis < 3; ++axis) out[3 * i + axis] += d[axis] * weight;
        }
    return out;
}

}  // namespace

void demo::run_nbody(Session& session) {
    const auto bodies = random<float>(4 * kBodies, 0, 1, 1);
    const auto out = session.zeros<float>({kBodies, 3});
    session.launch("accelerations", {blocks(kBodies, 128)}, {128}, session.array(bodies, {kBodies, 4}), out);
    const auto want = accelerations(bodies);
    expect_near(session, "acceleration", session.read(out), 1e-2, [&](size_t i) { return want[i]; });
}
