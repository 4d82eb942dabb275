// What the benchmarks say of their rounds.
#pragma once

#include <algorithm>
#include <vector>

namespace bench {

inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

/// How far the quartiles lie apart, in medians.
inline double spread(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return (v[v.size() * 3 / 4] - v[v.size() / 4]) / v[v.size() / 2];
}

}  // namespace bench
