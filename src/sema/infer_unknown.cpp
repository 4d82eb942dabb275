// What names mean nothing here, and what may have been meant.
#include <fmt/format.h>

#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

Suggestion did_you_mean(Span span, const std::string& name) {
    return {fmt::format("write `{}`", name), Applicability::maybe_incorrect, {{span, name}}};
}

// The line that makes a name of a well-known module's mean what it does there.
std::string missing_import(std::string_view name) {
    if (name == "np") return "import numpy as np";
    if (name == "cuda" || scalar_from_name(name)) return fmt::format("from numba import {}", name);
    for (const std::string_view module : {"math", "cmath", "operator", "numpy", "numba"})
        if (name == module) return fmt::format("import {}", name);
    return {};
}

// What to write in place of what the host has.
std::string_view in_place_of(std::string_view path) {
    struct Row {
        std::string_view prefix, hint;
    };
    static constexpr std::string_view kNewArray =
        ", which cannot make arrays; `cuda.local.array(shape, dtype)` is one of each thread, or pass one in";
    static constexpr Row kRows[] = {
        {"cuda.synchronize",
         "; `cuda.syncthreads()` waits for the threads of the block, the host waits for the kernel"},
        {"cuda.to_device", "; the host makes arrays of the device, and passes them to the kernel"},
        {"cuda.device_array",
         "; the host makes arrays of the device; a kernel has `cuda.shared.array` and `cuda.local.array`"},
        {"numpy.zeros", kNewArray},
        {"numpy.ones", kNewArray},
        {"numpy.empty", kNewArray},
        {"numpy.full", kNewArray},
        {"numpy.arange", kNewArray},
        {"numpy.linspace", kNewArray},
        {"numpy.copy", kNewArray},
        {"random.", "; `numba.cuda.random` has generators for kernels"},
        {"numpy.random.", "; `numba.cuda.random` has generators for kernels"},
        {"time.", "; the host measures time, with events of the stream"},
    };
    const auto* found = std::ranges::find_if(kRows, [&](const Row& row) { return path.starts_with(row.prefix); });
    return found == std::end(kRows) ? std::string_view() : found->hint;
}

// Whether it is of a module that comes with Python, or of one that hosts of kernels use: no file is missing.
bool is_of_python(std::string_view path) {
    static constexpr std::string_view kModules[] = {"argparse",   "array",
                                                    "asyncio",    "collections",
                                                    "concurrent", "contextlib",
                                                    "copy",       "csv",
                                                    "ctypes",     "datetime",
                                                    "decimal",    "enum",
                                                    "fractions",  "functools",
                                                    "gc",         "glob",
                                                    "io",         "itertools",
                                                    "json",       "logging",
                                                    "matplotlib", "multiprocessing",
                                                    "os",         "pandas",
                                                    "pathlib",    "pickle",
                                                    "PIL",        "platform",
                                                    "random",     "re",
                                                    "scipy",      "shutil",
                                                    "statistics", "string",
                                                    "struct",     "subprocess",
                                                    "sys",        "tempfile",
                                                    "threading",  "time",
                                                    "timeit",     "torch",
                                                    "tqdm",       "types",
                                                    "typing",     "unittest",
                                                    "warnings"};
    return std::ranges::find(kModules, path.substr(0, path.find('.'))) != std::end(kModules);
}

void add_fields(std::vector<std::string_view>& names, Type type) {
    const Type record = type.is_array() ? type.element() : type;
    if (record.is_record())
        for (const Field& field : record.fields()) names.push_back(field.name);
}

std::string joined(const std::vector<std::string>& folders) { return fmt::format("`{}`", fmt::join(folders, "`, `")); }

}  // namespace

Value Inference::unknown_name(std::string_view name, Span span) {
    if (scope_.is_opaque(name)) {
        Value unknown = error(is_random(name) ? diag::random_constant : diag::not_a_constant, span, name);
        if (const auto at = scope_.assigned_at(name)) diagnostics_.note(at->span, at->text);
        return unknown;
    }
    if (const std::string import = missing_import(name); !import.empty()) {
        const std::string hint = fmt::format("the file needs `{}`", import);
        return error(diag::unknown_name_hint, span, name, std::string_view(hint));
    }
    const std::string said = fmt::format("`{}` is not defined", name);
    const auto is_said = [&](const Diagnostic& d) { return d.text.starts_with(said) && d.span.line() == span.line(); };
    if (std::ranges::any_of(diagnostics_.all(), is_said)) return Value();  // once in a line is enough
    std::vector<std::string_view> candidates = scope_.names();
    for (uint32_t i = 0; i < names_.count(); ++i) candidates.push_back(names_.name(i));
    std::erase(candidates, name);  // imported from a file that has no such name
    const std::string near = nearest_name(name, candidates);
    if (near.empty()) return error(diag::unknown_name, span, name);
    Value unknown = error(diag::unknown_name_near, span, name, std::string_view(near));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

Value Inference::unknown_path(const std::string& path, Span span) {
    const std::string_view hint = in_place_of(path);
    const auto missing = hint.empty() && !is_of_python(path) ? scope_.missing_module(path) : std::nullopt;
    if (!missing) return error(diag::not_in_kernels, span, std::string_view(path), hint);
    std::string file = missing->name;
    std::ranges::replace(file, '.', '/');
    const std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
    Value unknown =
        error(diag::module_not_found, span, last, std::string_view(fmt::format("{0}.pyk` or `{0}.py", file)),
              std::string_view(joined(missing->folders)));
    diagnostics_.note(missing->span, "the import is here");
    return unknown;
}

Value Inference::unknown_member(const Path& path, std::string_view attr, Span span) {
    std::vector<std::string_view> members;
    for (const Builtin& b : all_builtins()) {
        if (!b.name.starts_with(path.name + ".")) continue;
        const std::string_view member = b.name.substr(path.name.size() + 1);
        members.push_back(member.substr(0, member.find('.')));
        members.push_back(member);
    }
    const std::string near = nearest_name(attr, members);
    const std::string wrong = fmt::format("{}.{}", path.name, attr);
    if (near.empty()) return unknown_path(wrong, span);
    Value unknown = error(diag::unknown_name_near, span, std::string_view(wrong),
                          std::string_view(fmt::format("{}.{}", path.name, near)));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

Value Inference::unknown_attribute(Type type, std::string_view attr, Span span) {
    std::vector<std::string_view> known;
    const std::string prefix = fmt::format("{}.", method_family(type));
    for (const Builtin& b : all_builtins())
        if (b.name.starts_with(prefix)) known.push_back(b.name.substr(prefix.size()));
    if (type.is_array())
        for (const std::string_view name :
             {"shape", "strides", "ndim", "itemsize", "size", "nbytes", "dtype", "T", "flat"})
            known.push_back(name);
    if (type.is_scalar() || type.is_array())
        for (const std::string_view name : {"real", "imag"}) known.push_back(name);
    add_fields(known, type);
    const bool is_count = type.is_array() && (attr == "length" || attr == "len");
    const std::string near = is_count ? "size" : nearest_name(attr, known);
    if (near.empty()) return error(diag::unknown_attribute, span, type.name(), attr);
    Value unknown = error(diag::unknown_attribute_near, span, type.name(), attr, std::string_view(near));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

Value Inference::unknown_parameter(std::string_view function, std::string_view given,
                                   std::span<const std::string_view> known, Span span) {
    const std::string near = nearest_name(given, known);
    if (near.empty()) return error(diag::unknown_parameter, span, function, given);
    return error(diag::unknown_parameter_near, span, function, given, std::string_view(near));
}

// Where it is a variable, also what made it so.
Value Inference::bad_index(const Value& index, Span span) {
    if (!index.is_runtime()) return error(diag::index_type, span, std::string_view("this"));
    const bool is_real = index.type.is_float();
    Value unknown =
        is_real ? error(diag::real_index, span, index.type.name()) : error(diag::index_type, span, index.type.name());
    const auto* local = index.expr->as<ir::LocalRef>();
    if (!local) return unknown;
    const ir::Local& variable = function_.local(local->id);
    if (variable.storage == ir::Storage::variable)
        diagnostics_.note(variable.span, fmt::format("`{}` became {} here", variable.name, index.type.name()));
    return unknown;
}

// Named where more than the name is written: there is no edit that mends it.
Value Inference::unknown_field(Type type, std::string_view name, Span span) {
    std::vector<std::string_view> known;
    add_fields(known, type);
    const std::string near = nearest_name(name, known);
    if (near.empty()) return error(diag::unknown_attribute, span, type.name(), name);
    return error(diag::unknown_attribute_near, span, type.name(), name, std::string_view(near));
}

Value Inference::unknown_class_member(const ClassInfo& info, std::string_view name, Span span) {
    std::vector<std::string_view> known(info.names.begin(), info.names.end());
    for (const auto& member : info.members) known.push_back(member.first);
    const std::string near = nearest_name(name, known);
    if (near.empty()) return error(diag::unknown_attribute, span, info.name, name);
    Value unknown = error(diag::unknown_attribute_near, span, info.name, name, std::string_view(near));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

void Inference::no_value(const Value& value, Span span) {
    const Entity* entity = value.entity ? &*value.entity : nullptr;
    const Path* path = entity ? std::get_if<Path>(entity) : nullptr;
    const Builtin* const* builtin = entity ? std::get_if<const Builtin*>(entity) : nullptr;
    const FunctionInfo* const* function = entity ? std::get_if<const FunctionInfo*>(entity) : nullptr;
    if (is_dim3(value.entity))
        error(diag::dim3_value, span, std::string_view(path->name));
    else if (path && !is_builtin_namespace(path->name) && path->name.find('.') != std::string::npos)
        unknown_path(path->name, span);
    else if (builtin && !value.receiver)
        error(diag::function_value, span, (*builtin)->name);
    else if (function && !value.receiver)
        error(diag::function_value, span, std::string_view((*function)->name));
    else if (is_none(value.entity))
        error(diag::none_value, span);
    else
        error(diag::not_a_value, span);
}

void Inference::warn_of_no_effect(const Value& value, const ast::Expr& expr) {
    const bool is_function = value.entity && (std::holds_alternative<const Builtin*>(*value.entity) ||
                                              std::holds_alternative<const FunctionInfo*>(*value.entity));
    if (!is_function || !(expr.as<ast::Name>() || expr.as<ast::Attribute>()) || !expr.span.file) return;
    const Span span = expr.span;
    diagnostics_.report(diag::no_effect, span, span.file->text().substr(span.begin, span.end - span.begin))
        .suggest({"call it", Applicability::maybe_incorrect, {{{span.file, span.end, span.end}, "()"}}});
}

}  // namespace pyk
