#include "emit/algorithm.h"

#include <fmt/format.h>

#include "emit/array_function.h"
#include "emit/lines.h"

namespace pyk::emitter {
namespace {

struct Lambda : ElementLambda {
    bool takes_thread = false;
};

Lambda lambda_of(const ModuleScope& scope, ir::FunctionId id) {
    const FunctionScope names = function_scope(scope, static_cast<size_t>(id));
    return {element_lambda(names), names.takes_thread};
}

}  // namespace

std::optional<std::string> algorithm_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                          const Templates& templates) {
    const ir::Algorithm& algorithm = *entry.algorithm;
    const Lambda operation = lambda_of(scope, entry.function);
    const Lambda value = algorithm.transform ? lambda_of(scope, *algorithm.transform)
                                             : Lambda{{scope.types.name(algorithm.value) + " element", "element"}};
    std::string types = scope.types.name(algorithm.value);
    for (const Type type : algorithm.elements) types += ", " + scope.types.name(type);
    const FunctionScope names = function_scope(scope, static_cast<size_t>(entry.function));
    const std::string origin = mark(names.function.span.line(), names.imported_from());
    return templates.render("algorithm", "symbol args run",
                            {{"symbol", entry.symbol + origin},
                             {"args", algorithm.name + "_args"},
                             {"run", fmt::format("run_{}{}<{}>", algorithm.name, scope.target.loop_suffix, types)},
                             {"c_linkage", !scope.options.is_linked},
                             {"takes_thread", operation.takes_thread || value.takes_thread},
                             {"params", operation.params},
                             {"call", operation.call + origin},
                             {"elements", value.params},
                             {"value", value.call}});
}

EntryPoint algorithm_entry(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    const ir::Function& function = scope.module.function(entry.function);
    EntryPoint point{entry.name, entry.symbol, {}, function.span.line()};
    for (const Type type : entry.algorithm->elements) point.params.push_back({"element", type, false});
    point.params.push_back({"value", entry.algorithm->value, false});
    point.params.push_back({"result", function.result, false});
    return point;
}

}  // namespace pyk::emitter
