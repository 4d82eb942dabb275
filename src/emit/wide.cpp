#include "emit/wide.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/statement.h"

namespace pyk::emitter {
namespace {

// How often a thread moves 16 bytes of each array, as in array functions.
int unroll_of(const PureMap& map) { return std::ranges::count_if(map.uses, &PureMap::Use::reads) <= 1 ? 1 : 2; }

std::string_view access_of(const PureMap::Use& use) {
    if (!use.writes) return "reads";
    return use.reads ? "updates" : "writes";
}

/// The elements that there are, or would be threads for.
std::string count_of(const FunctionScope& scope, const PureMap& map) {
    std::string count(kThreads);
    for (const PureMap::Limit& limit : map.limits) {
        const std::string text = Expressions(scope).exact(*limit.value);
        count = limit.is_inclusive ? fmt::format("pyk::smaller({} - 1, {}) + 1", count, text)
                                   : fmt::format("pyk::smaller({}, {})", count, text);
    }
    return count;
}

}  // namespace

int neighbours_of(const ir::Function& kernel, const PureMap& map) {
    size_t widest = 1;
    for (const PureMap::Use& use : map.uses)
        widest = std::max(widest, kernel.local(use.array).type.element().byte_size());
    return unroll_of(map) * static_cast<int>(std::max<size_t>(16 / widest, 1));
}

bool is_wide(const ModuleScope& scope, const ir::Function& kernel) {
    return scope.options.wide && scope.target.has_wide_forms && kernel.is_kernel &&
           std::holds_alternative<PureMap>(pure_map(scope.module, kernel));
}

void wide_body(const FunctionScope& scope, const PureMap& map, Printer& out) {
    Statements prefix(scope, 1), body(scope, 3);
    for (const ir::Stmt* stmt : map.prefix) prefix.range(stmt, stmt + 1);
    body.range(map.body.first, map.body.second);
    std::string params = fmt::format("long long {}", scope.name(map.index)), arrays;
    for (const PureMap::Use& use : map.uses) {
        params += fmt::format(", auto& {}", scope.name(use.array));
        arrays += fmt::format(", pyk::{}({})", access_of(use), scope.name(use.array));
    }
    out.append(prefix.take());
    out.line(fmt::format("pyk::for_neighbours<{}>(", unroll_of(map)));
    out.line(fmt::format("    {},", count_of(scope, map)), map.limits.empty() ? 0 : map.limits[0].value->span.line());
    out.line(fmt::format("    [&]({}) {{", params));
    out.append(body.take());
    out.line(fmt::format("    }}{});", arrays));
}

}  // namespace pyk::emitter
