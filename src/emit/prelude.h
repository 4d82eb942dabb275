// The parts of the device prelude that a text needs, as this target sees them.
#pragma once

#include <string>
#include <string_view>

#include "targets/target.h"

namespace pyk::emitter {

/// Pasted: the parts that define what `text` names as `pyk::…`, after what they need themselves; the other targets'
/// branches and comments left out.
std::string pasted_prelude(std::string_view text, const Target& target);
/// The same as `#include <pyk/part.h>` lines of the parts that the text names.
std::string included_prelude(std::string_view text);

}  // namespace pyk::emitter
