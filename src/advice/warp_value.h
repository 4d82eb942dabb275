// What an integer is in each of the 32 lanes of a warp, as far as the code tells.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace pyk {

constexpr int kLanes = 32;
using LaneNumbers = std::array<int64_t, kLanes>;

/// In lane `l`: `base + at[l] + factor * scaled[l]`, where `base` and `factor` are the same in all lanes and known when
/// it runs. Of the base it is known which number it is a multiple of.
///
/// What is unknown is taken as what it is in nearly all warps: a divisor is larger than what varies within a warp, and
/// of two values to choose from, one of them the same for all lanes (a border), the other is taken.
class WarpValue {
  public:
    /// Nothing is known. `is_loaded`: because it came out of memory.
    static WarpValue unknown(bool is_loaded = false);
    static WarpValue exactly(int64_t number);
    /// The same in all lanes, and a multiple of something.
    static WarpValue uniform(int64_t multiple = 1);
    /// A lane's own number in the block: lane 0 of a warp has a multiple of 32.
    static WarpValue lane_in_block();
    static WarpValue lane();

    bool is_known() const { return known_ == Known::yes; }
    bool is_loaded() const { return known_ == Known::loaded; }
    bool is_uniform() const;
    std::optional<int64_t> exact() const;  ///< the number, where it is one and the same
    /// Nothing is left to be known when it runs.
    bool is_exact_in_each_lane() const { return is_known() && multiple_ == 0 && !has_factor(); }
    const LaneNumbers& at() const { return at_; }
    const LaneNumbers& scaled() const { return scaled_; }
    bool has_factor() const { return scaled_ != LaneNumbers{}; }

    bool operator==(const WarpValue&) const = default;
    bool operator<(const WarpValue& other) const;

    friend WarpValue operator+(const WarpValue& a, const WarpValue& b);
    friend WarpValue operator-(const WarpValue& a, const WarpValue& b);
    friend WarpValue operator*(const WarpValue& a, const WarpValue& b);
    /// Rounded down, as is the remainder's quotient.
    static WarpValue quotient(const WarpValue& a, const WarpValue& b);
    static WarpValue remainder(const WarpValue& a, const WarpValue& b);
    static WarpValue bitwise_and(const WarpValue& a, const WarpValue& b);
    static WarpValue bitwise_or(const WarpValue& a, const WarpValue& b);
    static WarpValue bitwise_xor(const WarpValue& a, const WarpValue& b);
    /// `a` at some times, `b` at others; in all lanes at once.
    static WarpValue either(const WarpValue& a, const WarpValue& b);
    /// The first in the lanes that are marked, the second in the others.
    static WarpValue selected(const std::array<bool, kLanes>& first, const WarpValue& a, const WarpValue& b);
    /// One of the two in each lane, which is not known.
    static WarpValue chosen(const WarpValue& a, const WarpValue& b);

  private:
    enum class Known : uint8_t { yes, no, loaded };

    WarpValue normal() const;
    /// The quotient by it is that of the base: what varies from lane to lane does not reach so far.
    bool is_in_one_part_of(int64_t divisor) const;
    template <typename Change>
    WarpValue low_bits_changed(int64_t mask, Change change) const;
    static WarpValue unknown_of(const WarpValue& a, const WarpValue& b);

    Known known_ = Known::yes;
    int64_t multiple_ = 0;  ///< of the base; 0: there is no base
    LaneNumbers at_{};
    LaneNumbers scaled_{};
};

}  // namespace pyk
