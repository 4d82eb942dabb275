#include "emit/options.h"

#include <fmt/format.h>

namespace pyk::emitter {
namespace {

struct Flag {
    bool ir::CompileOptions::*option;
    std::string_view keyword, text;
};
constexpr Flag kFlags[] = {
    {&ir::CompileOptions::fastmath, "fastmath", "--use_fast_math"},
    {&ir::CompileOptions::no_fmad, "fmad", "--fmad=false"},
    {&ir::CompileOptions::debug, "debug", "--device-debug"},
    {&ir::CompileOptions::lineinfo, "lineinfo", "--generate-line-info"},
};

}  // namespace

std::optional<std::vector<std::string>> compiler_flags(const ir::Module& module, Diagnostics& diagnostics) {
    const ir::Function* first = nullptr;
    for (const ir::Function& function : module.functions) {
        if (!function.is_kernel) continue;
        if (!first) first = &function;
        for (const Flag& flag : kFlags) {
            if (function.options.*flag.option == first->options.*flag.option) continue;
            diagnostics.report(diag::options_differ, function.span, first->name, function.name, flag.keyword);
            return std::nullopt;
        }
    }
    std::vector<std::string> flags;
    for (const Flag& flag : kFlags)
        if (first && first->options.*flag.option) flags.emplace_back(flag.text);
    return flags;
}

std::string launch_limits(const ir::CompileOptions& options) {
    if (options.max_threads == 0)
        return options.max_registers ? fmt::format("__maxnreg__({}) ", options.max_registers) : "";
    std::string bounds = std::to_string(options.max_threads);
    if (options.min_blocks || options.max_cluster_blocks) bounds += fmt::format(", {}", options.min_blocks);
    if (options.max_cluster_blocks) bounds += fmt::format(", {}", options.max_cluster_blocks);
    return fmt::format("__launch_bounds__({}) ", bounds);
}

}  // namespace pyk::emitter
