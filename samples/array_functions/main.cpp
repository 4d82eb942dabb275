// Array functions: what a Numba course begins with, in C++. On the GPU if there is one.
#include <cmath>
#include <cstdio>
#include <pyk/fuse.hpp>
#include <pyk/random.hpp>
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

// A layer of a network: three functions one after the other. Arrays stay on the device, results go into arrays that are
// there; then the three as one, with nothing in memory in between.
void device_arrays(const pyk::jit::Module& course) {
    std::vector<float> host_levels(50'000), host_weights(host_levels.size());
    for (std::size_t i = 0; i < host_levels.size(); ++i) {
        host_levels[i] = static_cast<float>(i % 256);
        host_weights[i] = static_cast<float>(i % 7) - 3;
    }
    const pyk::Device device;
    const auto levels = pyk::Array<float>::from_host(device, host_levels).value();
    const auto weights = pyk::Array<float>::from_host(device, host_weights).value();
    auto values = pyk::Array<float>::allocate(device, {levels.shape()[0]}).value();
    const pyk::Ufunc of_grey = pyk::ufunc(course, "of_grey").value();
    const pyk::Ufunc weigh = pyk::ufunc(course, "weigh").value();
    const pyk::Ufunc activate = pyk::ufunc(course, "activate").value();
    of_grey.into(values, levels).or_throw();
    weigh.into(values, values, weights).or_throw();
    activate.into(values, values).or_throw();
    const std::vector<float> layer = values.to_host().value();

    const pyk::Ufunc all =
        pyk::fuse([&](pyk::Term level, pyk::Term weight) { return activate(weigh(of_grey(level), weight)); }).value();
    const std::vector<float> fused = all(levels, weights).to_host<float>().value();
    for (std::size_t i = 0; i < layer.size(); ++i) {
        const double expected = std::tanh(static_cast<double>(host_levels[i]) / 255 * host_weights[i]);
        expect(std::fabs(layer[i] - expected) < 1e-6, "a layer in three steps");
        expect(std::fabs(fused[i] - expected) < 1e-6, "a layer in one");
    }
}

// A function with branches.
void quadrants(const pyk::jit::Module& course) {
    const std::vector<float> x = {1, -1, -1, 1}, y = {1, 1, -1, -1};
    const auto found = pyk::ufunc(course, "cartesian_quadrant").value()(x, y).to_host<int>().value();
    expect(found == std::vector<int>{1, 2, 3, 4}, "quadrants");
}

// How many of random points, made where they are counted, are within a quarter of a circle.
void monte_carlo(const pyk::jit::Module& course) {
    const pyk::Device device;
    pyk::Philox random{1};
    auto x = pyk::Array<float>::allocate(device, {1'000'000}).value();
    auto y = pyk::Array<float>::allocate(device, {1'000'000}).value();
    pyk::fill_uniform(x, random).or_throw();
    pyk::fill_uniform(y, random).or_throw();
    const pyk::AnyArray inside = pyk::ufunc(course, "is_inside").value()(x, y);
    const int count = pyk::ufunc(course, "total").value().reduce(inside).value().item<int>().value();
    const double pi = 4.0 * count / 1'000'000;
    std::printf("pi is about %.4f\n", pi);
    expect(std::fabs(pi - 3.14159) < 0.01, "pi");
}

}  // namespace

int main(int argc, char** argv) try {
    const pyk::jit::Module course = pyk::load_or_throw(argc > 1 ? argv[1] : "course.py");
    add_ten(course);
    normalize(course);
    zero_suppress(course);
    broadcast(course);
    device_arrays(course);
    quadrants(course);
    monte_carlo(course);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
