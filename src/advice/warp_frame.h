// What the locals of a function hold in the lanes of a warp.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advice/warp_value.h"
#include "ir/ir.h"

namespace pyk {

/// An array's or a record's place in memory. Offsets and strides are in bytes.
struct Place {
    std::string name;
    ir::Storage storage = ir::Storage::parameter;  ///< shared, local; else it is in global memory
    WarpValue offset;
    std::vector<WarpValue> strides = {};

    auto tied() const { return std::tie(name, storage, offset, strides); }
    bool operator==(const Place& other) const { return tied() == other.tied(); }
    bool operator<(const Place& other) const { return tied() < other.tied(); }
};

/// What an expression is: a number, or those of a tuple one after the other; or a place.
struct LaneValue {
    std::vector<WarpValue> numbers;
    std::optional<Place> place = std::nullopt;

    auto tied() const { return std::tie(numbers, place); }
    bool operator==(const LaneValue& other) const { return tied() == other.tied(); }
    bool operator<(const LaneValue& other) const { return tied() < other.tied(); }
};

using BlockShape = std::array<unsigned, 3>;

/// A kernel launched with blocks of a shape, and what its calls were found to give.
struct WarpProgram {
    const ir::Module& module;
    BlockShape block;
    std::map<std::pair<ir::FunctionId, std::vector<LaneValue>>, LaneValue> results = {};
    std::vector<ir::FunctionId> open = {};  ///< the calls that are looked into

    bool is_open(ir::FunctionId function) const { return std::ranges::find(open, function) != open.end(); }
};

/// A function called with certain arguments.
class WarpFrame {
  public:
    WarpFrame(WarpProgram& program, const ir::Function& function, std::vector<LaneValue> arguments);

    const LaneValue& result() const { return result_; }
    LaneValue value(const ir::Expr& expr) const;
    WarpValue number(const ir::Expr& expr) const;
    /// An element, or a view that has the axes left over, of what is at a place.
    Place element(const Place& array, const std::vector<ir::Index>& indices) const;
    Place field(const Place& record, Type type, uint32_t field) const;
    /// Whether no two lanes find at once that it holds, or does not.
    bool is_of_one_lane(const ir::Expr& condition, bool holds) const;
    /// The function's statements, each with the counters of the loops around it.
    void for_each_stmt(const std::function<void(const ir::Stmt&)>& visit) const;

  private:
    using Known = std::optional<LaneValue>;  ///< nothing: not known yet

    void for_each_stmt(const ir::Block& block, const std::function<void(const ir::Stmt&)>& visit) const;
    void solve();
    bool assign(const ir::Stmt& stmt);
    bool merge(Known& held, const Known& value);
    Known eval(const ir::Expr& expr) const;
    Known of_binary(const ir::Binary& binary) const;
    Known of_builtin(const ir::BuiltinCall& call, const ir::Expr& expr) const;
    Known of_call(const ir::Call& call, const ir::Expr& expr) const;
    Known of_view(const ir::View& view) const;
    Known of_parts(const ir::Expr& expr) const;
    WarpValue part_of_launch(LaunchPart part) const;
    LaneValue initial(ir::LocalId id) const;
    /// In which lanes it holds, where that is known before it runs.
    std::optional<std::array<bool, kLanes>> lanes_of(const ir::Expr& condition) const;

    WarpProgram& program_;
    const ir::Function& function_;
    std::map<ir::LocalId, Known> held_;
    /// What a counter is in its own loop, whose body does not assign it: the name may be that of another loop's.
    std::map<const ir::ForRange*, Known> counted_;
    mutable std::vector<const ir::ForRange*> inside_;  ///< of these loops, in for_each_stmt
    LaneValue result_;
};

/// The place of an array as a whole: where its shape is not known, its axes' strides are not.
Place whole_array(std::string name, ir::Storage storage, Type type, const std::vector<int64_t>& shape);

}  // namespace pyk
