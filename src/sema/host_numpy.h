// NumPy's functions of the host's code, and how rows get their arguments.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sema/host_functions.h"

namespace pyk {

/// The arguments of a call by their parameters, whether by place or by name.
class HostArguments {
  public:
    /// nullopt: too few, too many, or a name that the function does not have.
    static std::optional<HostArguments> of(const HostFunction& function, const HostCall& call);

    bool has(size_t index) const { return index < given_.size() && given_[index] && !given_[index]->as<Const::None>(); }
    const Const& operator[](size_t index) const { return *given_[index]; }
    size_t count() const { return count_; }  ///< of those by place
    const HostCall& call() const { return *call_; }

  private:
    explicit HostArguments(const HostCall& call) : call_(&call) {}

    const HostCall* call_;
    std::vector<const Const*> given_;
    size_t count_ = 0;
};

struct HostFunction {
    std::string_view name;
    std::string_view parameters;  ///< their names; `*`: any number, whose names the function looks at itself
    size_t required;              ///< so many must be there
    std::optional<Const> (*call)(const HostArguments&);
};

/// By the name without `np.`.
const HostFunction* find_numpy_function(std::string_view name);
std::optional<Const> numpy_sum(const HostArguments& arguments);

}  // namespace pyk
