// Array functions composed into one: computed by one kernel, with nothing in memory in between.
//
//   const pyk::Ufunc f = …, g = …;
//   const pyk::Ufunc h = pyk::fuse([&](pyk::Term x, pyk::Term y, pyk::Term z) { return f(g(x, y), z); }).value();
//   const pyk::AnyArray out = h(a, b, c);  // f(g(a, b), c) in one pass
#pragma once

#include <type_traits>
#include <utility>

#include "pyk/ufunc.hpp"

namespace pyk::jit {

namespace detail {

Term parameter(int index);
Result<Ufunc> fuse(const Term& result, int parameters);

template <class F, std::size_t... I>
constexpr bool takes_terms(std::index_sequence<I...>) {
    return std::is_invocable_r_v<Term, const F&, decltype((void)I, std::declval<Term>())...>;
}
inline constexpr int most_terms = 8;

template <class F, int Count = 1>
constexpr int term_count() {
    if constexpr (takes_terms<F>(std::make_index_sequence<static_cast<std::size_t>(Count)>()))
        return Count;
    else if constexpr (Count < most_terms)
        return term_count<F, Count + 1>();
    else
        return 0;
}
template <class F, std::size_t... I>
Term applied(const F& expression, std::index_sequence<I...>) {
    return expression(parameter(static_cast<int>(I))...);
}

}  // namespace detail

/// What `expression` says of one to eight numbers, as an array function of so many: it takes terms, calls array
/// functions of one module with them and with numbers, fused ones too, and returns what the last one gives. Without
/// signatures: compiled for the types of each call, as if it stood in the file, so that the functions' own signatures
/// choose among the types of what they are given, and numbers in the expression have their C++ type. Keep the result:
/// it owns what was compiled. Fails where functions are of different modules, or get more or fewer arguments than they
/// take.
template <class F>
Result<Ufunc> fuse(const F& expression) {
    constexpr int count = detail::term_count<F>();
    static_assert(count != 0, "fuse() takes a function of one to eight pyk::Term that returns a pyk::Term");
    return detail::fuse(detail::applied(expression, std::make_index_sequence<static_cast<std::size_t>(count)>()),
                        count);
}

}  // namespace pyk::jit

namespace pyk {

using jit::fuse;
using jit::Term;

}  // namespace pyk
