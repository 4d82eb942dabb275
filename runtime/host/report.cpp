#include "report.h"

#include <memory>
#include <utility>

namespace pyk {
namespace {

std::string triple(const int (&of)[3]) {
    return "(" + std::to_string(of[0]) + ", " + std::to_string(of[1]) + ", " + std::to_string(of[2]) + ")";
}

}  // namespace

CheckReport to_report(const check_report& report) {
    CheckReport r;
    r.array = report.array;
    r.error = report.error;
    r.file = report.file;
    r.axis = report.axis;
    r.index = report.index;
    r.extent = report.extent;
    r.line = report.line;
    r.threads = static_cast<long long>(report.threads);
    for (int i = 0; i < 3; ++i) {
        r.block[i] = report.block[i];
        r.thread[i] = report.thread[i];
    }
    return r;
}

Error error_of_check(const std::string& file, const CheckReport& report, bool has_thread) {
    auto details = std::make_shared<ErrorDetails>();
    details->raised = report;
    return Error{Error::Kind::execution, file + ": " + report.message(has_thread), std::move(details)};
}

std::string CheckReport::message(bool has_thread) const {
    const std::string others = threads < 2    ? ""
                               : threads == 2 ? ", and 1 other thread"
                                              : ", and " + std::to_string(threads - 1) + " other threads";
    const std::string where =
        !has_thread ? "" : " (block " + triple(block) + ", thread " + triple(thread) + ")" + others;
    const std::string place =
        (file.empty() ? "" : file + ": ") + (line ? "line " + std::to_string(line) + ": " : std::string());
    if (!error.empty()) return place + error + where;
    return place + "index " + std::to_string(index) + " is out of range for axis " + std::to_string(axis) + " of '" +
           array + "', which has " + std::to_string(extent) + (extent == 1 ? " element" : " elements") + where;
}

}  // namespace pyk
