// What each kind of compile-time expression gives over the names of a scope.
#include <algorithm>

#include "module/const_array.h"
#include "module/decorators.h"
#include "module/host_defaults.h"
#include "module/host_iterators.h"
#include "module/host_sets.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// Modules, functions and objects are not None, and true if they do not say otherwise: `f = cuda.jit(g) if cuda else
/// None`. What a module holds may be anything: `sys.flags.debug`.
bool is_object(const std::optional<Entity>& value) {
    if (!value) return false;
    if (const auto* path = std::get_if<Path>(&*value))
        return path->name.find('.') == std::string::npos || find_decorator(path->name);
    return std::holds_alternative<Decoration>(*value) || std::holds_alternative<const ModuleScope*>(*value) ||
           function_in(value);
}

}  // namespace

std::optional<bool> ModuleScope::Shared::outcome(const ModuleScope& scope, const ast::Expr& test) {
    if (const auto known = scope.constant(test)) return truth(*known);
    const auto value = scope.evaluate(test);
    const auto* object = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    if (object && (*object)->parent_ && ((*object)->own("__bool__") || (*object)->own("__len__")))
        return Shared::truth_of_object(scope, test, *value);
    return is_object(value) ? std::optional(true) : std::nullopt;
}

namespace {

constexpr int kOldestPython = 10;  ///< 3.10: what Numba runs on

/// `sys.version_info`, and its first items, of which the one or two decide.
bool is_python_version(const ModuleScope& scope, const ast::Expr& expr) {
    const auto* part = expr.as<ast::Subscript>();
    const auto* slice = part ? part->slice->as<ast::Slice>() : nullptr;
    const bool is_first = slice && !slice->lower && !slice->step && slice->upper && slice->upper->span.text() == "2";
    const auto* name = (is_first ? *part->value : expr).as<ast::Attribute>();
    return name && name->attr == "version_info" && scope.path_of(is_first ? *part->value : expr) == "sys.version_info";
}

/// `sys.version_info >= (3, 8)`; nullopt: it depends on which Python runs the file.
std::optional<bool> compare_python(ast::CompareOp op, const std::optional<Const>& version) {
    const auto* parts = version ? version->as<Const::Tuple>() : nullptr;
    const auto major = parts && !parts->empty() ? to_int((*parts)[0]) : std::nullopt;
    const auto minor = parts && parts->size() > 1 ? to_int((*parts)[1]) : std::optional<int64_t>(-1);
    if (!major || !minor || (*major == 3 && *minor >= kOldestPython)) return std::nullopt;
    return compare(op, Const{Const::Int(*major > 3 ? -1 : 1), {}}, Const{Const::Int(0), {}});
}

}  // namespace

std::optional<Entity> ModuleScope::compared(const ast::Compare& node) const {
    const ast::CompareOp first = node.ops[0];
    if (is_python_version(*this, *node.left)) {
        const auto is = node.ops.size() == 1 ? compare_python(first, constant(*node.comparators[0])) : std::nullopt;
        return is ? std::optional<Entity>(Const{*is, {}}) : std::nullopt;
    }
    if (const auto is = compared_types(*this, node)) return Const{*is, {}};
    const bool is_identity = first == ast::CompareOp::Is || first == ast::CompareOp::IsNot;
    const auto* other = node.ops.size() == 1 ? node.comparators[0]->as<ast::Constant>() : nullptr;
    const bool is_of_none = is_identity && other && std::holds_alternative<ast::NoneValue>(other->value);
    if (is_of_none && is_object(evaluate(*node.left))) return Const{first == ast::CompareOp::IsNot, {}};
    // The environment of whoever compiles is not read.
    const bool is_in = first == ast::CompareOp::In || first == ast::CompareOp::NotIn;
    if (is_in && node.ops.size() == 1 && path_of(*node.comparators[0]) == "os.environ")
        return Const{first == ast::CompareOp::NotIn, {}};
    const auto left = evaluate(*node.left);
    if (left && node.ops.size() == 1)
        if (auto value = Shared::compared(*this, node, *left)) return value;
    std::optional<Const> lhs = left ? to_const(*left) : std::nullopt;
    if (lhs && lhs->as<Const::Array>() && is_identity)  // `a is None`, `a is True`
        return other ? std::optional<Entity>(Const{first == ast::CompareOp::IsNot, {}}) : std::nullopt;
    if (lhs && lhs->as<Const::Array>()) {
        const auto rhs = node.ops.size() == 1 ? constant(*node.comparators[0]) : std::nullopt;
        if (!rhs) return std::nullopt;
        const Const operands[] = {*lhs, *rhs};
        auto value = elementwise(operands, [&](std::span<const Const> v) -> std::optional<Const> {
            const auto truth = pyk::compare(node.ops[0], v[0], v[1]);
            return truth ? std::optional(Const{*truth, Scalar::boolean}) : std::nullopt;
        });
        return value ? std::optional<Entity>(*value) : std::nullopt;
    }
    for (size_t i = 0; lhs && i < node.ops.size(); ++i) {
        std::optional<Const> rhs = element(*this, *node.comparators[i]);
        const bool are_sets = rhs && is_set(*lhs) && is_set(*rhs);
        const auto value = are_sets ? compare_sets(node.ops[i], *lhs, *rhs)
                           : rhs    ? compare(node.ops[i], *lhs, *rhs)
                                    : std::nullopt;
        if (!value) return std::nullopt;
        if (!*value || i + 1 == node.ops.size()) return Const{*value, {}};
        lhs = std::move(rhs);
    }
    return std::nullopt;
}

std::optional<Entity> ModuleScope::listed(ast::ExprList exprs, bool is_list) const {
    Const::Tuple items;
    bool is_known = true;
    for (const ast::Expr* expr : exprs) {
        if (!is_known && !shared_->is_searching) return std::nullopt;
        if (const auto* starred = expr->as<ast::Starred>()) {
            const auto value = Shared::taken(*this, *starred->value);
            const auto more = value ? items_of(*value) : std::nullopt;
            is_known = is_known && more;
            if (more) items.insert(items.end(), more->begin(), more->end());
            continue;
        }
        auto value = element(*this, *expr);
        is_known = is_known && value;
        if (value) items.push_back(std::move(*value));
    }
    if (!is_known) return std::nullopt;
    if (is_list) return list_of(std::move(items));
    Const tuple{std::move(items), {}};
    return parts_in(tuple) <= kMostHostItems ? std::optional<Entity>(std::move(tuple)) : std::nullopt;
}

std::optional<Entity> ModuleScope::dictionary(const ast::Dict& node) const {
    Const dict{Const::Dict(), {}};
    for (size_t i = 0; i < node.keys.size(); ++i) {
        const auto value = element(*this, *node.values[i]);
        if (!value) return std::nullopt;
        const auto key = node.keys[i] ? element(*this, *node.keys[i]) : std::nullopt;
        const auto more = node.keys[i] ? (key ? with_item(dict, *key, *value) : std::nullopt)
                                       : after_method(dict, "update", {&*value, 1});
        if (!more) return std::nullopt;
        dict = *more;
    }
    return dict;
}

// Calls `take` in a scope that has the names of a comprehension, for each of its rounds.
bool ModuleScope::generate(ast::List<ast::Comprehension> generators, const Taken& take) const {
    if (generators.empty()) return take(*this);
    const auto over = Shared::taken(*this, *generators[0].iter);
    const auto items = over ? items_of(*over) : std::nullopt;
    if (!items) return false;
    shared_->lifted_scopes.emplace_back(new ModuleScope(*shared_, file_, this, {}));
    ModuleScope& inner = *shared_->lifted_scopes.back();
    inner.running_ = true;
    bool known = true;
    for (size_t i = 0; known && i < items->size(); ++i) {
        ++inner.clock_;  // what the round before made keeps the names that it saw
        inner.store(*generators[0].target, to_entity((*items)[i]));
        bool taken = true;
        for (const ast::Expr* test : generators[0].ifs) {
            const auto value = taken ? inner.constant(*test) : std::nullopt;
            known = known && (!taken || value);
            taken = taken && value && truth(*value);
        }
        if (taken && known) known = inner.generate(generators.subspan(1), take);
    }
    inner.running_ = false;
    return known;
}

std::optional<Entity> ModuleScope::computed(const ast::Expr& expr) const {
    if (expr.as<ast::Lambda>()) return made_of_lambda(expr);
    return std::visit([&](const auto& node) { return computed(node); }, expr.node);
}

std::optional<Entity> ModuleScope::computed(const ast::Constant& node) const {
    auto value = literal(node);
    return value ? std::optional<Entity>(*value) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::Name& node) const { return lookup(node.id); }

std::optional<Entity> ModuleScope::computed(const ast::NamedExpr& node) const { return value_of(node); }

std::optional<Entity> ModuleScope::computed(const ast::Attribute& node) const {
    const auto base = evaluate(*node.value);
    if (base) return member(*base, node.attr);
    const auto extents = shape_attribute(*this, *node.value, node.attr);
    return extents ? std::optional<Entity>(*extents) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::BinOp& node) const {
    const auto left = evaluate(*node.left), right = left ? evaluate(*node.right) : std::nullopt;
    if (right && (Shared::is_instance_object(*left) || Shared::is_instance_object(*right)))
        return Shared::operated(*this, node, *left, *right);
    const auto lhs = constant_in(left), rhs = lhs ? constant_in(right) : std::nullopt;
    const bool joins = rhs && node.op == ast::BinaryOp::BitOr && lhs->as<Const::Dict>() && rhs->as<Const::Dict>() &&
                       !default_of(*lhs) && !default_of(*rhs);
    const bool are_sets = rhs && is_set(*lhs) && is_set(*rhs);
    const auto value = are_sets ? apply_to_sets(node.op, *lhs, *rhs)
                       : joins  ? after_method(copy_of(*lhs), "update", {&*rhs, 1})
                       : rhs    ? apply_arrays(node.op, *lhs, *rhs)
                                : std::nullopt;
    return value ? std::optional<Entity>(*value) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::Unary& node) const {
    const auto object = evaluate(*node.operand);
    if (object && Shared::is_instance_object(*object)) {
        if (node.op != ast::UnaryOp::Not) return Shared::operated(*this, node, *object);
        const auto is_true = Shared::outcome(*this, *node.operand);
        return is_true ? std::optional<Entity>(Const{!*is_true, {}}) : std::nullopt;
    }
    const auto operand = constant_in(object);
    if (!operand) return std::nullopt;
    if (const auto rest = node.op == ast::UnaryOp::Invert ? inverted_flag(*operand) : std::nullopt) return *rest;
    const auto change = [&](std::span<const Const> v) { return apply(node.op, v[0]); };
    if (operand->as<Const::Array>() && node.op == ast::UnaryOp::Not) return std::nullopt;
    auto value = elementwise({&*operand, 1}, change);
    return value ? std::optional<Entity>(*value) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::IsSequence& node) const {
    const auto value = constant(*node.value);
    if (!value) return std::nullopt;
    const auto* list = value->as<Const::List>();
    const auto* items = list ? &(*list)->items : value->as<Const::Tuple>();
    return Const{items && (node.exact ? items->size() == node.least : items->size() >= node.least), {}};
}

std::optional<Entity> ModuleScope::computed(const ast::IfExp& node) const {
    const auto test = Shared::outcome(*this, *node.test);
    return test ? evaluate(*test ? *node.body : *node.orelse) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::BoolOp& node) const {
    std::optional<Entity> value;
    for (const ast::Expr* operand : node.values) {
        value = evaluate(*operand);
        const auto known = is_object(value) || !value ? std::nullopt : to_const(*value);
        if (!known && !is_object(value)) return std::nullopt;
        if ((!known || truth(*known)) == (node.op == ast::LogicalOp::Or)) return value;
    }
    return value;
}

std::optional<Entity> ModuleScope::computed(const ast::Tuple& node) const { return listed(node.elts, false); }

std::optional<Entity> ModuleScope::computed(const ast::ListExpr& node) const { return listed(node.elts, true); }

std::optional<Entity> ModuleScope::computed(const ast::Set& node) const {
    const auto items = listed(node.elts, true);
    const auto* all = items ? std::get_if<Const>(&*items) : nullptr;
    const auto set = all ? set_made_of(*all) : std::nullopt;
    return set ? std::optional<Entity>(*set) : std::nullopt;
}

// The items of a comprehension that makes a list, or a set.
std::optional<std::vector<Const>> ModuleScope::generated(ast::List<ast::Comprehension> rounds,
                                                         const ast::Expr& item) const {
    std::vector<Const> items;
    bool is_known = true;
    const bool known = generate(rounds, [&](const ModuleScope& inner) {
        const auto one = element(inner, item);
        if (one) items.push_back(*one);
        is_known = is_known && one;
        return (one || shared_->is_searching) && items.size() <= kMostHostItems;
    });
    return known && is_known ? std::optional(std::move(items)) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::ListComp& node) const {
    auto items = generated(node.generators, *node.elt);
    return items ? std::optional<Entity>(list_of(*std::move(items))) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::GeneratorExp& node) const {
    auto items = generated(node.generators, *node.elt);
    return items ? std::optional<Entity>(iterator_of({*std::move(items)})) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::SetComp& node) const {
    const auto items = generated(node.generators, *node.elt);
    const auto set = items ? set_of(*items) : std::nullopt;
    return set ? std::optional<Entity>(*set) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::DictComp& node) const {
    Const dict{Const::Dict(), {}};
    bool is_known = true;
    const bool known = generate(node.generators, [&](const ModuleScope& inner) {
        const auto key = element(inner, *node.key), value = element(inner, *node.value);
        auto more = key && value ? with_item(dict, *key, *value) : std::nullopt;
        if (more) dict = std::move(*more);
        is_known = is_known && more;
        return more || shared_->is_searching;
    });
    return known && is_known ? std::optional<Entity>(dict) : std::nullopt;
}

const FunctionInfo* ModuleScope::made_of_lambda(const ast::Expr& expr) const {
    auto& slot = shared_->made[{&expr, this}];
    // Another round of a loop: the defaults are those of now.
    const ast::Arguments& args = *expr.as<ast::Lambda>()->args;
    const bool has_defaults = !args.defaults.empty() || !args.kw_defaults.empty();
    if (slot && running_ && has_defaults && slot->at != now()) shared_->made_again.push_back(std::move(slot));
    if (!slot)
        slot = std::make_unique<FunctionInfo>(
            FunctionInfo{.def = &function_of(expr), .span = expr.span, .name = "lambda", .scope = this, .at = now()});
    return slot.get();
}

std::optional<Entity> ModuleScope::computed(const ast::JoinedStr& node) const {
    const auto text = formatted(node);
    return text ? std::optional<Entity>(Const{*text, {}}) : std::nullopt;
}

std::optional<Entity> ModuleScope::computed(const ast::Call& node) const {
    auto value = call(node);
    return value ? value : extents_asked(node);
}

// `np.shape(x)`, and `len(x)` of an array whose elements are not known.
std::optional<Entity> ModuleScope::extents_asked(const ast::Call& node) const {
    const std::string_view attr = last_name(*node.func);
    if (node.args.size() == 1 && (attr == "shape" || attr == "size" || attr == "ndim") &&
        path_of(*node.func) == fmt::format("numpy.{}", attr)) {
        const auto known = constant(*node.args[0]);
        const auto array = known ? array_of(*known) : nullptr;
        if (array) return array_member(Const{array, {}}, attr);
        const auto extents = shape_attribute(*this, *node.args[0], attr);
        return extents ? std::optional<Entity>(*extents) : std::nullopt;
    }
    const auto* name = node.func->as<ast::Name>();
    if (!name || name->id != "len" || node.args.size() != 1 || is_declared("len")) return std::nullopt;
    const auto shape = shape_attribute(*this, *node.args[0], "shape");
    const auto* extents = shape ? shape->as<Const::Tuple>() : nullptr;
    return extents && !extents->empty() ? std::optional<Entity>(extents->front()) : std::nullopt;
}

}  // namespace pyk
