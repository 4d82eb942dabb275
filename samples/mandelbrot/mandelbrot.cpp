#include "demo/samples.h"

namespace {

constexpr int kWidth = 1200, kHeight = 900, kLimit = 500;
constexpr double kLeft = -2.2, kTop = 1.2, kStep = 2.4 / kHeight;

int escape_time(double cx, double cy) {
    double x = 0, y = 0;
    for (int step = 0; step < kLimit; ++step) {
        if (x * x + y * y > 4) return step;
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    return kLimit;
}

// Steps → a smooth run of colours; what never escapes is black.
demo::Rgb color(int steps) {
    if (steps == kLimit) return {0, 0, 0};
    const double t = std::sqrt(steps / 60.0);
    const auto wave = [t](double phase) {
        return static_cast<uint8_t>(127.5 * (1 - std::cos(6.2831853 * (t * 0.8 + phase))));
    };
    return {wave(0.85), wave(0.95), wave(0.05)};
}

}  // namespace

void demo::run_mandelbrot(Session& session) {
    const auto image = session.zeros<int32_t>({kHeight, kWidth});
    session.launch("mandelbrot", {blocks(kWidth, 16), blocks(kHeight, 16)}, {16, 16}, kLeft, kTop, kStep, kLimit,
                   image);
    const std::vector<int32_t> steps = session.read(image);

    // A fused multiply-add moves a few points of the rim by some steps: hence a share, not all.
    size_t same = 0;
    for (size_t i = 0; i < steps.size(); ++i)
        same += steps[i] == escape_time(kLeft + static_cast<double>(i % kWidth) * kStep,
                                        kTop - static_cast<double>(i / kWidth) * kStep);
    if (static_cast<double>(same) < 0.99 * static_cast<double>(steps.size()))
        session.fail("only " + std::to_string(same) + " of " + std::to_string(steps.size()) + " points agree");
    session.picture("mandelbrot.png", kWidth, kHeight, [&](size_t i) { return color(steps[i]); });
}
