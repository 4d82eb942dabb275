// Along which axes of a launch one thread alone comes to a place: `if cuda.threadIdx.x == 0`.
#pragma once

#include <compare>

#include "advice/thread_variables.h"

namespace pyk {

/// The axes along which but one thread comes to a place; and along which one of several that share a value does, as by
/// `i % 32 == 0`: enough where they write to what is theirs.
struct Alone {
    ThreadAxes surely = 0, among_others = 0;

    friend Alone operator|(Alone a, Alone b) {
        return {static_cast<ThreadAxes>(a.surely | b.surely), static_cast<ThreadAxes>(a.among_others | b.among_others)};
    }
    friend Alone operator&(Alone a, Alone b) {
        return {static_cast<ThreadAxes>(a.surely & b.surely), static_cast<ThreadAxes>(a.among_others & b.among_others)};
    }
    auto operator<=>(const Alone&) const = default;
};

/// Who is alone where a condition is true, or false: of `t == 0` one thread where it is true, of `t > 0` where it is
/// false, of `i < n` none.
Alone alone_where(const ir::Expr& condition, bool holds, const ThreadVariables& variables);

}  // namespace pyk
