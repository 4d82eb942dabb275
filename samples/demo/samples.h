// The samples' functions, each in its own folder.
#pragma once

#include "demo/sample.h"

namespace demo {

void run_vector_add(Session& session);
void run_saxpy(Session& session);
void run_matmul_naive(Session& session);
void run_matmul_tiled(Session& session);
void run_transpose_naive(Session& session);
void run_transpose_tiled(Session& session);
void run_transpose_padded(Session& session);
void run_reduction(Session& session);
void run_histogram(Session& session);
void run_mandelbrot(Session& session);
void run_heat(Session& session);
void run_nbody(Session& session);
void run_black_scholes(Session& session);
void run_monte_carlo_pi(Session& session);
void run_life(Session& session);

}  // namespace demo
