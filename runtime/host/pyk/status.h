// How calls of the runtime fail: by value. Nothing here throws of its own, prints or ends the program.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace pyk {

/// Success, or a message for a person: what failed, on what, and what the driver or the system said.
class [[nodiscard]] Status {
  public:
    Status() = default;
    static Status failure(std::string message) {
        Status s;
        s.message_ = std::move(message);
        return s;
    }

    bool ok() const { return !message_; }
    explicit operator bool() const { return ok(); }
    /// Empty when ok.
    const std::string& message() const {
        static const std::string none;
        return message_ ? *message_ : none;
    }

  private:
    std::optional<std::string> message_;
};

/// A T, or why there is none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}            // NOLINT: a value is a result
    Result(Status failure) : status_(std::move(failure)) {}  // NOLINT: so is a failure; precondition: !failure.ok()

    bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }
    const Status& status() const { return status_; }
    const std::string& message() const { return status_.message(); }

    /// Precondition of these: ok().
    T& operator*() & { return *value_; }
    const T& operator*() const& { return *value_; }
    T operator*() && { return std::move(*value_); }
    T* operator->() { return &*value_; }
    const T* operator->() const { return &*value_; }

  private:
    std::optional<T> value_;
    Status status_;
};

}  // namespace pyk
