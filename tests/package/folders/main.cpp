#include <step.h>
#include <sub/scaled.h>
#include <sub/step.h>
#include <wraps.h>

#include <cstdio>
#include <limits>
#include <vector>

int main() {
    const pyk::Device cpu = pyk::Device::cpu();
    auto x = pyk::Array<long long>::from_host(cpu, std::vector{1LL, std::numeric_limits<long long>::max()}).value();
    auto grows = pyk::Array<long long>::allocate(cpu, {2}).value();
    auto y = pyk::Array<double>::from_host(cpu, std::vector{1.0, 2.0}).value();
    const pyk::Launch launch{{1}, {32}};
    wraps::wraps(launch, x, grows).or_throw();
    step::step(launch, y).or_throw();
    const auto one = y.to_host().value();
    sub::step::step(launch, y).or_throw();
    scaled::scaled(launch, y).or_throw();
    std::printf("%lld %lld, %g %g, %g\n", grows.to_host().value()[0], grows.to_host().value()[1], one[0], one[1],
                y.to_host().value()[0]);
}
