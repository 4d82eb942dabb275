// Runs the kernels on the CPU, and with `--cuda` on the first GPU, through the functions of their headers.
#include <app/own.h>
#include <kernels/other/scale.h>
#include <kernels/particles.h>
#include <kernels/saxpy.h>
#include <kernels/scale.h>

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

// arrays.cpp: what is wrong; null: nothing.
const char* wrong_arrays(const pyk::Device& device);
const char* wrong_points();  // points.cpp

namespace {

// A wrong type, a wrong rank, and a constant array that the kernel writes do not compile.
template <class... T>
auto takes(int) -> decltype(saxpy::saxpy(std::declval<T>()...), true) {
    return true;
}
template <class... T>
bool takes(...) {
    return false;
}
template <class T, int N = 1>
using View = pyk::View<T, N>;

int wrong_types() {
    using pyk::Launch;
    return takes<Launch, float, View<double>, View<float>>(0) + takes<Launch, float, View<float, 2>, View<float>>(0) +
           takes<Launch, float, View<float>, View<const float>>(0) + takes<Launch, View<float>, View<float>>(0) +
           takes<Launch, float*, View<float>, View<float>>(0) + !takes<Launch, float, View<float>, View<float>>(0) +
           !takes<Launch, int, View<float>, View<float>>(0) + !takes<Launch, double, View<double>, View<double>>(0);
}

template <class T>
std::vector<T> host(const pyk::Array<T>& array) {
    return array.to_host().value();
}

int run(const pyk::Device& device) {
    if (const char* wrong = wrong_arrays(device)) return std::puts(wrong), 1;
    const auto on_device = [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        return pyk::Array<T>::from_host(device, values).value();
    };
    const pyk::Launch launch{{4}, {256}, 0, device};
    auto x = on_device(std::vector<float>(1000, 1.5f)), y = on_device(std::vector<float>(1000, 0.25f));
    saxpy::saxpy(launch, 2.0f, x, y).or_throw();
    auto x2 = on_device(std::vector<double>(1000, 1.5)), y2 = on_device(std::vector<double>(1000, 0.5));
    saxpy::saxpy(launch, 2.0, x2, y2).or_throw();
    // Arrays that overlap get the other variant: y[i] of every element is that of before.
    auto chain = on_device(std::vector<float>(1000, 1.0f));
    saxpy::shift(launch, chain.view().slice(0, 0, 999), chain.view().slice(0, 1, 1000)).or_throw();
    // A strided view where the signature takes any strides; where it does not, an error by value.
    auto strided = on_device(std::vector<float>(1000, 3.0f));
    saxpy::fill(launch, strided.view().slice(0, 0, 1000, 2), 7.0f).or_throw();
    const pyk::Status refused = saxpy::saxpy(launch, 2.0f, x.view().slice(0, 0, 1000, 2), y);

    auto counts = on_device(std::vector<int>(1000, 7));
    kernels::scale::scale(launch, counts).or_throw();
    auto halves = on_device(std::vector<double>(1000, 8.0));
    kernels::other::scale::scale(launch, halves).or_throw();

    auto points = on_device(std::vector<particles::Particle>(100, particles::Particle{1.0f, {2.0f, 3.0f}, 4}));
    particles::move(launch, points, 0.5f).or_throw();
    const particles::Particle moved = host(points)[99];

    std::printf(
        "%g %g %g %g %g %d %d %g %g %g %d\n", static_cast<double>(host(y)[999]), host(y2)[999],
        static_cast<double>(host(chain)[0]), static_cast<double>(host(strided)[998]),
        static_cast<double>(host(strided)[999]),
        refused.error().kind == pyk::Error::Kind::arguments && refused.message().find("`x`") != std::string::npos,
        host(counts)[999], host(halves)[999], static_cast<double>(moved.mass), static_cast<double>(moved.velocity[1]),
        moved.steps);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (wrong_types() != 0) return std::puts("a call that should not compile does"), 1;
    if (argc > 1 && std::strcmp(argv[1], "--cuda") == 0) {
        const auto gpu = pyk::Device::get();
        return gpu ? run(*gpu) : (std::puts(gpu.message().c_str()), 1);
    }
    if (const char* wrong = wrong_points()) return std::puts(wrong), 1;
    // Host memory alone says that it is the CPU that is meant.
    std::vector<double> values(10, 1.0);
    app::own::fill({{1}, {32}}, values, 0.125).or_throw();
    if (values[9] != 0.125) return std::puts("own.pyk"), 1;
    const pyk::Status raised = app::own::rooted(-4.0, values);
    if (raised.message() != "own.pyk: line 14: ValueError: negative") return std::puts(raised.message().c_str()), 1;
    app::own::rooted(4.0, values).or_throw();
    if (values[9] != 2) return std::puts("an array function that may raise"), 1;
    return run(pyk::Device::cpu());
}
