// What exists before run time only where a value has to be: as an element of a tuple, as a result, where paths meet
// that bring different ones. It is a struct then. Its name stands for the thing (a function, a type, a text, a group),
// its fields are the run-time values that belong to it: the bounds of a range or a slice, what a nested function
// captured, the array of a method, the lanes of threads that came together. Wherever it is read it is the thing again,
// and so all that knows ranges knows these too.
#include <algorithm>

#include "sema/has_to_run.h"
#include "sema/infer.h"
#include "types/none.h"

namespace pyk {
namespace {

constexpr std::string_view kBounds[] = {"start", "stop", "step"};

/// An iterator's state is in variables.
bool is_iterator(const Builtin& row) { return row.special == Special::iterator; }

/// A variable, or a part of one.
bool is_path(const ir::Expr& expr) {
    const auto* item = expr.as<ir::TupleItem>();
    return item ? is_path(*item->tuple) : expr.as<ir::LocalRef>() != nullptr;
}

/// The variable that all of the parts are taken from, in order; null: they are values of their own.
const ir::Expr* whole_of(const std::vector<Value>& parts, Type type) {
    const ir::Expr* whole = nullptr;
    for (size_t i = 0; i < parts.size(); ++i) {
        const auto* item = parts[i].expr->as<ir::TupleItem>();
        if (!item || item->index != i || item->tuple->type != type) return nullptr;
        const auto* ref = item->tuple->as<ir::LocalRef>();
        const auto* first = whole ? whole->as<ir::LocalRef>() : ref;
        if (!ref || ref->id != first->id) return nullptr;
        whole = item->tuple.get();
    }
    return whole;
}

}  // namespace

bool Inference::can_be_held(const Value& value) {
    if (value.is_runtime() || !value.entity) return false;
    if (const auto* row = std::get_if<const Builtin*>(&*value.entity)) return !value.receiver || !is_iterator(**row);
    if (const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&*value.entity))
        return (*closure)->info && (*closure)->defaults.empty() &&
               std::ranges::all_of((*closure)->captured,
                                   [](const Value& part) { return part.is_runtime() || can_be_held(part); });
    if (const auto* constant = std::get_if<Const>(&*value.entity))
        return constant->as<Const::None>() || constant->as<std::string>();
    return std::holds_alternative<const FunctionInfo*>(*value.entity) ||
           std::holds_alternative<TypeName>(*value.entity) || std::holds_alternative<const ClassInfo*>(*value.entity) ||
           std::holds_alternative<Group>(*value.entity);
}

std::string Inference::name_held(const Value& value) const {
    std::string name = std::visit(
        [&](const auto& entity) -> std::string {
            using T = std::decay_t<decltype(entity)>;
            if constexpr (std::is_same_v<T, const Builtin*>)
                return is_range(value) || is_slice_object(value) ? std::string(entity->name)
                                                                 : std::string(entity->name) + "_function";
            else if constexpr (std::is_same_v<T, const FunctionInfo*>)
                return entity->name + "_function";
            else if constexpr (std::is_same_v<T, std::shared_ptr<const Closure>>)
                return entity->info->name + "_function";
            else if constexpr (std::is_same_v<T, TypeName>)
                return entity.type.code() + "_type";
            else if constexpr (std::is_same_v<T, const ClassInfo*>)
                return entity->name + "_type";
            else if constexpr (std::is_same_v<T, Group>)
                return std::string(entity.family);
            else
                return is_none(value.entity) ? std::string(kNoneName) : "text_value";
        },
        *value.entity);
    std::ranges::replace(name, '.', '_');
    return scope_.class_named(name) ? name + "_value" : name;
}

// A type in a message: what such a struct stands for.
std::string Inference::type_name(Type type) const {
    const Entity* entity = type ? specializer_.held(type) : nullptr;
    if (!entity) return type.name();
    Value thing;
    thing.entity = *entity;
    if (is_none(thing.entity)) return "None";
    if (std::holds_alternative<Const>(*entity)) return "a string";
    if (is_range(thing)) return "a range";
    if (is_slice_object(thing)) return "a slice";
    if (std::holds_alternative<Group>(*entity)) return "a group";
    const bool is_type = std::holds_alternative<TypeName>(*entity) || std::holds_alternative<const ClassInfo*>(*entity);
    return is_type ? "a type" : "a function";
}

// Makes a value of it, where it can be one.
void Inference::hold(Value& value) {
    materialize(value);
    if (const auto* items = value.is_runtime() || !value.constant ? nullptr : value.constant->as<Const::Tuple>()) {
        std::vector<Value> parts;
        for (const Const& item : *items) {
            parts.push_back(of_const(item, value.span));
            hold(parts.back());
            if (!parts.back().expr) return;
        }
        value = make_tuple(std::move(parts), value.span);
        return;
    }
    if (!can_be_held(value)) return;
    std::vector<Value> parts;
    std::vector<std::string> names;
    const auto* closure = std::get_if<std::shared_ptr<const Closure>>(&*value.entity);
    if (is_range(value) || is_slice_object(value)) {
        parts = parts_of(value);
        // Without a step a view keeps its layout.
        if (is_slice_object(value) && !slice_parts(value).step) parts.pop_back();
        names.assign(std::begin(kBounds), std::begin(kBounds) + static_cast<std::ptrdiff_t>(parts.size()));
    } else if (is_parts(value)) {
        parts = parts_of(value);
        names = {"whole", "count"};
    } else if (closure) {
        for (size_t i = 0; i < (*closure)->captured.size(); ++i) {
            parts.push_back(duplicate((*closure)->captured[i]));
            hold(parts.back());
            names.emplace_back((*closure)->info->captures[i]);
        }
    } else if (Group* group = std::get_if<Group>(&*value.entity); group && has_lanes(*group)) {
        parts.push_back(group_operand(*group, value.span));
        names.emplace_back("lanes");
        group->lanes = 0;
    } else if (value.receiver) {
        parts.push_back(duplicate(*value.receiver));
        names.emplace_back("object");
    }
    std::vector<Type> types;
    for (const Value& part : parts) types.push_back(part.type);
    const std::string name = specializer_.hold(*value.entity, name_held(value));
    Value held;
    held.span = value.span;
    held.type = Type::named_tuple(TupleKind::structure, name, std::move(names), types);
    if (const ir::Expr* whole = whole_of(parts, held.type)) {
        held.expr = clone(*whole);
    } else {
        ir::MakeTuple made;
        for (Value& part : parts) {
            held.effects = held.effects | part.effects;
            made.elements.push_back(std::move(part.expr));
        }
        held.expr = ir::make(held.type, held.span, std::move(made));
    }
    value = std::move(held);
}

// And back.
Value Inference::let_go(Value value, ir::Block& out) {
    const Entity* entity = value.is_runtime() && value.expr ? specializer_.held(value.type) : nullptr;
    if (!entity) return value;
    const Type type = value.type;
    const std::string name(type.tuple_name());
    std::vector<Value> parts;
    if (type.size() == 0) {
        if (has_to_run(value)) out.push_back({statement_, ir::Evaluate{std::move(value.expr)}});
    } else {
        if (!is_path(*value.expr)) value = spill(std::move(value), name, out);
        for (uint32_t i = 0; i < type.size(); ++i) {
            Value part;
            part.type = type.elements()[i];
            part.span = value.span;
            part.expr = ir::make(part.type, value.span, ir::TupleItem{clone(*value.expr), i});
            parts.push_back(std::move(part));
        }
    }
    Value thing;
    thing.span = value.span;
    thing.entity = *entity;
    if (const auto* theirs = std::get_if<std::shared_ptr<const Closure>>(entity)) {
        auto closure = std::make_shared<Closure>();
        closure->info = (*theirs)->info;
        for (Value& part : parts) closure->captured.push_back(let_go(std::move(part), out));
        thing.entity = std::shared_ptr<const Closure>(std::move(closure));
        return thing;
    }
    if (const Const* constant = std::get_if<Const>(entity)) return of_const(*constant, value.span);
    if (parts.empty()) return thing;
    if (Group* group = std::get_if<Group>(&*thing.entity)) {
        const Value lanes = spill(std::move(parts[0]), "lanes", out);
        group->lanes = static_cast<uint32_t>(lanes.expr->as<ir::LocalRef>()->id);
        return thing;
    }
    if (parts.size() == 1) {
        thing.receiver = std::make_shared<const Value>(std::move(parts[0]));
        return thing;
    }
    const bool has_bounds = type.element_names()[0] == kBounds[0];
    if (has_bounds && parts.size() == 2) parts.push_back(no_bound(value.span));
    thing.receiver = std::make_shared<const Value>(make_tuple(std::move(parts), value.span));
    return thing;
}

// Whether what it was made of is in variables, which may have other values later.
bool Inference::reads_variables(const Value& value) {
    const auto* closure = value.entity ? std::get_if<std::shared_ptr<const Closure>>(&*value.entity) : nullptr;
    bool found = false;
    const auto look = [&](const Value& part) {
        if (!part.expr) return;
        ir::for_each_expr_deep(*part.expr, [&](const ir::Expr& expr) {
            const auto* item = expr.as<ir::TupleItem>();
            const auto* ref = item ? item->tuple->as<ir::LocalRef>() : nullptr;
            if (!ref || !specializer_.held(item->tuple->type)) return;
            const ir::Local& local = function_.local(ref->id);
            const auto index = names_.index(local.name);
            found |= local.storage != ir::Storage::temporary && index && definitions_of(*index) > 1;
        });
    };
    if (closure && (*closure)->info)
        for (const Value& part : (*closure)->captured) look(part);
    if (value.entity && value.receiver) look(*value.receiver);
    return found;
}

// What is another thing of its kind on another path, such as a range with other bounds, is a value.
bool Inference::merge_held(VersionId phi_id, const Version& source, ir::Block& out) {
    Version& phi = versions_[phi_id];
    const auto held = [&](const Version& version) {
        Value value = of_entity(*version.entity, version.span);
        value.receiver = version.receiver;
        value = spelled(std::move(value));
        hold(value);
        return value;
    };
    Value value = is_none(source.entity) ? of_entity(*source.entity, source.span) : held(source);
    const Type before = is_none(phi.entity) ? Type::none() : phi.entity ? held(phi).type : phi.type;
    const bool may_be_none = is_none(phi.entity) || is_none(value.entity);
    Type merged = before && value.type ? unify(before, value.type) : is_none(value.entity) ? before : Type();
    if (is_none(phi.entity)) merged = value.type;
    if (!merged) return false;
    if (may_be_none && !merged.is_optional()) merged = Type::optional(merged);
    if (phi.entity) {
        phi.entity.reset();
        phi.receiver.reset();
        changed_ = true;
    }
    set_type(phi, merged, false);
    value = converted(std::move(value), merged, source.span);
    out.push_back({statement_, ir::Assign{local_of(phi_id), std::move(value.expr)}});
    return true;
}

}  // namespace pyk
