// The device's record of an index out of range as the host's.
#pragma once

#include <string>

#include "pyk/check.h"
#include "pyk/check_result.h"
#include "pyk/status.h"

namespace pyk {

CheckReport to_report(const check_report& report);

/// What a check of a file's code found, as an error. `has_thread`: in a launch, see CheckReport::message.
Error error_of_check(const std::string& file, const CheckReport& report, bool has_thread = true);

}  // namespace pyk
