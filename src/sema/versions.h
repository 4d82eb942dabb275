// The definitions of a function's names, and the places where paths with different ones meet: SSA, by the syntax that
// makes each.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sema/presence.h"
#include "sema/value.h"
#include "support/rare.h"
#include "support/shared_vector.h"

namespace pyk {

using VersionId = uint32_t;
inline constexpr VersionId kUnassigned = 0;

/// One definition of a name.
struct Version {
    uint32_t name = 0;
    Type type;
    Rare<Const> constant;
    Rare<Entity> entity;                      ///< bound to something that exists before run time only
    std::shared_ptr<const Value> receiver;    ///< what `entity` was made of: a range's bounds, a method's value
    bool maybe_unassigned = false;            ///< a merge that some path reaches without an assignment
    Rare<Note> unassigned_path;               ///< which path that is
    PresencePtr presence;                     ///< of such a merge of an `if`: on which paths it is assigned
    std::shared_ptr<const MadeTest> formula;  ///< `max(a, b)`, `min(a, b)`, `n % 3`: what tests of the name ask about
    Span span;
    /// The literal that every definition behind this one gives. Numba makes it part of the type, and so it is the value
    /// even where nothing was assigned. `is_mixed`: there is none.
    Rare<Const> literal;
    bool is_mixed = false;
    bool is_weak = false;    ///< narrow typing: every definition is weak
    Span typed_at;           ///< of a merge: the definition that gave the type first
    bool is_faulty = false;  ///< of a merge: its paths have no common type, as was said
    bool is_missed = false;  ///< this walk met it before it had a type
    Type of_next_walk;       ///< of a loop's head: what it is from there on; see merge_value
};

enum class JoinKind : uint8_t { if_end, loop_header, loop_end, handler, final_block };

/// Where a version comes from.
struct Site {
    const void* syntax = nullptr;
    std::optional<JoinKind> join = std::nullopt;
    uint32_t name = 0;
    uint32_t copy = 0;  ///< of an unrolled body

    bool operator==(const Site&) const = default;
};
struct SiteHash {
    size_t operator()(const Site& site) const {
        constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
        const uint64_t where = (uint64_t{site.copy} << 32 | site.name) * kGoldenRatio;
        return (reinterpret_cast<uintptr_t>(site.syntax) ^ where) * kGoldenRatio >> 20;
    }
};

/// The current version of each local name.
using Env = SharedVector<VersionId, 64>;

/// A place where paths meet. The phis found in one walk are what the next one's edges copy into.
struct Join {
    std::map<uint32_t, VersionId> phis;  ///< name → the merged version
    bool is_header = false;              ///< of a loop: the first edge is that from before it
    std::vector<Env> incoming;           ///< of this walk
    std::vector<Env> before;             ///< of the walk before it
    /// Of a loop: names that each iteration leaves assigned if the first one does, by the walk before; nullopt: it is
    /// the first walk.
    std::optional<std::vector<uint32_t>> kept = std::nullopt;
};

/// The paths behind a condition.
struct Outcomes {
    Env when_true, when_false;
};

/// Two paths of an expression, each with what its walruses leave.
struct Fork {
    const ast::Expr* site = nullptr;
    Env then, otherwise;
};

}  // namespace pyk
