// pykc: the command line. Exit codes: failure.h.
#include <fmt/format.h>
#include <malloc.h>

#include <limits>
#include <new>

#include "driver/cli/commands.h"
#include "driver/cli/output.h"
#include "driver/cli/terminal.h"

namespace pyk {
namespace {

ExitCode run(const CompileOptions& options) { return run_compile(options); }
ExitCode run(const RunOptions& options) { return run_kernel(options); }
ExitCode run(const ReportOptions& options) { return run_report(options); }
ExitCode run(const DevicesOptions&) { return run_devices(); }
ExitCode run(const CacheOptions& options) { return run_cache(options); }
ExitCode run(const ListBuiltinsOptions&) { return run_list_builtins(); }
ExitCode run(const ListArchsOptions&) { return run_list_archs(); }
ExitCode run(const PrintOptions& options) {
    write_output("-", options.text);
    return ExitCode::fine;
}

void configure(const SourceOptions& options) { configure_messages(options.messages); }
template <typename Other>
requires(!std::is_base_of_v<SourceOptions, Other>) void configure(const Other&) {}

/// One heap that only grows: what a stage frees the next one takes, and the program ends soon.
void keep_memory() {
#ifdef __GLIBC__
    constexpr int kStep = 16 << 20, kLargest = 32 << 20;
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MXFAST, 0);
    mallopt(M_TOP_PAD, kStep);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_MMAP_THRESHOLD, kLargest);
#endif
}

ExitCode run_guarded(const std::vector<std::string>& arguments) {
    try {
        const Options options = parse_options(arguments);
        std::visit([](const auto& asked) { configure(asked); }, options);
        return std::visit([](const auto& asked) { return run(asked); }, options);
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

int main(int argc, char** argv) {
    pyk::keep_memory();
    const pyk::ExitCode code = pyk::run_guarded({argv + 1, argv + argc});
    pyk::finish_messages();
    return static_cast<int>(code);
}
