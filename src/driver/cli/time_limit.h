// A launch that does not end.
#pragma once

#include <string>

namespace pyk {

/// From now on the program ends after so many seconds, with a message that `what` (`kernel k`) still runs.
void end_after(double seconds, const std::string& what);

}  // namespace pyk
