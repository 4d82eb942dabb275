// A function that the library calls back.
#pragma once

#include <type_traits>
#include <utility>

#include "pyk/ownership.h"

namespace pyk {

/// Any callable of these arguments. Copies share it; calls from several threads at once reach it at once. (<functional>
/// is a costly header.)
template <class... Args>
class Handler {
  public:
    Handler() = default;
    template <class Callable, class = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, Handler>>>
    Handler(Callable callable)  // NOLINT: as std::function
        : state_(shared<Callable>(std::move(callable))),
          call_([](void* state, Args... args) { (*static_cast<Callable*>(state))(args...); }) {}
    explicit operator bool() const { return state_ != nullptr; }
    void operator()(Args... args) const { call_(state_.get(), args...); }

  private:
    Shared<void> state_;
    void (*call_)(void*, Args...) = nullptr;
};

}  // namespace pyk
