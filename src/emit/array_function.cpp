#include "emit/array_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/cpp_types.h"
#include "ir/text.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

// What the elements of one call cost, as far as it says how many of them a thread should have in flight.
struct Cost {
    size_t expressions = 0;
    bool loops = false;
    bool may_exit = false;
};

void add_cost(const ir::Module& module, ir::FunctionId id, std::set<ir::FunctionId>& seen, Cost& cost) {
    if (!seen.insert(id).second) {
        cost.loops = true;  // called twice, or by itself: no few instructions
        return;
    }
    const ir::Function& function = module.function(id);
    cost.loops |= function.foreign || function.ptx;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        cost.loops |= stmt.as<ir::While>() || stmt.as<ir::ForRange>();
        cost.may_exit |= stmt.as<ir::Raise>() != nullptr;
    });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        ++cost.expressions;
        cost.may_exit |= expr.as<ir::TupleAt>() != nullptr;
        if (const auto* call = expr.as<ir::Call>()) add_cost(module, call->callee, seen, cost);
    });
}

constexpr size_t kFewExpressions = 40, kSomeExpressions = 400;

// How often a thread moves 16 bytes of each operand; 0: it has one element. What may end its thread must have it alone.
int unroll_of(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    Cost cost;
    std::set<ir::FunctionId> seen;
    add_cost(scope.module, entry.function, seen, cost);
    if (cost.loops || cost.may_exit || scope.debug || scope.options.check_bounds || cost.expressions > kSomeExpressions)
        return 0;
    if (cost.expressions > kFewExpressions) return 1;
    return scope.module.function(entry.function).params.size() == 1 ? 4 : 2;
}

std::vector<Type> element_types(const ir::Module& module, const ir::ArrayEntry& entry) {
    const ir::Function& function = module.function(entry.function);
    std::vector<Type> types;
    for (const ir::LocalId id : function.params) types.push_back(function.local(id).type);
    types.push_back(function.result);
    return types;
}

// As many elements as the widest of the types has in 16 bytes: pyk::lanes_of of the prelude.
int lanes_of(const std::vector<Type>& types) {
    size_t widest = 1;
    for (const Type type : types) widest = std::max(widest, type.byte_size());
    return widest >= 16 ? 1 : static_cast<int>(16 / widest);
}

bool has_several_entries(const ModuleScope& scope) { return scope.target.is_cudacc; }

std::string symbol_of(const ir::ArrayEntry& entry, ir::ElementAccess access) {
    return fmt::format("{}_{}", entry.symbol, ir::access_text(access));
}

}  // namespace

std::optional<std::string> array_function_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                               const Templates& templates) {
    const ir::Function& function = scope.module.function(entry.function);
    const FunctionScope names = function_scope(scope, static_cast<size_t>(entry.function));
    const bool takes_thread = scope.needs_thread[static_cast<size_t>(entry.function)];
    std::string types = cpp_name(function.result), params;
    std::string arguments(takes_thread ? scope.target.thread_arg : "");
    for (const ir::LocalId id : function.params) {
        const std::string type = cpp_name(function.local(id).type);
        types += ", " + type;
        params += fmt::format("{}{} {}", params.empty() ? "" : ", ", type, names.name(id));
        arguments += (arguments.empty() ? "" : ", ") + names.name(id);
    }
    std::vector<Values> entries;
    for (const ir::ElementAccess access : entry.accesses)
        entries.push_back({{"symbol", symbol_of(entry, access)},
                           {"access", std::string(ir::access_text(access))},
                           {"loop", std::string(access == ir::ElementAccess::flat ? "flat_loop" : "strided_loop")}});
    return templates.render(
        "array_function", "types params call",
        {{"symbol", entry.symbol},
         {"entries", std::move(entries)},
         {"unroll", std::to_string(unroll_of(scope, entry))},
         {"operands", std::to_string(function.params.size() + 1)},
         {"types", types},
         {"params", params},
         {"takes_thread", takes_thread},
         {"call", fmt::format("{}({})", scope.functions[static_cast<size_t>(entry.function)], arguments)}});
}

void add_array_entries(const ModuleScope& scope, std::vector<EntryPoint>& entries) {
    for (const ir::ArrayEntry& entry : scope.module.arrays) {
        const ir::Function& function = scope.module.function(entry.function);
        EntryPoint point{entry.name, entry.symbol, {}, function.span.line()};
        for (const ir::LocalId id : function.params)
            point.params.push_back({function.local(id).name, function.local(id).type, false});
        point.params.push_back({"out", function.result, true});
        const int unroll = unroll_of(scope, entry);
        point.elements_per_thread = unroll ? unroll * lanes_of(element_types(scope.module, entry)) : 1;
        if (!has_several_entries(scope)) {
            entries.push_back(std::move(point));
            continue;
        }
        for (const ir::ElementAccess access : entry.accesses) {
            entries.push_back(point);
            entries.back().symbol = symbol_of(entry, access);
        }
    }
}

}  // namespace pyk::emitter
