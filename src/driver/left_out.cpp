#include "driver/left_out.h"

#include <algorithm>
#include <set>

#include "driver/requests.h"

namespace pyk {
namespace {

/// Declared in the file, for the CPU alone.
bool is_for_cpu(const Program& program, const Request& request) {
    if (request.span.file != program.source.get()) return false;
    const ArrayFunctionInfo* function = find_array_function(program, request.kernel);
    return request.cpu_only || (function && function->target != ArrayTarget::cuda);
}

}  // namespace

std::vector<Request> without_failing(const Program& program, std::vector<Request> requests, Diagnostics& diagnostics,
                                     const std::function<bool(const Request&, Diagnostics&)>& translates) {
    const auto is_optional = [&](const Request& request) { return is_for_cpu(program, request); };
    if (std::ranges::all_of(requests, is_optional)) return requests;
    std::set<std::string> failing;
    for (const Request& request : requests) {
        Diagnostics found;
        if (!is_optional(request) || failing.contains(request.kernel) || translates(request, found)) continue;
        if (found.has_errors() && failing.insert(request.kernel).second)
            report_left_out(request.kernel, request.span, found, diagnostics);
    }
    std::erase_if(requests, [&](const Request& request) { return failing.contains(request.kernel); });
    return requests;
}

}  // namespace pyk
