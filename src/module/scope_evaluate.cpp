// Compile-time expressions over the names of a scope, and the functions that they make.
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "module/decorators.h"
#include "module/host_defaults.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_grids.h"
#include "module/scope_shared.h"

namespace pyk {

Entity defined(std::string name, const DefineValue& value) {
    const auto number = [](const ConstantValue& v) {
        return std::visit(
            [](auto n) -> Const {
                if constexpr (std::is_integral_v<decltype(n)> && !std::is_same_v<decltype(n), bool>)
                    return {static_cast<Const::Int>(n), {}};
                else
                    return {n, {}};
            },
            v);
    };
    if (const Type* type = std::get_if<Type>(&value)) return TypeName{*type};
    if (const auto* items = std::get_if<std::vector<ConstantValue>>(&value)) {
        Const::Tuple tuple;
        for (const ConstantValue& item : *items) tuple.push_back(number(item));
        return NamedConst{std::move(name), {std::move(tuple), {}}, {}};
    }
    return NamedConst{std::move(name), number(std::get<ConstantValue>(value)), {}};
}

ModuleScope& ModuleScope::Shared::body(const ast::ClassDef& node, const ModuleScope& parent) {
    auto& slot = bodies[{&node, &parent}];
    if (!slot) {
        slot.reset(new ModuleScope(*this, parent.file_, &parent, {}));
        slot->is_class_body_ = true;
        const auto named = parent.names_.find(node.name);
        for (const Declaration& one : named == parent.names_.end() ? std::vector<Declaration>() : named->second)
            if (const auto* of = one.as<const ast::ClassDef*>(); of && *of == &node) slot->runs_at_ = one.at;
        classes.emplace(slot.get(), &node);
        const AroundBody around(*slot);
        slot->declare(node.body);
    }
    return *slot;
}

const ast::FunctionDef& ModuleScope::function_of(const ast::Expr& lambda) const {
    auto& slot = shared_->lambdas[&lambda];
    if (!slot) {
        const auto& node = *lambda.as<ast::Lambda>();
        slot = std::make_unique<LambdaFunction>();
        slot->stmt = {node.body->span, ast::Return{node.body}};
        slot->body[0] = &slot->stmt;
        const Span name{lambda.span.file, lambda.span.begin, lambda.span.begin + 6};
        slot->def = {"lambda", name, node.args, ast::Block(slot->body, 1), {}, nullptr, false};
    }
    return slot->def;
}

const FunctionInfo& ModuleScope::lift(const ast::FunctionDef& def, Span span, std::string name, Bindings known,
                                      std::vector<std::string_view> captures) const {
    std::string key;
    for (const auto& [bound, entity] : known) key += fmt::format("{}={};", bound, key_of(entity));
    for (const std::string_view capture : captures) key += fmt::format("{},", capture);
    auto& slot = shared_->lifted[{&def, this, std::move(key)}];
    if (!slot) {
        shared_->lifted_scopes.emplace_back(new ModuleScope(*shared_, file_, this, std::move(known)));
        slot = std::make_unique<FunctionInfo>(FunctionInfo{.def = &def,
                                                           .span = span,
                                                           .kind = FunctionKind::device,
                                                           .name = std::move(name),
                                                           .scope = shared_->lifted_scopes.back().get(),
                                                           .captures = std::move(captures)});
    }
    return *slot;
}

std::optional<Entity> ModuleScope::subscript(const ast::Subscript& node) const {
    const auto owner = evaluate(*node.value);
    if (const FunctionInfo* kernel = function_in(owner)) shared_->note_launch(*kernel);
    if (owner && Shared::is_instance_object(*owner))
        return Shared::call_special(*this, &node, *owner, "__getitem__", {evaluate(*node.slice)});
    if (const auto* info = owner ? std::get_if<const ClassInfo*>(&*owner) : nullptr) {
        const auto key = constant(*node.slice);
        const auto* name = key ? key->as<std::string>() : nullptr;
        const auto member = name ? enum_member(**info, *name) : std::nullopt;
        return member ? std::optional<Entity>(*member) : std::nullopt;
    }
    if (const auto* dtype = owner ? std::get_if<TypeName>(&*owner) : nullptr; dtype && dtype->type.is_record()) {
        const auto key = constant(*node.slice);
        const auto* name = key ? key->as<std::string>() : nullptr;
        const auto at = name ? dtype->type.field_index(*name) : std::nullopt;
        if (at) return TypeName{dtype->type.field_type(*at)};  // and `particle[:]` is an array's type
    }
    // Of a dict that the module writes out, or of a tuple with objects in it that stay as they are, only the value that
    // is asked for has to be known: the one that it had when it was written.
    const auto [scope, written, when] = origin(*node.value);
    if (const auto* tuple = owner ? nullptr : written->as<ast::Tuple>()) {
        const auto index = constant(*node.slice);
        const auto at = index ? to_int(*index) : std::nullopt;
        const auto count = static_cast<int64_t>(tuple->elts.size());
        if (!at || *at < -count || *at >= count) return std::nullopt;
        const Then then(*scope, when);
        const auto element = scope->evaluate(*tuple->elts[static_cast<size_t>(*at < 0 ? *at + count : *at)]);
        const auto* object = element ? std::get_if<const ModuleScope*>(&*element) : nullptr;
        const ClassInfo* info = object ? (*object)->dataclass() : nullptr;
        return info && info->is_frozen ? element : std::nullopt;
    }
    const auto* dict = written->as<ast::Dict>();
    if (dict && std::ranges::none_of(dict->keys, [](const ast::Expr* one) { return one == nullptr; })) {
        const auto key = element(*this, *node.slice);
        const Then then(*scope, when);
        for (size_t i = dict->keys.size(); key && i-- > 0;) {
            const auto known = element(*scope, *dict->keys[i]);
            if (!known) return std::nullopt;
            if (!is_same_key(*known, *key)) continue;
            auto value = scope->evaluate(*dict->values[i]);
            // What can change is the one that the dict has.
            const auto object = value ? to_const(*value) : std::nullopt;
            const auto whole = object && can_change(*object) && owner ? to_const(*owner) : std::nullopt;
            const auto item = whole ? item_at(*whole, *key) : std::nullopt;
            return item ? to_entity(*item) : value;
        }
        return std::nullopt;
    }
    if (const Path* path = owner ? std::get_if<Path>(&*owner) : nullptr) {
        // `List[float]` is told from other types, and no more.
        if (path->name.starts_with("typing.")) return Const{std::string(node.slice->span.text()) + path->name, {}};
        const bool is_version = path->name == "sys.version_info" && node.slice->span.text() == "0";
        const auto value = is_version ? Const{Const::Int(3), {}} : made_by_subscript(*this, path->name, *node.slice);
        return value ? std::optional<Entity>(*value) : std::nullopt;
    }
    if (const TypeName* type = owner ? std::get_if<TypeName>(&*owner) : nullptr) {
        const auto array = subscripted_type(*this, type->type, *node.slice);
        return array ? std::optional<Entity>(TypeName{*array}) : std::nullopt;
    }
    const auto base = constant(*node.value);
    const auto name = base && has_fields(*base) ? constant(*node.slice) : std::nullopt;
    if (const auto* field = name ? name->as<std::string>() : nullptr)
        if (const auto value = field_of(*base, *field)) return *value;
    if (const auto* array = base ? base->as<Const::Array>() : nullptr) {
        const auto value = array_subscript(*this, **array, *node.slice);
        return value ? std::optional<Entity>(*value) : std::nullopt;
    }
    if (!base) return std::nullopt;
    if (const auto* slice = node.slice->as<ast::Slice>()) {
        const auto bounds = slice_bounds(*this, *slice);
        const auto value = bounds ? slice_of(*base, *bounds) : std::nullopt;
        return value ? std::optional<Entity>(*value) : std::nullopt;
    }
    const auto index = element(*this, *node.slice);
    auto value = index ? item_at(*base, *index) : std::nullopt;
    if (index && is_counter(*base) && !value) value = default_of(*base);
    return value ? std::optional(to_entity(*value)) : std::nullopt;
}

// --- expressions ---
std::optional<Const> ModuleScope::constant(const ast::Expr& expr) const { return constant_in(evaluate(expr)); }

std::optional<Const> constant_in(const std::optional<Entity>& value) {
    if (!value) return std::nullopt;
    if (const Const* constant = std::get_if<Const>(&*value)) return *constant;
    if (const NamedConst* named = std::get_if<NamedConst>(&*value)) return named->value;
    return std::nullopt;
}

std::optional<Const> ModuleScope::constant(const ast::Expr& expr, Bindings names) const {
    return ModuleScope(*shared_, file_, this, std::move(names)).constant(expr);
}

// An item of what an expression gives; where the whole is not known, that item alone may be.
std::optional<Entity> ModuleScope::part(const ast::Expr& expr, std::span<const Item> items) const {
    if (items.empty()) return evaluate(expr);
    const Item& item = items[0];
    const auto* tuple = expr.as<ast::Tuple>();
    const auto* list = expr.as<ast::ListExpr>();
    const ast::ExprList elements = tuple ? tuple->elts : list ? list->elts : ast::ExprList();
    const bool plain = std::ranges::none_of(elements, [](const ast::Expr* e) { return e->as<ast::Starred>(); });
    if ((tuple || list) && plain && !item.behind) {
        const int64_t at = item.index < 0 ? item.index + static_cast<int64_t>(elements.size()) : item.index;
        if (at < 0 || at >= static_cast<int64_t>(elements.size())) return std::nullopt;
        return part(*elements[static_cast<size_t>(at)], items.subspan(1));
    }
    const auto* parsed = expr.as<ast::Call>();
    if (parsed && last_name(*parsed->func) == "parse_known_args" && items.size() == 1 && item.index == 0)
        return Shared::parsed_arguments(*this, *parsed);
    const auto whole = Shared::taken(*this, expr);
    if (!whole && expr.as<ast::Call>()) {
        const ModuleScope* run = run_of(*expr.as<ast::Call>());
        return run && run->returned_ && !run->returned_->as<ast::Name>() ? run->part(*run->returned_, items)
                                                                         : std::nullopt;
    }
    std::optional<Const> value = whole;
    for (const Item& step : items) {
        const auto all = value ? items_of(*value) : std::nullopt;
        if (!all) return std::nullopt;
        const auto count = static_cast<int64_t>(all->size());
        if (step.behind) {
            if (step.index + *step.behind > count) return std::nullopt;
            value = list_of({all->begin() + step.index, all->end() - *step.behind});
            continue;
        }
        const int64_t at = step.index < 0 ? step.index + count : step.index;
        if (at < 0 || at >= count) return std::nullopt;
        value = (*all)[static_cast<size_t>(at)];
    }
    return to_entity(*value);
}

const ModuleScope& ModuleScope::with(Bindings names) const {
    shared_->lifted_scopes.emplace_back(new ModuleScope(*shared_, file_, this, std::move(names)));
    return *shared_->lifted_scopes.back();
}

size_t ModuleScope::Shared::size_of(const Const& value) {
    constexpr size_t kBytesOfItem = sizeof(Const);
    if (const auto* list = value.as<Const::List>()) return (*list)->items.size();
    if (const auto* dict = value.as<Const::Dict>()) return 2 * dict->keys.size();
    if (const auto* array = value.as<Const::Array>()) return (*array)->table.bytes.size() / kBytesOfItem;
    if (const auto* text = value.as<std::string>()) return text->size() / kBytesOfItem;
    return 0;
}

std::optional<Entity> ModuleScope::evaluate(const ast::Expr& expr) const {
    const auto known = running_ ? shared_->arrays.end() : shared_->arrays.find({&expr, this});
    if (known != shared_->arrays.end()) return known->second;
    const std::tuple asked(&expr, this, now());
    auto& unknown = running_ ? shared_->unknown_now : shared_->unknown;
    if (unknown.contains(asked)) return std::nullopt;
    const bool is_kept = !running_ && expr.as<ast::Call>();
    if (const auto again = shared_->called.find(asked); is_kept && again != shared_->called.end()) return again->second;
    ++shared_->evaluating;
    std::optional<Entity> value = computed(expr);
    // What is made takes memory; a name, or an item, has been made before.
    const bool is_made = expr.as<ast::Call>() || expr.as<ast::BinOp>() || expr.as<ast::ListExpr>() ||
                         expr.as<ast::ListComp>() || expr.as<ast::Dict>() || expr.as<ast::DictComp>();
    if (const Const* made = value && is_made ? std::get_if<Const>(&*value) : nullptr) {
        const auto* text = made->as<std::string>();
        shared_->made_items += Shared::size_of(*made);
        if (shared_->made_items > kMostMade || (text && text->size() > kLongestText)) value.reset();
    }
    const bool may_decorate = expr.as<ast::Attribute>() || expr.as<ast::Call>();
    if (!value && may_decorate && is_decorator(expr)) value = Decoration{this, &expr};
    if (!value && (!running_ || may_decorate)) unknown.insert(asked);
    if (value && is_kept) shared_->called.emplace(asked, *value);
    if (--shared_->evaluating == 0) shared_->unknown.clear(), shared_->unknown_now.clear(), shared_->called.clear();
    const Const* constant = value ? std::get_if<Const>(&*value) : nullptr;
    if (constant && constant->as<Const::Array>() && !running_)
        shared_->arrays.emplace(std::pair(&expr, this), *constant);
    return value;
}

std::optional<Const> ModuleScope::Shared::iterated(const Entity& value) {
    if (const auto items = items_of_object(value)) return items;
    const auto* info = std::get_if<const ClassInfo*>(&value);
    if (!info || (*info)->kind != ClassKind::enumeration) {
        const auto* named = std::get_if<NamedConst>(&value);
        const auto* constant = std::get_if<Const>(&value);
        return named ? std::optional(named->value) : constant ? std::optional(*constant) : std::nullopt;
    }
    if (!(*info)->is_whole) return std::nullopt;
    std::vector<Const> members;
    for (const auto& [name, member] : (*info)->members) {
        const auto one = (*info)->scope->enum_member(**info, name);
        if (!one) return std::nullopt;
        const auto is_same = [&](const Const& other) {
            return pyk::compare(ast::CompareOp::Eq, other, *one).value_or(false);
        };
        if (std::ranges::any_of(members, is_same)) continue;  // another name of it
        const auto bits = (*info)->base.ends_with("Flag") ? to_int(member) : std::nullopt;
        if (bits && !std::has_single_bit(static_cast<uint64_t>(*bits))) continue;  // of several flags, or of none
        members.push_back(*one);
    }
    return list_of(std::move(members));
}

}  // namespace pyk
