// Names, versions, and the places where paths meet.
#include "sema/infer.h"

#include <algorithm>

namespace pyk {

VersionId Inference::version_at(const void* site, uint32_t name, Span span, std::optional<JoinKind> join) {
    const int kind = join ? static_cast<int>(*join) : -1;
    auto [found, fresh] = sites_.try_emplace({site, kind, name}, static_cast<VersionId>(versions_.size()));
    if (fresh) {
        Version version;
        version.name = name;
        version.span = span;
        versions_.push_back(std::move(version));
    }
    return found->second;
}

ir::LocalId Inference::local_of(VersionId id) {
    const Version& version = versions_[id];
    const auto key = std::pair(version.name, static_cast<const void*>(version.type.data()));
    if (const auto found = locals_.find(key); found != locals_.end()) return found->second;
    ir::Local local;
    local.name = std::string(names_.name(version.name));
    local.type = version.type;
    local.span = version.span;
    return locals_[key] = add_local(function_, std::move(local));
}

ir::LocalId Inference::temporary(std::string_view name, Type type, Span span) {
    return add_local(function_, ir::Local{std::string(name), type, ir::Storage::temporary, span, false, {}, 0});
}

Value Inference::spill(Value value, std::string_view name, ir::Block& out) {
    if (!value.expr) return value;
    const ir::LocalId id = temporary(name, value.type, value.span);
    out.push_back({statement_, ir::Assign{id, std::move(value.expr)}});
    value.expr = ir::local(function_, id, value.span);
    value.effects = Effects::none;
    return value;
}

// A version takes in what is assigned to it. In the first rounds a value may be unknown yet; that changes nothing.
void Inference::widen(Version& version, const Value& value) {
    if (!value.is_runtime()) return;
    const Type wider = version.type ? unify(version.type, value.type) : value.type;
    if (wider && wider != version.type) {
        version.type = wider;
        changed_ = true;
    }
}

void Inference::define(uint32_t name, const void* site, Value value, Span span, ir::Block& out) {
    const VersionId id = version_at(site, name, span);
    {
        Version& version = versions_[id];
        version.constant = value.constant;
        version.entity = value.is_runtime() ? std::nullopt : value.entity;
        widen(version, value);
    }
    (*env_)[name] = id;
    if (!value.is_runtime()) return;
    value = converted(std::move(value), versions_[id].type, span);
    if (!value.expr) return;
    if (names_storage(id, *value.expr)) return;
    out.push_back({statement_, ir::Assign{local_of(id), std::move(value.expr)}});
}

// `s = cuda.shared.array(…)` names the array itself, unless the name has other definitions: then it is a variable that views it.
bool Inference::names_storage(VersionId id, const ir::Expr& value) {
    const auto* ref = value.as<ir::LocalRef>();
    if (!ref) return false;
    ir::Local& storage = function_.local(ref->id);
    if ((storage.storage != ir::Storage::shared && storage.storage != ir::Storage::local) || !storage.name.empty()) return false;
    const uint32_t name = versions_[id].name;
    storage.name = std::string(names_.name(name));
    const auto definitions = std::ranges::count_if(versions_, [&](const Version& v) { return &v != &versions_[kUnassigned] && v.name == name; });
    if (definitions > 1) {
        storage.name += "_storage";
        return false;
    }
    locals_[{name, versions_[id].type.data()}] = ref->id;
    return true;
}

Value Inference::read(uint32_t name, Span span) {
    const VersionId id = (*env_)[name];
    if (id == kUnassigned) return error(diag::unassigned_name, span, names_.name(name));
    const Version& version = versions_[id];
    if (version.maybe_unassigned && !diagnostics_.has_errors())
        diagnostics_.report(diag::maybe_unassigned, span, names_.name(name)).note(version.span, "paths meet here, and one of them does not assign it");
    Value value;
    value.span = span;
    value.constant = version.constant;
    if (version.entity) {
        Value entity = of_entity(*version.entity, span);
        return entity;
    }
    if (!version.type) return value;
    value.type = version.type;
    value.expr = ir::make(version.type, span, ir::LocalRef{local_of(id)});
    return value;
}

Join& Inference::join(const ast::Stmt& stmt, JoinKind kind) { return joins_[{&stmt, kind}]; }

// Ends the current path in a join: records what it brings, and copies its versions into the phis that earlier rounds found.
void Inference::flow_into(Join& join, ir::Block& out) {
    if (!reachable()) return;
    for (const auto& [name, phi] : join.phis) merge_into(phi, (*env_)[name], out);
    join.incoming.push_back(*env_);
}

void Inference::merge_into(VersionId phi_id, VersionId source_id, ir::Block& out) {
    if (phi_id == source_id) return;
    if (source_id == kUnassigned) {
        versions_[phi_id].maybe_unassigned = true;
        if (versions_[phi_id].type) function_.local(local_of(phi_id)).maybe_unassigned = true;
        return;
    }
    const Version& source = versions_[source_id];
    if (source.maybe_unassigned) versions_[phi_id].maybe_unassigned = true;
    if (source.entity) {
        if (!versions_[phi_id].type) versions_[phi_id].entity = source.entity;
        else error(diag::cannot_unify, versions_[phi_id].span, names_.name(source.name), std::string("a value known at compile time"), versions_[phi_id].type.name());
        return;
    }
    if (!source.type) return;
    const Type before = versions_[phi_id].type;
    const Type merged = before ? unify(before, source.type) : source.type;
    if (!merged) {
        error(diag::cannot_unify, source.span, names_.name(source.name), source.type.name(), before.name());
        return;
    }
    if (merged != before) {
        versions_[phi_id].type = merged;
        changed_ = true;
    }
    const ir::LocalId from = local_of(source_id), to = local_of(phi_id);
    if (from == to) return;
    const bool literal = source.constant && source.type.is_scalar();
    ir::ExprPtr value = literal ? to_expr(*source.constant, source.span) : ir::make(source.type, source.span, ir::LocalRef{from});
    out.push_back({statement_, ir::Assign{to, convert(convert(std::move(value), source.type), merged)}});
}

// The environment behind a join, once all of its edges are known: a phi where they differ and someone still reads the name.
Env Inference::seal(Join& join, const NameSet& live, const ast::Stmt& stmt, JoinKind kind) {
    Env merged = join.incoming.front();
    for (uint32_t name = 0; name < merged.size(); ++name) {
        bool same = true;
        for (const Env& env : join.incoming) same &= env[name] == merged[name];
        const auto known = join.phis.find(name);
        if (same && known == join.phis.end()) continue;
        if (!live.contains(name)) {
            merged[name] = kUnassigned;
            continue;
        }
        if (known != join.phis.end()) {
            merged[name] = known->second;
            continue;
        }
        const VersionId phi = version_at(&stmt, name, stmt.span, kind);
        join.phis.emplace(name, phi);
        merged[name] = phi;
        changed_ = true;
    }
    return merged;
}

// Before a loop's first iteration: every live name that the loop assigns becomes a phi.
void Inference::open_header(Join& join, const ast::Stmt& stmt) {
    const JoinLiveness& live = names_.at(stmt);
    for (uint32_t name = 0; name < names_.count(); ++name)
        if (live.assigned.contains(name) && live.header.contains(name)) join.phis.emplace(name, version_at(&stmt, name, stmt.span, JoinKind::loop_header));
}

}  // namespace pyk
