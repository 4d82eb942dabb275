// The device's record of an index out of range as the host's.
#pragma once

#include "pyk/check.h"
#include "pyk/check_result.h"

namespace pyk {

CheckReport to_report(const check_report& report);

}  // namespace pyk
