// Names, versions, and the places where paths meet.
#include "sema/infer.h"

#include <algorithm>
#include <utility>

#include "module/meant.h"
#include "sema/has_to_run.h"

namespace pyk {
namespace {

// Whether both are one thing; constants that are no run-time values compare as None and strings.
bool same(const Entity& a, const Entity& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& x) {
            using T = std::decay_t<decltype(x)>;
            const T& y = std::get<T>(b);
            if constexpr (std::is_same_v<T, Path> || std::is_same_v<T, NamedConst>)
                return x.name == y.name;
            else if constexpr (std::is_same_v<T, TypeName>)
                return x.type == y.type;
            else if constexpr (std::is_same_v<T, Const>)
                return key_of(x) == key_of(y);
            else if constexpr (std::is_same_v<T, std::shared_ptr<const Closure>>)
                return x->info == y->info && x->def == y->def;
            else
                return x == y;
        },
        a);
}

// An array of the module that a name stood for in a walk which did not know its other definitions yet.
bool is_table(const Rare<Entity>& entity) {
    const auto* named = entity ? std::get_if<NamedConst>(&*entity) : nullptr;
    return named && named->value.as<Const::Array>();
}

}  // namespace

VersionId Inference::version_at(const void* site, uint32_t name, Span span, std::optional<JoinKind> join) {
    auto [found, fresh] = sites_.try_emplace({site, join, name, copy_}, static_cast<VersionId>(versions_.size()));
    if (fresh) {
        Version version;
        version.name = name;
        version.span = span;
        versions_.push_back(std::move(version));
        has_news_ = true;
    }
    return found->second;
}

ir::LocalId Inference::local_of(VersionId id) {
    const Version& version = versions_[id];
    auto& known = locals_[version.name];
    for (const auto& [type, same] : known)
        if (type == version.type) return same;
    ir::Local local;
    local.name = std::string(names_.name(version.name));
    if (local.name.starts_with('.')) {  // what a `match` needs
        local.name.erase(0, 1);
        local.storage = ir::Storage::temporary;
    }
    local.type = version.type;
    local.span = version.span;
    return known.emplace_back(version.type, add_local(function_, std::move(local))).second;
}

ir::LocalId Inference::temporary(std::string_view name, Type type, Span span) {
    return ir::add_temporary(function_, std::string(name), type, span);
}

Value Inference::spill(Value value, std::string_view name, ir::Block& out) {
    if (!value.expr) return value;
    const ir::LocalId id = temporary(name, value.type, value.span);
    out.push_back({statement_, ir::Assign{id, std::move(value.expr)}});
    value.expr = ir::local(function_, id, value.span);
    value.effects = Effects::none;
    return value;
}

// What a value takes doing is done here, once: for what may use it more than once, or nothing but its type.
Value Inference::done(Value value, ir::Block& out) {
    return value.is_runtime() && has_to_run(value) ? spill(std::move(value), "value", out) : std::move(value);
}

// Statements came to stand in `out` from `before` on: what they could change of values made earlier goes in front of
// them.
void Inference::keep(std::span<Value> values, size_t before, ir::Block& out) {
    if (out.size() == before) return;
    std::vector<ir::LocalId> assigned;
    if (names_.has_walrus()) {
        const std::function<void(const ir::Stmt&)> collect = [&](const ir::Stmt& stmt) {
            if (const auto* node = stmt.as<ir::Assign>()) assigned.push_back(node->target);
            ir::for_each_block(stmt, [&](const ir::Block& block) { std::ranges::for_each(block, collect); });
        };
        std::for_each(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), collect);
    }
    ir::Block moved;
    for (Value& value : values)
        if (value.expr && (any(value.effects) || reads(*value.expr, assigned)))
            value = spill(std::move(value), "value", moved);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(before), std::make_move_iterator(moved.begin()),
               std::make_move_iterator(moved.end()));
}

bool Inference::reads(const ir::Expr& expr, const std::vector<ir::LocalId>& locals) {
    bool found = false;
    if (locals.empty()) return found;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
        if (const auto* local = e.as<ir::LocalRef>()) found |= std::ranges::find(locals, local->id) != locals.end();
    });
    return found;
}

// Another walk is needed where this one has used what was known before. Most definitions come before all of their uses,
// and then the first walk has seen all that there is.
void Inference::set_type(Version& version, Type type, bool is_weak) {
    if (type == version.type && is_weak == version.is_weak) return;
    changed_ |= version.type || version.is_missed;
    has_news_ = true;
    version.type = type;
    version.is_weak = is_weak;
}

void Inference::may_be_unassigned(Version& phi, const Note& path) {
    if (phi.maybe_unassigned) return;
    phi.maybe_unassigned = changed_ = true;
    phi.unassigned_path = path;
}

// How often the name is defined in all; in the last walk that is known.
ptrdiff_t Inference::definitions_of(uint32_t name) {
    asks_for_all_ = true;
    return std::count_if(versions_.begin() + 1, versions_.end(), [&](const Version& v) { return v.name == name; });
}

// A version takes in what is assigned to it. In the first rounds a value may be unknown yet; that changes nothing.
void Inference::widen(Version& version, const Value& value) {
    if (!value.is_runtime()) return;
    const auto [type, is_weak] = meet_at_merge(version.type, version.is_weak, value.type, value.is_weak);
    if (type) set_type(version, type, is_weak);
}

// With `locals={"name": type}` every value of the name has that type.
Value Inference::as_wanted(uint32_t name, Value value, Span span) {
    const auto wanted = wanted_.find(name);
    if (wanted == wanted_.end() || !value.is_runtime()) return value;
    value = converted(std::move(value), wanted->second, span);
    value.constant.reset();
    value.is_literal = value.is_weak = false;
    return value;
}

void Inference::define(uint32_t name, const void* site, Value value, Span span, ir::Block& out) {
    value = as_wanted(name, let_go(std::move(value), out), span);
    if (reads_variables(value)) hold(value);
    const VersionId id = version_at(site, name, span);
    stay_weak(value);
    // `total = a.sum`: of the array that `a` is now.
    if (value.receiver && value.receiver->expr && value.receiver->expr->as<ir::LocalRef>())
        value.receiver = std::make_shared<const Value>(as_it_is(duplicate(*value.receiver), "object", out));
    {
        Version& version = versions_[id];
        version.constant = value.constant;
        version.literal = value.is_literal ? value.constant : std::nullopt;
        version.is_mixed = (value.is_runtime() && !value.is_literal) || is_none(value.entity);
        version.entity = value.is_runtime() ? std::nullopt : value.entity;
        version.receiver = value.is_runtime() ? nullptr : value.receiver;
        widen(version, value);
    }
    env_->set(name, id);
    if (value.is_runtime()) {
        value = converted(std::move(value), versions_[id].type, span);
        if (value.expr && !names_storage(id, *value.expr) && !names_table(id, *value.expr))
            out.push_back({statement_, ir::Assign{local_of(id), std::move(value.expr)}});
    }
    may_lead_to_handlers(name, out);
}

// `s = cuda.shared.array(…)` names the array itself, unless the name has other definitions: then it is a variable that
// views it.
bool Inference::names_storage(VersionId id, const ir::Expr& value) {
    const auto* ref = value.as<ir::LocalRef>();
    if (!ref) return false;
    ir::Local& storage = function_.local(ref->id);
    const bool is_array = storage.storage == ir::Storage::shared || storage.storage == ir::Storage::local ||
                          std::ranges::find(shared_parts_, ref->id) != shared_parts_.end();
    if (!is_array || !storage.name.empty()) return false;
    const uint32_t name = versions_[id].name;
    storage.name = std::string(names_.name(name));
    if (definitions_of(name) > 1) {
        storage.name += "_storage";
        return false;
    }
    locals_[name].emplace_back(versions_[id].type, ref->id);
    return true;
}

// `c = cuda.const.array_like(TABLE)`: another name of the module's array, unless the name has other definitions.
bool Inference::names_table(VersionId id, const ir::Expr& value) {
    const auto* ref = value.as<ir::ConstantRef>();
    if (!ref || !value.type.is_array()) return false;
    Version& version = versions_[id];
    if (definitions_of(version.name) > 1) return false;
    version.entity = specializer_.named_array(ref->id);
    return true;
}

Join& Inference::join(const void* site, JoinKind kind) { return joins_[{site, kind, copy_}]; }

// Ends the current path in a join: records what it brings, and copies its versions into the phis that earlier rounds
// found.
void Inference::flow_into(Join& join, ir::Block& out) {
    if (!reachable()) return;
    goes_back_ = join.is_header && !join.incoming.empty();
    for (const auto& [name, phi] : join.phis) merge_into(phi, (*env_)[name], out);
    goes_back_ = false;
    join.incoming.push_back(*env_);
}

// A merge of one of `cuda.threadIdx` and its like with another one is a variable.
void Inference::become_dim3(Version& phi) {
    phi.entity.reset();
    phi.receiver.reset();
    phi.type = dim3_type();
    changed_ = true;
}

// From here on the variable has no type: what is done with it is no error of its own.
void Inference::cannot_unify(Version& phi, Span span, std::string_view one, std::string_view other) {
    const std::string name = fmt::format("`{}`", names_.name(phi.name));
    error(diag::cannot_unify, span, std::string_view(name), one, other);
    phi.is_faulty = true;
}

namespace {

// What a variable holds that is no value of a kernel's.
std::string known(const Version& version) {
    Value value;
    value.entity = version.entity;
    const std::string text = described(value);
    return text == "this" ? "a value known at compile time" : text;
}

}  // namespace

void Inference::merge_into(VersionId phi, VersionId source, ir::Block& out) {
    if (phi == source) return;
    if (source == kUnassigned) return merge_unassigned(phi, out);
    versions_[phi].is_faulty |= versions_[source].is_faulty;
    if (versions_[phi].is_faulty) return;
    if (may_lack(source)) may_be_unassigned(versions_[phi], *versions_[source].unassigned_path);
    const Rare<Entity>& entity = versions_[source].entity;
    if (is_none(entity) && versions_[phi].type) return merge_none(phi, versions_[source].span, out);
    entity ? merge_entity(phi, source, out) : merge_value(phi, source, out);
}

void Inference::merge_unassigned(VersionId phi_id, ir::Block& out) {
    if (!path_.span.file) return;
    Version& phi = versions_[phi_id];
    may_be_unassigned(phi, path_);
    phi.is_missed |= !phi.type;
    if (!phi.type) return;
    if (phi.literal)
        out.push_back(
            {statement_, ir::Assign{local_of(phi_id), ir::convert(to_expr(*phi.literal, phi.span), phi.type)}});
    else
        function_.local(local_of(phi_id)).maybe_unassigned = true;
}

// None, where other paths bring values.
void Inference::merge_none(VersionId phi_id, Span none, ir::Block& out) {
    Version& phi = versions_[phi_id];
    if (!phi.type.is_optional()) {
        phi.type = Type::optional(phi.type);
        changed_ = true;
    }
    out.push_back({statement_, ir::Assign{local_of(phi_id), none_of(phi.type, none)}});
}

// What exists before run time only.
void Inference::merge_entity(VersionId phi_id, VersionId source_id, ir::Block& out) {
    Version &source = versions_[source_id], &phi = versions_[phi_id];
    const bool is_another =
        phi.entity && (!same(*phi.entity, *source.entity) || (phi.receiver && phi.receiver != source.receiver));
    if (is_dim3(source.entity) && (phi.type == dim3_type() || (phi.entity && !same(*phi.entity, *source.entity)))) {
        if (phi.entity) become_dim3(phi);
        Value value = dim3_of(*source.entity, source.span);
        out.push_back({statement_, ir::Assign{local_of(phi_id), std::move(value.expr)}});
    } else if (phi.type && is_table(source.entity)) {
        changed_ = true;
    } else if ((phi.type || is_another) && merge_held(phi_id, source, out)) {
        return;
    } else if (phi.type) {
        cannot_unify(phi, source.span, known(source), type_name(phi.type));
        if (phi.typed_at.file)
            diagnostics_.note(phi.typed_at, fmt::format("`{}` became {} here", names_.name(phi.name), phi.type.name()));
    } else if (is_another) {
        cannot_unify(phi, phi.span, "a value known at compile time", "another one");
    } else {
        phi.entity = source.entity;
        phi.receiver = source.receiver;
    }
}

// Where a value of run time comes over another path, what the phi stood for becomes one, if it can.
void Inference::give_way(Version& phi, const Version& source) {
    if (is_none(phi.entity)) {
        phi.entity.reset();
        phi.constant.reset();
        phi.type = source.type.is_optional() ? source.type : Type::optional(source.type);
        changed_ = true;
    }
    if (source.type == dim3_type() && is_dim3(phi.entity)) become_dim3(phi);
    if (is_table(phi.entity)) {
        phi.entity.reset();
        changed_ = true;
    }
    if (phi.entity && (specializer_.held(source.type) || source.type.is_text() || source.type.is_tuple())) {
        Value other = spelled(of_entity(*phi.entity, phi.span));
        other.receiver = std::exchange(phi.receiver, nullptr);
        hold(other);
        if (other.type && unify(other.type, source.type)) {
            phi.entity.reset();
            set_type(phi, other.type, false);
            changed_ = true;
        }
    }
}

// Numba looks at a loop's head once in a round, before the body: what the body leaves is seen in the next one, but for
// literals, whose types it knows from the start. That shows where operations are of uint64 at first, see
// as_in_all_walks; others are of the same types in the end.
Type Inference::at_head(VersionId phi_id, const Version& source, Type merged) {
    Version& phi = versions_[phi_id];
    if (const auto literal = reset_to_.find(phi_id); literal != reset_to_.end())
        merged = unify(merged, literal->second);
    if (!goes_back_ || is_narrow() || !phi.type.is_unsigned() || merged == phi.type) return merged;
    changed_ = true;
    if (source.literal && reset_to_.emplace(phi_id, source.type).second) begins_anew_ = true;
    phi.of_next_walk = merged;
    return phi.type;
}

void Inference::merge_value(VersionId phi_id, VersionId source_id, ir::Block& out) {
    Version &source = versions_[source_id], &phi = versions_[phi_id];
    source.is_missed |= !source.type;
    if (!source.type) return;
    give_way(phi, source);
    if (phi.entity) return cannot_unify(phi, source.span, type_name(source.type), known(phi));
    const Type before = phi.type;
    auto [merged, is_weak] = meet_at_merge(before, phi.is_weak, source.type, source.is_weak);
    if (is_weak) merged = weak_type(merged);
    if (!merged) {
        cannot_unify(phi, source.span, type_name(source.type), type_name(before));
        if (phi.typed_at.file && !(phi.typed_at == source.span))
            diagnostics_.note(phi.typed_at, fmt::format("`{}` became {} here", names_.name(phi.name), before.name()));
        const auto is_plain = [](Type type) { return type.is_tuple() && type.tuple_kind() == TupleKind::plain; };
        if (is_plain(source.type) && is_plain(before) && source.type.size() != before.size())
            diagnostics_.note(
                source.span, specializer_.can_allocate()
                                 ? "a list that nothing is stored to is a tuple, and how many it has belongs to its "
                                   "type; an array may have any number: `np.array([…])`"
                                 : "how many elements a tuple has, or a list that stands for one, belongs to its type");
        return;
    }
    if (!before) phi.typed_at = source.span;
    merged = at_head(phi_id, source, merged);
    set_type(phi, merged, is_weak);
    const ir::LocalId from = local_of(source_id), to = local_of(phi_id);
    if (from == to) return;
    const bool literal = source.constant && source.type.is_scalar();
    ir::ExprPtr value =
        literal ? to_expr(*source.constant, source.span) : ir::make(source.type, source.span, ir::LocalRef{from});
    want_digits(source.is_weak && !literal, source.type, merged);
    // A weak number has all of its digits.
    if (!literal || !source.is_weak) value = convert(std::move(value), source.type);
    out.push_back({statement_, ir::Assign{to, convert(std::move(value), merged)}});
}

namespace {

/// No name of the part that begins there has more than one version, on any path or in a walk before.
bool is_alike(const Join& join, uint32_t begin) {
    const auto known = join.phis.lower_bound(begin);
    if (known != join.phis.end() && known->first < begin + Env::kPart) return false;
    const Env& first = join.incoming.front();
    return std::ranges::all_of(join.incoming, [&](const Env& env) { return env.shares_part(first, begin); });
}

}  // namespace

// The environment behind a join, once all of its edges are known: a phi where they differ and someone still reads the
// name. nullopt: none leads there.
std::optional<Env> Inference::seal(Join& join, const NameSet& live, const void* site, Span span, JoinKind kind) {
    if (join.incoming.empty()) return std::nullopt;
    Env merged = join.incoming.front();
    const auto size = static_cast<uint32_t>(merged.size());
    for (uint32_t name = 0; name < size; ++name) {
        if (name % Env::kPart == 0 && is_alike(join, name)) {  // most that paths have in common is
            name += Env::kPart - 1;
            continue;
        }
        bool same = true;
        for (const Env& env : join.incoming) same &= env[name] == merged[name];
        const auto known = join.phis.find(name);
        if (same && known == join.phis.end()) continue;
        if (!live.contains(name)) {
            merged.set(name, kUnassigned);
            continue;
        }
        if (known != join.phis.end()) {
            merged.set(name, known->second);
            continue;
        }
        const VersionId phi = version_at(site, name, span, kind);
        join.phis.emplace(name, phi);
        merged.set(name, phi);
        changed_ = true;
    }
    return merged;
}

std::optional<Env> Inference::seal(Join& join, const ast::Stmt& stmt, JoinKind kind) {
    return seal(join, names_.at(stmt).after, &stmt, stmt.span, kind);
}

// Where two paths of an expression meet, of which one may have assigned.
void Inference::merge(const Fork& fork, ir::Block& then, ir::Block& otherwise) {
    if (!fork.site || fork.then == fork.otherwise) return;
    Join& end = join(fork.site, JoinKind::if_end);
    path_ = {fork.site->span, "not assigned when this part of the expression is not evaluated"};
    env_ = fork.then;
    flow_into(end, then);
    env_ = fork.otherwise;
    flow_into(end, otherwise);
    NameSet live(names_.count());
    live.fill();
    env_ = seal(end, live, fork.site, fork.site->span, JoinKind::if_end);
}

// Before a loop's first iteration: every live name that the loop assigns becomes a phi.
void Inference::open_header(Join& join, const ast::Stmt& stmt, const NameSet& live) {
    join.phis.clear();
    join.is_header = true;
    open_phis(join, stmt, live, JoinKind::loop_header);
    for (const auto& [name, phi] : join.phis)
        if (const Type next = std::exchange(versions_[phi].of_next_walk, Type())) set_type(versions_[phi], next, false);
}

void Inference::open_phis(Join& join, const ast::Stmt& stmt, const NameSet& live, JoinKind kind) {
    NameSet carried = names_.at(stmt).assigned;
    carried &= live;
    carried.for_each([&](uint32_t name) { join.phis.emplace(name, version_at(&stmt, name, stmt.span, kind)); });
}

}  // namespace pyk
