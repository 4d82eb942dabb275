#include "emit/header_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "emit/array_function.h"
#include "emit/comments.h"
#include "emit/core_function.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/names.h"

namespace pyk::emitter {

std::string text_of(Type type, const ir::Module& module) {
    const Type shown = type.is_array() ? Type::array(type.element(), type.ndim(), type.layout()) : type;
    return in_names(shown.signature(), module);
}

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

std::string in_quotes(const std::string& text) { return fmt::format("\"{}\"", text); }

std::string types_of(const ir::Function& function, const ir::Module& module) {
    std::string types;
    for (const ir::LocalId id : function.params)
        types += (types.empty() ? "" : ", ") + text_of(function.local(id).type, module);
    return types;
}

using Entries = std::vector<const ir::ArrayEntry*>;

/// On the CPU.
std::vector<Values> symbols_of(const Entries& entries) {
    std::vector<Values> symbols;
    for (const ir::ArrayEntry* entry : entries) symbols.push_back({{"entry_symbol", entry->symbol}});
    return symbols;
}

Values element_function(const ModuleScope& cuda, const ModuleScope& host, const ir::ArrayEntry& entry,
                        const HeaderParts& parts) {
    const FunctionScope scope = function_scope(host, static_cast<size_t>(entry.function));
    const ir::Function& function = scope.function;
    Declared declared(scope, true);
    for (const ir::LocalId id : function.params)
        declared.add(fmt::format("pyk::Operand<{}>", host.types.host(function.local(id).type)), scope.name(id));
    declared.add(fmt::format("pyk::AnyView<{}>", host.types.host(function.result)), declared.output);
    const std::vector<std::string> symbols = array_symbols(cuda, entry);
    return {{"name", cpp_identifier(entry.name)},
            {"result", "pyk::Status"},
            {"params", joined(declared.params)},
            {"stream", declared.stream},
            {"doc", doc_lines(function.docstring)},
            {"signature", fmt::format("{}({}) -> {}, of each element,", entry.name, types_of(function, host.module),
                                      text_of(function.result, host.module))},
            {"symbol", entry.symbol},
            {"entry_symbols", symbols_of({&entry})},
            {"tables", std::vector<Values>()},
            {"type", "ElementFunction"},
            {"record", joined({in_quotes(entry.name), in_quotes(declared.names), in_quotes(symbols[0]),
                               in_quotes(symbols[1]), parts.entries ? "&" + entry.symbol : "nullptr",
                               std::to_string(elements_per_thread(cuda, entry))})},
            {"passed", joined(declared.arguments)}};
}

/// What a sum of numbers starts with, where nothing is said.
std::string zero_of(Type type) { return type.is_boolean() ? "false" : "0"; }

Values reduction(const ModuleScope& cuda, const ModuleScope& host, const ir::ArrayEntry& entry,
                 const HeaderParts& parts) {
    const Type element = entry.algorithm->elements[0];
    const std::string type = host.types.host(element);
    std::vector<std::string> params = {fmt::format("const pyk::AnyView<const {}>& array", type),
                                       fmt::format("const pyk::AnyView<{}>& out", type)};
    std::vector<std::string> declared = params, passed = {"array", "out"};
    if (element.is_scalar()) {  // else there is nothing that it could start with
        params.push_back(fmt::format("const pyk::Operand<{}>& init", type));
        declared.push_back(fmt::format("{} = {}", params.back(), zero_of(element)));
        passed.push_back("init");
    }
    const std::string name = text_of(element, host.module);
    return {
        {"name", cpp_identifier(entry.name)},
        {"result", "pyk::Status"},
        {"params", joined(params)},
        {"declared", joined(declared)},
        {"stream", "stream"},
        {"doc", doc_lines(host.module.function(entry.function).docstring)},
        {"signature", fmt::format("{0}({1}[:]) -> {1}, of all elements,", entry.name, name)},
        {"symbol", entry.symbol},
        {"entry_symbols", symbols_of({&entry})},
        {"tables", std::vector<Values>()},
        {"type", "ReduceFunction"},
        {"record", joined({in_quotes(entry.name), in_quotes("array,out,init"), in_quotes(array_symbols(cuda, entry)[0]),
                           parts.entries ? "&" + entry.symbol : "nullptr"})},
        {"passed", joined(passed)}};
}

// --- parts of arrays ------------------------------------------------------------------------------------------------
/// An array of constants behind the functions.
struct Table {
    std::string type, name;
    std::vector<Values> rows = {};

    void add(const std::vector<std::string>& items) {
        rows.push_back({{"row", fmt::format("{{{}}}", fmt::join(items, ", "))}});
    }
    Values values() const { return {{"table_type", type}, {"table", name}, {"rows", rows}}; }
};

std::string truth(bool value) { return value ? "true" : "false"; }

Type type_of(const ir::Function& function, size_t k) { return function.local(function.params[k]).type; }

/// The code for parts that lie in some way, and where its kernels are.
void add_form(const ModuleScope& cuda, const ir::ArrayEntry& entry, const HeaderParts& parts, Table& kernels,
              Table& forms, const std::string& kernel_table) {
    const ir::Function& function = cuda.module.function(entry.function);
    const size_t first = kernels.rows.size();
    for (const LoopEntry& each : core_entries(cuda, entry))
        kernels.add({in_quotes(each.symbol), std::to_string(each.team ? each.team->team.threads : 1),
                     std::to_string(each.team ? each.team->team.items : 0), truth(each.is_staged)});
    std::string layouts;
    for (size_t k = 0; k < function.params.size(); ++k) {
        const Type type = type_of(function, k);
        layouts += !type.is_array() ? '.' : type.layout() == Layout::C ? 'c' : 'a';
    }
    forms.add({in_quotes(layouts), fmt::format("{} + {}", kernel_table, first),
               std::to_string(kernels.rows.size() - first), parts.entries ? "&" + entry.symbol : "nullptr"});
}

/// `entries`: of one signature but for the layouts of its arrays, those that ask more of them first.
Values core_function(const ModuleScope& cuda, const ModuleScope& host, const Entries& entries,
                     const HeaderParts& parts) {
    const ir::ArrayEntry& entry = *entries.front();
    const FunctionScope scope = function_scope(host, static_cast<size_t>(entry.function));
    const ir::Function& function = scope.function;
    const PartsLayout& layout = host.options.layouts.at(entry.name);
    Declared declared(scope, false);
    Table extents{"CoreExtent", entry.symbol + "_extents"}, operands{"CoreParameter", entry.symbol + "_parameters"},
        kernels{"CoreKernel", entry.symbol + "_kernels"}, forms{"CoreForm", entry.symbol + "_forms"};
    for (const std::string& name : layout.extents)
        extents.add({in_quotes(name), std::isdigit(static_cast<unsigned char>(name[0])) ? name : "0"});
    if (layout.extents.empty()) extents.add({"\"\"", "0"});
    for (size_t k = 0; k < function.params.size(); ++k) {
        const Type type = type_of(function, k);
        const std::string element = host.types.host(type.is_array() ? type.element() : type);
        declared.add(layout.writable[k] ? fmt::format("pyk::AnyView<{}>", element)
                     : type.is_array()  ? fmt::format("pyk::AnyView<const {}>", element)
                                        : fmt::format("pyk::Operand<{}>", element),
                     scope.name(function.params[k]));
        const bool is_overwritten =
            std::ranges::all_of(entries, [&](const ir::ArrayEntry* each) { return each->core[k].is_overwritten; });
        operands.add({std::to_string(layout.operands[k].size()),
                      fmt::format("{{{}}}", fmt::join(layout.operands[k], ", ")), truth(layout.writable[k]),
                      truth(is_overwritten)});
    }
    for (const ir::ArrayEntry* each : entries) add_form(cuda, *each, parts, kernels, forms, kernels.name);
    const ir::Function& widest = host.module.function(entries.back()->function);
    return {
        {"name", cpp_identifier(entry.name)},
        {"result", "pyk::Status"},
        {"params", joined(declared.params)},
        {"stream", declared.stream},
        {"doc", doc_lines(function.docstring)},
        {"signature", fmt::format("{}({}), of parts `{}`,", entry.name, types_of(widest, host.module), layout.text)},
        {"symbol", entry.symbol},
        {"entry_symbols", symbols_of(entries)},
        {"tables", std::vector<Values>{extents.values(), operands.values(), kernels.values(), forms.values()}},
        {"type", "CoreFunction"},
        {"record", joined({in_quotes(entry.name), in_quotes(declared.names), in_quotes(layout.text), extents.name,
                           std::to_string(layout.extents.size()), operands.name, std::to_string(layout.inputs),
                           forms.name, std::to_string(entries.size())})},
        {"passed", joined(declared.arguments)}};
}

/// The entries of each signature of a function for parts of arrays.
std::vector<Entries> by_signature(const ir::Module& module) {
    std::vector<Entries> all;
    std::vector<std::string> known;
    for (const ir::ArrayEntry& entry : module.arrays) {
        if (entry.core.empty()) continue;
        const ir::Function& function = module.function(entry.function);
        std::string key = entry.name;
        for (size_t k = 0; k < function.params.size(); ++k) {
            const Type type = type_of(function, k);
            key += type.is_array() ? fmt::format(" {} {}", type.element().code(), type.ndim()) : " " + type.code();
        }
        const auto at = std::ranges::find(known, key);
        if (at == known.end()) {
            known.push_back(key);
            all.push_back({&entry});
        } else {
            all[static_cast<size_t>(at - known.begin())].push_back(&entry);
        }
    }
    const auto strided = [&](const ir::ArrayEntry* entry) {
        const ir::Function& function = module.function(entry->function);
        return std::ranges::count_if(function.params, [&](ir::LocalId id) {
            const Type type = function.local(id).type;
            return type.is_array() && type.layout() != Layout::C;
        });
    };
    for (Entries& entries : all) std::ranges::stable_sort(entries, {}, strided);
    return all;
}

}  // namespace

std::vector<Values> array_functions(const ModuleScope& cuda, const ModuleScope& host, const HeaderParts& parts) {
    std::vector<Values> result;
    std::set<std::string> known;
    const auto add = [&](Values values, const ir::ArrayEntry& entry) {
        values["place"] =
            fmt::format("{}:{}", host.module.source_name, host.module.function(entry.function).span.line());
        const auto text = [&](std::string_view key) -> std::string& {
            return std::get<std::string>(values.find(key)->second);
        };
        values.try_emplace("declared", text("params"));
        // Two types may be one in C++: then only the entry's name tells them apart.
        if (!known.insert(text("name") + "(" + text("params")).second) text("name") = entry.symbol;
        result.push_back(std::move(values));
    };
    for (const ir::ArrayEntry& entry : host.module.arrays)
        if (entry.algorithm)
            add(reduction(cuda, host, entry, parts), entry);
        else if (entry.core.empty())
            add(element_function(cuda, host, entry, parts), entry);
    for (const Entries& entries : by_signature(host.module))
        add(core_function(cuda, host, entries, parts), *entries.front());
    return result;
}

}  // namespace pyk::emitter
