#include "advice/warp_value.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <tuple>

namespace pyk {
namespace {

// Beyond, nothing is an index: so sums and products below cannot overflow.
constexpr int64_t kLargest = int64_t(1) << 30;

bool is_same(const LaneNumbers& numbers) {
    return std::ranges::all_of(numbers, [&](int64_t number) { return number == numbers[0]; });
}

int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
int64_t floor_remainder(int64_t a, int64_t b) { return a - b * floor_quotient(a, b); }

template <typename Of>
LaneNumbers each(Of of) {
    LaneNumbers numbers{};
    for (size_t lane = 0; lane < kLanes; ++lane) numbers[lane] = of(lane);
    return numbers;
}

bool is_power_of_two(int64_t number) { return number > 0 && std::has_single_bit(static_cast<uint64_t>(number)); }

}  // namespace

WarpValue WarpValue::unknown(bool is_loaded) {
    WarpValue value;
    value.known_ = is_loaded ? Known::loaded : Known::no;
    return value;
}

WarpValue WarpValue::exactly(int64_t number) {
    WarpValue value;
    value.at_.fill(number);
    return value.normal();
}

WarpValue WarpValue::uniform(int64_t multiple) {
    WarpValue value;
    value.multiple_ = multiple;
    return value;
}

WarpValue WarpValue::lane() {
    WarpValue value;
    std::iota(value.at_.begin(), value.at_.end(), 0);
    return value;
}

WarpValue WarpValue::lane_in_block() { return lane() + uniform(kLanes); }

bool WarpValue::is_uniform() const { return is_known() && is_same(at_) && is_same(scaled_); }

std::optional<int64_t> WarpValue::exact() const {
    return is_known() && multiple_ == 0 && !has_factor() && is_same(at_) ? std::optional(at_[0]) : std::nullopt;
}

bool WarpValue::operator<(const WarpValue& other) const {
    return std::tie(known_, multiple_, at_, scaled_) <
           std::tie(other.known_, other.multiple_, other.at_, other.scaled_);
}

// One spelling of each value: the base takes what it can of lane 0's number, and a factor times the same is a base.
WarpValue WarpValue::normal() const {
    if (!is_known()) return *this;
    WarpValue value = *this;
    const auto is_large = [](int64_t number) { return number < -kLargest || number > kLargest; };
    if (is_large(multiple_) || std::ranges::any_of(at_, is_large) || std::ranges::any_of(scaled_, is_large))
        return unknown();
    if (value.has_factor() && is_same(scaled_)) {
        value.multiple_ = std::gcd(value.multiple_, scaled_[0]);
        value.scaled_ = {};
    }
    if (value.multiple_ != 0) {
        const int64_t moved = value.multiple_ * floor_quotient(value.at_[0], value.multiple_);
        for (int64_t& number : value.at_) number -= moved;
    }
    return value;
}

bool WarpValue::is_in_one_part_of(int64_t divisor) const {
    const auto [least, greatest] = std::ranges::minmax(at_);
    return divisor % multiple_ == 0 && least >= 0 && greatest < multiple_;
}

WarpValue WarpValue::unknown_of(const WarpValue& a, const WarpValue& b) {
    return unknown(a.is_loaded() || b.is_loaded());
}

WarpValue operator+(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_known() || (a.has_factor() && b.has_factor())) return WarpValue::unknown_of(a, b);
    WarpValue value;
    value.multiple_ = std::gcd(a.multiple_, b.multiple_);
    value.at_ = each([&](size_t lane) { return a.at_[lane] + b.at_[lane]; });
    value.scaled_ = a.has_factor() ? a.scaled_ : b.scaled_;
    return value.normal();
}

WarpValue operator-(const WarpValue& a, const WarpValue& b) { return a + b * WarpValue::exactly(-1); }

WarpValue operator*(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_known()) return WarpValue::unknown_of(a, b);
    if (!b.is_uniform()) return a.is_uniform() ? b * a : WarpValue::unknown();
    if (const auto factor = b.exact()) {
        WarpValue value;
        value.multiple_ = std::abs(a.multiple_ * *factor);
        value.at_ = each([&](size_t lane) { return a.at_[lane] * *factor; });
        value.scaled_ = each([&](size_t lane) { return a.scaled_[lane] * *factor; });
        return value.normal();
    }
    if (a.is_uniform()) {
        const auto whole = [](const WarpValue& value) { return std::gcd(value.multiple_, value.at_[0]); };
        return WarpValue::uniform(std::max<int64_t>(1, whole(a) * whole(b))).normal();
    }
    if (a.has_factor()) return WarpValue::unknown();
    // (base + at) * b is base * b, the same in all lanes, and at times a factor that is a multiple.
    const int64_t known = std::max<int64_t>(1, std::gcd(b.multiple_, b.at_[0]));
    WarpValue value;
    value.multiple_ = known * std::max<int64_t>(1, a.multiple_);
    value.scaled_ = each([&](size_t lane) { return a.at_[lane] * known; });
    return value.normal();
}

WarpValue WarpValue::quotient(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_uniform()) return WarpValue::unknown_of(a, b);
    const auto divisor = b.exact();
    if (divisor == 0) return WarpValue::unknown();
    if (a.is_uniform() && !(divisor && a.multiple_ % *divisor == 0)) return WarpValue::uniform();
    if (a.has_factor()) return WarpValue::unknown();
    if (!divisor) return WarpValue::uniform();
    if (a.multiple_ % *divisor == 0) {
        WarpValue value;
        value.multiple_ = std::abs(a.multiple_ / *divisor);
        value.at_ = each([&](size_t lane) { return floor_quotient(a.at_[lane], *divisor); });
        return value.normal();
    }
    return a.is_in_one_part_of(*divisor) ? WarpValue::uniform() : WarpValue::unknown();
}

WarpValue WarpValue::remainder(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_uniform()) return WarpValue::unknown_of(a, b);
    const auto divisor = b.exact();
    if (divisor == 0) return WarpValue::unknown();
    if (a.is_uniform() && !(divisor && a.multiple_ % *divisor == 0)) return WarpValue::uniform();
    if (a.has_factor()) return WarpValue::unknown();
    WarpValue value = a;
    if (!divisor) {
        value.multiple_ = 1;
        return value.normal();
    }
    if (a.multiple_ % *divisor == 0) {
        value.multiple_ = 0;
        value.at_ = each([&](size_t lane) { return floor_remainder(a.at_[lane], *divisor); });
        return value.normal();
    }
    return a.is_in_one_part_of(*divisor) ? value : WarpValue::unknown();
}

// Where the base has zeros in all bits of the mask, only `at` has a say in them.
template <typename Change>
WarpValue WarpValue::low_bits_changed(int64_t mask, Change change) const {
    const auto bits = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(mask) + 1));
    if (has_factor() || mask < 0 || mask > kLargest || multiple_ % bits != 0)
        return is_uniform() ? uniform() : unknown();
    WarpValue value = *this;
    value.at_ = each([&](size_t lane) { return change(at_[lane], mask); });
    return value.normal();
}

WarpValue WarpValue::bitwise_and(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_known()) return WarpValue::unknown_of(a, b);
    if (a.is_uniform() && b.is_uniform() && !(a.exact() && b.exact())) return WarpValue::uniform();
    if (!b.exact()) return a.exact() ? bitwise_and(b, a) : WarpValue::unknown();
    const int64_t mask = *b.exact();
    if (is_power_of_two(mask + 1)) return remainder(a, WarpValue::exactly(mask + 1));
    if (is_power_of_two(-mask)) return a - remainder(a, WarpValue::exactly(-mask));
    WarpValue low = a.low_bits_changed(mask, [](int64_t number, int64_t bits) { return number & bits; });
    if (low.is_known()) low.multiple_ = 0;
    return low;
}

WarpValue WarpValue::bitwise_or(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_known()) return WarpValue::unknown_of(a, b);
    if (!b.exact())
        return a.exact() ? bitwise_or(b, a) : a.is_uniform() && b.is_uniform() ? a + b : WarpValue::unknown();
    return a.low_bits_changed(*b.exact(), [](int64_t number, int64_t bits) { return number | bits; });
}

WarpValue WarpValue::bitwise_xor(const WarpValue& a, const WarpValue& b) {
    if (!a.is_known() || !b.is_known()) return WarpValue::unknown_of(a, b);
    if (!b.exact())
        return a.exact()                          ? bitwise_xor(b, a)
               : a.is_uniform() && b.is_uniform() ? WarpValue::uniform()
                                                  : WarpValue::unknown();
    return a.low_bits_changed(*b.exact(), [](int64_t number, int64_t bits) { return number ^ bits; });
}

WarpValue WarpValue::either(const WarpValue& a, const WarpValue& b) {
    if (a == b) return a;
    if (!a.is_known() || !b.is_known() || a.scaled_ != b.scaled_) return WarpValue::unknown_of(a, b);
    const LaneNumbers apart = each([&](size_t lane) { return b.at_[lane] - a.at_[lane]; });
    if (!is_same(apart)) return WarpValue::unknown();
    WarpValue value = a;
    value.multiple_ = std::gcd(std::gcd(a.multiple_, b.multiple_), apart[0]);
    return value.normal();
}

WarpValue WarpValue::selected(const std::array<bool, kLanes>& first, const WarpValue& a, const WarpValue& b) {
    if (std::ranges::all_of(first, std::identity())) return a;
    if (std::ranges::none_of(first, std::identity())) return b;
    if (!a.is_exact_in_each_lane() || !b.is_exact_in_each_lane())
        return a.is_uniform() || b.is_uniform() ? unknown_of(a, b) : either(a, b);
    WarpValue value;
    value.at_ = each([&](size_t lane) { return first[lane] ? a.at_[lane] : b.at_[lane]; });
    return value.normal();
}

WarpValue WarpValue::chosen(const WarpValue& a, const WarpValue& b) {
    if (a.is_uniform() && b.is_uniform()) return either(a, b);
    if (a.is_uniform()) return b;
    return b.is_uniform() ? a : either(a, b);
}

}  // namespace pyk
