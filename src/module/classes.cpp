// Classes of the module: `class P(NamedTuple)`, `namedtuple('P', 'x y')`, `@dataclass class P`; what is in enumerations
// is in enumerations.cpp.
#include <algorithm>
#include <ranges>

#include "module/host_tuples.h"
#include "module/method_order.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

bool has(ast::ExprList exprs, std::string_view name) {
    return std::ranges::any_of(exprs, [&](const ast::Expr* expr) { return plain_name(*expr) == name; });
}

/// A field, in the place of one of that name which a base has.
void add_field(ClassInfo& info, ClassField field) {
    const size_t at = info.find_field(field.name);
    if (at == info.fields.size())
        info.fields.push_back(std::move(field));
    else
        info.fields[at] = std::move(field);
}

bool is_class_variable(const ast::AnnAssign& field) {
    return field.annotation->span.text().find("ClassVar") != std::string_view::npos;
}

}  // namespace

std::string_view plain_name(const ast::Expr& expr) {
    const auto* call = expr.as<ast::Call>();
    return call ? plain_name(*call->func) : last_name(expr);
}

void ModuleScope::declare_class(const ast::ClassDef& node, Span span) {
    const Declaration* before = declaration(node.name);
    if (!certain_ && before && before->as<Import>()) return;  // a stand-in for what cannot be imported
    add(node.name, {clock_, &node});
    known_classes_.erase(std::string(node.name));
    ClassInfo info;
    info.scope = this;
    info.at = clock_;
    info.name = std::string(node.name);
    const bool is_int = has(node.bases, "IntEnum") || has(node.bases, "IntFlag"), is_str = has(node.bases, "StrEnum");
    if (has(node.bases, "NamedTuple"))
        info.kind = ClassKind::named_tuple;
    else if (is_int || is_str || has(node.bases, "Enum") || has(node.bases, "Flag"))
        info.kind = ClassKind::enumeration;
    else if (has(node.decorator_list, "dataclass"))
        info.kind = ClassKind::dataclass;
    else
        return;
    if (info.kind == ClassKind::enumeration) {
        for (const std::string_view base : {"IntEnum", "StrEnum", "Flag", "IntFlag"})
            if (has(node.bases, base)) info.base = base;
        if (is_int || has(node.bases, "int") || has(node.bases, "float"))
            info.members_are = Members::numbers;
        else if (is_str || has(node.bases, "str"))
            info.members_are = Members::texts;
    }
    if (info.kind == ClassKind::dataclass)
        for (const ast::Expr* decorator : node.decorator_list)
            if (const auto* call = decorator->as<ast::Call>())
                for (const ast::Keyword& keyword : call->keywords) {
                    const auto value = constant(*keyword.value);
                    const bool is_set = value && truth(*value);
                    if (keyword.arg == "order") info.is_ordered = is_set;
                    if (keyword.arg == "frozen") info.is_frozen = is_set;
                }
    if (info.kind == ClassKind::dataclass) inherit(info, node);
    for (const ast::Stmt* stmt : node.body) {
        if (const auto* field = stmt->as<ast::AnnAssign>();
            field && info.kind != ClassKind::enumeration && !is_class_variable(*field))
            if (const auto* name = field->target->as<ast::Name>())
                add_field(info, {std::string(name->id), field->annotation, field->value, info.scope, info.at});
        if (const auto* method = stmt->as<ast::FunctionDef>())
            info.methods.insert_or_assign(std::string(method->name), FunctionInfo{.def = method,
                                                                                  .span = span,
                                                                                  .kind = FunctionKind::device,
                                                                                  .name = std::string(method->name),
                                                                                  .scope = this,
                                                                                  .at = clock_,
                                                                                  .owner = info.name});
        if (const auto* again = stmt->as<ast::Assign>())  // `__rmul__ = __mul__`
            if (const auto method = info.methods.find(last_name(*again->value)); method != info.methods.end())
                for (const ast::Expr* target : again->targets)
                    if (const auto* name = target->as<ast::Name>())
                        info.methods.insert_or_assign(std::string(name->id), FunctionInfo(method->second));
    }
    if (info.kind == ClassKind::enumeration) add_members(info, node);
    shared_->with_classes.push_back(this);
    known_classes_.insert_or_assign(info.name, std::move(info));
}

// What a dataclass has of those that it is derived from.
void ModuleScope::inherit(ClassInfo& info, const ast::ClassDef& node) const {
    std::vector<std::vector<std::string>> orders;
    std::vector<std::string> bases;
    std::vector<const ClassInfo*> all;
    for (const ast::Expr* base : node.bases | std::views::reverse) {
        const auto entity = evaluate(*base);
        const auto* of = entity ? std::get_if<const ClassInfo*>(&*entity) : nullptr;
        if (!of || (*of)->kind != ClassKind::dataclass) continue;
        for (ClassField field : (*of)->fields) {
            field.is_inherited = true;
            add_field(info, std::move(field));
        }
        std::vector<std::string> order = (*of)->bases;
        order.insert(order.begin(), (*of)->name);
        orders.insert(orders.begin(), std::move(order));
        bases.insert(bases.begin(), (*of)->name);
        all.push_back(*of);
    }
    orders.push_back(std::move(bases));
    info.bases = merged_orders(std::move(orders)).value_or(std::vector<std::string>());
    for (const std::string& owner : info.bases | std::views::reverse)
        for (const ClassInfo* of : all)
            for (const auto& [name, method] : of->methods)
                if (method.owner == owner) info.methods.insert_or_assign(name, FunctionInfo(method));
}

// `P = namedtuple('P', 'x y')` or `('x', 'y')`, maybe with `defaults=`; `E = Enum('E', 'A B')`.
void ModuleScope::declare_class(std::string_view name, const ast::Call& call) {
    if (call.args.size() < 2) return;
    if (plain_name(*call.func) != "namedtuple") return declare_enumeration(name, call);
    ClassInfo info;
    info.scope = this;
    info.at = clock_;
    info.kind = ClassKind::named_tuple;
    info.name = std::string(name);
    const auto written = constant(*call.args[1]);
    const auto fields = written ? field_names(*written) : std::nullopt;
    if (!fields) return;
    for (const std::string& field : *fields) add_field(info, {field, nullptr, nullptr, info.scope, info.at});
    for (const ast::Keyword& keyword : call.keywords) {
        const auto* tuple = keyword.value->as<ast::Tuple>();
        const auto* list = keyword.value->as<ast::ListExpr>();
        if (keyword.arg != "defaults" || (!tuple && !list)) continue;
        const ast::ExprList defaults = tuple ? tuple->elts : list->elts;
        for (size_t i = 0; i < defaults.size() && i < info.fields.size(); ++i)
            info.fields[info.fields.size() - 1 - i].default_value = defaults[defaults.size() - 1 - i];
    }
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

std::optional<Type> class_type(const ModuleScope& scope, const ClassInfo& info) {
    if (info.kind == ClassKind::enumeration) {
        if (info.members.empty() || info.value_types.size() > 1) return std::nullopt;
        return scope.enum_member(info, info.members[0].first)->typed;
    }
    thread_local std::vector<const void*> asked_for;
    const Following following(asked_for, &info);
    if (following.is_again()) return std::nullopt;  // it would have itself as a part
    std::vector<Type> types;
    for (const ClassField& field : info.fields) {
        const auto type = field.annotation ? evaluate_type(*field.scope, *field.annotation) : std::nullopt;
        if (!type) return std::nullopt;
        types.push_back(*type);
    }
    return Type::named_tuple(info.kind == ClassKind::dataclass ? TupleKind::structure : TupleKind::named, info.name,
                             info.field_names(), types);
}

}  // namespace pyk
