// pykc: the command line. Exit codes: failure.h.
#include <fmt/format.h>

#include <new>

#include "driver/cli/commands.h"
#include "driver/cli/output.h"
#include "driver/cli/terminal.h"

namespace pyk {
namespace {

ExitCode run(const CompileOptions& options) { return run_compile(options); }
ExitCode run(const RunOptions& options) { return run_kernel(options); }
ExitCode run(const DevicesOptions&) { return run_devices(); }
ExitCode run(const CacheOptions& options) { return run_cache(options); }
ExitCode run(const ListBuiltinsOptions&) { return run_list_builtins(); }
ExitCode run(const PrintOptions& options) {
    write_output("-", options.text);
    return ExitCode::fine;
}

ExitCode run_guarded(const std::vector<std::string>& arguments) {
    try {
        return std::visit([](const auto& options) { return run(options); }, parse_options(arguments));
    } catch (const UsageError& error) {
        show_error(error.what());
        return ExitCode::usage;
    } catch (const InputOutputError& error) {
        show_error(error.what());
        return ExitCode::input_output;
    } catch (const std::bad_alloc&) {
        show_error("out of memory");
        return ExitCode::input_output;
    } catch (const std::exception& error) {
        show_error(fmt::format(
            "internal error: {}\nthis is a fault of pykc; please report it with the file that shows it", error.what()));
        return ExitCode::fault;
    }
}

}  // namespace
}  // namespace pyk

int main(int argc, char** argv) { return static_cast<int>(pyk::run_guarded({argv + 1, argv + argc})); }
