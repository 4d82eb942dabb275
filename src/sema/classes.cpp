// Classes of the module: `class P(NamedTuple)`, `namedtuple('P', 'x y')`, `@dataclass class P`, `class C(IntEnum)`.
#include <algorithm>

#include "sema/host_tuples.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"

namespace pyk {
namespace {

/// The name without its module: `Enum` of `enum.Enum`, `dataclass` of `@dataclasses.dataclass(frozen=True)`.
std::string_view plain_name(const ast::Expr& expr) {
    const auto* call = expr.as<ast::Call>();
    return call ? plain_name(*call->func) : last_name(expr);
}

bool has(ast::ExprList exprs, std::string_view name) {
    return std::ranges::any_of(exprs, [&](const ast::Expr* expr) { return plain_name(*expr) == name; });
}

void add_field(ClassInfo& info, std::string_view name, ast::ExprRef annotation, ast::ExprRef value) {
    info.names.emplace_back(name);
    info.annotations.push_back(annotation);
    info.defaults.push_back(value);
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

}  // namespace

void ModuleScope::declare_class(const ast::ClassDef& node, Span span) {
    const Declaration* before = declaration(node.name);
    if (!certain_ && before && before->as<Import>()) return;  // a stand-in for what cannot be imported
    add(node.name, {clock_, &node});
    known_classes_.erase(std::string(node.name));
    ClassInfo info;
    info.scope = this;
    info.name = std::string(node.name);
    info.is_int = has(node.bases, "IntEnum") || has(node.bases, "IntFlag");
    if (has(node.bases, "NamedTuple"))
        info.kind = ClassKind::named_tuple;
    else if (info.is_int || has(node.bases, "Enum") || has(node.bases, "Flag"))
        info.kind = ClassKind::enumeration;
    else if (has(node.decorator_list, "dataclass"))
        info.kind = ClassKind::dataclass;
    else
        return;
    if (info.kind == ClassKind::dataclass)
        for (const ast::Expr* decorator : node.decorator_list)
            if (const auto* call = decorator->as<ast::Call>())
                for (const ast::Keyword& keyword : call->keywords) {
                    const auto value = constant(*keyword.value);
                    const bool is_set = value && truth(*value);
                    if (keyword.arg == "order") info.is_ordered = is_set;
                    if (keyword.arg == "frozen") info.is_frozen = is_set;
                }
    const bool counts_bits = has(node.bases, "IntFlag") || has(node.bases, "Flag");
    Const highest{Const::Int(0), {}};
    Bindings members;
    for (const ast::Stmt* stmt : node.body) {
        if (const auto* field = stmt->as<ast::AnnAssign>(); field && info.kind != ClassKind::enumeration)
            if (const auto* name = field->target->as<ast::Name>())
                add_field(info, name->id, field->annotation, field->value);
        if (const auto* member = stmt->as<ast::Assign>(); member && info.kind == ClassKind::enumeration) {
            const auto* name = member->targets[0]->as<ast::Name>();
            const bool is_auto = member->value->as<ast::Call>() && plain_name(*member->value) == "auto";
            const auto next =
                info.methods.contains("_generate_next_value_") ? std::nullopt : next_member(highest, counts_bits);
            const bool is_literal = member->value->as<ast::Constant>();
            const auto value = is_auto      ? next
                               : is_literal ? constant(*member->value)
                                            : constant(*member->value, members);
            const bool is_known =
                name && name->id != "_ignore_" && value && type_of(*value).is_scalar() && !type_of(*value).is_complex();
            info.is_whole = info.is_whole && is_known && member->targets.size() == 1;
            if (!is_known) continue;
            info.members.emplace_back(name->id, *value);
            members.insert_or_assign(std::string(name->id), Entity(*value));
            if (compare(ast::CompareOp::Gt, *value, highest).value_or(false)) highest = *value;
        }
        if (const auto* method = stmt->as<ast::FunctionDef>())
            info.methods.emplace(method->name, FunctionInfo{.def = method,
                                                            .span = span,
                                                            .kind = FunctionKind::device,
                                                            .name = std::string(method->name),
                                                            .scope = this,
                                                            .at = clock_});
    }
    shared_->with_classes.push_back(this);
    known_classes_.insert_or_assign(info.name, std::move(info));
}

// `P = namedtuple('P', 'x y')` or `('x', 'y')`, maybe with `defaults=`.
void ModuleScope::declare_named_tuple(std::string_view name, const ast::Call& call) {
    if (plain_name(*call.func) != "namedtuple" || call.args.size() < 2) return;
    ClassInfo info;
    info.scope = this;
    info.kind = ClassKind::named_tuple;
    info.name = std::string(name);
    const auto fields = constant(*call.args[1]);
    for (const std::string& field : fields ? field_names(*fields) : std::vector<std::string>())
        add_field(info, field, nullptr, nullptr);
    for (const ast::Keyword& keyword : call.keywords)
        if (const auto* defaults = keyword.value->as<ast::Tuple>(); defaults && keyword.arg == "defaults")
            for (size_t i = 0; i < defaults->elts.size() && i < info.names.size(); ++i)
                info.defaults[info.names.size() - 1 - i] = defaults->elts[defaults->elts.size() - 1 - i];
    if (info.names.empty()) return;
    shared_->with_classes.push_back(this);
    known_classes_.insert_or_assign(info.name, std::move(info));
}

const ClassInfo* ModuleScope::class_named(std::string_view name) const {
    const auto found = lookup(name);
    if (const auto* info = found ? std::get_if<const ClassInfo*>(&*found) : nullptr) return *info;
    // A value of a class of another file, whose name this one does not import.
    for (const ModuleScope* scope : shared_->with_classes)
        if (const auto known = scope->known_classes_.find(name); known != scope->known_classes_.end())
            return &known->second;
    return nullptr;
}

// A member of an IntEnum is an integer, one of another enumeration only itself.
std::optional<Const> ModuleScope::enum_member(const ClassInfo& info, std::string_view name) const {
    const auto found = std::ranges::find(info.members, name, &std::pair<std::string, Const>::first);
    if (found == info.members.end()) return std::nullopt;
    Const member = found->second;
    const Type type = type_of(member);
    member.typed = info.is_int ? type : Type::distinct("Enum<" + type.name() + ">(" + info.name + ")", type.scalar());
    return member;
}

std::optional<Const> ModuleScope::enum_member_with(const ClassInfo& info, const Const& value) const {
    for (const auto& [name, member] : info.members)
        if (pyk::compare(ast::CompareOp::Eq, member, value).value_or(false)) return enum_member(info, name);
    return std::nullopt;
}

std::optional<Type> class_type(const ModuleScope& scope, const ClassInfo& info) {
    if (info.kind == ClassKind::enumeration) {
        if (info.members.empty()) return std::nullopt;
        return scope.enum_member(info, info.members[0].first)->typed;
    }
    std::vector<Type> types;
    for (const ast::Expr* annotation : info.annotations) {
        const auto type = annotation ? evaluate_type(*info.scope, *annotation) : std::nullopt;
        if (!type) return std::nullopt;
        types.push_back(*type);
    }
    return Type::named_tuple(info.kind == ClassKind::dataclass ? TupleKind::structure : TupleKind::named, info.name,
                             info.names, types);
}

}  // namespace pyk
