#include "emit/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/walk.h"

namespace pyk::emitter {
namespace {

struct Flag {
    bool ir::CompileOptions::*option;
    bool CodeOptions::*asked;  ///< what the command line has for it
    std::string_view text;
    std::string_view keyword, settled;  ///< what holds for all kernels where only some ask for it
    bool is_settled;                    ///< the same as the option's value
};
constexpr Flag kFlags[] = {
    {&ir::CompileOptions::fastmath, &CodeOptions::fastmath, "--use_fast_math", "fastmath", "fastmath=False", false},
    {&ir::CompileOptions::no_fmad, &CodeOptions::no_fmad, "--fmad=false", "fmad", "fmad=False", true},
    {&ir::CompileOptions::debug, &CodeOptions::device_debug, "--device-debug", "debug", "debug=False", false},
    {&ir::CompileOptions::lineinfo, &CodeOptions::lineinfo, "--generate-line-info", "lineinfo", "lineinfo=True", true},
    {&ir::CompileOptions::no_opt, nullptr, "", "opt", "opt=True", false},
    {&ir::CompileOptions::no_lto, nullptr, "", "lto", "lto=False", true},
};

bool is_decided(const Flag& flag, const CodeOptions& options) {
    if (flag.option == &ir::CompileOptions::no_opt) return options.optimization.has_value();
    return flag.asked && options.*flag.asked;
}

bool is_of_arrays(const ir::Module& module, const ir::Function& function) {
    return std::ranges::any_of(
        module.arrays, [&](const ir::ArrayEntry& entry) { return &module.function(entry.function) == &function; });
}

/// What all kernels and array functions of a module are compiled with.
ir::CompileOptions common_options(const ir::Module& module, const CodeOptions& asked, Diagnostics& diagnostics) {
    std::vector<const ir::Function*> functions;
    for (const ir::Function& function : module.functions)
        if (function.is_kernel || is_of_arrays(module, function)) functions.push_back(&function);
    ir::CompileOptions common;
    if (functions.empty()) return common;
    for (const Flag& flag : kFlags) {
        const auto wants = [&](const ir::Function* function) { return function->options.*flag.option; };
        const bool first = wants(functions.front());
        const auto other = std::ranges::find(functions, !first, wants);
        common.*flag.option = other == functions.end() ? first : flag.is_settled;
        if (other != functions.end() && !is_decided(flag, asked))
            diagnostics.report(diag::options_differ, (*other)->span, functions.front()->name, (*other)->name,
                               flag.keyword, flag.settled);
    }
    return common;
}

bool computes_with_floats(const ir::Function& function) {
    bool result = false;
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        result = result || (expr.type.is_scalar() && !expr.type.is_integer() && !expr.type.is_boolean());
    });
    return result;
}

bool has_wide_elements(const ir::Function& function) {
    return std::ranges::any_of(function.locals, [](const ir::Local& local) {
        return local.type.is_array() && !(local.type.element().is_scalar() && local.type.element().bits() <= 16);
    });
}

/// With 512 bits g++ takes half the time for loops in which bytes and integers of 64 bits meet, and the same for other
/// loops of integers; but more where floats of arrays that are not aligned to that are loaded, or added up in order.
/// Rows of small integers alone are short, and end in the less that does not fill a vector the smaller that is.
std::vector<std::string> cpu_flags(const ir::Module& module) {
    if (std::ranges::any_of(module.functions, computes_with_floats)) return {};
    const bool is_wide = std::ranges::any_of(module.functions, has_wide_elements);
    return {is_wide ? "-mprefer-vector-width=512" : "-mprefer-vector-width=256"};
}

}  // namespace

std::vector<std::string> compiler_flags(const ir::Module& module, const Target& target, const CodeOptions& options,
                                        Diagnostics& diagnostics) {
    if (!target.is_cudacc) return cpu_flags(module);
    const ir::CompileOptions common = common_options(module, options, diagnostics);
    std::vector<std::string> flags;
    for (const Flag& flag : kFlags)
        if ((common.*flag.option || is_decided(flag, options)) && !flag.text.empty()) flags.emplace_back(flag.text);
    const int optimization = options.optimization.value_or(common.no_opt ? 0 : 3);
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
