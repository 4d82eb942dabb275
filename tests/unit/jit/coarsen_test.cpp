// Launches of pure maps, whose threads may have several elements each: the values are those of one element each, for
// every size, alignment and grid. Only GPUs have such launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <pyk/pyk.hpp>

namespace {

using pyk::Device;
using pyk::jit::Backend;

constexpr const char* kText = R"py(from numba import cuda


@cuda.jit
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


@cuda.jit
def update(a, x, y):
    tx = cuda.threadIdx.x
    first = cuda.blockIdx.x * cuda.blockDim.x
    i = tx + first
    if i >= x.size or i >= y.shape[0]:
        return
    x[i] += a * y[i]


@cuda.jit
def clip(x, low, n):
    i = cuda.grid(1)
    if i < n:
        if x[i] < low:
            x[i] = low
        else:
            x[i] = x[i] + i


@cuda.jit
def unguarded(a, x, y, out):
    i = cuda.grid(1)
    out[i] = a * x[i] + y[i]
)py";

constexpr unsigned kBlock = 256;
constexpr const char* kFloats = "float32, float32[::1], float32[::1], float32[::1]";
constexpr const char* kDoubles = "float64, float64[::1], float64[::1], float64[::1]";
constexpr const char* kUpdate = "float64, float64[::1], float32[::1]";
constexpr const char* kClip = "int8[::1], int32, int64";

class Coarsen : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto reason = pyk::jit::why_unavailable(Backend::cuda)) GTEST_SKIP() << *reason;
        device = Device::get().value();
    }
    /// `ahead`: what the kernel is launched with.
    pyk::jit::Kernel kernel(const char* name, bool coarsen, const char* ahead) const {
        pyk::jit::Options options;
        options.backend = Backend::cuda;
        options.coarsen = coarsen;
        options.disk_cache = false;
        auto made = pyk::load_text("maps.pyk", kText, options).value().kernel(name).value();
        made.preload(ahead).wait().or_throw();
        const auto all = made.specializations();
        const auto is_wide = [](const auto& s) { return s.emitted().find("_wide(") != std::string::npos; };
        EXPECT_EQ(std::any_of(all.begin(), all.end(), is_wide), coarsen);
        return made;
    }
    template <class T>
    pyk::Array<T> numbers(long long n, int seed) const {
        std::vector<T> values(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>((i * 37 + seed) % 113) / T(3);
        return pyk::Array<T>::from_host(device, values).value();
    }
    Device device = Device::cpu();
};

template <class T>
void expect_same(const pyk::Array<T>& a, const pyk::Array<T>& b, const std::string& what) {
    const std::vector<T> x = a.to_host().value(), y = b.to_host().value();
    ASSERT_EQ(x.size(), y.size());
    EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(T)), 0) << what;
}

// Around whole tiles, and with views that begin beside a multiple of 16 bytes.
TEST_F(Coarsen, GivesTheSameForEverySizeAndAlignment) {
    const auto wide = kernel("saxpy", true, kFloats), plain = kernel("saxpy", false, kFloats);
    for (const long long n : {1LL << 19, (1LL << 19) + 1, (1LL << 20) - 1, (1LL << 20) + 2047, 1234567LL})
        for (const long long skipped : {0, 1, 4}) {
            const auto x = numbers<float>(n + skipped, 1), y = numbers<float>(n + skipped, 2);
            auto one = numbers<float>(n + skipped, 3), other = numbers<float>(n + skipped, 3);
            const auto part = [&](const pyk::Array<float>& a) { return a.view().slice(0, skipped, n + skipped, 1); };
            const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
            wide(pyk::grid(blocks), pyk::block(kBlock))(2.5f, part(x), part(y),
                                                        one.view().slice(0, skipped, n + skipped, 1));
            plain(pyk::grid(blocks), pyk::block(kBlock))(2.5f, part(x), part(y),
                                                         other.view().slice(0, skipped, n + skipped, 1));
            expect_same(one, other, std::to_string(n) + " from " + std::to_string(skipped));
        }
}

TEST_F(Coarsen, ElementsAreThoseThatThereAreThreadsFor) {
    const auto wide = kernel("unguarded", true, kDoubles), plain = kernel("unguarded", false, kDoubles);
    const long long n = 1 << 20;
    const auto x = numbers<double>(n, 1), y = numbers<double>(n, 2);
    for (const unsigned blocks : {1025u, 3000u, 4095u}) {
        auto one = numbers<double>(n, 3), other = numbers<double>(n, 3);
        wide(pyk::grid(blocks), pyk::block(kBlock))(2.5, x, y, one);
        plain(pyk::grid(blocks), pyk::block(kBlock))(2.5, x, y, other);
        expect_same(one, other, std::to_string(blocks) + " blocks");
    }
}

TEST_F(Coarsen, ArraysThatAreReadAndWritten) {
    const long long n = (1 << 20) + 77;
    const auto blocks = static_cast<unsigned>((n + 127) / 128);
    const auto y = numbers<float>(n, 2);
    auto one = numbers<double>(n, 3), other = numbers<double>(n, 3);
    kernel("update", true, kUpdate)(pyk::grid(blocks), pyk::block(128))(2.5, one, y);
    kernel("update", false, kUpdate)(pyk::grid(blocks), pyk::block(128))(2.5, other, y);
    expect_same(one, other, "float64 and float32");
    const auto less = numbers<float>(n - 1000, 2);
    kernel("update", true, kUpdate)(pyk::grid(blocks), pyk::block(128))(2.5, one, less);
    kernel("update", false, kUpdate)(pyk::grid(blocks), pyk::block(128))(2.5, other, less);
    expect_same(one, other, "of different lengths");
    auto bytes = numbers<signed char>(n, 3), same = numbers<signed char>(n, 3);
    kernel("clip", true, kClip)(pyk::grid(blocks), pyk::block(128))(bytes, 7, n - 5);
    kernel("clip", false, kClip)(pyk::grid(blocks), pyk::block(128))(same, 7, n - 5);
    expect_same(bytes, same, "int8");
}

TEST_F(Coarsen, ArraysThatOverlapHaveAThreadForEach) {
    const auto saxpy = kernel("saxpy", true, kFloats);
    auto x = numbers<float>(1 << 20, 1);
    const std::vector<float> before = x.to_host().value();
    auto view = x.view();
    saxpy(pyk::grid(4096), pyk::block(kBlock))(2.0f, view, view, view);
    const std::vector<float> after = x.to_host().value();
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], 2.0f * before[i] + before[i]);
}

}  // namespace
