#include "pyk/image.h"

namespace pyk {
namespace {

/// CUDA's rules: plain code runs on later devices of the same major version, `f` code within its family, `a` code on
/// exactly its own; plain PTX runs on everything later.
bool runs_on(const Image& image, int sm) {
    if (image.sm > sm || (image.suffix == 'a' && image.sm != sm)) return false;
    const bool same_major = image.sm / 10 == sm / 10;
    return same_major || (image.is_ptx && image.suffix == 0);
}

/// Machine code before PTX; of each the later; of equal ones that which may use more of the device.
bool is_better(const Image& image, const Image& best) {
    if (image.is_ptx != best.is_ptx) return best.is_ptx;
    if (image.sm != best.sm) return image.sm > best.sm;
    const auto rank = [](char suffix) { return suffix == 'a' ? 2 : suffix == 'f' ? 1 : 0; };
    return rank(image.suffix) > rank(best.suffix);
}

}  // namespace

const Image* choose(const Images& images, int major, int minor) noexcept {
    const int sm = major * 10 + minor;
    const Image* best = nullptr;
    for (const Image* image = images.first; image != images.first + images.count; ++image)
        if (runs_on(*image, sm) && (!best || is_better(*image, *best))) best = image;
    return best;
}

}  // namespace pyk
