// The forms of builtins that report an error with its line.
#pragma once

#include "builtins/builtins.h"

namespace pyk {

/// `pyk.broadcast.checked` of `pyk.broadcast`: what may fail has such a row. Null: it cannot.
const Builtin* checked_form(const Builtin& builtin);

}  // namespace pyk
