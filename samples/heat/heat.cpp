#include "demo/samples.h"

namespace {

constexpr int kSize = 256, kSteps = 400;
constexpr float kRate = 0.24f;

// A cold plate with two hot rims and a ring of hot spots.
std::vector<float> start() {
    std::vector<float> u(kSize * kSize, 0.0f);
    for (int i = 0; i < kSize; ++i) u[i] = u[i * kSize] = 1.0f;
    for (int spot = 0; spot < 12; ++spot) {
        const int cx = static_cast<int>(kSize * (0.5 + 0.3 * std::cos(spot * 0.5235988)));
        const int cy = static_cast<int>(kSize * (0.5 + 0.3 * std::sin(spot * 0.5235988)));
        for (int y = cy - 9; y <= cy + 9; ++y)
            for (int x = cx - 9; x <= cx + 9; ++x) u[y * kSize + x] = 8.0f;
    }
    return u;
}

std::vector<float> reference(std::vector<float> u) {
    std::vector<float> next = u;
    for (int step = 0; step < kSteps; ++step, u.swap(next))
        for (int y = 1; y < kSize - 1; ++y)
            for (int x = 1; x < kSize - 1; ++x) {
                const int i = y * kSize + x;
                next[i] = u[i] + kRate * (u[i - kSize] + u[i + kSize] + u[i - 1] + u[i + 1] - 4 * u[i]);
            }
    return u;
}

// Black, red, yellow, white.
demo::Rgb color(float heat) {
    const auto part = [heat](float from) {
        return static_cast<uint8_t>(std::lround(255 * std::min(1.0f, std::max(0.0f, heat * 2.2f - from))));
    };
    return {part(0.0f), part(1.0f), part(2.0f)};
}

}  // namespace

void demo::run_heat(Session& session) {
    const auto first = start();
    auto u = session.array(first, {kSize, kSize}), next = session.array(first, {kSize, kSize});
    for (int step = 0; step < kSteps; ++step) {
        session.launch("heat_step", {blocks(kSize, 32), blocks(kSize, 8)}, {32, 8}, u, next, kRate);
        std::swap(u, next);
    }
    const std::vector<float> result = session.read(u), want = reference(first);
    expect_near(session, "u", result, 1e-4, [&](size_t i) { return want[i]; });
    session.picture("heat.png", kSize, kSize, [&](size_t i) { return color(result[i]); });
}
