#include "emit/header_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "emit/array_function.h"
#include "emit/cpp_types.h"
#include "emit/lines.h"
#include "emit/names.h"

namespace pyk::emitter {
namespace {

/// A function of the header while it is put together.
struct Declared {
    std::vector<std::string> params, arguments;  ///< arguments: as they are passed on
    std::string names;                           ///< the author's, and the output's
    std::string stream;

    Declared(const FunctionScope& scope, bool has_output) {
        NameSet taken;
        for (const ir::LocalId id : scope.function.params) taken.insert(scope.name(id));
        for (const ir::LocalId id : scope.function.params)
            names += (names.empty() ? "" : ",") + scope.function.local(id).name;
        if (has_output) {
            output = unique_identifier("out", taken);
            taken.insert(output);
            names += ",out";
        }
        stream = unique_identifier("stream", taken);
    }

    void add(const std::string& type, const std::string& name) {
        params.push_back(fmt::format("const {}& {}", type, name));
        arguments.push_back(name);
    }

    std::string output;
};

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += std::string(text.empty() ? "" : kListBreak) + item;
    return text;
}

std::string in_quotes(const std::string& text) { return fmt::format("\"{}\"", text); }

std::string signature_of(const ir::ArrayEntry& entry, const ir::Function& function) {
    std::string params;
    for (const ir::LocalId id : function.params)
        params += (params.empty() ? "" : ", ") + function.local(id).type.signature();
    return fmt::format("{}({}) -> {}, of each element,", entry.name, params, function.result.signature());
}

Values element_function(const ModuleScope& cuda, const ModuleScope& host, const ir::ArrayEntry& entry,
                        const HeaderParts& parts) {
    const FunctionScope scope = function_scope(host, static_cast<size_t>(entry.function));
    const ir::Function& function = scope.function;
    Declared declared(scope, true);
    for (const ir::LocalId id : function.params)
        declared.add(fmt::format("pyk::Operand<{}>", cpp_name(function.local(id).type)), scope.name(id));
    declared.add(fmt::format("pyk::AnyView<{}>", cpp_name(function.result)), declared.output);
    const std::vector<std::string> symbols = array_symbols(cuda, entry);
    return {{"name", cpp_identifier(entry.name)},
            {"result", "pyk::Status"},
            {"params", joined(declared.params)},
            {"stream", declared.stream},
            {"doc", doc_lines(function.docstring)},
            {"signature", signature_of(entry, function)},
            {"symbol", entry.symbol},
            {"type", "ElementFunction"},
            {"record", joined({in_quotes(entry.name), in_quotes(declared.names), in_quotes(symbols[0]),
                               in_quotes(symbols[1]), parts.entries ? "&" + entry.symbol : "nullptr",
                               std::to_string(elements_per_thread(cuda, entry))})},
            {"passed", joined(declared.arguments)}};
}

}  // namespace

std::vector<Values> array_functions(const ModuleScope& cuda, const ModuleScope& host, const HeaderParts& parts) {
    std::vector<Values> result;
    std::set<std::string> known;
    for (const ir::ArrayEntry& entry : host.module.arrays) {
        if (!entry.core.empty() || entry.algorithm) continue;
        const ir::Function& function = host.module.function(entry.function);
        Values values = element_function(cuda, host, entry, parts);
        values["place"] = fmt::format("{}:{}", host.module.source_name, function.span.line());
        const auto text = [&](std::string_view key) -> std::string& {
            return std::get<std::string>(values.find(key)->second);
        };
        // Two types may be one in C++: then only the entry's name tells them apart.
        if (!known.insert(text("name") + "(" + text("params")).second) text("name") = entry.symbol;
        result.push_back(std::move(values));
    }
    return result;
}

}  // namespace pyk::emitter
