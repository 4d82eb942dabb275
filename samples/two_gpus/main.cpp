// One module, two GPUs, one thread each: every GPU computes a part of the array. With one device it computes all of it.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <pyk/pyk.hpp>
#include <thread>
#include <vector>

namespace {

constexpr long long kSize = 1 << 20;

// The GPUs, two at most; without one the CPU.
std::vector<pyk::Device> devices() {
    const int count = pyk::Device::count().ok() ? pyk::Device::count().value() : 0;
    std::vector<pyk::Device> found;
    for (int i = 0; i < count && i < 2; ++i) found.push_back(pyk::Device::get(i).value());
    if (found.empty()) found.push_back(pyk::Device::cpu());
    return found;
}

// out[i] = 2 i + 1 for the part's elements, on that device.
pyk::Status compute(const pyk::jit::Kernel& saxpy, const pyk::Device& device, long long first,
                    std::vector<float>& out) {
    device.make_current();
    std::vector<float> x;
    for (size_t i = 0; i < out.size(); ++i) x.push_back(static_cast<float>(first + static_cast<long long>(i)));
    auto there = pyk::Array<float>::from_host(device, x);
    auto ones = pyk::Array<float>::allocate(device, there.value().shape());
    auto result = pyk::Array<float>::allocate(device, there.value().shape());
    if (auto s = ones.value().fill(1.0f); !s) return s;
    // Compiled for this device at its first launch; the threads do so at the same time.
    if (auto s = saxpy.forall(there->size()).launch(2.0f, *there, *ones, result.value()); !s) return s;
    auto host = result->to_host();
    if (host) out = *std::move(host);
    return host.status();
}

}  // namespace

int main(int argc, char** argv) try {
    const std::vector<pyk::Device> all = devices();
    if (all.size() == 1) std::printf("there is only one device: %s\n", all[0].info().name.c_str());
    const pyk::jit::Kernel saxpy = pyk::load_or_throw(argc > 1 ? argv[1] : "saxpy.pyk").kernel("saxpy").value();

    const long long part = kSize / static_cast<long long>(all.size());
    std::vector<std::vector<float>> parts(all.size(), std::vector<float>(static_cast<size_t>(part)));
    std::vector<pyk::Status> outcomes(all.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < all.size(); ++i)
        threads.emplace_back([&, i] {
            try {
                outcomes[i] = compute(saxpy, all[i], part * static_cast<long long>(i), parts[i]);
            } catch (const pyk::Exception& error) {
                outcomes[i] = error.error;
            }
        });
    for (std::thread& thread : threads) thread.join();

    for (size_t i = 0; i < all.size(); ++i) {
        outcomes[i].or_throw();
        for (size_t j = 0; j < parts[i].size(); ++j)
            if (parts[i][j] != 2.0f * static_cast<float>(static_cast<size_t>(part) * i + j) + 1.0f)
                return std::printf("wrong: element %zu of part %zu\n", j, i), 1;
        std::printf("%s: %lld elements are right\n", all[i].info().name.c_str(), part);
    }
    // Each device has code of its own; a GPU soon has a second form of a kernel like this one (docs/embedding.md).
    const auto compiled = saxpy.specializations();
    std::printf("specializations: %zu\n", compiled.size());
    const auto has_code = [&](const pyk::Device& device) {
        return std::any_of(compiled.begin(), compiled.end(), [&](const auto& one) { return one.device() == device; });
    };
    return std::all_of(all.begin(), all.end(), has_code) ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
