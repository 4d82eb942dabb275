// Files beside the emitted text whose look is not the user's to choose.
#pragma once

#include <string>
#include <string_view>

#include "emit/templates.h"

namespace pyk::emitter {

/// One of the templates of CUDA, without marks.
std::string rendered(std::string_view name, const Values& values);

/// The variable that holds the compiled code: `saxpy_images` of `saxpy.pyk`.
std::string images_name(std::string_view source_name);

}  // namespace pyk::emitter
