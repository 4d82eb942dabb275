// Builtins that our own code names: what is no row's name does not compile.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "builtins/builtins.h"

namespace pyk {

/// The name of a row, and as cheap to compare as a number: `call.builtin == "cuda.popc"` of a literal.
class BuiltinName {
  public:
    consteval BuiltinName(const char* name) : row_(row_of(name)) {}  // NOLINT: a literal is one

    constexpr uint16_t row() const { return row_; }

  private:
    static constexpr std::string_view kNames[] = {
#define PYK_BUILTIN(name, rule, effects, cuda, cpu, spelled, sm, doc) name,
#include "builtins/builtins.def"
    };

    static void no_row_has_this_name() {}

    static consteval uint16_t row_of(std::string_view name) {
        uint16_t row = 0;
        while (row < std::size(kNames) && kNames[row] != name) ++row;
        if (row == std::size(kNames)) no_row_has_this_name();  // not for the compiler to call
        return row;
    }

    uint16_t row_;
};

inline bool operator==(const Builtin& builtin, BuiltinName name) { return builtin.index == name.row(); }
inline bool is_one_of(const Builtin& builtin, std::span<const BuiltinName> names) {
    return std::ranges::any_of(names, [&](BuiltinName name) { return builtin == name; });
}
inline const Builtin& builtin(BuiltinName name) { return all_builtins()[name.row()]; }

}  // namespace pyk
