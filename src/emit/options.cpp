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
        if (function.is_kernel || function.is_exported || is_of_arrays(module, function))
            functions.push_back(&function);
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

/// What the vectors of a module's loops are made of, indices and bounds aside.
struct Lanes {
    bool loads_floats = false, loads_small = false;  ///< integers of at most 16 bits, and booleans
    bool has_floats = false, is_wide = false;        ///< something is computed in floats, in more than 16 bits

    void add(const ir::Expr& expr) {
        const bool is_float = expr.type.is_scalar() && !expr.type.is_integer() && !expr.type.is_boolean();
        has_floats |= is_float;
        if (expr.as<ir::Element>()) {
            loads_floats |= is_float || !expr.type.is_scalar();
            loads_small |= !is_float && expr.type.is_scalar() && expr.type.bits() <= 16;
            return;
        }
        const bool computes = expr.as<ir::Binary>() || expr.as<ir::Convert>() || expr.as<ir::BuiltinCall>();
        is_wide |= computes && expr.type.is_scalar() && expr.type.bits() > 16;
        ir::for_each_child(expr, [&](const ir::Expr& child) { add(child); });
    }
};

Lanes lanes_of(const ir::Module& module) {
    Lanes lanes;
    for (const ir::Function& function : module.functions)
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) lanes.add(*assign->value);
            if (const auto* store = stmt.as<ir::Store>()) lanes.add(*store->value);
            if (const auto* choice = stmt.as<ir::If>()) lanes.add(*choice->condition);
            if (const auto* result = stmt.as<ir::Return>(); result && result->value) lanes.add(*result->value);
        });
    return lanes;
}

/// With 512 bits g++ takes half the time for loops in which bytes meet numbers of 32 and 64 bits, and the same for
/// other loops of integers; but more where floats of arrays that are not aligned to that are loaded, or added up in
/// order. Rows of bytes alone are short, and end in the less that does not fill a vector the smaller that is.
std::vector<std::string> cpu_flags(const ir::Module& module) {
    const Lanes lanes = lanes_of(module);
    if (lanes.loads_floats || (lanes.has_floats && !lanes.loads_small)) return {};
    return {lanes.is_wide ? "-mprefer-vector-width=512" : "-mprefer-vector-width=256"};
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
