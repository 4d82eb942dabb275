// On which paths a name was assigned, by the tests that lead to them: where the same test guards a definition and a
// use, nothing is missing.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "syntax/ast.h"

namespace pyk {

/// A test as it was made: which definition each local name in it stood for.
struct MadeTest {
    const ast::Expr* expr = nullptr;
    std::map<std::string_view, uint32_t> names = {};
};

/// A test whose outcome is known at some place.
struct Fact {
    MadeTest test;
    bool holds;
};

/// Whether a value is there, by the outcome of a test; without a test, `is_there` says it.
struct Presence {
    bool is_there = false;
    size_t size = 1;  ///< tests in all
    MadeTest test = {};
    std::shared_ptr<const Presence> when_true = nullptr, when_false = nullptr;
};
using PresencePtr = std::shared_ptr<const Presence>;
inline constexpr size_t kMostTests = 64;  ///< of one presence: more is not followed

/// What a name is a number of. Of two integers one is less, or they are equal; a float may be NaN.
enum class NumberKind : uint8_t { other, integer, natural };
/// What is known of the definitions that names stand for.
struct Definitions {
    std::function<NumberKind(uint32_t)> kind_of;
    /// What it is: the call of a `max(a, b)` or a `min(a, b)`, or a remainder; null: not known, or another value.
    std::function<const MadeTest*(uint32_t)> formula_of;
};

/// Whether the facts leave no case in which the value is missing. False where that is not known.
bool is_certain(const Presence& presence, std::span<const Fact> facts, const Definitions& definitions);

}  // namespace pyk
