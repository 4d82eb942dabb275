#include "emit/array_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/algorithm.h"
#include "emit/core_function.h"
#include "emit/lines.h"
#include "emit/team.h"
#include "ir/text.h"
#include "ir/thread_end.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

// What the elements of one call cost, as far as it says whether a thread should have several of them.
struct Cost {
    size_t expressions = 0;
    bool loops = false;
};

constexpr size_t kSomeExpressions = 400;

struct Callees {
    std::set<ir::FunctionId> open, seen;
};

// What is called twice counts twice, until it is enough.
void add_cost(const ir::Module& module, ir::FunctionId id, Callees& callees, Cost& cost) {
    const bool is_known = !callees.seen.insert(id).second;
    if (is_known && cost.expressions > kSomeExpressions) return;
    if (!callees.open.insert(id).second) {
        cost.loops = true;  // by itself
        return;
    }
    const ir::Function& function = module.function(id);
    cost.loops |= function.foreign || function.ptx || ir::has_loop(function.body);
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        ++cost.expressions;
        if (const auto* call = expr.as<ir::Call>()) add_cost(module, call->callee, callees, cost);
    });
    callees.open.erase(id);
}

Cost cost_of(const ir::Module& module, ir::FunctionId id) {
    Callees callees;
    Cost cost;
    add_cost(module, id, callees, cost);
    return cost;
}

std::vector<Type> element_types(const ir::Module& module, const ir::ArrayEntry& entry) {
    const ir::Function& function = module.function(entry.function);
    std::vector<Type> types;
    for (const ir::LocalId id : function.params) types.push_back(function.local(id).type);
    types.push_back(function.result);
    return types;
}

// Numbers, or as large as one: no records, whose functions get addresses.
bool are_numbers(const ir::Module& module, const ir::ArrayEntry& entry) {
    return std::ranges::all_of(element_types(module, entry),
                               [](Type type) { return type.is_scalar() || type.is_distinct(); });
}

// Whether a thread moves 16 bytes of each operand, or has one element. What may end its thread must have it alone.
bool is_wide(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    if (!are_numbers(scope.module, entry)) return false;
    const Cost cost = cost_of(scope.module, entry.function);
    return !cost.loops && !may_end_thread(scope.module, entry.function) && !scope.debug &&
           !scope.options.check_bounds && cost.expressions <= kSomeExpressions;
}

// As many elements as the widest of the types has in 16 bytes: pyk::lanes_of of the prelude.
int lanes_of(const std::vector<Type>& types) {
    size_t widest = 1;
    for (const Type type : types) widest = std::max(widest, type.byte_size());
    return widest >= 16 ? 1 : static_cast<int>(16 / widest);
}

bool folds(ir::ElementAccess access) { return access == ir::ElementAccess::fold || access == ir::ElementAccess::scan; }

// A GPU has one for each way to reach elements; the CPU one for all of the calls, as its loop asks for itself.
std::vector<LoopEntry> entries_of(const ModuleScope& scope, const ir::ArrayEntry& array) {
    const Target& target = scope.target;
    const ir::Function& function = scope.module.function(array.function);
    if (!array.core.empty()) return core_entries(scope, array);
    const size_t operands = function.params.size() + 1;
    std::string types;
    for (const Type type : element_types(scope.module, array)) types += ", " + scope.types.name(type);
    // The result comes first.
    const std::string result = scope.types.name(function.result);
    types = result + types.substr(0, types.size() - result.size() - 2);
    std::vector<LoopEntry> entries;
    for (const ir::ElementAccess access : array.accesses) {
        const std::string_view name = ir::access_text(access);
        const std::string symbol = fmt::format("{}_{}", array.symbol, name);
        const bool is_flat = access == ir::ElementAccess::flat;
        if (target.entry_per_access && scope.options.has_header && !is_flat) {
            // Ahead of time there are two, and the second one chooses.
            if (access == ir::ElementAccess::strided)
                entries.push_back({array.symbol + "_any", fmt::format("strided_loop<{}>", operands),
                                   fmt::format("for_each_any<{}, {}>", is_wide(scope, array), types)});
        } else if (folds(access))
            entries.push_back(
                {symbol, "fold_loop", fmt::format("for_each_{}{}<{}>", name, target.loop_suffix, result)});
        else if (target.entry_per_access) {
            entries.push_back({symbol, fmt::format("{}<{}>", is_flat ? "flat_loop" : "strided_loop", operands),
                               fmt::format("for_each_{}<{}, {}>", name, is_wide(scope, array), types)});
            entries.back().is_single = is_flat && scope.options.single.has_value() && are_numbers(scope.module, array);
        } else if (entries.empty() || entries[0].symbol != array.symbol)
            entries.insert(entries.begin(), {array.symbol, fmt::format("strided_loop<{}>", operands),
                                             fmt::format("for_each_element<{}>", types)});
    }
    return entries;
}

/// `pyk::flat_element<float>(pyk_loop.operands[0], pyk_i)` of an array, `pyk::flat_number<float>(…)` of a number: NVRTC
/// has less to do than for a choice. A function that has no wide form behind this one has it: ptxas makes better code
/// around it, of loops by 4 %.
std::string single_arguments(const FunctionScope& names, const std::vector<bool>& numbers, bool is_last) {
    const ir::Function& function = names.function;
    std::vector<std::string> inputs;
    for (const ir::LocalId id : function.params) {
        const size_t at = inputs.size();
        const std::string_view load = is_last ? "input" : numbers.at(at) ? "number" : "element";
        inputs.push_back(fmt::format("pyk::flat_{}<{}>(pyk_loop.operands[{}]{})", load,
                                     names.module.types.name(function.local(id).type), at,
                                     load == "number" ? "" : ", pyk_i"));
    }
    return fmt::format("{}", fmt::join(inputs, ", "));
}

/// What a loop passes to its lambda, and the lambda's one statement.
ElementLambda call_text(const FunctionScope& names, const ir::ArrayEntry& entry) {
    if (entry.core.empty()) {
        ElementLambda lambda = element_lambda(names);
        lambda.call.insert(0, "return ");
        return lambda;
    }
    std::string params = fmt::format("const pyk::core_place<{}>& pyk_at", entry.core.size());
    std::string arguments = core_arguments(names, entry);
    if (names.team) {
        params += ", " + team_parameter(names);
        arguments = fmt::format("{}, {}", kTeam, arguments);
    }
    return {std::move(params), fmt::format("{}({})", names.facts().name, arguments)};
}

}  // namespace

ElementLambda element_lambda(const FunctionScope& names) {
    const ir::Function& function = names.function;
    std::string params, arguments(names.takes_thread ? names.module.target.thread_arg : "");
    for (const ir::LocalId id : function.params) {
        const Type type = function.local(id).type;
        const std::string name = names.name(id);
        const bool is_place = type.is_record();
        std::string declared = names.module.types.name(type);
        if (is_place && names.reads_only(id)) declared = fmt::format("const {}&", declared);
        params += fmt::format("{}{} {}", params.empty() ? "" : ", ", declared, name);
        arguments += fmt::format("{}{}{}", arguments.empty() ? "" : ", ", is_place ? "&" : "", name);
    }
    return {std::move(params),
            fmt::format("{}{}({})", function.result.is_record() ? "*" : "", names.facts().name, arguments)};
}

std::optional<std::string> array_function_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                               const Templates& templates) {
    if (entry.algorithm) return algorithm_text(scope, entry, templates);
    const size_t function = static_cast<size_t>(entry.function);
    std::vector<Values> entries;
    for (LoopEntry& each : entries_of(scope, entry)) {
        const FunctionScope names = function_scope(scope, function, std::move(each.team));
        const auto [params, call] = call_text(names, entry);
        const std::string origin = mark(names.function.span.line(), names.imported_from());
        const std::string inputs =
            each.is_single ? single_arguments(names, *scope.options.single, !is_wide(scope, entry)) : "";
        entries.push_back({{"symbol", each.symbol + origin},
                           {"loop", std::move(each.loop)},
                           {"run", std::move(each.run)},
                           {"is_single", each.is_single},
                           {"function", names.facts().name},
                           {"inputs", inputs},
                           {"output", std::to_string(names.function.params.size())},
                           {"result", scope.types.name(names.function.result)},
                           {"threads", each.blocks ? fmt::format("{}, {}", each.threads, each.blocks)
                                                   : fmt::format("{}", each.threads)},
                           {"params", params},
                           {"takes_thread", names.takes_thread},
                           {"c_linkage", !scope.options.is_linked},
                           {"origin", origin},
                           {"call", call + origin}});
    }
    return templates.render("array_function", "entries", {{"entries", std::move(entries)}});
}

std::vector<std::string> array_symbols(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    if (entry.algorithm) return {entry.symbol};
    std::vector<std::string> symbols;
    for (LoopEntry& each : entries_of(scope, entry)) symbols.push_back(std::move(each.symbol));
    return symbols;
}

int elements_per_thread(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return is_wide(scope, entry) ? lanes_of(element_types(scope.module, entry)) : 1;
}

void add_array_entries(const ModuleScope& scope, std::vector<EntryPoint>& entries) {
    for (const ir::ArrayEntry& entry : scope.module.arrays) {
        if (entry.algorithm) {
            entries.push_back(algorithm_entry(scope, entry));
            continue;
        }
        const ir::Function& function = scope.module.function(entry.function);
        EntryPoint point{entry.name, entry.symbol, {}, function.span.line()};
        for (const ir::LocalId id : function.params)
            point.params.push_back({function.local(id).name, function.local(id).type, false});
        if (!entry.core.empty()) {
            point.elements_per_thread = 1;
            if (const auto form = team_of(scope, static_cast<size_t>(entry.function))) point.team = form->team;
            point.not_team = why_no_team(scope, entry);
            for (size_t k = 0; k < entry.core.size(); ++k) point.params[k].overwritten = entry.core[k].is_overwritten;
            for (LoopEntry& each : entries_of(scope, entry)) {
                entries.push_back(point);
                entries.back().symbol = std::move(each.symbol);
            }
            continue;
        }
        point.params.push_back({"out", function.result, true});
        point.elements_per_thread = elements_per_thread(scope, entry);
        for (LoopEntry& each : entries_of(scope, entry)) {
            entries.push_back(point);
            entries.back().symbol = std::move(each.symbol);
        }
    }
}

}  // namespace pyk::emitter
