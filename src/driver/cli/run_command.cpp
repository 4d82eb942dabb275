// `pykc run FILE KERNEL … ARG…`
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "driver/cli/arguments.h"
#include "driver/cli/commands.h"
#include "driver/cli/guarded_memory.h"
#include "driver/cli/jit_options.h"
#include "driver/cli/output.h"
#include "driver/cli/summary.h"
#include "driver/cli/terminal.h"
#include "driver/cli/time_limit.h"
#include "jit/compiler/program.h"
#include "jit/compiler/types.h"
#include "jit/compiler_library.h"
#include "pyk/algorithms.hpp"
#include "pyk/function.hpp"
#include "pyk/gufunc.hpp"
#include "pyk/stencil.hpp"
#include "support/fault.h"
#include "support/files.h"

namespace pyk {
namespace {

std::optional<size_t> place_of(const jit::KernelSummary& kernel, std::string_view param, size_t arguments) {
    for (size_t i = 0; i < arguments; ++i)
        if (kernel.param(i) == param) return i;
    return std::nullopt;
}

size_t index_of_param(const jit::KernelSummary& kernel, const RunArgument& argument, size_t arguments,
                      std::string_view what) {
    const auto at = place_of(kernel, argument.param, arguments);
    if (!at)
        throw UsageError(fmt::format("argument `{}`: {} `{}` has no parameter `{}`; it has {}", argument.text, what,
                                     kernel.name, argument.param, fmt::join(kernel.params, ", ")));
    return *at;
}

// The arguments in the parameters' order: those with a name first, the others fill what is left. Parameters with
// defaults may be left out at the end.
std::vector<RunArgument> bound_arguments(const jit::KernelSummary& kernel, const std::vector<std::string>& texts,
                                         std::string_view what = "kernel") {
    if (texts.size() > kernel.params.size() && !kernel.has_rest())
        throw UsageError(fmt::format("{} `{}` takes {}, but {} given", what, kernel.name,
                                     Takes(static_cast<int>(kernel.params.size())),
                                     Given(static_cast<int>(texts.size())).text));
    const size_t least = kernel.params.size() - kernel.has_rest();
    std::vector<std::optional<RunArgument>> bound(kernel.has_rest() ? std::max(least, texts.size()) : least);
    std::vector<RunArgument> unnamed;
    for (size_t i = 0; i < texts.size(); ++i) {
        RunArgument argument = parse_argument(texts[i], i);
        if (argument.param.empty()) {
            unnamed.push_back(std::move(argument));
            continue;
        }
        std::optional<RunArgument>& place = bound[index_of_param(kernel, argument, bound.size(), what)];
        if (place) throw UsageError(fmt::format("parameter `{}` is given twice", argument.param));
        place = std::move(argument);
    }
    std::vector<RunArgument> arguments;
    auto next = unnamed.begin();
    for (size_t i = 0; i < bound.size(); ++i) {
        const bool is_given = bound[i] || next != unnamed.end();
        const auto is_empty = [](const std::optional<RunArgument>& argument) { return !argument; };
        const bool is_end = std::all_of(bound.begin() + static_cast<std::ptrdiff_t>(i), bound.end(), is_empty);
        if (!is_given && is_end && i + kernel.defaults >= bound.size()) break;
        if (!is_given)
            throw UsageError(fmt::format("parameter `{}` of {} `{}` is not given", kernel.param(i), what, kernel.name));
        arguments.push_back(bound[i] ? std::move(*bound[i]) : std::move(*next++));
    }
    return arguments;
}

// How the failures of a launch end pykc.
ExitCode fail(const jit::Error& error) {
    switch (error.kind) {
        case jit::Error::Kind::diagnostics:
            show_rendered(error.message);
            return ExitCode::diagnostics;
        case jit::Error::Kind::execution:
            show_error(error.message);
            return ExitCode::diagnostics;
        case jit::Error::Kind::arguments:
            throw UsageError(error.message);
        case jit::Error::Kind::input_output:
        case jit::Error::Kind::memory:
            throw InputOutputError(error.message);
        case jit::Error::Kind::fault:
            break;
    }
    show_error(error.message);  // which says that it is a fault of ours
    return ExitCode::fault;
}

std::string dimensions_text(const Dimensions& d) {
    if (d[2] != 1) return fmt::format("({}, {}, {})", d[0], d[1], d[2]);
    if (d[1] != 1) return fmt::format("({}, {})", d[0], d[1]);
    return fmt::format("{}", d[0]);
}

class Runner {
  public:
    explicit Runner(const RunOptions& options) : options_(options) {}

    ExitCode run() {
        jit::use_compiler(jit::compiler());
        const jit::Result<jit::Module> module = load();
        if (!module) return fail(module.error());
        if (!options_.check_bounds) explain_crashes();
        if (options_.timeout > 0) end_after(options_.timeout, "`" + options_.kernel + "`");
        const auto is_one_of = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), options_.kernel) != names.end();
        };
        if (is_one_of(jit::ufunc_names(*module))) return call(jit::ufunc(*module, options_.kernel).value());
        if (is_one_of(jit::gufunc_names(*module))) return call(jit::gufunc(*module, options_.kernel).value());
        if (is_one_of(jit::stencil_names(*module))) return call(jit::stencil(*module, options_.kernel).value());
        if (is_one_of(jit::function_names(*module))) return call(*module);
        if (const auto reduction = jit::reduction(*module, options_.kernel)) return call(*reduction);
        const jit::Result<jit::Kernel> kernel = module->kernel(options_.kernel);
        if (!kernel) return fail(kernel.error());
        const jit::KernelSummary summary{kernel->name(), kernel->params()};
        std::vector<RunArgument> arguments = bound_arguments(summary, options_.arguments);
        if (!options_.grid || !options_.block)
            throw UsageError(fmt::format("kernel `{}` is launched with --grid and --block", summary.name));
        check_saves(summary, arguments);
        return launch(*kernel, summary, arguments);
    }

  private:
    jit::Result<jit::Module> load() const {
        if (options_.file != "-") return jit::load(options_.file, jit_options(options_));
        std::string text;
        if (!read_all(stdin, text)) throw InputOutputError(fmt::format("cannot read stdin: {}", std::strerror(errno)));
        return jit::load_text("<stdin>", std::move(text), jit_options(options_));
    }

    void refuse_grid(std::string_view what) const {
        if (options_.grid || options_.block || options_.shared_bytes)
            throw UsageError(fmt::format("{} `{}` takes no --grid, --block or --shared", what, options_.kernel));
    }

    // An array function for parts of arrays: the inputs are given, or the outputs as well.
    ExitCode call(const jit::Gufunc& function) const {
        refuse_grid("array function");
        const std::vector<std::string> params = function.params();
        const size_t inputs = function.input_count();
        const bool has_none = inputs == params.size();  // it stores to its inputs, which are shown
        const size_t first = has_none ? 0 : inputs;
        std::vector<std::string> names(params.begin() + static_cast<std::ptrdiff_t>(first), params.end());
        const bool has_outputs = has_none || options_.arguments.size() > inputs;
        check_saves(function.name(), names);
        std::vector<RunArgument> arguments = bound_arguments(
            {function.name(), has_outputs ? params : std::vector(params.begin(), params.end() - names.size())},
            options_.arguments, "array function");
        std::vector<jit::Argument> passed;
        for (RunArgument& argument : arguments) passed.push_back(launch_argument(argument));
        std::vector<NpyArray> outputs;
        if (has_outputs) {
            if (const Status s = function.apply_all(passed); !s) return fail(s.error());
            names.clear();
            for (size_t k = first; k < arguments.size(); ++k) {
                if (!std::holds_alternative<NpyArray>(arguments[k].value)) continue;
                outputs.push_back(std::get<NpyArray>(std::move(arguments[k].value)));
                names.push_back(params[k]);
            }
        } else {
            const auto results = function.call_all(passed);
            if (!results) return fail(results.error());
            for (const jit::AnyArray& result : *results) {
                auto array = host_copy(result);
                if (!array) return fail(array.error());
                outputs.push_back(*std::move(array));
            }
        }
        for (const jit::Specialization& made : function.specializations()) show_rendered(made.warnings());
        std::string text;
        for (size_t k = 0; k < outputs.size(); ++k) {
            const std::string shown = outputs.size() == 1 ? function.name() : "  " + names[k];
            text += fmt::format("{}: {}\n", shown, summary(outputs[k]));
            for (const auto& [param, file] : options_.saves)
                if (param.empty() || param == names[k]) write_output(file, format_npy(outputs[k]));
        }
        write_output("-", outputs.size() == 1 ? text : function.name() + "\n" + text);
        return ExitCode::fine;
    }

    void check_saves(const std::string& function, const std::vector<std::string>& outputs) const {
        for (const auto& [param, file] : options_.saves) {
            if (param.empty() && outputs.size() > 1)
                throw UsageError(fmt::format("`--save {}`: array function `{}` has several outputs, --save {}={}", file,
                                             function, outputs[0], file));
            if (!param.empty() && std::find(outputs.begin(), outputs.end(), param) == outputs.end())
                throw UsageError(fmt::format("`--save {}={}`: array function `{}` has no output `{}`", param, file,
                                             function, param));
        }
    }

    // Of what has one result: no grid, and it is what is kept.
    void check_options(std::string_view what) const {
        refuse_grid(what);
        for (const auto& [param, file] : options_.saves)
            if (!param.empty())
                throw UsageError(fmt::format("`--save {}={}`: of {} `{}` only the result is new, --save {}", param,
                                             file, what, options_.kernel, file));
    }

    static std::vector<jit::Argument> passed_in(GuardedMemory& memory, std::vector<RunArgument>& arguments) {
        std::vector<jit::Argument> passed;
        for (RunArgument& argument : arguments) {
            passed.push_back(launch_argument(argument));
            auto* array = std::get_if<NpyArray>(&argument.value);
            if (void* const copy = array ? memory.add(array->bytes) : nullptr) passed.back().data = copy;
        }
        return passed;
    }

    // A function for the CPU: what it returns, and the arrays that it writes.
    ExitCode call(const jit::Module& module) const {
        refuse_grid("function");
        if (options_.device == DeviceChoice::cuda)
            throw UsageError(fmt::format(
                "function `{}` runs on the CPU: --device cuda is for kernels and array functions", options_.kernel));
        const jit::KernelSummary function{options_.kernel, jit::function_params(module, options_.kernel),
                                          jit::function_defaults(module, options_.kernel)};
        std::vector<RunArgument> arguments = bound_arguments(function, options_.arguments, "function");
        for (const auto& [param, file] : options_.saves)
            if (!param.empty() && !is_place(param)) check_save(function, arguments, param, file, "function");
        GuardedMemory memory;
        const std::vector<jit::Argument> passed = passed_in(memory, arguments);
        const auto report = jit::call_function(module, options_.kernel, passed);
        if (!report) return fail(report.error());
        memory.take_back();
        show_rendered(report->warnings);
        std::vector<std::string> results;
        std::vector<std::optional<NpyArray>> returned;
        for (const jit::detail::Returned& result : report->results) {
            if (!result.has_value) {
                returned.emplace_back();
            } else if (!result.is_array) {
                returned.push_back(number_array(result, {}));
            } else {
                auto array = host_copy(result.array);
                if (!array) return fail(array.error());
                returned.push_back(*std::move(array));
            }
            results.push_back(result.has_value && result.is_array ? summary(*returned.back()) : number_text(result));
        }
        for (const auto& [param, file] : options_.saves)
            write_output(file, format_npy(is_place(param) ? result_at(param, returned)
                                          : param.empty() ? only_result(file, returned)
                                                          : array_of(function, arguments, param)));
        std::string text = options_.kernel + (results.empty() ? "\n" : fmt::format(": {}\n", fmt::join(results, ", ")));
        write_output("-", text + written_text(function, report->written, arguments));
        return ExitCode::fine;
    }

    // `--save 2=FILE` is the third result, those in tuples counted one by one.
    static bool is_place(std::string_view param) {
        return !param.empty() && std::ranges::all_of(param, [](char c) { return c >= '0' && c <= '9'; });
    }
    const NpyArray& result_at(const std::string& place, const std::vector<std::optional<NpyArray>>& returned) const {
        const size_t at = place.size() < 9 ? std::stoul(place) : returned.size();
        if (at >= returned.size() || !returned[at])
            throw UsageError(fmt::format("`--save {}=`: function `{}` returns {} {}, counted from 0{}", place,
                                         options_.kernel, returned.size(), returned.size() == 1 ? "result" : "results",
                                         at < returned.size() ? ", and None there" : ""));
        return *returned[at];
    }
    const NpyArray& only_result(const std::string& file, const std::vector<std::optional<NpyArray>>& returned) const {
        std::vector<const NpyArray*> arrays, numbers;
        for (const std::optional<NpyArray>& each : returned)
            if (each) (each->shape.empty() ? numbers : arrays).push_back(&*each);
        const std::vector<const NpyArray*>& some = arrays.empty() ? numbers : arrays;
        if (some.size() != 1)
            throw UsageError(fmt::format("`--save {}`: function `{}` returns {} {}; --save 0={} is the first result",
                                         file, options_.kernel, some.size(), arrays.empty() ? "numbers" : "arrays",
                                         file));
        return *some[0];
    }

    static NpyArray number_array(const jit::detail::Returned& number, std::vector<int64_t> shape) {
        NpyArray array{jit::type_of(jit::ArgumentType{number.element, 0, {}, {}, number.named}).value(),
                       false,
                       std::move(shape),
                       {}};
        array.bytes.assign(number.bytes, number.bytes + array.element.byte_size());
        return array;
    }
    static std::string number_text(const jit::detail::Returned& number) {
        if (!number.has_value) return "None";
        const NpyArray array = number_array(number, {});
        return element_text(array.element, array.bytes.data());
    }

    // An array function or a stencil. With `out=`, as in Python, the result goes into that array.
    template <class Function>
    ExitCode call(const Function& function) const {
        check_options("array function");
        std::vector<std::string> params = function.params();
        const bool has_out =
            std::ranges::any_of(options_.arguments, [](const std::string& text) { return text.starts_with("out="); }) &&
            std::ranges::find(params, "out") == params.end();
        if (has_out) params.emplace_back("out");
        std::vector<RunArgument> arguments =
            bound_arguments({function.name(), params}, options_.arguments, "array function");
        std::vector<jit::Argument> passed;
        for (RunArgument& argument : arguments) passed.push_back(launch_argument(argument));
        jit::AnyArray result;
        if (has_out) {
            const jit::Argument out = passed.back();
            passed.pop_back();
            if (const Status s = function.into_all(out, passed); !s) return fail(s.error());
        } else {
            auto made = function.call_all(passed);
            if (!made) return fail(made.error());
            result = *std::move(made);
        }
        for (const jit::Specialization& made : function.specializations()) show_rendered(made.warnings());
        return has_out ? keep(std::get<NpyArray>(arguments.back().value)) : keep(result);
    }

    // `@cuda.reduce`: the array, and by their names `size` and `init`, as in Python.
    ExitCode call(const jit::Reduction& reduction) const {
        check_options("reduction");
        std::vector<std::string> params = {"arr"};
        for (const std::string& text : options_.arguments)
            for (const std::string param : {"size", "init"})
                if (text.starts_with(param + "=")) params.push_back(param);
        std::vector<RunArgument> arguments =
            bound_arguments({reduction.name(), params}, options_.arguments, "reduction");
        jit::ReductionCallOptions options;
        for (size_t i = 1; i < params.size(); ++i) {
            const jit::Argument given = launch_argument(arguments[i]);
            if (given.is_array()) throw UsageError(fmt::format("`{}` is a number", params[i]));
            if (params[i] == "init")
                options.init = jit::Number(given);
            else if (given.element == jit::Element::int64)
                options.size = given.integer;
            else
                throw UsageError("`size` is an integer");
        }
        const auto result = reduction.call_all(launch_argument(arguments[0]), options);
        if (!result) return fail(result.error());
        return keep(*result);
    }

    ExitCode keep(const jit::AnyArray& result) const {
        const auto array = host_copy(result);
        return array ? keep(*array) : fail(array.error());
    }
    ExitCode keep(const NpyArray& result) const {
        for (const auto& [param, file] : options_.saves) write_output(file, format_npy(result));
        write_output("-", fmt::format("{}: {}\n", options_.kernel, summary(result)));
        return ExitCode::fine;
    }

    static jit::Result<NpyArray> host_copy(const jit::AnyArray& result) {
        NpyArray array{jit::type_of(jit::ArgumentType{result.element(), 0, {}, {}, result.named()}).value(),
                       false,
                       {result.shape().begin(), result.shape().end()},
                       {}};
        array.bytes.resize(result.buffer().size());
        if (const Status s = result.buffer().download(array.bytes.data(), array.bytes.size()); !s) return s;
        return array;
    }

    void check_saves(const jit::KernelSummary& kernel, const std::vector<RunArgument>& arguments) const {
        for (const auto& [param, file] : options_.saves) {
            if (param.empty())
                throw UsageError(fmt::format("`--save {}`: kernels return nothing; the form is PARAM=FILE.npy", file));
            check_save(kernel, arguments, param, file, "kernel");
        }
    }

    static void check_save(const jit::KernelSummary& kernel, const std::vector<RunArgument>& arguments,
                           const std::string& param, const std::string& file, std::string_view what) {
        const auto place = place_of(kernel, param, std::max(arguments.size(), kernel.params.size()));
        if (!place)
            throw UsageError(
                fmt::format("`--save {}={}`: {} `{}` has no parameter `{}`", param, file, what, kernel.name, param));
        if (*place >= arguments.size() || !std::holds_alternative<NpyArray>(arguments[*place].value))
            throw UsageError(fmt::format("`--save {}={}`: `{}` is not an array", param, file, param));
    }

    ExitCode launch(const jit::Kernel& kernel, const jit::KernelSummary& summary,
                    std::vector<RunArgument>& arguments) const {
        GuardedMemory memory;
        const std::vector<jit::Argument> passed = passed_in(memory, arguments);
        const auto [gx, gy, gz] = *options_.grid;
        const auto [bx, by, bz] = *options_.block;
        const auto report =
            kernel(jit::Grid{gx, gy, gz}, jit::Block{bx, by, bz}, options_.shared_bytes).timed_all(passed);
        if (!report) return fail(report.error());
        memory.take_back();

        show_rendered(report.value().warnings);
        for (const auto& [param, file] : options_.saves)
            write_output(file, format_npy(array_of(summary, arguments, param)));
        print(summary, report.value(), arguments);
        return ExitCode::fine;
    }

    static const NpyArray& array_of(const jit::KernelSummary& kernel, const std::vector<RunArgument>& arguments,
                                    const std::string& param) {
        return std::get<NpyArray>(arguments[*place_of(kernel, param, arguments.size())].value);
    }

    void print(const jit::KernelSummary& kernel, const jit::Report& report,
               const std::vector<RunArgument>& arguments) const {
        std::string text = fmt::format("{}<<<{}, {}>>> {:.3f} ms on {}\n", kernel.name, dimensions_text(*options_.grid),
                                       dimensions_text(*options_.block), report.milliseconds, report.device);
        write_output("-", text + written_text(kernel, report.written, arguments));
    }

    static std::string written_text(const jit::KernelSummary& called, const std::vector<bool>& written,
                                    const std::vector<RunArgument>& arguments) {
        std::string text;
        for (size_t i = 0; i < arguments.size(); ++i)
            if (const NpyArray* array = std::get_if<NpyArray>(&arguments[i].value); array && written[i])
                text += fmt::format("  {}: {}\n", called.param(i), summary(*array));
        return text;
    }

    const RunOptions& options_;
};

}  // namespace

ExitCode run_kernel(const RunOptions& options) { return Runner(options).run(); }

}  // namespace pyk
