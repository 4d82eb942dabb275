// What the range analysis knows at one point of a function: an interval for each local.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ir/ir.h"
#include "passes/interval.h"

namespace pyk {

/// A copy shares the list of parts with the original until one of them is written, and then all parts but that one:
/// what a branch costs depends on what it writes, not on how many locals there are.
class RangeState {
  public:
    bool reachable = true;

    void add(const Interval& interval);
    size_t size() const { return size_; }
    const Interval& operator[](ir::LocalId id) const { return (*(*parts_)[part_of(id)])[place_of(id)]; }
    void set(ir::LocalId id, const Interval& interval);
    bool has_same_locals(const RangeState& other) const;

    /// Control comes from there as well.
    void join(const RangeState& other);
    /// As a loop's head that was `before`: bounds that moved are let go, so that the analysis ends.
    void widen(const RangeState& before, const ir::Function& function);

  private:
    static constexpr size_t kPart = 16;
    using Part = std::array<Interval, kPart>;
    using Parts = std::vector<std::shared_ptr<Part>>;
    static size_t part_of(ir::LocalId id) { return static_cast<size_t>(id) / kPart; }
    static size_t place_of(ir::LocalId id) { return static_cast<size_t>(id) % kPart; }

    /// To write to.
    Parts& own_parts();

    std::shared_ptr<Parts> parts_ = std::make_shared<Parts>();
    size_t size_ = 0;
};

}  // namespace pyk
