// How calls fail: by value. `Status` and `Result<T>` carry an Error; `value()` and what is named `…_or_throw` throw it
// as an Exception. Nothing here prints or ends the program.
#pragma once

#if defined(__GNUC__) && __cplusplus < 201703L
#error "pyk's headers are C++17: compile with -std=c++17 or later"
#endif

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pyk/check_result.h"
#include "pyk/ownership.h"

namespace pyk {

/// One diagnostic of the compiler, at its place in the `.pyk` file.
struct Finding {
    std::string severity;  ///< "error", "warning" or "note"
    std::string id;        ///< stable: `unknown-name`; `pykc --explain` says more
    std::string text;
    std::string file;          ///< empty: of no place
    int line = 0, column = 0;  ///< from 1
};

/// What there is to say about a compile or a launch that failed, beside the message.
struct ErrorDetails {
    std::vector<Finding> findings;
    std::optional<CheckReport> raised;  ///< by a kernel compiled for debugging: an error, or an index out of range
    std::string log;                    ///< of NVRTC or the host compiler, as they wrote it
    std::string emitted;                ///< the C++ that they refused
    std::string versions;               ///< of what compiled, and of CUDA's: built with, NVRTC, driver
};

struct Error {
    enum class Kind : unsigned char {
        diagnostics,   ///< the .pyk file is wrong; the message holds file, line and column
        arguments,     ///< a call that does not fit: arguments, grid, stream, device
        input_output,  ///< a file, a tool or a device is missing
        memory,        ///< not enough of it
        execution,     ///< the launch failed, or an index was out of range
        fault,         ///< a fault of pyk
    };
    Kind kind = Kind::execution;
    std::string message;                 ///< for a person: what failed, on what, and what the system said
    Shared<const ErrorDetails> details;  ///< null: the message says it all
};

struct Exception : std::exception {
    explicit Exception(Error e) : error(std::move(e)) {}
    const char* what() const noexcept override { return error.message.c_str(); }
    Error error;
};

/// Success, or an Error. Copies share it.
class [[nodiscard]] Status {
  public:
    Status() = default;
    Status(Error error) : error_(shared<const Error>(std::move(error))) {}  // NOLINT: a failure is a status
    static Status failure(std::string message, Error::Kind kind = Error::Kind::execution) {
        return Error{kind, std::move(message), nullptr};
    }

    bool ok() const { return !error_; }
    explicit operator bool() const { return ok(); }
    /// Empty when ok.
    const std::string& message() const {
        static const std::string& none = *new std::string;  // threads may ask while the program ends
        return error_ ? error_->message : none;
    }
    /// Precondition: !ok().
    const Error& error() const { return *error_; }
    /// Throws an Exception where this is an error; a program built without exceptions ends there, with the message on
    /// stderr.
    void or_throw() const {
        if (!error_) return;
#ifdef __cpp_exceptions
        throw Exception(*error_);
#else
        std::fprintf(stderr, "%s\n", error_->message.c_str());
        std::abort();
#endif
    }

  private:
    Shared<const Error> error_;
};

/// Arguments that a call does not take.
inline Status refuse(std::string why) { return Status::failure(std::move(why), Error::Kind::arguments); }

/// A T, or why there is none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)), has_value_(true) {}  // NOLINT: a value is a result
    Result(Status failure) : status_(std::move(failure)) {}  // NOLINT: so is a failure; precondition: !failure.ok()
    Result(Error error) : status_(std::move(error)) {}       // NOLINT
    Result(const Result& other) : status_(other.status_), has_value_(other.has_value_) {
        if (has_value_) ::new (static_cast<void*>(&value_)) T(other.value_);
    }
    Result(Result&& other) noexcept : status_(std::move(other.status_)), has_value_(other.has_value_) {
        if (has_value_) ::new (static_cast<void*>(&value_)) T(std::move(other.value_));
    }
    Result& operator=(Result other) noexcept {
        this->~Result();
        return *::new (static_cast<void*>(this)) Result(std::move(other));
    }
    ~Result() {
        if (has_value_) value_.~T();
    }

    bool ok() const { return has_value_; }
    explicit operator bool() const { return ok(); }
    const Status& status() const { return status_; }
    const std::string& message() const { return status_.message(); }
    /// Precondition: !ok().
    const Error& error() const { return status_.error(); }

    /// Precondition of these: ok().
    T& operator*() & { return value_; }
    const T& operator*() const& { return value_; }
    T operator*() && { return std::move(value_); }
    T* operator->() { return &value_; }
    const T* operator->() const { return &value_; }

    /// These throw an Exception where there is no value.
    T& value() & {
        status_.or_throw();
        return value_;
    }
    const T& value() const& {
        status_.or_throw();
        return value_;
    }
    T value() && {
        status_.or_throw();
        return std::move(value_);
    }

  private:
    // A union in place of a std::optional, of which a program would compile one for each T.
    union {
        T value_;
    };
    Status status_;
    bool has_value_ = false;
};

}  // namespace pyk
