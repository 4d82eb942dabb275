#include "emit/foreign.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/lines.h"
#include "emit/names.h"
#include "support/words.h"

namespace pyk::emitter {
namespace {

/// A parameter in C, and what it gets.
struct Part {
    std::string type, value;
};

/// A value as Numba's convention passes it: arrays, tuples and complex numbers as their parts, one by one.
void add_parts(const TypeNames& types, Type type, const std::string& text, std::vector<Part>& parts) {
    if (type.is_complex()) {
        parts.push_back({types.name(type.component()), text + ".re"});
        parts.push_back({types.name(type.component()), text + ".im"});
    } else if (type.is_tuple()) {
        for (size_t i = 0; i < type.size(); ++i)
            add_parts(types, type.elements()[i],
                      type.tuple_kind() == TupleKind::plain ? fmt::format("pyk::get<{}>({})", i, text)
                                                            : fmt::format("{}.{}", text, member_name(type, i)),
                      parts);
    } else if (type.is_array()) {
        const std::string element = types.name(type.element());
        parts.push_back({"void*", "nullptr"});  // who owns the memory
        parts.push_back({"void*", "nullptr"});  // the Python object
        parts.push_back({"long long", fmt::format("pyk::size({})", text)});
        parts.push_back({"long long", fmt::format("sizeof({})", element)});
        parts.push_back({element + "*", text + ".data"});
        for (int axis = 0; axis < type.ndim(); ++axis)
            parts.push_back({"long long", fmt::format("{}.shape[{}]", text, axis)});
        for (int axis = 0; axis < type.ndim(); ++axis)
            parts.push_back({"long long", fmt::format("{}.stride({})", text, axis)});
    } else {
        parts.push_back({types.held(type), text});
    }
}

/// `int result{};`, the call, `return result;`.
std::string body_of(const FunctionScope& scope, const std::vector<Part>& parts) {
    const ir::Function& function = scope.function;
    const bool returns = !function.result.is_none();
    std::vector<std::string> args;
    for (const Part& part : parts) args.push_back(part.value);
    const std::string& name = function.foreign->name;
    if (function.foreign->c_abi) return fmt::format("    {}{}({});", returns ? "return " : "", name, joined(args));
    args.insert(args.begin(), "&result");
    const uint32_t line = function.span.line();
    const std::string fail =
        scope.module.debug ? fmt::format(fmt::runtime(scope.module.target.fail), fmt::arg("line", line),
                                         fmt::arg("error", fmt::format("\"SystemError: `{}` reports an error\"", name)))
                           : "pyk::exit_thread();";
    std::string text =
        fmt::format("    {} result{{}};\n", returns ? scope.module.types.held(function.result) : "void*");
    text += fmt::format("    if ({}({}) != 0) {}", name, joined(args), fail);
    return text + (returns ? "\n    return result;" : "");
}

}  // namespace

std::optional<std::string> foreign_text(const FunctionScope& scope, const Templates& templates) {
    const ir::Function& function = scope.function;
    const bool c_abi = function.foreign->c_abi;
    const std::string result = scope.module.types.held(function.result);
    std::vector<std::string> params, c_params;
    std::vector<Part> parts;
    if (scope.takes_thread) params.emplace_back(scope.module.target.thread_param);
    if (!c_abi) c_params.push_back(function.result.is_none() ? "void**" : result + "*");
    for (const ir::LocalId id : function.params) {
        params.push_back(fmt::format("{} {}", scope.type_name(id), scope.name(id)));
        add_parts(scope.module.types, function.local(id).type, scope.name(id), parts);
    }
    for (const Part& part : parts) c_params.push_back(part.type);
    const bool wrapped =
        !c_abi || parts.size() != function.params.size() || std::ranges::any_of(function.params, [&](ir::LocalId id) {
            return function.local(id).type.is_tuple() || function.local(id).type.is_array();
        });
    return templates.render("foreign", "c_result c_name c_params",
                            {{"c_result", c_abi ? result : "int"},
                             {"c_name", function.foreign->name},
                             {"c_params", joined(c_params)},
                             {"wrapped", wrapped},
                             {"result", result},
                             {"name", function.foreign->name},
                             {"params", joined(params)},
                             {"body", body_of(scope, parts)}});
}

bool check_foreign_names(const ir::Module& module, Diagnostics& diagnostics) {
    bool fine = true;
    for (const ir::Function& function : module.functions) {
        if (!function.foreign) continue;
        const std::string& name = function.foreign->name;
        // A mangled name of C++ begins with an underscore and is as good as any.
        if (is_identifier(name) && (name.starts_with("_Z") || cpp_identifier(name) == name)) continue;
        diagnostics.report(diag::foreign_name, function.span, name);
        fine = false;
    }
    return fine;
}

}  // namespace pyk::emitter
