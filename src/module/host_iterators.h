// Iterators of the host's code: what is still to come of them, in a list that says so. One that has a name is another
// one after each `next`; nothing else may use it twice.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "module/constant.h"

namespace pyk {

/// Of iterators without an end so many items are made.
inline constexpr size_t kMostComing = 1024;
/// And of functions with `yield`, which may be meant to end.
inline constexpr size_t kMostYields = 4096;

/// What an iterable gives, one after the other.
struct Coming {
    std::vector<Const> items;
    bool is_endless = false;  ///< there are more behind these
};

bool is_iterator(const Const& value);
Const iterator_of(Coming coming);
/// Whether a function of Python's gives one: `zip`, those of `itertools`.
bool gives_iterator(std::string_view function);
/// nullopt: it is no iterable.
std::optional<Coming> coming_of(const Const& value);
/// All of it as a list, where it is an iterator that ends; other values as they are.
Const as_whole(const Const& value);

}  // namespace pyk
