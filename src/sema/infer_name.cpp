// Names where they are read: what a variable is on the paths that lead there, and what the merges of those paths keep
// of their literals.
#include "sema/guarded_reads.h"
#include "sema/infer.h"
#include "sema/natural_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/text.h"
#include "module/free_names.h"
#include "module/meant.h"
#include "support/nearest.h"

namespace pyk {
namespace {

bool same_literal(const Const& a, const Const& b) {
    if (a.value.index() != b.value.index()) return false;
    const auto *items = a.as<Const::Tuple>(), *others = b.as<Const::Tuple>();
    return items ? std::ranges::equal(*items, *others, same_literal)
                 : compare(ast::CompareOp::Eq, a, b).value_or(false);
}

std::string literal_text(const Const& constant) {
    return constant.as<Const::Tuple>() ? "its only literal" : ir::value_text(to_scalar(constant));
}

bool deletes(const ast::Block& body, std::string_view name) {
    const auto is_name = [&](const ast::Expr* target) {
        const auto* node = target->as<ast::Name>();
        return node && node->id == name;
    };
    bool found = false;
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::Delete>()) found |= std::ranges::any_of(node->targets, is_name);
    });
    return found;
}

}  // namespace

Value Inference::read(uint32_t name, Span span) {
    const VersionId id = (*env_)[name];
    if (id == kUnassigned) return read_unassigned(name, span);
    Version& version = versions_[id];
    if (version.is_faulty) return Value();
    if ((version.type || version.entity) && may_lack(id) && !diagnostics_.has_errors() && !warned_.contains(name) &&
        may_read_before_assignment(def_, names_.name(name), span) && warned_.insert(name).second)
        diagnostics_
            .report(diag::maybe_unassigned, span, names_.name(name),
                    version.literal  ? literal_text(*version.literal)
                    : version.entity ? "what the other paths assign"
                                     : std::string("zero"))
            .note(version.unassigned_path->span, version.unassigned_path->text);
    Value value;
    value.span = span;
    value.constant = version.constant;
    value.is_literal = version.literal.has_value() && version.constant.has_value();
    value.is_weak = version.is_weak;
    value.is_some = some_.contains(id);
    if (version.entity) {
        Value entity = of_entity(*version.entity, span);
        entity.receiver = version.receiver;
        return entity;
    }
    version.is_missed |= !version.type;
    if (!version.type && !untyped_ && version.maybe_unassigned) untyped_ = {name, span};
    if (!version.type) return value;
    value.type = version.type;
    value.expr = ir::make(version.type, span, ir::LocalRef{local_of(id)});
    if (value.is_some && value.type.is_optional() && !value.type.elements()[1].is_scalar())
        value = unwrapped(std::move(value));
    ir::Block none;  // a variable is as good as a name
    if (specializer_.held(value.type)) value = let_go(std::move(value), none);
    return value;
}

// A test with what its names mean now.
MadeTest Inference::made(const ast::Expr& test) const {
    MadeTest result{&test, {}};
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& expr) {
        const auto* name = expr.as<ast::Name>();
        if (const auto index = name ? names_.index(name->id) : std::nullopt) result.names[name->id] = (*env_)[*index];
        for_each_child(expr, look);
    };
    look(test);
    return result;
}

PresencePtr Inference::presence_of(VersionId id) const {
    if (id != kUnassigned && versions_[id].presence && !surely_.contains(id)) return versions_[id].presence;
    const bool is_there = id != kUnassigned && (!versions_[id].maybe_unassigned || surely_.contains(id));
    return std::make_shared<const Presence>(Presence{.is_there = is_there});
}

// What the two paths of an `if` leave assigned.
void Inference::keep_presences(const Join& end, const MadeTest& test) {
    const Env &then = end.incoming.front(), &otherwise = end.incoming.back();
    for (const auto& [name, phi] : end.phis) {
        if (!versions_[phi].maybe_unassigned) continue;
        PresencePtr when_true = presence_of(then[name]), when_false = presence_of(otherwise[name]);
        const size_t size = 1 + when_true->size + when_false->size;
        if (size > kMostTests) continue;
        versions_[phi].presence =
            std::make_shared<const Presence>(Presence{false, size, test, std::move(when_true), std::move(when_false)});
    }
}

// Whether a version may be without a value here, where some tests have led.
bool Inference::may_lack(VersionId id) const {
    const Version& version = versions_[id];
    if (!version.maybe_unassigned || surely_.contains(id)) return false;
    if (!version.presence) return true;
    const std::set<std::string_view> naturals = natural_names(def_);
    const auto kind_of = [&](uint32_t definition) {
        const Type type = definition == kUnassigned ? Type() : versions_[definition].type;
        if (!type || (!type.is_integer() && !type.is_boolean())) return NumberKind::other;
        const bool is_natural = !type.is_signed() || naturals.contains(names_.name(versions_[definition].name));
        return is_natural ? NumberKind::natural : NumberKind::integer;
    };
    const auto formula_of = [&](uint32_t definition) {
        return definition == kUnassigned ? nullptr : versions_[definition].formula.get();
    };
    return !is_certain(*version.presence, facts_, {kind_of, formula_of});
}

// The error for a read of what nothing gives a value: of a misspelt name, or of the module's.
Value Inference::unassigned(uint32_t name, Span span) {
    const std::string_view wrong = names_.name(name);
    const auto letters = [](std::string_view text) {
        std::string all(text);
        std::erase_if(all, [](char c) { return c >= '0' && c <= '9'; });
        return all;
    };
    std::vector<std::string_view> others;  // `row` and `low`, `x1` and `x2` are two names each
    for (uint32_t i = 0; i < names_.count() && wrong.size() > 3; ++i)
        if (letters(names_.name(i)) != letters(wrong)) others.push_back(names_.name(i));
    const std::string near = nearest_name(wrong, others);
    Value unknown = near.empty() ? error(diag::unassigned_name, span, wrong)
                                 : error(diag::unassigned_name_near, span, wrong, std::string_view(near));
    if (!near.empty()) diagnostics_.suggest(did_you_mean(span, near));
    if (const auto at = scope_.assigned_at(wrong))
        diagnostics_.note(
            at->span,
            fmt::format("the module's `{0}` is another variable: an assignment in `{1}` makes `{0}` one of its own",
                        wrong, instance_.info->name));
    return unknown;
}

// No path to here assigns the name, though the text before does (else Numba refuses too). As in Numba it has the type
// of its first definition, and is zero, or that definition's literal.
Value Inference::read_unassigned(uint32_t name, Span span) {
    asks_for_all_ = true;
    VersionId first = kUnassigned;
    for (VersionId id = kUnassigned + 1; id < versions_.size(); ++id) {
        const Version& version = versions_[id];
        const bool is_known = version.name == name && version.type && !version.is_faulty;
        const Span& limit = first == kUnassigned ? span : versions_[first].span;
        if (is_known && version.span.begin < limit.begin) first = id;
    }
    if (first == kUnassigned || deletes(def_.body, names_.name(name))) return unassigned(name, span);
    const Version& version = versions_[first];
    const std::optional<Const> literal = version.literal;
    if (!diagnostics_.has_errors() && warned_.insert(name).second)
        diagnostics_.report(diag::never_assigned, span, names_.name(name), literal ? literal_text(*literal) : "zero");
    if (literal) return of_const(*literal, span);
    Value value;
    value.span = span;
    value.type = version.type;
    const ir::LocalId local = local_of(first);
    function_.local(local).maybe_unassigned = true;
    value.expr = ir::make(value.type, span, ir::LocalRef{local});
    return value;
}

// After a walk: which merges have one literal on all of their paths. A path without an assignment has no say.
void Inference::settle_literals() {
    std::map<VersionId, std::optional<Const>> used;
    for (const auto& [site, join] : joins_)
        for (const auto& [name, phi] : join.phis) {
            used[phi] = versions_[phi].literal;
            versions_[phi].literal.reset();
            versions_[phi].is_mixed = false;
        }
    bool again = true;
    std::set<VersionId> at_tails;
    for (const auto& [key, join] : joins_)
        if (std::get<1>(key) == JoinKind::if_end && tails_.contains(std::get<0>(key)))
            for (const auto& [name, phi] : join.phis) at_tails.insert(phi);
    const auto meet = [&](Version& phi, const Version& source) {
        if (phi.is_mixed || (!source.is_mixed && !source.literal)) return;
        if (source.literal && phi.literal && same_literal(*source.literal, *phi.literal)) return;
        phi.is_mixed = source.is_mixed || phi.literal;
        phi.literal = phi.is_mixed ? std::nullopt : source.literal;
        again = true;
    };
    while (std::exchange(again, false))
        for (const auto& [site, join] : joins_)
            for (const auto& [name, phi] : join.phis)
                for (const Env& env : join.incoming)
                    if (env[name] != kUnassigned && env[name] != phi) meet(versions_[phi], versions_[env[name]]);
    // An `if` that ends its block has no merge of its own in Numba: its paths go where the block's do.
    for (again = true; std::exchange(again, false);)
        for (const auto& [site, join] : joins_)
            for (const auto& [name, phi] : join.phis)
                for (const Env& env : join.incoming)
                    if (Version& source = versions_[env[name]];
                        versions_[phi].is_mixed && source.literal && at_tails.contains(env[name])) {
                        source.literal.reset();
                        source.is_mixed = again = true;
                    }
    for (const auto& [phi, before] : used) {
        const Version& version = versions_[phi];
        const bool stays = before && version.literal ? same_literal(*before, *version.literal)
                                                     : before.has_value() == version.literal.has_value();
        changed_ |= version.maybe_unassigned && !stays;
    }
}

void Inference::lower_delete(const ast::Delete& node) {
    for (const ast::Expr* target : node.targets) {
        const auto* name = target->as<ast::Name>();
        if (!name) {
            error(diag::unsupported_syntax, target->span, "`del` statements of anything but names",
                  "leave the element as it is");
            continue;
        }
        const uint32_t index = *names_.index(name->id);
        if ((*env_)[index] == kUnassigned) error(diag::unassigned_name, target->span, name->id);
        env_->set(index, kUnassigned);
    }
}

// `global N` of a name that is only read says what holds anyway.
void Inference::lower_global(const ast::Stmt& stmt, std::span<const ast::Identifier> names) {
    for (const ast::Identifier& name : names) {
        const auto index = names_.index(name);
        if (!index) continue;
        error(diag::unsupported_syntax, stmt.span, "stores to variables around the function",
              "pass an array to write to");
        const VersionId id = version_at(&stmt, *index, stmt.span);
        env_->set(*index, id);
        versions_[id].is_faulty = true;
    }
}

}  // namespace pyk
