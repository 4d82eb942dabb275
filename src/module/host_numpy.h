// NumPy's functions of the host's code, and how rows get their arguments.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "module/const_array.h"
#include "module/host_functions.h"

namespace pyk {

/// The arguments of a call by their parameters, whether by place or by name.
class HostArguments {
  public:
    /// nullopt: too few, too many, or a name that the function does not have.
    static std::optional<HostArguments> of(const HostFunction& function, const HostCall& call);

    bool has(size_t index) const { return index < given_.size() && given_[index] && !given_[index]->as<Const::None>(); }
    bool is_none(size_t index) const { return index < given_.size() && given_[index] && !has(index); }
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

/// `bytes` and `itertools`; iterators; sets; `json`.
std::span<const HostFunction> sequence_functions();
std::span<const HostFunction> iterator_functions();
std::span<const HostFunction> set_functions();
std::span<const HostFunction> json_functions();
/// By the name without `np.`.
const HostFunction* find_numpy_function(std::string_view name);
/// Those that move elements, join arrays and compute tables: it looks at them too.
std::span<const HostFunction> numpy_shape_functions();
std::span<const HostFunction> numpy_joining_functions();
std::span<const HostFunction> numpy_place_functions();
std::span<const HostFunction> numpy_table_functions();
std::span<const HostFunction> numpy_quadratures();
std::span<const HostFunction> numpy_matrix_functions();
std::span<const HostFunction> numpy_part_functions();
std::span<const HostFunction> numpy_transforms();
std::optional<Const> numpy_sum(const HostArguments& arguments);

/// The elements in C order.
std::optional<std::vector<Const>> elements(const ConstArray& array);
/// Of that shape, with these values in C order; nullopt: they do not fit.
std::optional<Const> array_with(Type element, std::vector<int64_t> shape, std::span<const Const> values);
/// Of the first one's type, where there is none of the other.
std::optional<Const> vector_of(std::span<const Const> values, Type otherwise = Scalar::float64);
/// The integer of an argument, or what stands for one that is not given.
int64_t integer(const HostArguments& a, size_t index, int64_t otherwise);
/// `3` or `(2, 3)`.
std::optional<std::vector<int64_t>> extents(const Const& value);
/// An array of places.
std::optional<Const> indices_of(const std::vector<int64_t>& values);
/// The axis that a number names, of so many.
std::optional<size_t> axis_of(const Const& value, size_t axes);
/// Arrays one behind the other along an axis that all have.
std::optional<Const> joined(const std::vector<Const::Array>& arrays, size_t axis);

}  // namespace pyk
