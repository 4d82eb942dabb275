// A callable that somebody else keeps, for parameters: what a walk calls at each node. Costs no allocation, as a
// std::function of a lambda with more than two captures does.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyk {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
  public:
    template <typename Callable>
    requires(!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_invocable_r_v<Result, Callable&, Args...>)
        FunctionRef(Callable&& callable)  // NOLINT: a callable is one
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* object, Args... args) {
              return static_cast<Result>(
                  (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Args>(args)...));
          }) {}

    Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

  private:
    void* object_;
    Result (*call_)(void*, Args...);
};

}  // namespace pyk
