// Files beside the emitted text, whatever the target.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emit/emit.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// One of the templates of CUDA, without marks; `needed` and nullopt as of Templates::render.
std::optional<std::string> rendered(std::string_view name, std::string_view needed, const Values& values,
                                    const EmitOptions& options, Diagnostics& diagnostics);

/// The variable that holds the compiled code: `saxpy_images` of `saxpy.pyk`.
std::string images_name(std::string_view source_name);

}  // namespace pyk::emitter
