// `pykc run FILE KERNEL … ARG…`
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driver/cli/arguments.h"
#include "driver/cli/commands.h"
#include "driver/cli/output.h"
#include "driver/cli/summary.h"
#include "driver/cli/terminal.h"
#include "driver/load.h"
#include "driver/requests.h"
#include "jit/engine.h"
#include "jit/types.h"
#include "support/fault.h"

namespace pyk {
namespace {

size_t index_of_param(const KernelInfo& kernel, const RunArgument& argument) {
    const auto at = std::find(kernel.params.begin(), kernel.params.end(), argument.param);
    if (at == kernel.params.end())
        throw UsageError(fmt::format("argument `{}`: kernel `{}` has no parameter `{}`; it has {}", argument.text,
                                     kernel.name, argument.param, fmt::join(kernel.params, ", ")));
    return static_cast<size_t>(at - kernel.params.begin());
}

// The arguments in the parameters' order: those with a name first, the others fill what is left.
std::vector<RunArgument> bind(const KernelInfo& kernel, const std::vector<std::string>& texts) {
    if (texts.size() > kernel.params.size())
        throw UsageError(fmt::format("kernel `{}` takes {} arguments, but {} are given", kernel.name,
                                     kernel.params.size(), texts.size()));
    std::vector<std::optional<RunArgument>> bound(kernel.params.size());
    std::vector<RunArgument> unnamed;
    for (size_t i = 0; i < texts.size(); ++i) {
        RunArgument argument = parse_argument(texts[i], i);
        if (argument.param.empty()) {
            unnamed.push_back(std::move(argument));
            continue;
        }
        std::optional<RunArgument>& place = bound[index_of_param(kernel, argument)];
        if (place) throw UsageError(fmt::format("parameter `{}` is given twice", argument.param));
        place = std::move(argument);
    }
    std::vector<RunArgument> arguments;
    auto next = unnamed.begin();
    for (size_t i = 0; i < bound.size(); ++i) {
        if (!bound[i] && next == unnamed.end())
            throw UsageError(fmt::format("parameter `{}` of kernel `{}` is not given", kernel.params[i], kernel.name));
        arguments.push_back(bound[i] ? std::move(*bound[i]) : std::move(*next++));
    }
    return arguments;
}

jit::Argument launch_argument(const ScalarArgument& scalar) { return jit::scalar_argument(scalar.type, scalar.value); }

jit::Argument launch_argument(NpyArray& array) {
    if (array.shape.empty()) throw UsageError("an array without axes cannot be passed; pass its number");
    if (array.shape.size() > jit::Argument::max_ndim)
        throw UsageError(fmt::format("an array has at most {} axes", jit::Argument::max_ndim));
    jit::Argument argument;
    argument.element = jit::element_of(array.element);
    argument.ndim = static_cast<int>(array.shape.size());
    argument.data = array.bytes.data();
    argument.order = array.layout() == Layout::F ? jit::Order::fortran : jit::Order::c;
    std::copy(array.shape.begin(), array.shape.end(), argument.shape.begin());
    return argument;
}

jit::Backend backend_of(DeviceChoice device) {
    switch (device) {
        case DeviceChoice::automatic:
            return jit::Backend::automatic;
        case DeviceChoice::cuda:
            return jit::Backend::cuda;
        case DeviceChoice::cpu:
            return jit::Backend::cpu;
    }
    internal_error("a device that nobody knows");
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
            throw InputOutputError(error.message);
        case jit::Error::Kind::fault:
            break;
    }
    internal_error(error.message);
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
        std::string error;
        SourceFilePtr source = load(options_.file, error);
        if (!source) throw InputOutputError(error);
        auto engine =
            jit::make_engine(std::move(source),
                             {options_.defines, options_.warnings, backend_of(options_.device), options_.check_bounds,
                              options_.debug, options_.import_folders, options_.typing, options_.links, options_.code});
        if (!engine) return fail(engine.error());

        const KernelInfo* kernel = find_kernel(engine.value()->program, options_.kernel);
        if (!kernel)
            throw UsageError(fmt::format("there is no kernel `{}`{}", options_.kernel,
                                         kernel_hint(engine.value()->program, options_.kernel)));
        std::vector<RunArgument> arguments = bind(*kernel, options_.arguments);
        check_saves(*kernel, arguments);
        return launch(*engine.value(), *kernel, arguments);
    }

  private:
    void check_saves(const KernelInfo& kernel, const std::vector<RunArgument>& arguments) const {
        for (const auto& [param, file] : options_.saves) {
            const auto at = std::find(kernel.params.begin(), kernel.params.end(), param);
            if (at == kernel.params.end())
                throw UsageError(
                    fmt::format("`--save {}={}`: kernel `{}` has no parameter `{}`", param, file, kernel.name, param));
            if (!std::holds_alternative<NpyArray>(arguments[static_cast<size_t>(at - kernel.params.begin())].value))
                throw UsageError(fmt::format("`--save {}={}`: `{}` is not an array", param, file, param));
        }
    }

    ExitCode launch(jit::Engine& engine, const KernelInfo& kernel, std::vector<RunArgument>& arguments) const {
        std::vector<jit::Argument> passed;
        for (RunArgument& argument : arguments)
            passed.push_back(std::visit([](auto& value) { return launch_argument(value); }, argument.value));
        const auto [gx, gy, gz] = options_.grid;
        const auto [bx, by, bz] = options_.block;
        const auto report =
            jit::launch(engine, kernel.name, {{gx, gy, gz}, {bx, by, bz}, options_.shared_bytes}, passed);
        if (!report) return fail(report.error());

        show_rendered(report.value().warnings);
        for (const auto& [param, file] : options_.saves)
            write_output(file, format_npy(array_of(kernel, arguments, param)));
        print(kernel, report.value(), arguments);
        return ExitCode::fine;
    }

    static const NpyArray& array_of(const KernelInfo& kernel, const std::vector<RunArgument>& arguments,
                                    const std::string& param) {
        const auto at = std::find(kernel.params.begin(), kernel.params.end(), param) - kernel.params.begin();
        return std::get<NpyArray>(arguments[static_cast<size_t>(at)].value);
    }

    void print(const KernelInfo& kernel, const jit::Report& report, const std::vector<RunArgument>& arguments) const {
        std::string text = fmt::format("{}<<<{}, {}>>> {:.3f} ms on {}\n", kernel.name, dimensions_text(options_.grid),
                                       dimensions_text(options_.block), report.milliseconds, report.device);
        for (size_t i = 0; i < arguments.size(); ++i)
            if (const NpyArray* array = std::get_if<NpyArray>(&arguments[i].value); array && report.written[i])
                text += fmt::format("  {}: {}\n", kernel.params[i], summary(*array));
        write_output("-", text);
    }

    const RunOptions& options_;
};

}  // namespace

ExitCode run_kernel(const RunOptions& options) { return Runner(options).run(); }

}  // namespace pyk
