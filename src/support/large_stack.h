// Room for recursion: trees may be as deep as the text makes them.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>

namespace pyk {

/// Runs `work` on a thread of its own with a stack of 1 GiB, of which only what is touched takes memory, and waits.
/// What it throws is thrown here. Within such a call it just calls.
void run_on_large_stack(const std::function<void()>& work);

/// The same for work that gives a value.
template <typename Work>
auto on_large_stack(Work&& work) -> std::invoke_result_t<Work> {
    std::optional<std::invoke_result_t<Work>> result;
    run_on_large_stack([&] { result.emplace(work()); });
    return std::move(*result);
}

}  // namespace pyk
