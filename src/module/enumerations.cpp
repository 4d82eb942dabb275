// The members of enumerations: `class C(IntEnum)`, `class M(Enum)`.
//
// One of an IntEnum is an integer, one of a StrEnum a text, one of another enumeration only itself. In kernels, where
// the values are single numbers a member is its value; texts, tuples and the like it stands for by its place among the
// members.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "module/host_tuples.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

bool is_base(const ast::ClassDef& node, std::string_view name) {
    return std::ranges::any_of(node.bases, [&](const ast::Expr* expr) { return plain_name(*expr) == name; });
}

/// `_ignore_`, `__doc__`: what Python keeps for itself.
bool is_reserved(std::string_view name) { return name.size() > 2 && name.front() == '_' && name.back() == '_'; }

std::optional<Const> lower_case(std::string_view name) {
    std::string text(name);
    for (char& c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return std::nullopt;
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return Const{std::move(text), {}};
}

/// What `auto()` is behind members of which this is the highest value: one more, or the next power of two.
std::optional<Const> next_member(const Const& highest, bool counts_bits) {
    if (!counts_bits) return apply(ast::BinaryOp::Add, highest, Const{Const::Int(1), {}});
    const auto value = to_int(highest);
    if (!value || *value < 0) return std::nullopt;
    Const::Int next = 1;
    while (next <= *value) next *= 2;
    return Const{next, {}};
}

/// The type that Numba gives the value of a member.
std::string value_type(const Const& value) {
    if (value.as<std::string>()) return "unicode_type";
    if (value.as<Const::None>()) return "none";
    if (const Type type = type_of(value)) return type.name();
    if (const auto* items = value.as<Const::Tuple>()) {
        std::string all;
        for (const Const& item : *items) all += (all.empty() ? "" : ", ") + value_type(item);
        return fmt::format("Tuple({})", all);
    }
    return "pyobject";
}

bool is_one_number(const Const& value) {
    const Type type = type_of(value);
    return type.is_scalar() && !type.is_complex();
}

void add_member(ClassInfo& info, std::string_view name, const Const& value) {
    info.members.emplace_back(name, value);
    const std::string type = value_type(value);
    if (info.members_are != Members::numbers && std::ranges::find(info.value_types, type) == info.value_types.end())
        info.value_types.push_back(type);
    info.is_placed = info.value_types.size() > 1 || !is_one_number(value);
}

/// Whether a member of such an enumeration can have the value.
bool may_have(const ClassInfo& info, const Const& value) {
    if (info.members_are == Members::texts) return value.as<std::string>();
    return info.members_are == Members::themselves || is_one_number(value);
}

Type member_type(const ClassInfo& info, Scalar scalar) {
    return Type::distinct(fmt::format("{}<{}>({})", info.base, fmt::join(info.value_types, ", "), info.name), scalar);
}

bool is_same(const Const& one, const Const& other) { return compare(ast::CompareOp::Eq, one, other).value_or(false); }

/// The first with that value: two names of one value are one member.
Const at_place(const ClassInfo& info, const Const& value) {
    const auto first = std::ranges::find_if(info.members, [&](const auto& m) { return is_same(m.second, value); });
    return {Const::Int(first - info.members.begin()), member_type(info, Scalar::int64)};
}

}  // namespace

void ModuleScope::add_members(ClassInfo& info, const ast::ClassDef& node) const {
    const bool counts_bits = is_base(node, "IntFlag") || is_base(node, "Flag"), is_text = info.base == "StrEnum";
    Const highest{Const::Int(0), {}};
    Bindings members;
    for (const ast::Stmt* stmt : node.body) {
        const auto* member = stmt->as<ast::Assign>();
        if (!member) continue;
        const auto* name = member->targets[0]->as<ast::Name>();
        if (name && is_reserved(name->id) && name->id != "_ignore_") continue;
        const bool is_auto = member->value->as<ast::Call>() && plain_name(*member->value) == "auto";
        const auto next = info.methods.contains("_generate_next_value_") || !name ? std::nullopt
                          : is_text                                               ? lower_case(name->id)
                                                                                  : next_member(highest, counts_bits);
        const bool is_literal = member->value->as<ast::Constant>();
        const auto value = is_auto ? next : is_literal ? constant(*member->value) : constant(*member->value, members);
        const bool is_function = value && (value->as<const FunctionInfo*>() || value->as<const Builtin*>());
        const bool is_known = name && name->id != "_ignore_" && value && !is_function && may_have(info, *value);
        info.is_whole = info.is_whole && is_known && member->targets.size() == 1;
        if (!is_known) continue;
        add_member(info, name->id, *value);
        members.insert_or_assign(std::string(name->id), Entity(*value));
        if (compare(ast::CompareOp::Gt, *value, highest).value_or(false)) highest = *value;
    }
}

// `E = Enum("E", "A B")`: a text, texts, pairs or a dict say the members.
void ModuleScope::declare_enumeration(std::string_view name, const ast::Call& call) {
    static constexpr std::string_view kMakers[] = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"};
    const std::string_view maker = last_name(*call.func);
    const bool is_maker = std::ranges::find(kMakers, maker) != std::end(kMakers);
    if (!is_maker || call.args.size() != 2 || !path_of(*call.func).starts_with("enum.")) return;
    const bool counts_bits = maker.ends_with("Flag");
    ClassInfo info;
    info.kind = ClassKind::enumeration;
    info.name = std::string(name);
    info.base = maker;
    if (maker.starts_with("Int")) info.members_are = Members::numbers;
    if (maker == "StrEnum") info.members_are = Members::texts;
    info.scope = this;
    std::optional<Const> next = Const{Const::Int(1), {}};
    for (const ast::Keyword& keyword : call.keywords) {
        if (keyword.arg != "start" || counts_bits) return;
        next = constant(*keyword.value);
    }
    const auto written = constant(*call.args[1]);
    const auto* dict = written ? written->as<Const::Dict>() : nullptr;
    const auto names = written && !dict ? field_names(*written) : std::nullopt;
    const auto pairs = written && !dict && !names ? items_of(*written) : std::nullopt;
    const size_t count = dict ? dict->keys.size() : names ? names->size() : pairs ? pairs->size() : 0;
    for (size_t i = 0; i < count; ++i) {
        const auto pair = pairs ? items_of((*pairs)[i]) : std::nullopt;
        if (pairs && (!pair || pair->size() != 2)) return;
        const auto key = dict ? dict->keys[i] : names ? Const{(*names)[i], {}} : (*pair)[0];
        const auto value = dict ? std::optional(dict->values[i]) : names ? next : std::optional((*pair)[1]);
        if (!key.as<std::string>() || !value || !may_have(info, *value)) return;
        add_member(info, *key.as<std::string>(), *value);
        if (names) next = next_member(*value, counts_bits);
    }
    if (count == 0) return;
    shared_->with_classes.push_back(this);
    known_classes_.insert_or_assign(info.name, std::move(info));
}

std::optional<Const> ModuleScope::enum_member(const ClassInfo& info, std::string_view name) const {
    const auto found = std::ranges::find(info.members, name, &std::pair<std::string, Const>::first);
    if (found == info.members.end()) return std::nullopt;
    Const member = found->second;
    if (info.members_are == Members::texts) {
        member.member_of = member_type(info, Scalar::int64);
        return member;
    }
    if (info.members_are == Members::numbers) {
        member.typed = type_of(member);
        member.member_of = member_type(info, member.typed.scalar());
        return member;
    }
    if (!info.is_placed) {
        member.typed = member_type(info, type_of(member).scalar());
        return member;
    }
    return at_place(info, member);
}

std::optional<Const> ModuleScope::placed(const Const& member) const {
    const ClassInfo* info = member.as<std::string>() ? enumeration_of(member.member_of) : nullptr;
    return info ? std::optional(at_place(*info, member)) : std::nullopt;
}

std::optional<Const> ModuleScope::enum_member_with(const ClassInfo& info, const Const& value) const {
    for (const auto& [name, member] : info.members)
        if (is_same(member, value)) return enum_member(info, name);
    return std::nullopt;
}

const ClassInfo* ModuleScope::enumeration_of(Type type) const {
    const std::string text = type.is_distinct() ? type.name() : std::string();
    const std::string base = text.substr(0, text.find('<'));
    if (!base.ends_with("Enum") && !base.ends_with("Flag")) return nullptr;
    const size_t begin = text.rfind('(') + 1;
    const ClassInfo* info = class_named(std::string_view(text).substr(begin, text.size() - 1 - begin));
    return info && info->kind == ClassKind::enumeration ? info : nullptr;
}

std::optional<Const> ModuleScope::member_of_member(const Const& member, std::string_view attr) const {
    const ClassInfo* info = enumeration_of(member.member_of ? member.member_of : member.typed);
    if (!info || (attr != "value" && attr != "name")) return std::nullopt;
    for (const auto& [name, value] : info->members) {
        const auto one = enum_member(*info, name);
        if (one && compare(ast::CompareOp::Eq, *one, member).value_or(false))
            return attr == "value" ? value : Const{name, {}};
    }
    if (info->base == "IntFlag" && attr == "value") return Const{member.value, {}};  // of `Flags.A | Flags.B`
    return std::nullopt;
}

std::optional<Entity> ModuleScope::method_of_member(const Const& member, std::string_view attr) const {
    const ClassInfo* info = enumeration_of(member.member_of ? member.member_of : member.typed);
    const ModuleScope* body = info && info->methods.contains(attr) ? info->scope->body_of(*info) : nullptr;
    const auto entity = body ? body->own(attr) : std::nullopt;
    const FunctionInfo* method = function_in(entity);
    if (!method || !has_decorator(*method, "property")) return method ? entity : std::nullopt;
    const bool running = std::exchange(running_, true);  // of each member it is another one
    const ModuleScope* run = run_of(*method, method, {.values = {Entity(member)}});
    running_ = running;
    return run ? run->returned_value_ : std::nullopt;
}

std::optional<Const> ModuleScope::inverted_flag(const Const& member) const {
    const ClassInfo* info = member.member_of ? enumeration_of(member.member_of) : nullptr;
    const auto value = to_int(member);
    if (!info || info->base != "IntFlag" || !info->is_whole || !value) return std::nullopt;
    uint64_t all = 0;
    for (const auto& [name, one] : info->members) all |= static_cast<uint64_t>(to_int(one).value_or(0));
    const auto room = static_cast<Const::Int>(1) << std::bit_width(std::max(all, static_cast<uint64_t>(*value)));
    const Const::Int inverted = ~static_cast<Const::Int>(*value);
    return Const{inverted < 0 ? inverted + room : inverted, member.typed, member.member_of};
}

}  // namespace pyk
