// What the standard library throws, as Errors.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "callback.h"
#include "pyk/status.h"

namespace pyk::jit {

inline Error out_of_memory() { return {Error::Kind::memory, "out of memory", nullptr}; }
/// A fault of ours, which says so.
inline Error fault(const std::string& what) {
    return {Error::Kind::fault, "internal error: " + what + "\nthis is a fault of pyk", nullptr};
}

/// The work's result, or the Error of what it threw. For every way out of the library. What a callback of the program's
/// threw goes on.
template <typename Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        if (driver::is_of_callback()) throw;
        return out_of_memory();
    } catch (const std::exception& error) {
        if (driver::is_of_callback()) throw;
        return fault(error.what());
    }
}

}  // namespace pyk::jit
