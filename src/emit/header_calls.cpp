#include "emit/header_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/comments.h"
#include "emit/header_arrays.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/names.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

/// A letter per parameter: `r` for an array that is indexed around the element, else `.`.
std::string indexing(const PartsLayout& layout) {
    std::string letters;
    for (const std::vector<size_t>& axes : layout.operands) letters += axes.empty() ? '.' : 'r';
    return letters;
}

/// The author's function that a kernel calls for the host; without one, the kernel.
const ir::Function& called(const ir::Module& module, const ir::Function& kernel) {
    const ir::Function* found = &kernel;
    ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::Call>()) found = &module.function(call->callee);
    });
    return *found;
}

/// Whether the kernel has a parameter for each argument of the function's `*args`.
bool gathers_arguments(const ir::Function& kernel) {
    bool found = false;
    ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::Call>();
        found = found || (call && !call->args.empty() && call->args.back()->as<ir::MakeTuple>());
    });
    return found;
}

/// Arrays without axes, and arrays and tuples that may be None, are for the run-time interface alone.
bool is_of_host(Type result) {
    if (result.is_optional()) return !result.elements()[1].is_array() && !result.elements()[1].is_tuple();
    if (result.is_tuple()) return std::ranges::all_of(result.elements(), is_of_host);
    return !result.is_array() || result.ndim() > 0;
}

/// The types of what a call gives, whose parts the kernel stores in its last parameters: numbers may be converted.
class ResultTypes {
  public:
    ResultTypes(const TypeNames& types, const ir::Function& kernel, size_t params)
        : types_(types), kernel_(kernel), next_(params) {}

    std::string cpp(Type result) {
        if (result.is_none()) return "void";
        if (result.is_optional()) {
            ++next_;  // whether there is one
            return fmt::format("std::optional<{}>", types_.host(element_here()));
        }
        if (result.is_tuple()) {
            std::string parts;
            for (const Type part : result.elements())
                if (!part.is_none()) parts += (parts.empty() ? "" : ", ") + cpp(part);
            return fmt::format("std::tuple<{}>", parts);
        }
        const std::string element = types_.host(element_here());
        return result.is_array() ? fmt::format("pyk::Array<{}, {}>", element, result.ndim()) : element;
    }

    std::string python(Type result) {
        if (result.is_none()) return "none";
        if (result.is_optional()) {
            ++next_;
            return fmt::format("Optional({})", element_here().signature());
        }
        if (result.is_tuple()) {
            std::string parts;
            for (const Type part : result.elements()) parts += (parts.empty() ? "" : ", ") + python(part);
            return fmt::format("({})", parts);
        }
        const Type element = element_here();
        return (result.is_array() ? Type::array(element, result.ndim(), Layout::C) : element).signature();
    }

  private:
    Type element_here() { return kernel_.local(kernel_.params[next_++]).type.element(); }

    const TypeNames& types_;
    const ir::Function& kernel_;
    size_t next_;
};

/// The same function for numbers of exactly its types, which C++ takes before others that they would be converted
/// for. None: it has no numbers. `declared`: its parameters, those of the kernel behind the `first` ones.
std::vector<Values> exact_form(const Launcher& launcher, std::vector<std::string> declared, size_t first) {
    std::vector<std::string> given, wanted;
    NameSet taken(launcher.names.begin(), launcher.names.end());
    taken.insert(launcher.name);
    std::string classes;
    for (size_t i = 0; i < launcher.numbers.size() && first + i < declared.size(); ++i) {
        if (launcher.numbers[i].empty()) continue;
        given.push_back(unique_identifier(fmt::format("T{}", given.size()), taken));
        wanted.push_back(launcher.numbers[i]);
        classes += fmt::format("class {}, ", given.back());
        declared[first + i] = fmt::format("{} {}", given.back(), launcher.names[i]);
    }
    if (given.empty()) return {};
    const std::string condition = fmt::format("pyk::aot::are_exactly<pyk::aot::Types<{}>, pyk::aot::Types<{}>>",
                                              fmt::join(given, ", "), fmt::join(wanted, ", "));
    return {{{"types", fmt::format("{}std::enable_if_t<{}, int> = 0", classes, condition)},
             {"exact_params", joined(declared)}}};
}

}  // namespace

std::string layouts(const ir::Function& kernel) {
    std::string result;
    for (const ir::LocalId id : kernel.params) {
        const Type type = kernel.local(id).type;
        result += type.is_array() && type.ndim() ? "cfa"[static_cast<size_t>(type.layout())] : '.';
    }
    return result;
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
        signatures.push_back({{"signature", signature(function, scope.module)},
                              {"place", fmt::format("{}:{}", scope.module.source_name, function.span.line())}});
        instances.push_back({{"symbol", entry.symbol},
                             {"disjoint", entry.disjoint_symbol.empty() || !(parts.kernels || parts.images)
                                              ? "nullptr"
                                              : fmt::format("\"{}\"", entry.disjoint_symbol)},
                             {"index32", std::string(entry.index32 ? "true" : "false")},
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
            {"exact", exact_form(launcher, declared, 1)},
            {"default", std::string()},
            {"kind", std::string()},
            {"call", std::string("launch")},
            {"passed", joined(passed)},
            {"table", table},
            {"kernel", first.name},
            {"names", names},
            {"count", std::to_string(launcher.instances.size())},
            {"instances", std::move(instances)}};
}

std::string stencil_of(const ir::Function& kernel, const EmitOptions& options) {
    constexpr std::string_view kSuffix = "_stencil";
    if (!kernel.name.ends_with(kSuffix)) return "";
    std::string name = kernel.name.substr(0, kernel.name.size() - kSuffix.size());
    const auto known = options.layouts.find(name);
    return known != options.layouts.end() && known->second.text.empty() ? name : "";
}

Values stencil_values(const Launcher& launcher, const std::string& name, const ModuleScope& scope,
                      const HeaderParts& parts, const std::map<size_t, EntryPoint>& entries) {
    Values values = values_of(launcher, scope, parts, entries);
    const ir::Function& widest = scope.module.functions[launcher.instances.back()];
    const std::string stream = unique_identifier("stream", NameSet(launcher.names.begin(), launcher.names.end()));
    std::vector<std::string> declared, types,
        passed{"pyk_file", std::get<std::string>(values["table"]),
               fmt::format("\"{}\"", indexing(scope.options.layouts.at(name))), stream};
    for (size_t i = 0; i < launcher.types.size(); ++i) {
        declared.push_back(launcher.types[i] + " " + launcher.names[i]);
        passed.push_back(launcher.names[i]);
        types.push_back(text_of(widest.local(widest.params[i]).type, scope.module));
    }
    declared.push_back("pyk::StreamRef " + stream);
    const std::string result = types.back();
    types.pop_back();
    const auto written = std::ranges::find_if(scope.module.functions,
                                              [&](const ir::Function& f) { return !f.is_kernel && f.name == name; });
    if (written != scope.module.functions.end()) values["doc"] = doc_lines(written->docstring);
    if (launcher.name == cpp_identifier(widest.name)) values["name"] = cpp_identifier(name);
    values["signatures"] = std::vector<Values>{
        {{"signature", fmt::format("{}({}) -> {}, around each element,", name, fmt::join(types, ", "), result)},
         {"place", fmt::format("{}:{}", scope.module.source_name, widest.span.line())}}};
    values["kernel"] = name;
    values["kind"] = std::string(", \"function\"");
    values["call"] = std::string("call_stencil");
    values["params"] = joined(declared);
    values["exact"] = exact_form(launcher, declared, 0);
    values["default"] = std::string(" = {}");
    values["passed"] = joined(passed);
    return values;
}

bool has_host_results(const ir::Module& module, const ir::Function& kernel, const HeaderParts& parts,
                      Diagnostics& diagnostics) {
    const ir::Function& function = called(module, kernel);
    if (function.name == kernel.name || !parts.functions.contains(function.name)) return false;
    const bool gathers = gathers_arguments(kernel);
    if (!gathers && is_of_host(function.result)) return true;
    diagnostics.report(diag::host_skipped, function.span, std::string_view(function.name),
                       gathers ? std::string("pass any number of arguments")
                               : fmt::format("take the {} that it returns", function.result.name()));
    return false;
}

Values call_of(const Launcher& launcher, const ModuleScope& scope, const HeaderParts& parts,
               const std::map<size_t, EntryPoint>& entries) {
    const ir::Function& kernel = scope.module.functions[launcher.instances[0]];
    const ir::Function& function = called(scope.module, kernel);
    const size_t params = function.params.size();
    const bool is_symbol = launcher.name != cpp_identifier(kernel.name);
    Values values = values_of(launcher, scope, parts, entries);
    std::vector<std::string> declared, types, passed{std::get<std::string>(values["table"])};
    for (size_t i = 0; i < params; ++i) {
        declared.push_back(launcher.types[i] + " " + launcher.names[i]);
        passed.push_back(launcher.names[i]);
        types.push_back(text_of(kernel.local(kernel.params[i]).type, scope.module));
    }
    ResultTypes results(scope.types, kernel, params);
    const std::string returned = results.cpp(function.result);
    values["doc"] = doc_lines(function.docstring);
    values["name"] = is_symbol ? launcher.name : cpp_identifier(function.name);
    values["kernel"] = function.name;
    values["is_plain"] =
        std::ranges::none_of(kernel.params.begin(), kernel.params.begin() + static_cast<ptrdiff_t>(params),
                             [&](ir::LocalId id) { return kernel.local(id).type.is_array(); });
    values["params"] = joined(declared);
    values["exact"] = exact_form(launcher, declared, 0);
    values["passed"] = joined(passed);
    values["signature"] = fmt::format(
        "{}({}){}", function.name, fmt::join(types, ", "),
        function.result.is_none() ? "" : " -> " + ResultTypes(scope.types, kernel, params).python(function.result));
    values["place"] = fmt::format("{}:{}", scope.module.source_name, kernel.span.line());
    values["result"] = returned == "void" ? "pyk::Status" : fmt::format("pyk::Result<{}>", returned);
    values["returned"] = returned;
    return values;
}

}  // namespace pyk::emitter
