// Calls of functions for the CPU that were compiled ahead of time.

#include "code.h"
#include "passed.h"
#include "pyk/aot_function.h"
#include "report.h"

namespace pyk::aot {
namespace {

Status run(const char* file, const Kernel& function, const Passed* arguments, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (Status s = check_argument(function, arguments, i); !s) return s;
        if (arguments[i].ndim != 0 && !reaches(driver::cpu_context(), arguments[i].device))
            return unreachable(which(function, i), driver::cpu_context(), arguments[i].device);
    }
    const Result<const Instance*> instance = choose_instance(function, arguments, count);
    if (!instance) return instance.status();
    const PackedArguments packed(**instance, arguments, count);
    const Result<std::optional<CheckReport>> done =
        cpu::launch((*instance)->entry, cpu::LaunchConfig(), packed.bytes());
    if (!done) return done.status();
    return *done ? error_of_check(file, **done, false) : Status();
}

}  // namespace

Status call_passed(const char* file, const Kernel& function, const Passed* arguments, std::size_t count) {
    return guarded([&] { return run(file, function, arguments, count); });
}

}  // namespace pyk::aot
