#include "demo/samples.h"

namespace {

constexpr int kRows = 300, kInner = 400, kColumns = 260;

std::vector<double> product(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<double> c(kRows * kColumns);
    for (int row = 0; row < kRows; ++row)
        for (int k = 0; k < kInner; ++k)
            for (int column = 0; column < kColumns; ++column)
                c[row * kColumns + column] += static_cast<double>(a[row * kInner + k]) * b[k * kColumns + column];
    return c;
}

void run(demo::Session& session, const char* kernel) {
    const auto a = demo::random<float>(kRows * kInner, 0, 1, 1), b = demo::random<float>(kInner * kColumns, 0, 1, 2);
    const auto c = session.zeros<float>({kRows, kColumns});
    session.launch(kernel, {demo::blocks(kColumns, 16), demo::blocks(kRows, 16)}, {16, 16},
                   session.array(a, {kRows, kInner}), session.array(b, {kInner, kColumns}), c);
    const auto want = product(a, b);
    demo::expect_near(session, "C", session.read(c), 1e-5, [&](size_t i) { return want[i]; });
}

}  // namespace

void demo::run_matmul_naive(Session& session) { run(session, "matmul_naive"); }
void demo::run_matmul_tiled(Session& session) { run(session, "matmul_tiled"); }
