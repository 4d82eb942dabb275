// An optional for what few objects have: without a value it is as large as a pointer, and moved like one.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace pyk {

template <typename T>
class Rare {
  public:
    Rare() = default;
    Rare(std::nullopt_t) {}
    template <typename U,
              typename = std::enable_if_t<std::is_constructible_v<T, U&&> && !std::is_same_v<std::decay_t<U>, Rare> &&
                                          !std::is_same_v<std::decay_t<U>, std::optional<T>>>>
    Rare(U&& value) : value_(std::make_unique<T>(std::forward<U>(value))) {}
    Rare(std::optional<T> value) : value_(value ? std::make_unique<T>(*std::move(value)) : nullptr) {}
    Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
    Rare(Rare&&) noexcept = default;
    Rare& operator=(const Rare& other) { return *this = Rare(other); }
    Rare& operator=(Rare&&) noexcept = default;
    ~Rare() = default;

    operator std::optional<T>() const { return value_ ? std::optional<T>(*value_) : std::nullopt; }
    explicit operator bool() const { return value_ != nullptr; }
    bool has_value() const { return value_ != nullptr; }
    void reset() { value_.reset(); }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return value_.get(); }
    const T* operator->() const { return value_.get(); }

  private:
    std::unique_ptr<T> value_;
};

}  // namespace pyk
