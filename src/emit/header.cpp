// The header for users of an emitted .cu.
#include <fmt/format.h>

#include <sstream>

#include "emit/emit.h"
#include "emit/function.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/names.h"
#include "emit/prelude.h"
#include "emit/scope.h"
#include "emit/templates.h"
#include "support/fault.h"

namespace pyk {
namespace emitter {
namespace {

/// The lines of a docstring that say something.
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

std::vector<Values> kernels(const ModuleScope& scope) {
    std::vector<Values> result;
    for (size_t i = 0; i < scope.module.functions.size(); ++i) {
        const ir::Function& function = scope.module.functions[i];
        if (!function.is_kernel) continue;
        result.push_back({{"doc", doc_lines(function.docstring)},
                          {"signature", signature(function)},
                          {"place", fmt::format("{}:{}", scope.module.source_name, function.span.line())},
                          {"symbol", ascii_name(function.symbol)},
                          {"params", parameter_list(function_scope(scope, i))}});
    }
    return result;
}

std::vector<Values> entries(const Unit& unit) {
    std::vector<Values> result;
    for (const EntryPoint& entry : unit.entries) result.push_back({{"symbol", entry.symbol}});
    return result;
}

/// What the declarations name of the prelude.
std::string named(const std::vector<Values>& kernels) {
    std::string text;
    for (const Values& kernel : kernels) text += std::get<std::string>(kernel.at("params"));
    return text;
}

std::string rendered(std::string_view name, const Values& values) {
    Diagnostics diagnostics;
    const auto text = Templates(cuda_target().templates, "", diagnostics).render(name, "", values);
    if (!text) internal_error(fmt::format("the template of {}", name));
    return unmarked(*text).text;
}

/// The variable that holds the compiled code: `saxpy_images` of `saxpy.pyk`.
std::string images_name(std::string_view source_name) { return file_identifier(source_name) + "_images"; }

/// Bytes as a C++ string literal, a line of it per 32. Octal escapes end by themselves, hexadecimal ones do not.
std::string literal_of(std::string_view bytes) {
    constexpr size_t kPerLine = 32;
    std::string text;
    text.reserve(bytes.size() * 4 + bytes.size() / 4);
    for (size_t begin = 0; begin < bytes.size(); begin += kPerLine) {
        text += begin ? "\n    \"" : "    \"";
        for (const char c : bytes.substr(begin, kPerLine)) {
            const auto byte = static_cast<unsigned char>(c);
            const char digits[] = {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                                   static_cast<char>('0' + byte % 8)};
            const bool plain = byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?';
            text.append(plain ? std::string_view(&c, 1) : std::string_view(digits, 4));
        }
        text += '"';
    }
    return text.empty() ? "    \"\"" : text;
}

}  // namespace
}  // namespace emitter

std::string emit_header(const ir::Module& module, const Unit& unit, const EmitOptions& options,
                        const HeaderParts& parts) {
    const emitter::ModuleScope scope = emitter::module_scope(module, cuda_target(), options);
    std::vector<emitter::Values> kernels = emitter::kernels(scope);
    std::string includes = parts.kernels ? emitter::included_prelude(emitter::named(kernels)) : "";
    if (parts.images) includes += std::string(includes.empty() ? "" : "\n") + "#include <pyk/image.h>";
    emitter::Values values = {{"source", module.source_name}, {"version", PYK_VERSION}, {"includes", includes}};
    values["cuda"] = parts.kernels ? std::vector<emitter::Values>{{{"kernels", std::move(kernels)}}}
                                   : std::vector<emitter::Values>();
    values["cpu"] = parts.entries ? std::vector<emitter::Values>{{{"entries", emitter::entries(unit)}}}
                                  : std::vector<emitter::Values>();
    values["images"] = parts.images
                           ? std::vector<emitter::Values>{{{"namespace", scope.space},
                                                           {"variable", emitter::images_name(module.source_name)}}}
                           : std::vector<emitter::Values>();
    return emitter::rendered("header", values);
}

std::string emit_images(const std::string& source_name, const std::vector<CompiledImage>& images,
                        const EmitOptions& options) {
    std::vector<emitter::Values> rows;
    for (const CompiledImage& image : images)
        rows.push_back({{"name", image.name},
                        {"number", std::to_string(image.number)},
                        {"suffix", image.suffix ? fmt::format("'{}'", image.suffix) : "0"},
                        {"is_ptx", std::string(image.is_ptx ? "true" : "false")},
                        {"literal", emitter::literal_of(image.bytes)}});
    return emitter::rendered("images", {{"source", source_name},
                                        {"version", PYK_VERSION},
                                        {"namespace", emitter::namespace_of(source_name, options)},
                                        {"variable", emitter::images_name(source_name)},
                                        {"count", std::to_string(images.size())},
                                        {"images", std::move(rows)}});
}

}  // namespace pyk
