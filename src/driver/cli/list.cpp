#include "driver/cli/list.h"

#include <fmt/format.h>

#include <algorithm>

#include "builtins/builtins.h"

namespace pyk {
namespace {

std::string signature_text(const std::string& kernel, const Signature& signature) {
    std::string types;
    for (const Type type : signature.params) types += (types.empty() ? "" : ", ") + type.signature();
    return fmt::format("{}({})", kernel, types);
}

std::string targets_of(const Builtin& builtin) {
    std::string text;
    if (!builtin.spelling_for(TargetId::cuda).empty()) text = "cuda";
    if (!builtin.spelling_for(TargetId::cpu).empty()) text += text.empty() ? "cpu" : ", cpu";
    // Those that have no spelling of their own become other forms in every target.
    return text.empty() ? "cuda, cpu" : text;
}

}  // namespace

std::string list_kernels(const Program& program) {
    std::string text;
    for (const KernelInfo& kernel : program.kernels) {
        text += fmt::format("{}({})\n", kernel.name, fmt::join(kernel.params, ", "));
        for (const Signature& signature : kernel.signatures)
            text += fmt::format("    {}\n", signature_text(kernel.name, signature));
    }
    for (const ArrayFunctionInfo& function : program.array_functions) {
        text += fmt::format("{}({}): {}\n", function.name, fmt::join(function.params, ", "),
                            function.core         ? "parts of arrays, " + function.core->text()
                            : function.is_stencil ? "a stencil"
                                                  : "elements of arrays");
        for (const Signature& signature : function.signatures)
            text += fmt::format("    {}\n", signature_text(function.name, signature));
    }
    for (const KernelInfo& function : program.functions)
        for (const Signature& signature : function.signatures) {
            if (&signature == &function.signatures.front())
                text +=
                    fmt::format("{}({}): a function for the CPU\n", function.name, fmt::join(function.params, ", "));
            text += fmt::format("    {}\n", signature_text(function.name, signature));
        }
    for (const OperatorInfo& info : program.operators)
        if (info.is_reduction) text += fmt::format("{}({}): reduction\n", info.name, fmt::join(info.params, ", "));
    return text;
}

std::string list_builtins() {
    constexpr std::string_view kOurs = "pyk.", kSpecial = "special(";
    std::string text;
    for (const Builtin& builtin : all_builtins()) {
        if (builtin.name.starts_with(kOurs)) continue;  // what others are made of
        std::string_view types = builtin.rule;
        if (types.starts_with(kSpecial)) types.remove_prefix(std::min(types.find(')') + 2, types.size()));
        text += fmt::format("{:<28} {}\n{:<28}     {} [{}]\n", builtin.name, types.empty() ? "(…)" : types, "",
                            builtin.doc, targets_of(builtin));
    }
    return text;
}

}  // namespace pyk
