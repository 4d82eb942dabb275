// Expressions: names, attributes, tuples.
#include "sema/has_to_run.h"
#include "sema/infer.h"

#include <algorithm>
#include <cmath>

#include "module/host_sets.h"
#include "sema/array_functions.h"
#include "sema/module_names.h"

namespace pyk {

bool is_literal(const ast::Expr& expr) {
    if (const auto* constant = expr.as<ast::Constant>()) return !std::holds_alternative<ast::StrValue>(constant->value);
    if (const auto* unary = expr.as<ast::Unary>()) return is_literal(*unary->operand);
    const ast::Expr* left = &expr;
    while (const auto* binary = left->as<ast::BinOp>()) {
        if (!is_literal(*binary->right)) return false;
        left = binary->left;
    }
    return left != &expr && is_literal(*left);
}

Value Inference::lower(const ast::Expr& expr, ir::Block& out) {
    Value value = lower_held(expr, out);
    if (value.is_runtime() && specializer_.held(value.type)) value = let_go(std::move(value), out);
    const bool may_turn = value.type.is_integer() && (expr.as<ast::Unary>() || expr.as<ast::Call>());
    return may_turn ? as_in_all_walks(expr, std::move(value)) : std::move(value);
}

// Numba gives a name to what an operation makes, and unifies all types that it has had while types were found: that of
// `(s + a[i]) // 2` is float64 where s, which the loop makes an int64, was the uint8 at first that it starts as.
Value Inference::as_in_all_walks(const ast::Expr& expr, Value value) {
    if (is_narrow() || keeps_integers_) return value;
    if (value.type == Type(Scalar::uint64)) {
        unsigned_.emplace(&expr, copy_);
    } else if (value.type == Type(Scalar::int64) && unsigned_.contains({&expr, copy_})) {
        turns_integers_ = true;
        return converted(std::move(value), Scalar::float64, expr.span);
    }
    return value;
}

Value Inference::lower_held(const ast::Expr& expr, ir::Block& out) {
    const Span span = expr.span;
    if (const auto* node = expr.as<ast::Name>()) {
        if (const auto index = names_.index(node->id)) return bound(read(*index, span), out);
        std::vector<Value> items;
        if (!module_name(node->id))
            for (const Entity& each : elements_with_objects(scope_, expr)) items.push_back(of_entity(each, span));
        if (!items.empty()) return make_tuple(std::move(items), span);
        if (const ast::Expr* bounds = written_bounds(scope_, expr)) return lower(*bounds, out);
        return bound(of_module(*node, span), out);
    }
    const auto is_unknown_of_module = [&](const ast::Expr& root) {
        const auto* name = root.as<ast::Name>();
        return name && !names_.index(name->id) && !module_name(name->id);
    };
    if (const auto* node = expr.as<ast::Subscript>();
        node && is_key(*node->slice) && is_unknown_of_module(*node->value)) {
        const auto item = scope_.evaluate(expr);
        if (item && std::holds_alternative<const ModuleScope*>(*item)) return of_entity(*item, span);
    }
    if (const auto* node = expr.as<ast::Constant>()) {
        if (const auto value = literal(*node)) return of_const(*value, span);
        const auto* integer = std::get_if<ast::IntValue>(&node->value);
        return integer ? error(diag::integer_too_large, span) : unsupported(expr);
    }
    if (const auto* node = expr.as<ast::BinOp>()) {
        // `[0] * n` is as long as n says.
        for (const ast::Expr* operand : {node->left, node->right})
            if (node->op == ast::BinaryOp::Mult && operand->as<ast::ListExpr>()) return unsupported(*operand);
        return lower_binary(expr, out);
    }
    if (const auto* node = expr.as<ast::Unary>()) {
        if (is_literal(expr))
            if (const auto value = scope_.constant(expr)) return of_const(*value, span);
        return lower_unary(*node, span, out);
    }
    if (const auto* node = expr.as<ast::Compare>()) return lower_compare(*node, span, out);
    if (const auto* node = expr.as<ast::BoolOp>()) return lower_bool_op(*node, span, out);
    if (expr.as<ast::IfExp>()) return kept_result(lower_if_exp(expr, out), out);
    if (const auto* node = expr.as<ast::Attribute>()) return lower_attribute(*node, span, out);
    if (const auto* node = expr.as<ast::Subscript>()) return lower_subscript(*node, span, out);
    if (const auto* node = expr.as<ast::Call>()) {
        Value value = lower_call(expr, *node, out);
        if (!value.type.is_none()) return value;
        // What returns nothing gives None.
        if (has_to_run(value)) out.push_back({statement_, ir::Evaluate{std::move(value.expr)}});
        return of_const(Const{Const::None{}, {}}, span);
    }
    if (const auto* node = expr.as<ast::Tuple>()) return lower_tuple(node->elts, span, out);
    if (const auto* node = expr.as<ast::ListExpr>(); node && takes_lists_) return lower_tuple(node->elts, span, out);
    // Where arrays can be made a list that is written out is a tuple of one type: what only reads it sees no
    // difference.
    if (const auto* node = expr.as<ast::ListExpr>(); node && specializer_.can_allocate() && !node->elts.empty()) {
        Value tuple = lower_tuple(node->elts, span, out);
        const Type type = is_sequence(tuple.type) ? unify(tuple.type.elements()) : Type();
        if (!type || !type.is_scalar()) return tuple;
        std::vector<Value> items = elements(std::move(tuple), out);
        for (Value& item : items) item = converted(std::move(item), type, item.span);
        return make_tuple(std::move(items), span);
    }
    if (const auto* node = expr.as<ast::ListComp>(); node && (takes_lists_ || read_lists_.contains(&expr)))
        return specializer_.can_allocate() ? comprehension(*node, {}, span, out) : unsupported(expr);
    if (expr.as<ast::Lambda>()) return bound(make_function(scope_.function_of(expr), span, "lambda", out), out);
    if (const auto* node = expr.as<ast::NamedExpr>()) return lower_walrus(*node, span, out);
    if (const auto* node = expr.as<ast::IsSequence>()) return fits_sequence(*node, span, out);
    if (const auto* node = expr.as<ast::JoinedStr>())
        if (const auto text = known_formatted(*node)) return of_const(Const{*text, {}}, span);
    return unsupported(expr);
}

// In the head of a `for` and behind `in` a list is a tuple, as CPython compiles it.
Value Inference::lower_display(const ast::Expr& expr, ir::Block& out) {
    const auto* list = expr.as<ast::ListExpr>();
    if (expr.as<ast::ListComp>()) read_lists_.insert(&expr);
    return list ? lower_tuple(list->elts, expr.span, out) : lower(expr, out);
}

Value Inference::unsupported(const ast::Expr& expr) {
    struct Row {
        std::string_view construct, advice;
    };
    const bool has_arrays = specializer_.can_allocate();
    const Row row = std::visit(
        [&](const auto& node) -> Row {
            using T = std::decay_t<decltype(node)>;
            if constexpr (std::is_same_v<T, ast::ListComp>)
                return {has_arrays ? "lists that are made when the program runs" : "list comprehensions",
                        has_arrays ? "make an array: `np.array([…])`" : "write a loop over `range`"};
            else if constexpr (std::is_same_v<T, ast::GeneratorExp>)
                return {"generator expressions", "write a loop over `range`"};
            else if constexpr (std::is_same_v<T, ast::ListExpr>)
                return {"lists", "use a tuple, or `cuda.local.array`"};
            else if constexpr (std::is_same_v<T, ast::Dict> || std::is_same_v<T, ast::DictComp>)
                return {"dictionaries", "use arrays or tuples"};
            else if constexpr (std::is_same_v<T, ast::Set> || std::is_same_v<T, ast::SetComp>)
                return {"sets", "use arrays or tuples"};
            else if constexpr (std::is_same_v<T, ast::JoinedStr>)
                return {"f-strings of what the run knows, outside of `print`,",
                        "`print` them, or give `print` the values"};
            else if constexpr (std::is_same_v<T, ast::Await>)
                return {"`await` expressions", "call the function directly"};
            else if constexpr (std::is_same_v<T, ast::Yield> || std::is_same_v<T, ast::YieldFrom>)
                return {"generators (functions with `yield`)",
                        "write their loop where the items are used, or the items to an array"};
            else if constexpr (std::is_same_v<T, ast::Starred>)
                return {"starred expressions", "write each element"};
            else if constexpr (std::is_same_v<T, ast::Slice>)
                return {"slices outside of subscripts", "slice the array where it is used"};
            else
                return {"values of this kind",
                        "kernels know bool, integers, floats, complex numbers, tuples and arrays"};
        },
        expr.node);
    return error(diag::unsupported_syntax, expr.span, row.construct, row.advice);
}

// The expressions of one evaluation, left to right.
std::vector<Value> Inference::lower_list(std::span<const ast::ExprRef> exprs, ir::Block& out) {
    std::vector<Value> values;
    values.reserve(exprs.size());
    for (const ast::Expr* expr : exprs) {
        const size_t before = out.size(), count = values.size();
        if (const auto* starred = expr->as<ast::Starred>())
            for (Value& item : starred_items(*starred->value, out)) values.push_back(std::move(item));
        else
            values.push_back(lower(*expr, out));
        keep(std::span(values).first(count), before, out);
    }
    sequence(values, out);
    return values;
}

// `*tuple` in a call or a tuple: its elements. An unknown value stands for those that are not known yet.
std::vector<Value> Inference::starred_items(const ast::Expr& expr, ir::Block& out) {
    Value tuple = lower(expr, out);
    std::vector<Value> unknown(1);
    if (tuple.is_unknown()) return unknown;
    const bool is_tuple = is_sequence(tuple.type) || (tuple.constant && tuple.constant->as<Const::Tuple>());
    if (is_tuple) return elements(std::move(tuple), out);
    unknown[0] = error(diag::cannot_unpack, expr.span, described(tuple));
    return unknown;
}

// C++ may evaluate operands in any order. Where one of them acts and another one acts or reads, all but the last are
// named.
void Inference::sequence(std::vector<Value>& values, ir::Block& out) {
    size_t effectful = 0, last = 0;
    bool acts = false;
    for (size_t i = 0; i < values.size(); ++i) {
        if (!any(values[i].effects)) continue;
        ++effectful;
        last = i;
        acts |= is_action(values[i].effects);
    }
    if (!acts || effectful < 2) return;
    for (size_t i = 0; i < last; ++i)
        if (any(values[i].effects)) values[i] = spill(std::move(values[i]), "value", out);
}

Value Inference::of_const(const Const& constant, Span span) {
    if (const auto placed = scope_.placed(constant)) {
        Value member = of_const(*placed, span);
        member.constant = constant;
        return member;
    }
    Value value;
    value.span = span;
    value.constant = constant;
    if (Entity entity = to_entity(constant); !std::holds_alternative<Const>(entity)) {
        value.constant.reset();
        value.entity = std::move(entity);
        return value;
    }
    if (const ClassInfo* info = scope_.enumeration_of(constant.typed); info && info->value_types.size() > 1)
        return error(diag::mixed_enumeration, span, info->name, info->value_types[0], info->value_types[1]);
    if (constant.as<Const::Array>()) return array_constant({"table", constant, span}, span);
    if (const auto* record = constant.as<Const::Record>())
        return record_constant({"record", {record->array, {}}, span}, span);
    const auto* parts = constant.as<Const::Tuple>();
    const auto is_text_member = [](const Const& part) { return part.as<std::string>() && part.member_of; };
    if (parts && (is_narrow() || holds_array(constant) || std::ranges::any_of(*parts, is_text_member))) {
        std::vector<Value> items;
        for (const Const& item : *parts) items.push_back(of_const(item, span));
        Value tuple = make_tuple(std::move(items), span);
        if (constant.typed && tuple.expr)
            tuple.type = tuple.expr->type = constant.typed.with_elements(tuple.type.elements());
        return tuple;
    }
    value.type = type_of_const(constant);
    value.is_literal = !constant.typed && (constant.as<bool>() || constant.as<Const::Int>());
    value.is_weak = is_weak(constant, value.type);
    if (value.type)
        value.expr = number(constant, value.type, span);
    else
        value.entity = constant;
    return value;
}

// An array of the module: Numba freezes it.
Value Inference::array_constant(const NamedConst& named, Span span) {
    Value value;
    value.span = span;
    value.type = (*named.value.as<Const::Array>())->type;
    value.expr = ir::make(value.type, span, ir::ConstantRef{specializer_.array(named)});
    return value;
}

// A record of the module: the element of a table.
Value Inference::record_constant(const NamedConst& named, Span span) {
    Value value = array_constant(named, span);
    ir::Element element{std::move(value.expr), {}};
    element.indices.push_back({ir::integer(0, Scalar::int64, span), false});
    value.type = value.type.element();
    value.expr = ir::make(value.type, span, std::move(element));
    return value;
}

Value Inference::of_entity(const Entity& entity, Span span) {
    if (const Const* constant = std::get_if<Const>(&entity)) return of_const(*constant, span);
    Value value;
    value.span = span;
    if (const NamedConst* named = std::get_if<NamedConst>(&entity)) {
        if (const auto placed = scope_.placed(named->value)) {
            value = of_entity(NamedConst{named->name, *placed, named->span}, span);
            value.constant = named->value;
            return value;
        }
        if (named->value.as<Const::Array>()) return array_constant(*named, span);
        if (const auto* record = named->value.as<Const::Record>())
            return record_constant({named->name, {record->array, {}}, named->span}, span);
        value = of_const(named->value, span);
        // Infinity, NaN, complex numbers and 16-bit floats stand where they are used: CUDA C++ has no constant
        // expression for them.
        const double* number = named->value.as<double>();
        const auto* shown = value.expr ? value.expr->as<ir::Constant>() : nullptr;
        if (shown && !value.type.is_complex() && !value.type.is_small_float() && (!number || std::isfinite(*number))) {
            const ir::ConstantId id = specializer_.constant({named->name, value.type, shown->value, named->span});
            value.expr = ir::make(value.type, span, ir::ConstantRef{id});
        }
        return value;
    }
    if (const Builtin* const* builtin = std::get_if<const Builtin*>(&entity);
        builtin && (*builtin)->rule.starts_with("->")) {
        value = resolved(**builtin, {}, span);
        if (const auto number = integer_value(**builtin)) value.constant = Const{Const::Int(*number), {}};
        return value;
    }
    value.entity = entity;
    return value;
}

// Whether a variable of the module is made by a random generator.
bool Inference::is_random(std::string_view name) const {
    const ast::Expr* value = scope_.definition(name);
    for (int step = 0; value && step < 20; ++step) {
        if (const auto* generator = value->as<ast::Name>()) {
            value = scope_.definition(generator->id);
            continue;
        }
        const auto* call = value->as<ast::Call>();
        const auto* attribute = (call ? call->func : value)->as<ast::Attribute>();
        if (!attribute) return false;
        if (attribute->attr == "random" || attribute->attr == "default_rng") return true;
        value = attribute->value;
    }
    return false;
}

constexpr std::string_view kRangeParts[] = {"start", "stop", "step"};

Value Inference::lower_name(const ast::Name& node, Span span) {
    const auto index = names_.index(node.id);
    return index ? read(*index, span) : of_module(node, span);
}

// What a name of the module is stays the same while the function is compiled.
const std::optional<Entity>& Inference::module_name(std::string_view name) {
    const auto found = module_names_.find(name);
    return found != module_names_.end() ? found->second
                                        : module_names_.emplace(name, scope_.lookup(name)).first->second;
}

// A name that is none of the function's own.
Value Inference::of_module(const ast::Name& node, Span span) {
    const std::optional<Entity>& entity = module_name(node.id);
    const auto constant = entity ? to_const(*entity) : std::nullopt;
    const bool may_change = constant && (constant->as<Const::List>() || is_set(*constant));
    if (entity && !may_change) return of_entity(*entity, span);
    if (const auto table = entity ? std::nullopt : scope_.device_table(node.id)) return of_entity(*table, span);
    return unknown_name(node.id, span);
}

namespace {

/// `Color.RED` is a constant of the module, `Color_RED`; what other classes hold has its own name.
Entity named_member(const ClassInfo& info, const ast::Attribute& node, Entity member) {
    const Const* constant = info.kind == ClassKind::enumeration ? std::get_if<Const>(&member) : nullptr;
    if (!constant) return member;
    return NamedConst{fmt::format("{}_{}", info.name, node.attr), *constant, node.attr_span};
}

}  // namespace

// What has an attribute. (What holds a record refers to its place.)
Value Inference::lower_owner(const ast::Expr& expr, ir::Block& out) {
    Value owner = lower(expr, out);
    const bool is_held = owner.type.is_array() || owner.type.is_scalar() || owner.type.is_record();
    return is_held ? done(std::move(owner), out) : std::move(owner);
}

Value Inference::lower_attribute(const ast::Attribute& node, Span span, ir::Block& out) {
    if (const auto* inner = node.value->as<ast::Attribute>();
        inner && (inner->attr == "flags" || inner->attr == "ctypes")) {
        Value array = lower(*inner->value, out);
        if (array.type && array.type.is_array())
            if (Value found = array_part(std::move(array), inner->attr, node.attr, span); !found.is_unknown())
                return found;
    }
    if (auto inherited = member_of_super(node, span)) return kept_result(std::move(*inherited), out);
    Value base = lower_owner(*node.value, out);
    if (base.is_unknown()) return base;
    if (base.is_runtime()) return kept_result(lower_member(std::move(base), node, span), out);
    if (base.entity) {
        if (const Group* group = std::get_if<Group>(&*base.entity)) return group_method(*group, node, span);
        if (is_range(base) || is_slice_object(base))
            for (const size_t i : {0, 1, 2})
                if (node.attr == kRangeParts[i])
                    return is_range(base) ? std::move(parts_of(base)[i]) : slice_part(base, i, span);
        const ClassInfo* const* info = std::get_if<const ClassInfo*>(&*base.entity);
        if (info)
            if (const auto method = (*info)->methods.find(node.attr); method != (*info)->methods.end())
                return bound_method(method->second, *info, std::nullopt, span);
        const auto member = scope_.member(*base.entity, node.attr);
        const bool is_known = member && !std::holds_alternative<const FunctionInfo*>(*member);
        if (const ClassInfo* of = dataclass_of(base); of && of->methods.contains(node.attr) && !is_known)
            return kept_result(lower_member(structure_of(base), node, span), out);
        if (member && info) return of_entity(named_member(**info, node, *member), span);
        if (member) return of_entity(*member, span);
        if (info) return unknown_class_member(**info, node.attr, node.attr_span);
        if (const Path* path = std::get_if<Path>(&*base.entity))
            return unknown_member(*path, node.attr, node.attr_span);
    }
    const ModuleScope* const* module = base.entity ? std::get_if<const ModuleScope*>(&*base.entity) : nullptr;
    const auto constant = base.entity ? to_const(*base.entity) : std::nullopt;
    if (constant && constant->as<std::string>())
        return error(diag::unsupported_syntax, node.attr_span, "methods of strings",
                     "`print` takes several values, which it parts with spaces");
    if (constant && constant->as<Const::List>()) return changing_list(node.attr_span);
    const FunctionInfo* const* function = base.entity ? std::get_if<const FunctionInfo*>(&*base.entity) : nullptr;
    if (function && specializer_.can_allocate())
        if (const std::string method = library_method(**function, node.attr); !method.empty()) {
            Value bound;
            bound.entity = &library_function(method);
            bound.receiver = std::make_shared<const Value>(std::move(base));
            bound.span = span;
            return bound;
        }
    if (!module) return error(diag::unknown_attribute, node.attr_span, node.value->span.text(), node.attr);
    const std::string wrong = fmt::format("{}.{}", last_name(*node.value), node.attr);
    const bool is_known = (*module)->is_opaque(node.attr);
    return error(is_known ? diag::not_a_constant : diag::unknown_name, node.attr_span, std::string_view(wrong));
}

// An attribute of a value: what its kind of type has by itself, or a method of the table (`array.reshape`).
Value Inference::lower_member(Value base, const ast::Attribute& node, Span span) {
    base = unwrapped(std::move(base));
    const Type type = base.type;
    if (type.is_array())
        if (Value found = array_attribute(duplicate(base), node.attr, span); !found.is_unknown()) return found;
    const bool is_number = type.is_scalar() && !type.is_boolean();
    if (is_number && (node.attr == "real" || node.attr == "imag"))
        return number_part(std::move(base), node.attr == "real", span);
    if (Value found = field_named(duplicate(base), node.attr, span); !found.is_unknown()) return found;
    if (node.attr == "value" && (type.is_distinct() || type.is_integer()))  // of an IntEnum the members are integers
        return value_of_member(std::move(base), span);
    if (const FunctionInfo* method = method_of(type, node.attr))
        return bound_method(*method, scope_.class_named(type.tuple_name()), std::move(base), span);
    if (const Builtin* method = find_builtin(fmt::format("{}.{}", method_family(type), node.attr))) {
        Value bound;
        bound.entity = method;
        bound.receiver = std::make_shared<const Value>(std::move(base));
        bound.span = span;
        return bound;
    }
    // What all values of a class have: `EPS = 1e-6` in its body.
    if (const ClassInfo* info = type.is_tuple() ? scope_.class_named(type.tuple_name()) : nullptr)
        if (const auto shared = scope_.member(Entity(info), node.attr)) return of_entity(*shared, span);
    report_once(cause_of(base, true), [&] { unknown_attribute(type, node.attr, node.attr_span); });
    return Value();
}

// What the names of its methods' rows begin with.
std::string_view Inference::method_family(Type type) {
    return type.is_array()      ? "array"
           : is_sequence(type)  ? "tuple"
           : is_structure(type) ? "struct"
           : type.is_record()   ? "record"
                                : "number";
}

bool Inference::needs_value(const Value& value, Span span) {
    if (value.is_runtime() && value.expr) return true;
    const Const* constant = value.entity ? std::get_if<Const>(&*value.entity) : nullptr;
    if (constant && constant->as<Const::Int>())
        error(diag::integer_too_large, span);
    else if (constant && constant->as<std::string>())
        error(diag::unsupported_syntax, span, "strings as values", "they can be printed, or name a field or a type");
    else if (!value.is_unknown())
        no_value(value, span);
    return false;
}

Value Inference::converted(Value value, Type type, Span span) {
    if (is_none(value.entity) && type.is_optional()) {
        value.entity.reset();
        value.constant.reset();
        value.expr = none_of(type, span);
        value.type = type;
        return value;
    }
    if (!value.is_runtime() || value.type == type) return value;
    if (value.type.is_none() || !conversion(value.type, type)) return cannot_convert(value.type, type, span);
    value.expr = in_type(value, type);
    value.type = type;
    value.is_weak = false;
    return value;
}

// --- tuples and names -----
Value Inference::lower_tuple(std::span<const ast::ExprRef> elements, Span span, ir::Block& out) {
    return make_tuple(lower_list(elements, out), span);
}

Value Inference::make_tuple(std::vector<Value> items, Span span) {
    Value result;
    result.span = span;
    ir::MakeTuple node;
    std::vector<Type> types;
    Const::Tuple constants;
    result.is_literal = true;
    const bool all_known = std::ranges::all_of(items, [](const Value& item) { return item.constant.has_value(); });
    const auto is_known = [](const Value& item) { return item.constant.has_value() && !item.receiver; };
    const auto has_value = [](const Value& item) {
        return item.is_runtime() || item.receiver || (item.entity && std::holds_alternative<Group>(*item.entity));
    };
    const bool mixes = std::ranges::any_of(items, has_value) && !std::ranges::all_of(items, is_known);
    for (Value& item : items) {
        materialize(item);
        if (mixes) hold(item);
        if (item.is_unknown()) return result;
        if (item.is_weak && !all_known && weak_type(item.type) != item.type) {
            item.expr = in_type(item, weak_type(item.type));
            item.type = weak_type(item.type);
        }
        result.is_literal &= item.is_literal;
        if (item.constant)
            constants.push_back(*item.constant);
        else if (const auto constant = item.entity ? to_const(*item.entity) : std::nullopt)
            constants.push_back(*constant);
        result.effects = result.effects | item.effects;
        result.weak_items.push_back(item.is_weak);
        types.push_back(item.type);
        if (item.expr) node.elements.push_back(std::move(item.expr));
    }
    if (constants.size() == items.size()) result.constant = Const{constants, {}};
    if (node.elements.size() != items.size()) {
        // Holds something known at compile time only.
        const auto wrong = std::ranges::find_if(
            items, [](const Value& item) { return !item.is_runtime() && !(item.entity && to_const(*item.entity)); });
        if (result.constant)
            result.entity = *result.constant;
        else if (wrong != items.end() && wrong->entity && wrong->span)
            no_value(*wrong, wrong->span);
        else
            error(diag::not_a_value, span);
        return result;
    }
    result.type = Type::tuple(types);
    result.expr = ir::make(result.type, span, std::move(node));
    return result;
}

Value Inference::lower_walrus(const ast::NamedExpr& node, Span span, ir::Block& out) {
    const auto* name = node.target->as<ast::Name>();
    Value value = lower(*node.value, out);
    assign(*node.target, std::move(value), out, span);
    return read(*names_.index(name->id), span);
}

}  // namespace pyk
