#include "advice/advice.h"

namespace pyk {

void advise_on_meaning(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    if (diagnostics.wants(diag::race.id)) advise_on_races(module, diagnostics);
    advise_on_neighbours(module, files, diagnostics);
    advise_on_barriers(module, files, diagnostics);
    advise_on_missing_barriers(module, files, diagnostics);
    advise_on_unfilled(module, files, diagnostics);
    advise_on_last_indices(module, files, diagnostics);
    if (diagnostics.wants("extra")) advise_on_guards(module, files, diagnostics);
}

void advise_on_cost(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    if (!diagnostics.wants("perf")) return;
    advise_on_layouts(module, files, diagnostics);
    advise_on_float64(module, files, diagnostics);
    advise_on_int64(module, files, diagnostics);
    advise_on_coalescing(module, files, diagnostics);
}

}  // namespace pyk
