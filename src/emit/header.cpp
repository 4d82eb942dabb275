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

/// `PYK_MATMUL_H_` of `matmul.pyk`.
std::string guard_of(std::string_view source_name) {
    std::string guard = "PYK_" + ascii_name(source_name.substr(0, source_name.rfind('.'))) + "_KERNELS_H";
    for (char& c : guard) c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(c)) : '_';
    return guard;
}

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

/// What the declarations name of the prelude.
std::string named(const std::vector<Values>& kernels) {
    std::string text;
    for (const Values& kernel : kernels) text += std::get<std::string>(kernel.at("params"));
    return text;
}

}  // namespace
}  // namespace emitter

std::string emit_header(const ir::Module& module, const Unit&, const EmitOptions& options) {
    const emitter::ModuleScope scope = emitter::module_scope(module, cuda_target(), options);
    std::vector<emitter::Values> kernels = emitter::kernels(scope);
    const std::string includes = emitter::included_prelude(emitter::named(kernels));
    Diagnostics diagnostics;
    const emitter::Templates templates(cuda_target().templates, "", diagnostics);
    const auto text = templates.render("header", "kernels",
                                       {{"source", module.source_name},
                                        {"version", PYK_VERSION},
                                        {"guard", emitter::guard_of(module.source_name)},
                                        {"includes", includes},
                                        {"kernels", std::move(kernels)}});
    if (!text) internal_error("the header's template");
    return emitter::unmarked(*text).text;
}

}  // namespace pyk
