// The order in which Python looks for what a class has: C3.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace pyk {

/// Merges the orders of the bases of a class and, as the last, these themselves: the first of each that stands behind
/// no other comes first. nullopt: there is no such order. `key`: what tells classes apart.
template <typename T, typename Key = std::identity>
std::optional<std::vector<T>> merged_orders(std::vector<std::vector<T>> rest, Key key = {}) {
    std::vector<T> merged;
    while (std::erase_if(rest, [](const auto& one) { return one.empty(); }), !rest.empty()) {
        const auto is_free = [&](const std::vector<T>& one) {
            return std::ranges::none_of(rest, [&](const std::vector<T>& other) {
                return std::any_of(other.begin() + 1, other.end(),
                                   [&](const T& behind) { return key(behind) == key(one.front()); });
            });
        };
        const auto next = std::ranges::find_if(rest, is_free);
        if (next == rest.end()) return std::nullopt;
        merged.push_back(next->front());
        for (std::vector<T>& one : rest)
            if (key(one.front()) == key(merged.back())) one.erase(one.begin());
    }
    return merged;
}

}  // namespace pyk
