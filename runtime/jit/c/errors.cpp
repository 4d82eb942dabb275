#include "jit/c/handles.h"
#include "jit/guarded.h"

namespace {

// For when there is no memory for another.
pyk_error* spare_error() {
    static pyk_error* const spare = new pyk_error{pyk::Status::failure("out of memory", pyk::Error::Kind::memory)};
    return spare;
}
const pyk_error* const made_at_start = spare_error();

const pyk::ErrorDetails* details_of(const pyk_error* error) {
    return error ? error->status.error().details.get() : nullptr;
}

}  // namespace

namespace pyk::c_api {

pyk_error* error_of(const Status& status) noexcept {
    if (status) return nullptr;
    auto* const error = new (std::nothrow) pyk_error{status};
    return error ? error : spare_error();
}

pyk_error* error_of(Error::Kind kind, const char* text) noexcept {
    try {
        return error_of(kind == Error::Kind::fault ? jit::fault(text) : Error{kind, text, nullptr});
    } catch (const std::bad_alloc&) {
        return spare_error();
    }
}

Status wrong(const char* function, const std::string& what) {
    return Status::failure(std::string(function) + ": " + what, Error::Kind::arguments);
}

pyk_error* null_argument(const char* function, const char* name) noexcept {
    return guarded([&] { return wrong(function, std::string("`") + name + "` is NULL"); });
}

}  // namespace pyk::c_api

extern "C" {

uint32_t pyk_api_version(void) { return PYK_API_VERSION; }
const char* pyk_version(void) { return PYK_VERSION; }

pyk_error_kind pyk_error_get_kind(const pyk_error* error) {
    return error ? static_cast<pyk_error_kind>(error->status.error().kind) + 1 : PYK_OK;
}

const char* pyk_error_message(const pyk_error* error) { return error ? error->status.message().c_str() : ""; }

size_t pyk_error_finding_count(const pyk_error* error) {
    const pyk::ErrorDetails* const details = details_of(error);
    return details ? details->findings.size() : 0;
}

int32_t pyk_error_finding(const pyk_error* error, size_t index, pyk_finding* out) {
    if (!out || index >= pyk_error_finding_count(error)) return 0;
    const pyk::Finding& finding = details_of(error)->findings[index];
    *out = {finding.severity.c_str(),
            finding.id.c_str(),
            finding.text.c_str(),
            finding.file.c_str(),
            finding.line,
            finding.column,
            {}};
    return 1;
}

int32_t pyk_error_raised(const pyk_error* error, pyk_raised* out) {
    const pyk::ErrorDetails* const details = details_of(error);
    if (!out || !details || !details->raised) return 0;
    const pyk::CheckReport& raised = *details->raised;
    *out = {raised.error.c_str(),
            raised.array.c_str(),
            raised.file.c_str(),
            raised.line,
            raised.axis,
            raised.index,
            raised.extent,
            {raised.block[0], raised.block[1], raised.block[2]},
            {raised.thread[0], raised.thread[1], raised.thread[2]},
            {}};
    return 1;
}

const char* pyk_error_log(const pyk_error* error) {
    const pyk::ErrorDetails* const details = details_of(error);
    return details ? details->log.c_str() : "";
}

const char* pyk_error_emitted(const pyk_error* error) {
    const pyk::ErrorDetails* const details = details_of(error);
    return details ? details->emitted.c_str() : "";
}

const char* pyk_error_versions(const pyk_error* error) {
    const pyk::ErrorDetails* const details = details_of(error);
    return details ? details->versions.c_str() : "";
}

void pyk_error_free(pyk_error* error) {
    if (error != made_at_start) delete error;
}

}  // extern "C"
