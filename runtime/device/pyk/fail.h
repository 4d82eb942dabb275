// Errors of debug code: the launch's first one is reported, and its thread ends.
//
// Defines: fail, divisor
#ifndef PYK_FAIL_H
#define PYK_FAIL_H

#include "pyk/config.h"
#include "pyk/exit.h"
#include "pyk/report.h"

namespace pyk {

template <class T>
PYK_HOST_DEVICE constexpr auto zero_division(const T& value, int)
    -> decltype(value.re, static_cast<const char*>(nullptr)) {
    return "ZeroDivisionError: complex division by zero";
}
template <class T>
PYK_HOST_DEVICE constexpr const char* zero_division(const T&, long) {
    return "ZeroDivisionError: division by zero";
}

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
    if (value == T(0)) fail(line, zero_division(value, 0), file);
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
    if (value == T(0)) fail(t, line, zero_division(value, 0), file);
    return value;
}

#endif

}  // namespace pyk

#endif  // PYK_FAIL_H
