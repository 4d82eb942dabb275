// Updates at places that memory holds: `bins[keys[i]] += 1`.
#pragma once

#include "advice/thread_variables.h"
#include "advice/updates.h"

namespace pyk {

/// Whether the places are hardly meant to come twice, as the update would mean nothing then: `pos[p] += vel[p]`,
/// `x[p] *= 0.5`, `u[p] = 0.3 * (u[p + 1] - u[p]) + g[i]`; not `bins[p] += 1`, `f[p] += g[i]`, nor of an index that is
/// computed, `bins[int(x[i] * 10)] *= 2`. `loaded`: what is known at the update.
bool are_places_unique(const StoredPlace& place, const LoadedVariables& loaded, const ThreadVariables& variables);

}  // namespace pyk
