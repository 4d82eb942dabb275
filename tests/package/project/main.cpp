// Runs the kernels on the CPU, and says which compiled code a GPU would get.
#include <app/own.h>
#include <kernels/other/scale.h>
#include <kernels/saxpy.h>
#include <kernels/scale.h>
#include <pyk/runtime.h>

#include <cstdio>
#include <vector>

namespace {

template <class T>
void push(pyk::ArgBuffer& args, std::vector<T>& values) {
    const long long extent = static_cast<long long>(values.size());
    args.push_array(values.data(), &extent, 1);
}

void launch(pyk::cpu::Entry entry, const pyk::ArgBuffer& args) {
    pyk::cpu::LaunchConfig config;
    config.grid = {4};
    config.block = {256};
    if (const auto done = pyk::cpu::launch(entry, config, args.data()); !done) std::puts(done.message().c_str());
}

}  // namespace

int main() {
    std::vector<float> x(1000, 1.5f), y(1000, 0.25f);
    pyk::ArgBuffer saxpy;
    saxpy.push(2.0f);
    push(saxpy, x);
    push(saxpy, y);
    launch(pyk_saxpy_f4_a1f4c_a1f4c, saxpy);

    std::vector<int> counts(1000, 7);
    pyk::ArgBuffer scale;
    push(scale, counts);
    launch(pyk_scale_a1i4c, scale);

    std::vector<double> halves(1000, 8.0);
    pyk::ArgBuffer other, fill;
    push(other, halves);
    launch(pyk_scale_a1f8c, other);
    const double half = halves[999];
    push(fill, halves);
    fill.push(0.125);
    launch(pyk_fill_a1f8c_f8, fill);

    const pyk::Image* image = pyk::choose(saxpy::saxpy_images, 9, 0);
    std::printf("%g %d %g %g sm_%d %zu\n", static_cast<double>(y[999]), counts[999], half, halves[999],
                image ? image->sm : 0, kernels::scale::scale_images.count + kernels::other::scale::scale_images.count);
}
