#include "demo/samples.h"

namespace {

constexpr int kRows = 192, kColumns = 256, kGenerations = 100;

std::vector<uint8_t> reference(std::vector<uint8_t> cells) {
    std::vector<uint8_t> next(cells.size());
    for (int generation = 0; generation < kGenerations; ++generation, cells.swap(next))
        for (int y = 0; y < kRows; ++y)
            for (int x = 0; x < kColumns; ++x) {
                int neighbours = -cells[y * kColumns + x];
                for (int dy = kRows - 1; dy <= kRows + 1; ++dy)
                    for (int dx = kColumns - 1; dx <= kColumns + 1; ++dx)
                        neighbours += cells[(y + dy) % kRows * kColumns + (x + dx) % kColumns];
                next[y * kColumns + x] = neighbours == 3 || (neighbours == 2 && cells[y * kColumns + x]);
            }
    return cells;
}

}  // namespace

void demo::run_life(Session& session) {
    std::vector<uint8_t> first;
    for (const float x : random<float>(kRows * kColumns, 0, 1, 1)) first.push_back(x < 0.3f);
    auto cells = session.array(first, {kRows, kColumns}), next = session.zeros<uint8_t>({kRows, kColumns});
    for (int generation = 0; generation < kGenerations; ++generation) {
        session.launch("generation", {blocks(kColumns, 32), blocks(kRows, 8)}, {32, 8}, cells, next);
        std::swap(cells, next);
    }
    const auto want = reference(first);
    expect_near(session, "cells", session.read(cells), 0, [&](size_t i) { return want[i]; });
}
