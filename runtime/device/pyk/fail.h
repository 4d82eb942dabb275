// Errors of debug code: the launch's first one is reported, and its thread ends.
//
// Defines: fail, divisor
#ifndef PYK_FAIL_H
#define PYK_FAIL_H

#include "pyk/config.h"
#include "pyk/exit.h"
#include "pyk/report.h"

namespace pyk {

#ifdef __CUDACC__

[[noreturn]] PYK_DEVICE void fail(int line, const char* error, const char* file = "") {
    if (claim_report()) {
        pyk_check_report.line = line;
        copy_text(pyk_check_report.error, error);
        copy_text(pyk_check_report.file, file);
    }
    exit_thread();
}

/// The divisor, which is not zero.
template <class T>
PYK_DEVICE T divisor(T value, int line, const char* file = "") {
    if (value == T(0)) fail(line, "ZeroDivisionError: division by zero", file);
    return value;
}

#else

[[noreturn]] inline void fail(const thread& t, int line, const char* error, const char* file = "") {
    check_report report = new_report(t);
    report.line = line;
    copy_text(report.error, error);
    copy_text(report.file, file);
    keep_report(t, report);
    exit_thread();
}

/// The divisor, which is not zero.
template <class T>
inline T divisor(const thread& t, T value, int line, const char* file = "") {
    if (value == T(0)) fail(t, line, "ZeroDivisionError: division by zero", file);
    return value;
}

#endif

}  // namespace pyk

#endif  // PYK_FAIL_H
