// The header of an emitted file: C++ functions that launch its kernels.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "emit/cpp_types.h"
#include "emit/emit.h"
#include "emit/function.h"
#include "emit/header_arrays.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/names.h"
#include "emit/own_templates.h"
#include "emit/prelude.h"
#include "emit/scope.h"
#include "ir/walk.h"
#include "support/fault.h"

namespace pyk {
namespace emitter {

std::vector<Values> doc_lines(const std::string& docstring) {
    std::vector<Values> result;
    std::istringstream lines(docstring);
    for (std::string line; std::getline(lines, line);) {
        const size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r\\");
        if (begin <= end && begin != std::string::npos)
            result.push_back({{"line", line.substr(begin, end + 1 - begin)}});
    }
    return result;
}

namespace {

/// What `<<<…>>>` launches.
std::vector<Values> kernels(const ModuleScope& scope) {
    std::vector<Values> result;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        if (!scope.module.functions[i].is_kernel) continue;
        const FunctionScope kernel = function_scope(scope, i);
        result.push_back({{"symbol", kernel.symbol()}, {"params", parameter_list(kernel)}});
    }
    return result;
}

/// What other CUDA C++ may call.
std::vector<Values> device_functions(const ModuleScope& scope) {
    std::vector<Values> result;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        if (function.is_kernel || function.always_inline || function.foreign) continue;
        const FunctionScope written = function_scope(scope, i);
        result.push_back({{"name", scope.functions[i]},
                          {"result", held_name(function.result)},
                          {"params", parameter_list(written)},
                          {"doc", doc_lines(function.docstring)}});
    }
    return result;
}

/// Signatures of one kernel that have the same types in C++, as one function: the arrays' layouts choose among them.
struct Launcher {
    std::vector<size_t> instances;  ///< functions of the module; those that ask more of layouts first
    std::vector<std::string> types, names;
    std::string name;  ///< of the function
};

std::string host_type(Type type, bool is_const) {
    if (!type.is_array() || type.ndim() == 0) return cpp_name(type);
    const std::string element = cpp_name(type.element());
    return fmt::format("pyk::View<{}{}, {}>", is_const ? "const " : "",
                       type.aligned() ? element : fmt::format("pyk::packed<{}>", element), type.ndim());
}

/// A letter per parameter: its layout, or `.` for what is no array.
std::string layouts(const ir::Function& kernel) {
    std::string result;
    for (const ir::LocalId id : kernel.params) {
        const Type type = kernel.local(id).type;
        result += type.is_array() && type.ndim() ? "cfa"[static_cast<size_t>(type.layout())] : '.';
    }
    return result;
}

std::vector<Launcher> launchers(const ModuleScope& scope) {
    std::vector<Launcher> result;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        if (!function.is_kernel) continue;
        const FunctionScope kernel = function_scope(scope, i);
        Launcher launcher{{i}, {}, {}, cpp_identifier(function.name)};
        for (const ir::LocalId id : function.params) {
            const Type type = function.local(id).type;
            launcher.types.push_back(host_type(type, type.is_array() && kernel.reads_only(id)));
            launcher.names.push_back(kernel.name(id));
        }
        const auto same = std::ranges::find_if(result, [&](const Launcher& known) {
            return known.name == launcher.name && known.types == launcher.types;
        });
        const bool is_told_apart = same == result.end() || std::ranges::none_of(same->instances, [&](size_t other) {
                                       return layouts(scope.module.functions[other]) == layouts(function);
                                   });
        // Two enumerations are one type in C++: only the kernels' own names tell their signatures apart.
        if (!is_told_apart) launcher.name = kernel.symbol();
        if (same == result.end() || !is_told_apart)
            result.push_back(std::move(launcher));
        else
            same->instances.push_back(i);
    }
    const auto strided = [&](size_t i) { return std::ranges::count(layouts(scope.module.functions[i]), 'a'); };
    for (Launcher& launcher : result) std::ranges::stable_sort(launcher.instances, {}, strided);
    return result;
}

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += std::string(text.empty() ? "" : kListBreak) + item;
    return text;
}

Values values_of(const Launcher& launcher, const ModuleScope& scope, const HeaderParts& parts,
                 const std::map<size_t, EntryPoint>& entries) {
    const ir::Function& first = scope.module.functions[launcher.instances[0]];
    const std::string config = unique_identifier("launch", NameSet(launcher.names.begin(), launcher.names.end()));
    std::vector<std::string> declared{"const pyk::Launch& " + config}, passed{"pyk_file", "", config};
    std::string names;
    for (size_t i = 0; i < launcher.types.size(); ++i) {
        declared.push_back(launcher.types[i] + " " + launcher.names[i]);
        passed.push_back(launcher.names[i]);
        names += (i ? "," : "") + launcher.names[i];
    }
    std::vector<Values> instances, signatures;
    for (const size_t i : launcher.instances) {
        const ir::Function& function = scope.module.functions[i];
        const EntryPoint& entry = entries.at(i);
        signatures.push_back({{"signature", signature(function)},
                              {"place", fmt::format("{}:{}", scope.module.source_name, function.span.line())}});
        instances.push_back({{"symbol", entry.symbol},
                             {"disjoint", entry.disjoint_symbol.empty() || !(parts.kernels || parts.images)
                                              ? "nullptr"
                                              : fmt::format("\"{}\"", entry.disjoint_symbol)},
                             {"entry", parts.entries ? "&" + entry.symbol : "nullptr"},
                             {"layouts", layouts(function)},
                             {"cooperative", std::string(entry.cooperative ? "true" : "false")}});
    }
    const std::string table = entries.at(launcher.instances[0]).symbol + "_code";
    passed[1] = table;
    return {{"name", launcher.name},
            {"doc", doc_lines(first.docstring)},
            {"signatures", std::move(signatures)},
            {"params", joined(declared)},
            {"passed", joined(passed)},
            {"table", table},
            {"kernel", first.name},
            {"names", names},
            {"count", std::to_string(launcher.instances.size())},
            {"instances", std::move(instances)}};
}

/// Of a function whose arrays only the run-time interface can take.
bool gives_arrays(const ir::Function& kernel) {
    bool gives = false;
    ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        gives |= call && call->builtin->name == "pyk.give";
    });
    return gives;
}

/// What the host calls of a kernel that calls a function of the author's for it, and has its results in arrays behind
/// the function's parameters.
Values call_of(Launcher launcher, const ModuleScope& scope, const HeaderParts& parts,
               const std::map<size_t, EntryPoint>& entries) {
    constexpr std::string_view kSuffix = "_call";
    const ir::Function& kernel = scope.module.functions[launcher.instances[0]];
    const std::string name = kernel.name.substr(0, kernel.name.size() - kSuffix.size());
    const size_t params = parts.functions.at(name);
    std::string signature, result, returned;
    for (size_t i = 0; i < kernel.params.size(); ++i) {
        const Type type = kernel.local(kernel.params[i]).type;
        if (i < params) {
            signature += (i ? ", " : "") + type.signature();
        } else {
            result += (result.empty() ? "" : ", ") + type.element().signature();
            returned += (returned.empty() ? "" : ", ") + cpp_name(type.element());
        }
    }
    const size_t results = kernel.params.size() - params;
    if (results > 1) result = "(" + result + ")", returned = "std::tuple<" + returned + ">";
    const bool is_symbol = launcher.name != cpp_identifier(kernel.name);
    Values values = values_of(launcher, scope, parts, entries);
    std::vector<std::string> declared, passed{std::get<std::string>(values["table"])};
    for (size_t i = 0; i < params; ++i) {
        declared.push_back(launcher.types[i] + " " + launcher.names[i]);
        passed.push_back(launcher.names[i]);
    }
    const auto written = std::ranges::find_if(scope.module.functions,
                                              [&](const ir::Function& f) { return !f.is_kernel && f.name == name; });
    if (written != scope.module.functions.end()) values["doc"] = doc_lines(written->docstring);
    values["name"] = is_symbol ? launcher.name : cpp_identifier(name);
    values["kernel"] = name;
    values["is_plain"] =
        std::ranges::none_of(kernel.params.begin(), kernel.params.begin() + static_cast<ptrdiff_t>(params),
                             [&](ir::LocalId id) { return kernel.local(id).type.is_array(); });
    values["params"] = joined(declared);
    values["passed"] = joined(passed);
    values["signature"] = fmt::format("{}({}){}", name, signature, results ? " -> " + result : "");
    values["place"] = fmt::format("{}:{}", scope.module.source_name, kernel.span.line());
    values["result"] = results ? fmt::format("pyk::Result<{}>", returned) : std::string("pyk::Status");
    values["returned"] = results ? returned : "void";
    return values;
}

/// The functions of the kernels, by their place in the module.
std::map<size_t, EntryPoint> entries_of(const ModuleScope& scope) {
    std::map<size_t, EntryPoint> result;
    std::vector<EntryPoint> entries = entry_points(scope);
    size_t next = 0;
    for (size_t i = 0; i < scope.module.functions.size(); ++i)
        if (scope.module.functions[i].is_kernel) result.emplace(i, std::move(entries[next++]));
    return result;
}

/// As lines of a template.
std::vector<Values> includes_of(const std::string& text) {
    std::vector<Values> result;
    std::istringstream lines(included_prelude(text));
    for (std::string line; std::getline(lines, line);) result.push_back({{"line", line}});
    return result;
}

std::string texts_of(const std::vector<Values>& rows, std::string_view key) {
    std::string text;
    for (const Values& row : rows) text += std::get<std::string>(row.find(key)->second) + "\n";
    return text;
}

}  // namespace

std::string rendered(std::string_view name, const Values& values) {
    Diagnostics diagnostics;
    const auto text = Templates(cuda_target().templates, "", diagnostics).render(name, "", values);
    if (!text) internal_error(fmt::format("the template of {}", name));
    return unmarked(*text).text;
}

}  // namespace emitter

std::string emit_header(const ir::Module& module, const EmitOptions& options, const HeaderParts& parts) {
    using emitter::Values;
    EmitOptions emitted = options;
    emitted.has_header = true;
    // CUDA's names of types, then those of C++: each scope names them anew.
    const emitter::ModuleScope cuda = emitter::module_scope(module, cuda_target(), emitted);
    const std::map<size_t, EntryPoint> entries = emitter::entries_of(cuda);
    std::vector<Values> kernels, device_functions;
    if (parts.kernels) {
        kernels = emitter::kernels(cuda);
        device_functions = emitter::device_functions(cuda);
    }
    const std::string device_text = emitter::texts_of(kernels, "params") +
                                    emitter::texts_of(device_functions, "params") +
                                    emitter::texts_of(device_functions, "result");

    const emitter::ModuleScope host = emitter::module_scope(module, cpu_target(), emitted);
    std::vector<Values> functions, calls, structs;
    for (const emitter::Launcher& launcher : emitter::launchers(host))
        if (parts.functions.empty())
            functions.push_back(emitter::values_of(launcher, host, parts, entries));
        else if (!emitter::gives_arrays(module.functions[launcher.instances[0]]))
            calls.push_back(emitter::call_of(launcher, host, parts, entries));
    std::vector<Values> array_functions = emitter::array_functions(cuda, host, parts);
    for (const emitter::Struct& type : host.structs)
        structs.push_back({{"text", emitter::struct_text(type, emitter::OffsetOf::host)}});
    const std::string host_text = emitter::texts_of(functions, "params") + emitter::texts_of(calls, "params") +
                                  emitter::texts_of(calls, "result") + emitter::texts_of(array_functions, "params") +
                                  emitter::texts_of(structs, "text");

    Values cuda_part{{"kernels", std::move(kernels)}, {"device_functions", std::move(device_functions)}};
    cuda_part["includes"] = emitter::includes_of(device_text);
    Values cpu_part{{"entries", calls.empty() ? functions : calls}, {"array_entries", array_functions}};
    const std::string images = emitter::images_name(module.source_name);
    return emitter::rendered(
        "header", {{"source", module.source_name},
                   {"version", PYK_VERSION},
                   {"includes", emitter::includes_of(host_text)},
                   {"namespace", host.space},
                   {"inner_space", emitter::inner_space(host)},
                   {"structs", std::move(structs)},
                   {"functions", std::move(functions)},
                   {"has_calls", !calls.empty()},
                   {"has_file", parts.functions.empty()},
                   {"calls", std::move(calls)},
                   {"has_arrays", !array_functions.empty()},
                   {"array_functions", std::move(array_functions)},
                   {"cuda", parts.kernels ? std::vector<Values>{cuda_part} : std::vector<Values>()},
                   {"cpu", parts.entries ? std::vector<Values>{cpu_part} : std::vector<Values>()},
                   {"images", parts.images ? std::vector<Values>{{{"variable", images}}} : std::vector<Values>()},
                   {"images_address", parts.images ? "&" + images : "nullptr"},
                   {"find_address", std::string(parts.kernels ? "&pyk_find" : "nullptr")},
                   {"has_checks", std::string(emitter::has_checks(host) ? "true" : "false")}});
}

}  // namespace pyk
