#include "demo/samples.h"

namespace demo {

const std::vector<Sample>& all_samples() {
    static const std::vector<Sample> samples = {
        {"vector add", "vector_add", run_vector_add},
        {"saxpy", "saxpy", run_saxpy},
        {"matmul, naive", "matmul", run_matmul_naive},
        {"matmul, tiled", "matmul", run_matmul_tiled},
        {"transpose, naive", "transpose", run_transpose_naive},
        {"transpose, tiled", "transpose", run_transpose_tiled},
        {"transpose, padded", "transpose", run_transpose_padded},
        {"block reduction", "reduction", run_reduction},
        {"histogram", "histogram", run_histogram},
        {"Mandelbrot", "mandelbrot", run_mandelbrot},
        {"heat", "heat", run_heat},
        {"n-body", "nbody", run_nbody},
        {"Black-Scholes", "black_scholes", run_black_scholes},
        {"Monte-Carlo pi", "monte_carlo_pi", run_monte_carlo_pi},
        {"game of life", "life", run_life},
    };
    return samples;
}

}  // namespace demo
