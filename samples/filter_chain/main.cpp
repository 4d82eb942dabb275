// A chain of filters over the frames of a film: blur, blur, edges. Two streams take turns, each with its own memory and
// a graph that was captured once: copy in, three kernels, copy back. While one frame is computed the host prepares the
// next.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <pyk/pyk.hpp>
#include <stdexcept>
#include <vector>

namespace {

constexpr long long kRows = 300, kColumns = 400;
constexpr int kFrames = 12;
constexpr float kThreshold = 40;

using Picture = pyk::Array<float, 2>;
using Edges = pyk::Array<std::uint8_t, 2>;

// A bright disc that moves.
float pixel(int frame, long long y, long long x) {
    const long long dy = y - 150, dx = x - 40 - 25 * frame;
    return dy * dy + dx * dx < 3600 ? 200.0f : static_cast<float>((x + y) % 16);
}

class Chain {
  public:
    Chain(const pyk::jit::Module& filters, const pyk::Device& device)
        : stream_(pyk::Stream::create(device).value()),
          host_in_(Picture::allocate(device, {kRows, kColumns}, pyk::MemoryKind::pinned).value()),
          host_out_(Edges::allocate(device, {kRows, kColumns}, pyk::MemoryKind::pinned).value()),
          a_(Picture::allocate(device, {kRows, kColumns}).value()),
          b_(Picture::allocate(device, {kRows, kColumns}).value()),
          out_(Edges::allocate(device, {kRows, kColumns}).value()),
          graph_(captured(filters)) {}

    void start(int frame) {
        const auto in = host_in_.view();
        for (long long y = 0; y < kRows; ++y)
            for (long long x = 0; x < kColumns; ++x) in(y, x) = pixel(frame, y, x);
        graph_.launch(stream_).or_throw();
    }
    pyk::View<std::uint8_t, 2> finish() {
        stream_.synchronize().or_throw();
        return host_out_.view();
    }

  private:
    pyk::Graph captured(const pyk::jit::Module& filters) {
        const auto grid = pyk::grid((kColumns + 31) / 32, (kRows + 7) / 8);
        const auto block = pyk::block(32, 8);
        stream_.begin_capture().or_throw();
        a_.copy_from(host_in_.view(), stream_).or_throw();
        filters.kernel("blur_rows").value()(grid, block, stream_)(a_, b_);
        filters.kernel("blur_columns").value()(grid, block, stream_)(b_, a_);
        filters.kernel("edges").value()(grid, block, stream_)(a_, kThreshold, out_);
        out_.copy_to(host_out_.view(), stream_).or_throw();
        return stream_.end_capture().value();
    }

    pyk::Stream stream_;
    Picture host_in_;
    Edges host_out_;
    Picture a_, b_;
    Edges out_;
    pyk::Graph graph_;
};

// The same by hand. All numbers are exact in a float, in any order.
std::vector<std::uint8_t> expected(int frame) {
    constexpr float weights[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    const auto at = [](const std::vector<float>& p, long long y, long long x) {
        y = std::clamp(y, 0LL, kRows - 1);
        x = std::clamp(x, 0LL, kColumns - 1);
        return p[static_cast<size_t>(y * kColumns + x)];
    };
    std::vector<float> picture, rows, both;
    std::vector<std::uint8_t> found;
    const auto each = [](auto&& work) {
        for (long long y = 0; y < kRows; ++y)
            for (long long x = 0; x < kColumns; ++x) work(y, x);
    };
    each([&](long long y, long long x) { picture.push_back(pixel(frame, y, x)); });
    each([&](long long y, long long x) {
        float total = 0;
        for (int k = 0; k < 5; ++k) total += weights[k] * at(picture, y, x + k - 2);
        rows.push_back(total);
    });
    each([&](long long y, long long x) {
        float total = 0;
        for (int k = 0; k < 5; ++k) total += weights[k] * at(rows, y + k - 2, x);
        both.push_back(total);
    });
    each([&](long long y, long long x) {
        const float slope =
            std::abs(at(both, y, x + 1) - at(both, y, x - 1)) + std::abs(at(both, y + 1, x) - at(both, y - 1, x));
        found.push_back(slope > kThreshold ? 255 : 0);
    });
    return found;
}

void check(int frame, const pyk::View<std::uint8_t, 2>& edges) {
    const std::vector<std::uint8_t> wanted = expected(frame);
    long long count = 0;
    for (long long i = 0; i < edges.size(); ++i) {
        if (edges.data[i] != wanted[static_cast<size_t>(i)]) throw std::runtime_error("a pixel is wrong");
        count += edges.data[i] != 0;
    }
    std::printf("frame %2d: %lld pixels of edges\n", frame, count);
}

}  // namespace

int main(int argc, char** argv) try {
    const pyk::Device device;  // the first GPU, or the CPU
    const pyk::jit::Module filters = pyk::load_or_throw(argc > 1 ? argv[1] : "filter_chain.pyk");

    // A capture cannot wait for a compile. The three compile at the same time.
    std::vector<pyk::jit::Preload> compiles;
    for (const char* name : {"blur_rows", "blur_columns"})
        compiles.push_back(filters.kernel(name).value().preload("float32[:, ::1], float32[:, ::1]", device));
    compiles.push_back(filters.kernel("edges").value().preload("float32[:, ::1], float32, uint8[:, ::1]", device));
    for (const pyk::jit::Preload& compile : compiles) compile.wait().or_throw();

    Chain chains[] = {{filters, device}, {filters, device}};
    chains[0].start(0);
    for (int frame = 0; frame < kFrames; ++frame) {
        if (frame + 1 < kFrames) chains[(frame + 1) % 2].start(frame + 1);
        check(frame, chains[frame % 2].finish());
    }
    std::printf("%s: all frames are right\n", device.info().name.c_str());
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
