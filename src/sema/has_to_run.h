#pragma once

#include "sema/value.h"

namespace pyk {

/// Whether what computes a value may do more than that, so that it stays where nothing uses the value: it changes
/// something, or may raise. Of what a function does the passes know more.
bool has_to_run(const Value& value);

}  // namespace pyk
