// Array functions: what a Numba course begins with, in C++. On the GPU if there is one.
#include <cmath>
#include <cstdio>
#include <pyk/ufunc.hpp>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(std::string("wrong: ") + what);
}

// Arrays and numbers; the result's type follows from theirs.
void add_ten(const pyk::jit::Module& course) {
    const pyk::Ufunc function = pyk::ufunc(course, "add_ten").value();
    expect(function(std::vector<long long>{1, 2}).to_host<std::int64_t>().value()[1] == 12, "integers");
    expect(function(std::vector<float>{0.5f}).item<float>().value() == 10.5f, "real numbers");
}

// The smallest and the largest element, and what lies between them from 0 to 1: the data stays where it is.
void normalize(const pyk::jit::Module& course) {
    std::vector<float> pixels(100'000);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 251) + 3;
    const auto image = pyk::Array<float>::from_host(pyk::Device(), pixels).value();
    const pyk::AnyArray low = pyk::ufunc(course, "smaller").value().reduce(image).value();
    const pyk::AnyArray high = pyk::ufunc(course, "larger").value().reduce(image).value();
    const auto result = pyk::ufunc(course, "normalize").value()(image, low, high).to_host<float>().value();
    expect(result[0] == 0 && result[250] == 1 && result[125] == 0.5f, "normalize");
}

// In place.
void zero_suppress(const pyk::jit::Module& course) {
    std::vector<float> pulses = {1, 20, 3, 40, 5};
    pyk::ufunc(course, "zero_suppress").value().into(pulses, pulses, 15).or_throw();
    expect(pulses == std::vector<float>{0, 20, 0, 40, 0}, "zero_suppress");
}

// Every element of a column with every element of a row.
void broadcast(const pyk::jit::Module& course) {
    std::vector<float> x(200), means = {-1, 0, 1};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.05f - 5;
    const pyk::Ufunc gauss = pyk::ufunc(course, "gauss").value();
    const auto curves = gauss(x, pyk::host(means.data(), {3, 1}), 1.0f);
    expect(curves.shape() == std::vector<long long>{3, 200}, "a curve per mean");
    const std::vector<float> values = curves.to_host<float>().value();
    const double expected = std::exp(-0.5 * std::pow(x[130] - 1.0, 2)) / std::sqrt(2 * 3.141592653589793);
    expect(std::fabs(values[2 * 200 + 130] - expected) < 1e-6, "gauss");
}

// How many of random points are within a quarter of a circle.
void monte_carlo(const pyk::jit::Module& course) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform;
    std::vector<float> x(1'000'000), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = uniform(random), y[i] = uniform(random);
    const pyk::AnyArray inside = pyk::ufunc(course, "is_inside").value()(x, y);
    const int count = pyk::ufunc(course, "total").value().reduce(inside).value().item<int>().value();
    const double pi = 4.0 * count / static_cast<double>(x.size());
    std::printf("pi is about %.4f\n", pi);
    expect(std::fabs(pi - 3.14159) < 0.01, "pi");
}

}  // namespace

int main(int argc, char** argv) try {
    const pyk::jit::Module course = pyk::load_or_throw(argc > 1 ? argv[1] : PYK_SAMPLE "/course.py");
    add_ten(course);
    normalize(course);
    zero_suppress(course);
    broadcast(course);
    monte_carlo(course);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
