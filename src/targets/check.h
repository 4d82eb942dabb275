// What a target lacks, said before anything is emitted for it.
#pragma once

#include <span>

#include "ir/mentions.h"
#include "support/diagnostics.h"
#include "targets/target.h"

namespace pyk {

/// Reports every builtin that the module uses and the target has no spelling for. False if there is any.
bool check_target(const ir::Module& module, std::span<const ir::Mentions> mentions, const Target& target,
                  Diagnostics& diagnostics);

}  // namespace pyk
