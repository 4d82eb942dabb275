// Which loop of an array function takes which types, as NumPy and Numba have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pyk/argument.hpp"
#include "pyk/status.h"

namespace pyk::arrays {

using jit::Element;
using jit::ElementType;

/// NumPy's `casting='safe'`: every value is kept. What is no number is itself alone.
bool can_cast_safely(ElementType from, ElementType to);
/// NumPy's `casting='same_kind'`: safe, or to a narrower type of the same kind or a later one (of boolean, unsigned,
/// integer, real, complex).
bool can_cast_same_kind(ElementType from, ElementType to);

struct OperandType {
    ElementType element = Element::float64;
    /// A number beside arrays: only its kind counts, as with Python's numbers in NumPy 2.
    bool is_weak = false;
};

/// The parameters' types of one compiled function.
using Loop = std::vector<ElementType>;

/// Of NumPy's ufuncs (`target='cpu'`, `'parallel'`): the first loop to which all types cast safely.
std::optional<std::size_t> first_safe_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types);
/// Of Numba's for GPUs (`target='cuda'`): the loop of exactly these types; else of exactly the arrays'. Fails where
/// there is none, or more than one.
Result<std::size_t> exact_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types);
/// Of NumPy's generalised ufuncs (`target='cpu'`): the loop of exactly these types where none is weak; else as of
/// ufuncs.
std::optional<std::size_t> exact_or_safe_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types);
/// Of Numba's generalised ufuncs for GPUs (`target='cuda'`): the loop of exactly these types, numbers having their own;
/// else the first whose types all cast safely to these, which arguments are then narrowed to; else as of ufuncs.
Result<std::size_t> exact_or_narrower_loop(const std::vector<Loop>& loops, const std::vector<OperandType>& types);

std::string names_of(const std::vector<OperandType>& types);
std::string name_of(ElementType type);

}  // namespace pyk::arrays
