// How fast the front end is. `pyk_frontend_bench FILE…`: lines per second over the files, tree built, best of several
// rounds; then a 25-line kernel, first time in this process and warm. bench.py runs it beside CPython's `ast.parse`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "syntax/encoding.h"
#include "syntax/parse.h"

namespace {

constexpr const char* kKernel = R"py(from numba import cuda, float32

TPB = 16

@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def fast_matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tmp = float32(0.)
    for i in range(cuda.gridDim.x):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp
)py";

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double parse_ms(const pyk::SourceFilePtr& source) {
    const Clock::time_point start = Clock::now();
    pyk::Diagnostics diagnostics;
    const auto module = pyk::parse(source, diagnostics);
    return ms_since(start);
}

double round_ms(const std::vector<pyk::SourceFilePtr>& sources) {
    double total = 0;
    for (const pyk::SourceFilePtr& source : sources) total += parse_ms(source);
    return total;
}

std::vector<pyk::SourceFilePtr> load(int count, char** paths) {
    std::vector<pyk::SourceFilePtr> sources;
    for (int i = 0; i < count; ++i) {
        std::ifstream file(paths[i], std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        pyk::Diagnostics diagnostics;
        sources.push_back(pyk::decode_source(paths[i], std::move(text), diagnostics));
    }
    return sources;
}

}  // namespace

int main(int argc, char** argv) {
    const auto kernel = std::make_shared<pyk::SourceFile>("matmul.pyk", kKernel);
    const double cold = parse_ms(kernel);
    double warm = cold;
    for (int i = 0; i < 200; ++i) warm = std::min(warm, parse_ms(kernel));
    std::printf("kernel of %u lines: first %.3f ms, warm %.3f ms\n", kernel->line_count() - 1, cold, warm);

    const std::vector<pyk::SourceFilePtr> sources = load(argc - 1, argv + 1);
    if (sources.empty()) return 0;
    size_t lines = 0;
    for (const pyk::SourceFilePtr& source : sources) lines += source->line_count() - 1;
    double best = round_ms(sources);
    for (int i = 0; i < 4; ++i) best = std::min(best, round_ms(sources));
    std::printf("%zu lines in %.1f ms: %.0f lines/s\n", lines, best, 1000.0 * static_cast<double>(lines) / best);
}
