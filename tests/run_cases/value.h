// Arguments of a run case: their memory, and how it travels in the packed buffer (src/README.md).
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "types/type.h"

namespace pyk::run_cases {

/// Elements in memory, with their places: `strides` in bytes, as NumPy has them.
struct Array {
    Type element;
    std::vector<int64_t> shape, strides;
    std::shared_ptr<std::string> bytes;  ///< shared by arguments that are one array

    int64_t size() const;
    /// The bytes of the elements in C order, without gaps.
    std::string gathered() const;
};

struct Argument {
    Type type;
    Array array;                     ///< of an array
    std::string scalar;              ///< the bytes of a scalar
    std::vector<Argument> elements;  ///< of a tuple
};

/// One entry of a case's `args`. `before`: the entries before it, for `same_as`.
Argument read_argument(const nlohmann::json& spec, const std::vector<Argument>& before);

/// Makes an argument one of this type: a number cast as C casts, an array seen with another layout.
void convert(Argument& argument, Type type);

/// `{dtype, shape, values}`, contiguous.
Array read_array(const nlohmann::json& spec);

/// The packed argument buffer. `address`: where an array's memory is for the kernel.
using AddressOf = std::function<const void*(const Array&)>;
std::string pack(const std::vector<Argument>& args, const AddressOf& address);

}  // namespace pyk::run_cases
