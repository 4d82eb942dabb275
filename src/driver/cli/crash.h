// What ends the program where a kernel stores or reads far outside of its arrays.
#pragma once

namespace pyk {

/// From here on a signal that such an access brings, or the broken heap behind it, ends pykc with a message that says
/// so and ExitCode::diagnostics. For the time after everything of ours has been checked: what runs is the user's code.
void explain_crashes();

}  // namespace pyk
