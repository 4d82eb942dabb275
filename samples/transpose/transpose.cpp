#include "demo/samples.h"

namespace {

constexpr int kRows = 1000, kColumns = 1300;

void run(demo::Session& session, const char* kernel, int threads_y) {
    const auto a = demo::random<float>(kRows * kColumns, 0, 1, 1);
    const auto out = session.zeros<float>({kColumns, kRows});
    session.launch(kernel, {demo::blocks(kColumns, 32), demo::blocks(kRows, 32)}, {32, threads_y},
                   session.array(a, {kRows, kColumns}), out);
    demo::expect_near(session, "out", session.read(out), 0,
                      [&](size_t i) { return a[i % kRows * kColumns + i / kRows]; });
}

}  // namespace

void demo::run_transpose_naive(Session& session) { run(session, "transpose_naive", 32); }
void demo::run_transpose_tiled(Session& session) { run(session, "transpose_tiled", 8); }
void demo::run_transpose_padded(Session& session) { run(session, "transpose_padded", 8); }
