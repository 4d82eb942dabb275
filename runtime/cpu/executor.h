// What launches and the parallel loops within them share.
#pragma once

#include "crew.h"

namespace pyk::cpu {

/// The threads of the launch that is running.
Crew& crew();

}  // namespace pyk::cpu
