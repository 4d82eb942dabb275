#include <png.h>

#include "demo/session.h"

namespace demo {

bool write_png(const std::string& file, int width, int height, const std::vector<Rgb>& pixels) {
    static_assert(sizeof(Rgb) == 3);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    return png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr) != 0;
}

}  // namespace demo
