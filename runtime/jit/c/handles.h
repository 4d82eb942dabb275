// What the C API's handles are, and how its calls fail.
#pragma once

#include <new>
#include <string>
#include <utility>

#include "jit/engine.h"
#include "pyk/pyk.h"
#include "pyk/runtime.h"

struct pyk_error {
    pyk::Status status;  ///< a failure
};
struct pyk_options {
    pyk::jit::Options options;
};
struct pyk_module {
    std::shared_ptr<pyk::jit::Engine> engine;
};
struct pyk_kernel {
    std::shared_ptr<pyk::jit::KernelState> state;
};
struct pyk_buffer {
    pyk::Buffer buffer;
};
struct pyk_stream {
    pyk::Stream stream;
};
struct pyk_event {
    pyk::Event event;
};
struct pyk_graph {
    pyk::Graph graph;
};
struct pyk_preload {
    pyk::jit::Preload preload;
};

namespace pyk::c_api {

/// Null where it is a success. Never fails: where memory is missing it is an error that says so.
pyk_error* error_of(const Status& status) noexcept;
pyk_error* error_of(Error::Kind kind, const char* text) noexcept;
/// `function: what`.
Status wrong(const char* function, const std::string& what);
pyk_error* null_argument(const char* function, const char* name) noexcept;

/// Runs what may throw.
template <class Work>
pyk_error* guarded(Work work) noexcept {
    try {
        return error_of(work());
    } catch (const std::bad_alloc&) {
        return error_of(Error::Kind::memory, "out of memory");
    } catch (const std::exception& error) {
        return error_of(Error::Kind::fault, error.what());
    } catch (...) {
        return error_of(Error::Kind::fault, "an unknown exception");
    }
}

/// A result's value becomes a new handle.
template <class Handle, class T>
Status give(Result<T> result, Handle** out) {
    if (!result) return result.status();
    *out = new Handle{*std::move(result)};
    return {};
}

/// Devices are their contexts, which live for ever.
inline const pyk_device* handle_of(const Device& device) {
    return reinterpret_cast<const pyk_device*>(&device.context());
}
inline driver::Context* context_of(const pyk_device* device) {
    return reinterpret_cast<driver::Context*>(const_cast<pyk_device*>(device));
}
/// Null: the calling thread's.
inline Device device_of(const pyk_device* device) { return device ? Device(*context_of(device)) : Device(); }
/// Null: the default one.
inline StreamRef stream_of(const pyk_stream* stream) { return stream ? StreamRef(stream->stream) : StreamRef(); }

}  // namespace pyk::c_api

/// Leaves a C function with an error where a pointer is null.
#define PYK_NEED(pointer) \
    if (!(pointer)) return pyk::c_api::null_argument(__func__, #pointer)
/// Of a list: that of no items may be null.
#define PYK_NEED_ITEMS(pointer, count) \
    if ((count) != 0) PYK_NEED(pointer)
