// What pykc does, one function per command. Each throws UsageError and InputOutputError (failure.h); diagnostics it
// shows itself, on stderr.
#pragma once

#include "driver/cli/failure.h"
#include "driver/cli/options.h"

namespace pyk {

ExitCode run_compile(const CompileOptions& options);
ExitCode run_kernel(const RunOptions& options);
ExitCode run_report(const ReportOptions& options);
ExitCode run_devices();
ExitCode run_cache(const CacheOptions& options);
ExitCode run_list_builtins();
ExitCode run_list_archs();

}  // namespace pyk
