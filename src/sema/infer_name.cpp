// Names where they are read: what a variable is on the paths that lead there, and what the merges of those paths keep
// of their literals.
#include "sema/infer.h"

#include <algorithm>
#include <utility>

#include "ir/text.h"
#include "sema/free_names.h"

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
    for (const ast::Stmt* stmt : body) {
        if (const auto* node = stmt->as<ast::Delete>()) found |= std::ranges::any_of(node->targets, is_name);
        for_each_block(*stmt, [&](const ast::Block& inner) { found |= deletes(inner, name); });
    }
    return found;
}

}  // namespace

Value Inference::read(uint32_t name, Span span) {
    const VersionId id = (*env_)[name];
    if (id == kUnassigned) return read_unassigned(name, span);
    Version& version = versions_[id];
    if (version.is_faulty) return Value();
    const bool may_lack = version.maybe_unassigned && !surely_.contains(id);
    if (may_lack && !diagnostics_.has_errors() && warned_.insert(name).second)
        diagnostics_
            .report(diag::maybe_unassigned, span, names_.name(name),
                    version.literal  ? literal_text(*version.literal)
                    : version.entity ? "what the other paths assign"
                                     : std::string("zero"))
            .note(version.unassigned_path.span, version.unassigned_path.text);
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
    if (!version.type) return value;
    value.type = version.type;
    value.expr = ir::make(version.type, span, ir::LocalRef{local_of(id)});
    return value;
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
    if (first == kUnassigned || deletes(def_.body, names_.name(name)))
        return error(diag::unassigned_name, span, names_.name(name));
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
