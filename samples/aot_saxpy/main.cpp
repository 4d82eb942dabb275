// A kernel compiled ahead of time: pykc wrote saxpy.h and the code behind it when this program was built. It runs on
// the first GPU, or on the CPU where there is none.
#include <saxpy.h>

#include <cstdio>
#include <vector>

namespace {

pyk::Status run() {
    const pyk::Device device;
    const std::vector<float> ones(1'000'000, 1.5f), quarters(ones.size(), 0.25f);
    const auto x = pyk::Array<float>::from_host(device, ones);
    const auto y = pyk::Array<float>::from_host(device, quarters);
    const auto out = pyk::Array<float>::from_host(device, ones);
    for (const auto* array : {&x, &y, &out})
        if (!array->ok()) return array->status();

    const unsigned blocks = (static_cast<unsigned>(ones.size()) + 255) / 256;
    if (pyk::Status s = saxpy::saxpy({{blocks}, {256}}, 2.0f, *x, *y, *out); !s) return s;

    const auto result = out->to_host();  // waits for the kernel
    if (!result) return result.status();
    for (const float value : *result)
        if (value != 3.25f) return pyk::Status::failure("wrong: " + std::to_string(value));
    std::printf("ok, on %s\n", device.info().name.c_str());
    return {};
}

}  // namespace

int main() {
    const pyk::Status status = run();
    if (!status) std::fprintf(stderr, "%s\n", status.message().c_str());
    return status ? 0 : 1;
}
