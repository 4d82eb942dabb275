// What callbacks of the program throw leaves the library as it is.
#pragma once

#include <exception>

namespace pyk::driver {

/// What a callback threw last in this thread.
inline thread_local std::exception_ptr thrown_by_callback;

/// Calls it; see is_of_callback.
template <class Callback, class... Args>
void call_back(const Callback& callback, Args... args) {
    try {
        callback(args...);
    } catch (...) {
        thrown_by_callback = std::current_exception();
        throw;
    }
}

/// While an exception is handled: whether it is a callback's, and so for whoever called the library.
inline bool is_of_callback() { return thrown_by_callback && std::current_exception() == thrown_by_callback; }

}  // namespace pyk::driver
