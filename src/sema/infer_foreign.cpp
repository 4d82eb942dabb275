// Functions of the user's own code: what is passed to them, and how they are called.
#include <algorithm>

#include "module/foreign.h"
#include "sema/infer.h"

namespace pyk {

// `ffi.from_buffer(array)`
Value Inference::special_from_buffer(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    if (node.args.size() != 1)
        return error(diag::wrong_argument_count, span, builtin.name, "1", static_cast<int>(node.args.size()));
    Value array = lower(*node.args[0], out);
    if (array.is_unknown() || !needs_value(array, array.span)) return Value();
    if (!array.type.is_array()) return error(diag::not_an_array, array.span, builtin.name, array.type.name());
    const bool contiguous =
        array.type.layout() == Layout::C || (array.type.layout() == Layout::F && array.type.ndim() == 1);
    if (!contiguous) return error(diag::needs_contiguous, array.span, builtin.name, array.type.name());
    if (array.type.readonly()) return cannot_store(array, array.span);
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    return made_by("pyk.pointer", Type::pointer(array.type.element()), std::move(args), array.effects, span);
}

Value Inference::special_declare_device(const CallSite& site) {
    return error(diag::unsupported_syntax, site.span, "declarations inside of functions that run on the device",
                 "declare the function at module level");
}

// A call of what `cuda.declare_device` declares: its arguments have the declared types.
Value Inference::call_foreign(const FunctionInfo& info, std::vector<Value> args, Span span) {
    Diagnostics findings;
    const auto declaration = read_declaration(info, findings);
    diagnostics_.merge(findings);
    if (!declaration) return Value();
    std::vector<Type> types;
    settle(args);
    for (const Value& arg : args) {
        if (arg.is_unknown() || !needs_value(arg, arg.span)) return Value();
        types.push_back(arg.type);
    }
    const std::vector<Type>& params = declaration->signature.params;
    if (args.size() != params.size())
        return error(diag::wrong_argument_count, span, std::string_view(info.name),
                     std::string_view(std::to_string(params.size())), static_cast<int>(args.size()));
    const Case declared{params, declaration->signature.result, {}};
    if (!choose(std::span(&declared, 1), types)) {
        std::string list;
        for (const Type& type : types) list += (list.empty() ? "" : ", ") + type.name();
        return error(diag::no_overload, span, std::string_view(info.name), std::string_view(list));
    }
    Instance& instance = specializer_.instance(info, {params.begin(), params.end()}, InstanceKind::device);
    callees_.push_back({instance.id, span});
    Value result;
    result.span = span;
    result.type = instance.result;
    result.effects = instance.function.effects;
    ir::Call call{instance.id, {}};
    for (size_t i = 0; i < args.size(); ++i) {
        result.effects = result.effects | args[i].effects;
        call.args.push_back(converted(std::move(args[i]), params[i], args[i].span).expr);
    }
    result.expr = ir::make(result.type, span, std::move(call));
    return result;
}

// Nothing to infer.
void declare(Instance& instance) {
    Diagnostics reported_by_the_call;
    auto declaration = read_declaration(*instance.info, reported_by_the_call);
    ir::Function& function = instance.function;
    function.name = function.symbol = declaration->name;
    function.foreign = {declaration->name, declaration->c_abi};
    function.span = instance.info->span;
    function.result = instance.result = declaration->signature.result;
    function.effects = Effects::reads | Effects::writes | Effects::ordered;
    if (declaration->cooperative) function.effects = function.effects | Effects::barrier | Effects::grid;
    for (const Type type : declaration->signature.params) {
        const std::string name(1, static_cast<char>('a' + function.params.size() % 26));
        ir::add_parameter(function, name, type, function.span);
    }
    instance.links = std::move(declaration->links);
}

}  // namespace pyk
