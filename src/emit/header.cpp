// The header of an emitted file: C++ functions that launch its kernels.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "emit/beside.h"
#include "emit/comments.h"
#include "emit/cpp_types.h"
#include "emit/emit.h"
#include "emit/function.h"
#include "emit/header_arrays.h"
#include "emit/header_calls.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/names.h"
#include "emit/prelude.h"
#include "emit/scope.h"
#include "types/digest.h"
#include "types/fp8.h"

namespace pyk {
namespace emitter {

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
        if (function.is_kernel || function.foreign) continue;
        if (function.always_inline && !function.is_exported) continue;
        const FunctionScope written = function_scope(scope, i);
        result.push_back({{"name", scope.functions[i].name},
                          {"result", scope.types.held(function.result)},
                          {"params", parameter_list(written)},
                          {"doc", doc_lines(function.docstring)}});
    }
    return result;
}

/// What a Scalar stands for in C++; empty: the type is none that numbers of C++ convert to.
std::string number_name(Type type) {
    const bool is_enumeration = type.is_distinct() && date_unit(type).empty() && !fp8_count(type);
    const bool is_number = is_enumeration || (type.is_scalar() && !is_class(type));
    return std::string(is_number ? scalar_name(type) : "");
}

std::string host_type(const TypeNames& types, Type type, bool is_const) {
    if (const std::string number = number_name(type); !number.empty()) return fmt::format("pyk::Scalar<{}>", number);
    if (type.is_vector() || type.is_small_float() || fp8_count(type))
        return fmt::format("pyk::Value<{}>", types.host(type));
    if (!type.is_array() || type.ndim() == 0) return types.host(type);
    const std::string element = types.host(type.element());
    return fmt::format("pyk::View<{}{}, {}>", is_const ? "const " : "",
                       type.aligned() ? element : fmt::format("pyk::packed<{}>", element), type.ndim());
}

std::vector<Launcher> launchers(const ModuleScope& scope) {
    std::vector<Launcher> result;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        if (!function.is_kernel) continue;
        const FunctionScope kernel = function_scope(scope, i);
        Launcher launcher{{i}, {}, {}, {}, cpp_identifier(function.name)};
        for (const ir::LocalId id : function.params) {
            const Type type = function.local(id).type;
            launcher.types.push_back(host_type(scope.types, type, type.is_array() && kernel.reads_only(id)));
            launcher.names.push_back(kernel.name(id));
            launcher.numbers.push_back(number_name(type));
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

/// The functions of the kernels, by their place in the module.
std::map<size_t, EntryPoint> entries_of(const ModuleScope& scope) {
    std::map<size_t, EntryPoint> result;
    std::vector<EntryPoint> entries = entry_points(scope);
    size_t next = 0;
    for (size_t i = 0; i < scope.module.functions.size(); ++i)
        if (scope.module.functions[i].is_kernel) result.emplace(i, std::move(entries[next++]));
    return result;
}

/// As lines of a template; without those that are there already.
std::vector<Values> includes_of(const std::string& text, const std::string& text_before = {}) {
    std::vector<Values> result;
    const std::string before = included_prelude(text_before);
    std::istringstream lines(included_prelude(text));
    for (std::string line; std::getline(lines, line);)
        if (before.find(line + "\n") == std::string::npos) result.push_back({{"line", line}});
    return result;
}

bool has_stencils(const ir::Module& module, const EmitOptions& options) {
    return std::ranges::any_of(module.functions, [&](const ir::Function& function) {
        return function.is_kernel && !stencil_of(function, options).empty();
    });
}

bool has_cores(const ir::Module& module) {
    return std::ranges::any_of(module.arrays, [](const ir::ArrayEntry& entry) { return !entry.core.empty(); });
}

/// `PYK_HAS_Particle_1a2b3c4d`: what says that a header of this namespace has declared the struct. No `__` is in it,
/// which C++ reserves.
std::string guard_of(const ModuleScope& scope, const Struct& type) {
    std::string guard = fmt::format("PYK_HAS_{}_{}", type.name,
                                    digest(fmt::format("{}{}", scope.space, struct_space(scope.types, type))));
    guard.erase(std::unique(guard.begin(), guard.end(), [](char a, char b) { return a == '_' && b == '_'; }),
                guard.end());
    return guard;
}

/// Of a whole header: that one of this namespace has declared the same.
std::string guard_of(const ModuleScope& scope) {
    return fmt::format("PYK_HAS_{}", digest(fmt::format("{}::{}", scope.space, scope.inner_space)));
}

std::string texts_of(const std::vector<Values>& rows, std::string_view key) {
    std::string text;
    for (const Values& row : rows) text += std::get<std::string>(row.find(key)->second) + "\n";
    return text;
}

}  // namespace

std::optional<std::string> rendered(std::string_view name, std::string_view needed, const Values& values,
                                    const EmitOptions& options, Diagnostics& diagnostics) {
    const auto text =
        Templates(cuda_target().templates, options.template_folder, diagnostics).render(name, needed, values);
    return text ? std::optional(unmarked(*text).text) : std::nullopt;
}

}  // namespace emitter

std::optional<std::string> emit_header(const ir::Module& module, const EmitOptions& options, const HeaderParts& parts,
                                       Diagnostics& diagnostics) {
    using emitter::Values;
    EmitOptions emitted = options;
    emitted.has_header = true;
    const std::vector<ir::Mentions> mentions = ir::mentions_of(module);
    const emitter::ModuleScope cuda = emitter::module_scope(module, mentions, cuda_target(), emitted);
    const emitter::ModuleScope host = emitter::module_scope(module, mentions, cpu_target(), emitted);
    const std::map<size_t, EntryPoint> entries = emitter::entries_of(cuda);
    std::vector<Values> kernels, device_functions;
    if (parts.kernels) {
        kernels = emitter::kernels(cuda);
        device_functions = emitter::device_functions(cuda);
    }
    const std::string device_text = emitter::texts_of(kernels, "params") +
                                    emitter::texts_of(device_functions, "params") +
                                    emitter::texts_of(device_functions, "result");

    std::vector<Values> functions, calls, structs;
    for (const emitter::Launcher& launcher : emitter::launchers(host))
        if (const std::string stencil = emitter::stencil_of(module.functions[launcher.instances[0]], options);
            !stencil.empty())
            functions.push_back(emitter::stencil_values(launcher, stencil, host, parts, entries));
        else if (parts.functions.empty())
            functions.push_back(emitter::values_of(launcher, host, parts, entries));
        else if (emitter::has_host_results(module, module.functions[launcher.instances[0]], parts, diagnostics))
            calls.push_back(emitter::call_of(launcher, host, parts, entries));
    std::vector<Values> array_functions = emitter::array_functions(cuda, host, parts);
    for (const emitter::Struct& type : host.structs)
        structs.push_back({{"text", emitter::struct_text(host.types, type, emitter::OffsetOf::host)},
                           {"name", type.name},
                           {"space", emitter::struct_space(host.types, type)},
                           {"guard", emitter::guard_of(host, type)}});
    const std::string host_text = emitter::texts_of(functions, "params") + emitter::texts_of(calls, "params") +
                                  emitter::texts_of(calls, "result") + emitter::texts_of(array_functions, "params") +
                                  emitter::texts_of(structs, "text");

    const bool launches = !functions.empty() || !array_functions.empty();
    Values cuda_part{{"has_kernels", !kernels.empty()},
                     {"kernels", std::move(kernels)},
                     {"device_functions", std::move(device_functions)},
                     {"launches", launches}};
    std::vector<Values> cuda_includes = emitter::includes_of(device_text, host_text);
    cuda_part["has_includes"] = !cuda_includes.empty();
    cuda_part["includes"] = std::move(cuda_includes);
    Values cpu_part{{"entries", calls.empty() ? functions : calls}, {"array_entries", array_functions}};
    const std::string images = emitter::images_name(module.source_name);
    return emitter::rendered(
        "header", "namespace functions structs",
        {{"source", module.source_name},
         {"version", PYK_SHORT_VERSION},
         {"is_continued", parts.is_continued},
         {"includes", emitter::includes_of(host_text)},
         {"has_complex", host_text.find("std::complex") != std::string::npos},
         {"has_fp8", host_text.find("pyk::fp8") != std::string::npos},
         {"namespace", host.space},
         {"inner_space", emitter::inner_space(host)},
         {"guard", emitter::guard_of(host)},
         {"structs", std::move(structs)},
         {"functions", std::move(functions)},
         {"has_calls", !calls.empty()},
         {"has_file", parts.functions.empty() && launches},
         {"has_code", launches || !calls.empty()},
         {"calls", std::move(calls)},
         {"has_arrays", !array_functions.empty()},
         {"has_stencils", emitter::has_stencils(module, options)},
         {"has_cores", emitter::has_cores(module)},
         {"array_functions", std::move(array_functions)},
         {"cuda", parts.kernels ? std::vector<Values>{cuda_part} : std::vector<Values>()},
         {"cpu", parts.entries ? std::vector<Values>{cpu_part} : std::vector<Values>()},
         {"images", parts.images ? std::vector<Values>{{{"variable", images}}} : std::vector<Values>()},
         {"images_address", parts.images ? "&" + images : "nullptr"},
         {"find_address", std::string(parts.kernels ? "&pyk_find" : "nullptr")},
         {"has_checks", std::string(emitter::has_checks(host) ? "true" : "false")}},
        options, diagnostics);
}

}  // namespace pyk
