#include "advice/access_pattern.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace pyk {
namespace {

using Form = AccessPattern::Form;

std::optional<int64_t> step_of(const LaneNumbers& numbers) {
    const int64_t step = numbers[1] - numbers[0];
    for (size_t lane = 2; lane < kLanes; ++lane)
        if (numbers[lane] - numbers[lane - 1] != step) return std::nullopt;
    return step;
}

/// Of sorted places: the length of each run of neighbours, where all have the same.
std::optional<int> run_length(const std::set<int64_t>& places, int64_t bytes) {
    std::set<int> lengths;
    int length = 0;
    std::optional<int64_t> last;
    for (const int64_t place : places) {
        if (last && place - *last != bytes) {
            lengths.insert(length);
            length = 0;
        }
        ++length;
        last = place;
    }
    lengths.insert(length);
    return lengths.size() == 1 ? std::optional(*lengths.begin()) : std::nullopt;
}

AccessPattern in_one_run(const LaneNumbers& at, size_t bytes, int count) {
    AccessPattern pattern{Form::permuted, bytes};
    const int lanes = kLanes / count;
    bool is_grouped = kLanes % count == 0, is_repeated = true;
    for (size_t lane = 0; lane < kLanes; ++lane) {
        const auto nth = [&](size_t element) { return at[0] + static_cast<int64_t>(element * bytes); };
        is_grouped = is_grouped && at[lane] == nth(lane / static_cast<size_t>(lanes));
        is_repeated = is_repeated && at[lane] == nth(lane % static_cast<size_t>(count));
    }
    if (is_grouped) return {Form::grouped, bytes, 0, lanes};
    if (is_repeated) return {Form::repeated, bytes, 0, count};
    return pattern;
}

}  // namespace

bool AccessPattern::is_coalesced() const {
    if (form == Form::strided) return std::abs(stride) == static_cast<int64_t>(bytes);
    return form == Form::grouped || form == Form::repeated || form == Form::permuted;
}

AccessPattern access_pattern(const WarpValue& place, size_t bytes) {
    if (!place.is_known()) return {place.is_loaded() ? Form::gathered : Form::unknown, bytes};
    if (place.is_uniform()) return {Form::uniform, bytes};
    const auto step = step_of(place.at());
    if (!place.has_factor() && step) return {Form::strided, bytes, *step};
    if (place.has_factor() && step && step_of(place.scaled())) return {Form::scaled, bytes};
    // Lanes of one factor are side by side or not; those of different ones are apart.
    std::map<int64_t, std::set<int64_t>> places;
    for (size_t lane = 0; lane < kLanes; ++lane) places[place.scaled()[lane]].insert(place.at()[lane]);
    std::set<int> lengths;
    int elements = 0;
    for (const auto& [factor, of_factor] : places) {
        const auto length = run_length(of_factor, static_cast<int64_t>(bytes));
        if (!length) return {Form::unknown, bytes};
        lengths.insert(*length);
        elements += static_cast<int>(of_factor.size());
    }
    if (lengths.size() != 1) return {Form::unknown, bytes};
    const int count = *lengths.begin();
    if (count == elements) return in_one_run(place.at(), bytes, count);
    return {Form::pieces, bytes, 0, count, elements / count};
}

int bank_conflicts(const WarpValue& place, size_t bytes) {
    constexpr int64_t kBanks = 32, kWord = 4;
    if (!place.is_known() || place.has_factor()) return 0;
    // Wide elements are moved by half and quarter warps.
    const auto words = std::max<int64_t>(1, static_cast<int64_t>(bytes) / kWord);
    const auto lanes = static_cast<size_t>(std::max<int64_t>(1, kLanes / words));
    size_t worst = 1;
    for (size_t first = 0; first < kLanes; first += lanes) {
        std::map<int64_t, std::set<int64_t>> asked;
        for (size_t lane = first; lane < std::min<size_t>(first + lanes, kLanes); ++lane)
            for (int64_t word = 0; word < words; ++word) {
                const int64_t address = (place.at()[lane] + (int64_t(1) << 40)) / kWord + word;
                asked[address % kBanks].insert(address);
            }
        for (const auto& [bank, addresses] : asked) worst = std::max(worst, addresses.size());
    }
    return static_cast<int>(worst);
}

}  // namespace pyk
