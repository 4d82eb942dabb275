#include "support/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace pyk {
namespace {

/// Letters to insert, remove or replace, and neighbours to exchange. Another case of a letter is half of another
/// letter.
size_t half_steps(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto cost = [&](char x, char y) { return x == y ? 0u : lower(x) == lower(y) ? 1u : 2u; };
    std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = 2 * j;
    for (size_t i = 0; i < a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = 2 * (i + 1);
        for (size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = std::min({last[j] + cost(a[i], b[j]), row[j] + 2, last[j + 1] + 2});
            const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 2);
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(std::string_view wrong, std::span<const std::string_view> candidates) {
    std::string_view nearest;
    const auto in_common = [&](std::string_view candidate) {
        return std::ranges::mismatch(wrong, candidate).in1 - wrong.begin();
    };
    // Further away it is another word; of one letter only the other case is the same.
    size_t least = wrong.size() < 2 ? wrong.size() : 2 * std::max<size_t>(wrong.size() / 3, 1);
    for (std::string_view candidate : candidates) {
        const size_t distance = half_steps(wrong, candidate);
        const bool is_as_near = distance == least && !nearest.empty();
        if (distance > least || (is_as_near && in_common(candidate) <= in_common(nearest))) continue;
        nearest = candidate;
        least = distance;
    }
    return std::string(nearest);
}

}  // namespace pyk
