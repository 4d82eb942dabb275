// What a sample is: a kernel file, and a C++ function that runs it and checks what came out against plain C++.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "demo/session.h"

namespace demo {

struct Sample {
    const char* title;   ///< in the table
    const char* folder;  ///< `samples/<folder>/<folder>.pyk`
    void (*run)(Session&);
};

/// All of them, in the table's order.
const std::vector<Sample>& all_samples();

/// Uniform in [low, high), the same on every machine.
template <typename T>
std::vector<T> random(size_t count, T low, T high, uint64_t seed) {
    std::vector<T> values(count);
    for (T& value : values) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        value = low + (high - low) * static_cast<T>(static_cast<double>(seed >> 40) * 0x1p-24);
    }
    return values;
}

/// Blocks of `threads` that cover `count`.
inline int blocks(int64_t count, int threads) { return static_cast<int>((count + threads - 1) / threads); }

/// Whether two numbers are nearer than `tolerance`, relative to the wanted one where that is above 1.
inline bool near(double got, double want, double tolerance) {
    return std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want));
}

/// Checks every element against `want(i)`.
template <typename T, typename Want>
void expect_near(Session& session, const char* what, const std::vector<T>& got, double tolerance, Want want) {
    for (size_t i = 0; i < got.size(); ++i)
        if (const double wanted = want(i); !near(static_cast<double>(got[i]), wanted, tolerance)) {
            session.fail(std::string(what) + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", not " +
                         std::to_string(wanted));
            return;
        }
}

}  // namespace demo
