#include "emit/options.h"

#include <fmt/format.h>

#include <algorithm>

namespace pyk::emitter {
namespace {

struct Flag {
    bool ir::CompileOptions::*option;
    bool CodeOptions::*asked;  ///< what the command line has for it
    std::string_view keyword, text;
};
constexpr Flag kFlags[] = {
    {&ir::CompileOptions::fastmath, &CodeOptions::fastmath, "fastmath", "--use_fast_math"},
    {&ir::CompileOptions::no_fmad, &CodeOptions::no_fmad, "fmad", "--fmad=false"},
    {&ir::CompileOptions::debug, &CodeOptions::device_debug, "debug", "--device-debug"},
    {&ir::CompileOptions::lineinfo, &CodeOptions::lineinfo, "lineinfo", "--generate-line-info"},
    {&ir::CompileOptions::no_opt, nullptr, "opt", ""},
    {&ir::CompileOptions::no_lto, nullptr, "lto", ""},
};

bool is_decided(const Flag& flag, const CodeOptions& options) {
    if (flag.option == &ir::CompileOptions::no_opt) return options.optimization.has_value();
    return flag.asked && options.*flag.asked;
}

bool is_of_arrays(const ir::Module& module, const ir::Function& function) {
    return std::ranges::any_of(
        module.arrays, [&](const ir::ArrayEntry& entry) { return &module.function(entry.function) == &function; });
}

}  // namespace

std::optional<std::vector<std::string>> compiler_flags(const ir::Module& module, const Target& target,
                                                       const CodeOptions& options, Diagnostics& diagnostics) {
    if (!target.is_cudacc) return std::vector<std::string>();
    const ir::Function* first = nullptr;
    for (const ir::Function& function : module.functions) {
        if (!function.is_kernel && !is_of_arrays(module, function)) continue;
        if (!first) first = &function;
        for (const Flag& flag : kFlags) {
            if (is_decided(flag, options) || function.options.*flag.option == first->options.*flag.option) continue;
            diagnostics.report(diag::options_differ, function.span, first->name, function.name, flag.keyword);
            return std::nullopt;
        }
    }
    std::vector<std::string> flags;
    for (const Flag& flag : kFlags) {
        const bool wanted = (first && first->options.*flag.option) || is_decided(flag, options);
        if (wanted && !flag.text.empty()) flags.emplace_back(flag.text);
    }
    const int optimization = options.optimization.value_or(first && first->options.no_opt ? 0 : 3);
    if (optimization != 3) flags.push_back(fmt::format("--ptxas-options=-O{}", optimization));
    if (options.max_registers) flags.push_back(fmt::format("--maxrregcount={}", options.max_registers));
    return flags;
}

bool has_line_directives(const ir::Module& module, const EmitOptions& options) {
    if (options.line_directives != LineDirectives::with_line_numbers)
        return options.line_directives == LineDirectives::all;
    return options.code.lineinfo || options.code.device_debug ||
           std::ranges::any_of(module.functions,
                               [](const ir::Function& f) { return f.options.lineinfo || f.options.debug; });
}

bool inlines_linked_code(const ir::Module& module, const CodeOptions& options) {
    const bool optimizes = options.optimization.value_or(1) != 0;
    return optimizes && !options.device_debug && std::ranges::none_of(module.functions, [&](const ir::Function& f) {
               return f.options.no_lto || f.options.debug || (f.options.no_opt && !options.optimization);
           });
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
