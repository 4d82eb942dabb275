// NumPy's Gauss quadratures: nodes and weights, which kernels have as tables.
#include <cmath>
#include <numbers>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;
using Args = HostArguments;
using Numbers = std::vector<double>;

Result vector_of(const Numbers& numbers) {
    auto array = zeros(Scalar::float64, {static_cast<int64_t>(numbers.size())});
    for (size_t i = 0; array && i < numbers.size(); ++i) set_item(*array, static_cast<int64_t>(i), {numbers[i], {}});
    return as_value(std::move(array));
}

/// Orthonormal polynomials: b[k + 1] p[k + 1](x) = (x - a[k]) p[k](x) - b[k] p[k - 1](x).
struct Orthogonal {
    double (*a)(double k);
    double (*b)(double k);
    double integral;  ///< of the weight
};

/// Nodes are eigenvalues of the matrix of the recurrence, found by counting (Sturm) and made exact by Newton's steps.
Result nodes_and_weights(const Args& args, const Orthogonal& of) {
    const auto n = to_int(args[0]);
    if (!n || *n < 1 || *n > 128) return std::nullopt;
    const auto count = static_cast<size_t>(*n);
    Numbers a, b;
    double reach = 0;
    for (size_t k = 0; k <= count; ++k) {
        a.push_back(of.a(static_cast<double>(k)));
        b.push_back(k == 0 ? 0 : of.b(static_cast<double>(k)));
        if (k < count) reach = std::max(reach, std::fabs(a[k]) + 2 * of.b(static_cast<double>(k + 1)));
    }
    const auto below = [&](double x) {
        size_t found = 0;
        double d = 1;
        for (size_t k = 0; k < count; ++k) {
            d = a[k] - x - (k == 0 ? 0 : b[k] * b[k] / d);
            if (d == 0) d = 1e-300;
            found += d < 0;
        }
        return found;
    };
    Numbers nodes, weights;
    for (size_t i = 0; i < count; ++i) {
        double low = -reach - 1, high = reach + 1;
        for (int step = 0; step < 60; ++step) {
            const double middle = 0.5 * (low + high);
            (below(middle) > i ? high : low) = middle;
        }
        long double x = 0.5L * (low + high), squares = 0;
        for (int step = 0; step < 4; ++step) {
            long double last = 0, p = 1, slope_last = 0, slope = 0;
            squares = 0;
            for (size_t k = 0; k < count; ++k) {
                squares += p * p;
                const long double next = ((x - a[k]) * p - b[k] * last) / b[k + 1];
                const long double slope_next = (p + (x - a[k]) * slope - b[k] * slope_last) / b[k + 1];
                last = p, p = next;
                slope_last = slope, slope = slope_next;
            }
            if (step < 3) x -= p / slope;
        }
        const bool is_middle = std::fabs(static_cast<double>(x)) < 1e-17;
        nodes.push_back(is_middle ? 0.0 : static_cast<double>(x));
        weights.push_back(static_cast<double>(of.integral / squares));
    }
    const Result x = vector_of(nodes), w = vector_of(weights);
    return x && w ? Result(Const{Const::Tuple{*x, *w}, {}}) : std::nullopt;
}

double zero(double) { return 0; }
const Orthogonal kLegendre{zero, [](double k) { return k / std::sqrt(4 * k * k - 1); }, 2.0};
const Orthogonal kHermite{zero, [](double k) { return std::sqrt(k / 2); }, std::sqrt(std::numbers::pi)};
const Orthogonal kHermiteE{zero, [](double k) { return std::sqrt(k); }, std::sqrt(2 * std::numbers::pi)};
const Orthogonal kLaguerre{[](double k) { return 2 * k + 1; }, [](double k) { return k; }, 1.0};

Result chebyshev(const Args& a) {
    const auto n = to_int(a[0]);
    if (!n || *n < 1 || *n > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    const auto size = static_cast<double>(*n);
    Numbers x;
    for (int64_t i = 0; i < *n; ++i)
        x.push_back(std::cos(std::numbers::pi * static_cast<double>(2 * i + 1) / (2.0 * size)));
    const Result nodes = vector_of(x);
    const Result weights = vector_of(Numbers(x.size(), std::numbers::pi / size));
    return nodes && weights ? Result(Const{Const::Tuple{*nodes, *weights}, {}}) : std::nullopt;
}

constexpr HostFunction kFunctions[] = {
    {"polynomial.chebyshev.chebgauss", "deg", 1, chebyshev},
    {"polynomial.hermite.hermgauss", "deg", 1, [](const Args& a) { return nodes_and_weights(a, kHermite); }},
    {"polynomial.hermite_e.hermegauss", "deg", 1, [](const Args& a) { return nodes_and_weights(a, kHermiteE); }},
    {"polynomial.laguerre.laggauss", "deg", 1, [](const Args& a) { return nodes_and_weights(a, kLaguerre); }},
    {"polynomial.legendre.leggauss", "deg", 1, [](const Args& a) { return nodes_and_weights(a, kLegendre); }},
};

}  // namespace

std::span<const HostFunction> numpy_quadratures() { return kFunctions; }

}  // namespace pyk
