#include "array/stencil.h"

namespace pyk::arrays {
namespace {

// Threads of a block along the axes, the last axis of the array first.
constexpr unsigned kBlocks[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
constexpr long long kMostBlocks[3] = {0x7FFFFFFF, 65535, 65535};

}  // namespace

Result<LaunchConfig> stencil_config(const Shape& shape, const std::string& name) {
    const unsigned(&block)[3] = kBlocks[shape.size() - 1];
    LaunchConfig config;
    config.block = {block[0], block[1], block[2]};
    unsigned* const grid[] = {&config.grid.x, &config.grid.y, &config.grid.z};
    for (std::size_t k = 0; k < shape.size(); ++k) {
        const long long blocks = (shape[shape.size() - 1 - k] + block[k] - 1) / block[k];
        if (blocks > kMostBlocks[k])
            return Status::failure("`" + name + "` of shape " + text_of(shape) + " is more than a grid has threads",
                                   Error::Kind::arguments);
        *grid[k] = static_cast<unsigned>(blocks);
    }
    return config;
}

}  // namespace pyk::arrays
