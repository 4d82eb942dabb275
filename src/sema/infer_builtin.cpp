// Builtins of Python that ask about types, sum up, or belong to numbers; the module `operator`; comparison and slices
// of tuples.
#include <algorithm>

#include "module/const_array.h"
#include "module/named_operators.h"
#include "sema/infer.h"

namespace pyk {
namespace {

/// `neg` and `invert`, which has a second name.
const NamedUnary* unary_function(std::string_view name) {
    return named_by(kNamedUnaries, &NamedUnary::function, name == "inv" ? "invert" : name);
}

/// The code point of a text of one character.
std::optional<int64_t> code_point(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const size_t length = byte(0) < 0x80 ? 1 : byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (text.size() != length) return std::nullopt;
    int64_t code = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3Fu);
    return code;
}

}  // namespace

// `sum(values)`, `sum(values, start)`: added up from the start, which is the integer 0 when it is left out.
Value Inference::special_sum(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    std::vector<ast::ExprRef> exprs(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) {
        if (keyword.arg != "start") return error(diag::unknown_parameter, keyword.span, "sum", keyword.arg);
        exprs.push_back(keyword.value);
    }
    if (exprs.empty() || exprs.size() > 2)
        return error(diag::wrong_argument_count, span, "sum", "1 to 2", static_cast<int>(exprs.size()));
    std::vector<Value> values = lower_list(exprs, out);
    if (values.empty()) return error(diag::wrong_argument_count, span, "sum", "1 to 2", 0);
    if (is_range(values[0])) {
        if (values.size() == 1) values.push_back(of_const(Const{Const::Int(0), {}}, span));
        return call_instance(library_function("pyk_sum"), std::move(values), span);
    }
    for (const Value& value : values)
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    Value items = std::move(values[0]);
    Value total = values.size() > 1 ? std::move(values[1]) : of_const(Const{Const::Int(0), {}}, span);
    total.is_literal = false;
    if (is_sequence(items.type)) {
        for (Value& item : elements(std::move(items), out))
            total = binary(BinaryOp::Add, std::move(total), std::move(item), span);
        return total;
    }
    if (!items.type.is_array() || items.type.ndim() != 1)
        return error(diag::no_overload, span, "sum", std::string_view(items.type.name()));
    // The total's type takes in what adding an element makes of it.
    Value so_far, one;
    so_far.type = total.type;
    so_far.is_weak = total.is_weak;
    so_far.span = span;
    one.type = items.type.element();
    for (Type before; before != so_far.type;) {
        before = so_far.type;
        const auto sum = resolve_operator(BinaryOp::Add, so_far, one);
        std::tie(so_far.type, so_far.is_weak) =
            meet_at_merge(before, so_far.is_weak, sum ? sum->result : Type(), false);
        if (!sum || !so_far.type) return error(diag::no_operator, span, "+", before.name(), one.type.name());
    }
    const Type type = so_far.type;
    items = spill(std::move(items), "items", out);
    const ir::LocalId sum = temporary("sum", type, span), counter = temporary("i", Scalar::int64, span);
    out.push_back({statement_, ir::Assign{sum, in_type(total, type)}});
    ir::ForRange loop{counter,
                      ir::integer(0, Scalar::int64, span),
                      ir::make(Scalar::int64, span, ir::ShapeOf{clone(*items.expr), 0}),
                      ir::integer(1, Scalar::int64, span),
                      {},
                      {}};
    so_far.expr = ir::local(function_, sum, span);
    Value result = duplicate(so_far);
    std::vector<ir::Index> at;
    at.push_back({ir::local(function_, counter, span), false});
    Value next = binary(BinaryOp::Add, std::move(so_far), element(std::move(items), std::move(at), span), span);
    loop.body.push_back({statement_, ir::Assign{sum, ir::convert(std::move(next.expr), type)}});
    out.push_back({statement_, std::move(loop)});
    return result;
}

bool Inference::has_arguments(const CallSite& site, size_t count) {
    if (!site.node.keywords.empty()) {
        error(diag::no_keywords, site.node.keywords[0].span, site.builtin.name);
        return false;
    }
    if (site.node.args.size() == count) return true;
    error(diag::wrong_argument_count, site.span, site.builtin.name, std::string_view(std::to_string(count)),
          static_cast<int>(site.node.args.size()));
    return false;
}

Value Inference::special_isinstance(const CallSite& site) {
    if (!has_arguments(site, 2)) return Value();
    const Value value = done(lower(*site.node.args[0], site.out), site.out);
    const bool is_known = dataclass_of(value) || is_slice_object(value);
    return is_known || needs_value(value, value.span) ? is_instance(*site.node.args[1], value) : Value();
}

Value Inference::special_type(const CallSite& site) {
    if (!has_arguments(site, 1)) return Value();
    Value value = done(lower(*site.node.args[0], site.out), site.out);
    if (!needs_value(value, value.span)) return Value();
    value.entity = TypeName{value.type};
    value.type = {};
    value.expr = nullptr;
    value.constant.reset();
    return value;
}

Value Inference::special_tuple(const CallSite& site) {
    if (!has_arguments(site, 1)) return Value();
    Value value = lower(*site.node.args[0], site.out);
    if (value.is_unknown() || is_sequence(value.type)) return value;
    return error(diag::no_overload, site.span, site.builtin.name, described(value));
}

// `ord('a')`, `chr(97)`: known at compile time.
Value Inference::special_character(const CallSite& site) {
    if (!has_arguments(site, 1)) return Value();
    const Value value = lower(*site.node.args[0], site.out);
    if (value.is_unknown()) return Value();
    if (site.builtin.special == Special::ord) {
        const auto* text = value.constant ? value.constant->as<std::string>() : nullptr;
        if (const auto code = text ? code_point(*text) : std::nullopt)
            return of_const(Const{Const::Int(*code), {}}, site.span);
    } else if (const auto code = value.constant ? to_int(*value.constant) : std::nullopt;
               code && *code >= 0 && *code < 128) {
        return of_const(Const{std::string(1, static_cast<char>(*code)), {}}, site.span);
    }
    return not_constant(site.node.args[0]->span);
}

// `getattr(value, 'name')`, `getattr(value, 'name', otherwise)`, `hasattr(value, 'name')`.
Value Inference::special_attribute(const CallSite& site) {
    const bool gets = site.builtin.special == Special::getattr;
    const bool has_default = gets && site.node.args.size() == 3;
    if (!has_arguments(site, has_default ? 3 : 2)) return Value();
    Value value = lower_owner(*site.node.args[0], site.out);
    if (value.is_unknown()) return Value();
    const ast::Expr& name = *site.node.args[1];
    const Value attribute = lower(name, site.out);
    const auto* text = attribute.constant ? attribute.constant->as<std::string>() : nullptr;
    if (!text) return not_constant(name.span);
    ast::Attribute written{};
    written.value = site.node.args[0];
    written.attr = *text;
    written.attr_span = name.span;
    const auto named = [&] {  // `math.pi` of a module
        return value.is_runtime() ? lower_member(std::move(value), written, site.span)
                                  : lower_attribute(written, site.span, site.out);
    };
    if (gets && !has_default) return named();
    const Diagnostics before = diagnostics_;
    Value member = named();
    const bool found = !member.is_unknown();
    if (found && has_default) return member;
    diagnostics_ = before;
    return has_default ? lower(*site.node.args[2], site.out) : of_const(Const{found, {}}, site.span);
}

// Of a class of the module, or of one that is derived from it.
bool Inference::is_of_class(const Value& value, const ClassInfo& info) const {
    if (info.kind == ClassKind::enumeration) return value.type && scope_.enumeration_of(value.type) == &info;
    const bool is_object = value.type && value.type.is_tuple();
    const ClassInfo* own = is_object ? scope_.class_named(value.type.tuple_name()) : dataclass_of(value);
    return own && (own == &info || std::ranges::find(own->bases, info.name) != own->bases.end());
}

Value Inference::is_instance(const ast::Expr& types, const Value& value) {
    if (const auto* tuple = types.as<ast::Tuple>()) {
        bool any = false;
        for (const ast::Expr* one : tuple->elts) {
            const Value result = is_instance(*one, value);
            if (!result.constant) return Value();
            any |= truth(*result.constant);
        }
        return of_const(Const{any, {}}, types.span);
    }
    ir::Block unused;
    const size_t errors = diagnostics_.error_count();
    const Value asked = lower(types, unused);
    if (diagnostics_.error_count() > errors) return Value();
    // nullopt: it is not a type.
    const auto answer = [&](const auto& self, const Entity& asked_for) -> std::optional<bool> {
        if (const auto* type = std::get_if<TypeName>(&asked_for)) return type->type == value.type;
        // As in Numba, Python's numbers are the widest ones; by narrow rules they are 32 bits wide as well.
        if (const auto* row = std::get_if<const Builtin*>(&asked_for)) {
            const auto is_one_of = [&](Scalar wide, Scalar narrow) {
                return value.type.is(wide) || (is_narrow() && value.type.is(narrow));
            };
            if ((*row)->special == Special::int_) return is_one_of(Scalar::int64, Scalar::int32);
            if ((*row)->special == Special::float_) return is_one_of(Scalar::float64, Scalar::float32);
            if ((*row)->special == Special::complex_) return is_one_of(Scalar::complex128, Scalar::complex64);
            if ((*row)->special == Special::bool_) return value.type.is_boolean();
            if ((*row)->special == Special::tuple) return is_sequence(value.type);
            if (**row == "slice") return is_slice_object(value);
        }
        if (const auto* info = std::get_if<const ClassInfo*>(&asked_for)) return is_of_class(value, **info);
        if (const auto* path = std::get_if<Path>(&asked_for); path && path->name == "numpy.ndarray")
            return value.type.is_array();
        const auto constant = to_const(asked_for);  // a tuple of the module's
        const auto* items = constant ? constant->as<Const::Tuple>() : nullptr;
        if (!items) return std::nullopt;
        bool any = false;
        for (const Const& item : *items) {
            const auto one = self(self, to_entity(item));
            if (!one) return std::nullopt;
            any |= *one;
        }
        return any;
    };
    std::optional<bool> is_one;
    if (asked.entity) is_one = answer(answer, *asked.entity);
    if (asked.constant) is_one = answer(answer, *asked.constant);
    return is_one ? of_const(Const{*is_one, {}}, types.span) : error(diag::not_a_type, types.span);
}

Value Inference::special_item(const CallSite& site) {
    if (!has_arguments(site, site.receiver ? 0 : 1)) return Value();
    if (site.receiver) return duplicate(*site.receiver);
    const ast::Expr& written = *site.node.args[0];
    Value value = lower(written, site.out);
    if (value.is_unknown() || value.constant) return value;
    return not_constant(written.span);
}

// `x.view(dtype)` of a number.
Value Inference::special_number_view(const CallSite& site) {
    if (!site.receiver || !has_arguments(site, 1)) return Value();
    const auto dtype = dtype_of(*site.node.args[0]);
    if (!dtype || !dtype->is_scalar()) return error(diag::not_a_dtype, site.node.args[0]->span);
    Value number = duplicate(*site.receiver);
    if (!number.type.is_scalar() || number.type.byte_size() != dtype->byte_size())
        return error(diag::cannot_convert, site.span, number.type.name(), dtype->name());
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(number.expr));
    return made_by(site.builtin, *dtype, std::move(args), number.effects, site.span);
}

// One bits, also of what is negative, in the number's own type: Numba's is `cuda.popc`.
Value Inference::special_bit_count(const CallSite& site) {
    if (!site.receiver || !has_arguments(site, 0)) return Value();
    Value number = duplicate(*site.receiver);
    const Type type = number.type;
    if (!type.is_integer()) return error(diag::unknown_attribute, site.span, type.name(), "bit_count");
    std::vector<Value> args;
    args.push_back(std::move(number));
    return converted(resolved(builtin("cuda.popc"), std::move(args), site.span), type, site.span);
}

// `operator.add(a, b)` is `a + b`.
Value Inference::special_operator(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    std::string_view name = builtin.name.substr(builtin.name.find('.') + 1);
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    const bool unary_name = unary_function(name) || name == "abs" || name == "not_" || name == "truth";
    const size_t wanted = unary_name ? 1 : name == "setitem" ? 3 : 2;
    const auto wrong_count = [&](size_t count) {
        return error(diag::wrong_argument_count, span, builtin.name, std::string_view(std::to_string(wanted)),
                     static_cast<int>(count));
    };
    if (name == "getitem" || name == "setitem") {
        if (node.args.size() != wanted) return wrong_count(node.args.size());
        const ast::Subscript subscript{node.args[0], node.args[1]};
        if (name == "getitem") return lower_subscript(subscript, span, out);
        store_subscript(subscript, lower(*node.args[2], out), span, out);
        return of_const(Const{Const::None{}, {}}, span);
    }
    std::vector<Value> values = arguments(site);
    if (values.size() != wanted) return wrong_count(values.size());
    for (const Value& value : values)
        if (value.is_unknown()) return Value();
    if (unary_name) {
        if (name == "abs") return resolved(pyk::builtin("abs"), std::move(values), span);
        if (name == "truth") return truth_of(std::move(values[0]), span, out);
        if (name == "not_") return unary(UnaryOp::Not, truth_of(std::move(values[0]), span, out), span);
        return unary(unary_function(name)->op, std::move(values[0]), span);
    }
    const auto* compared = named_by(kNamedComparisons, &NamedComparison::function, name);
    if (compared || name.starts_with("is_")) {
        const ast::CompareOp op = compared        ? compared->written
                                  : name == "is_" ? ast::CompareOp::Is
                                                  : ast::CompareOp::IsNot;
        return compare(op, std::move(values[0]), std::move(values[1]), span, out);
    }
    if (name == "contains") return contains(std::move(values[1]), std::move(values[0]), false, span, out);
    const bool in_place = name.front() == 'i';
    if (in_place) name.remove_prefix(1);
    if (name == "concat") name = "add";
    const auto* row = named_by(kNamedOperators, in_place ? &NamedOperator::stem : &NamedOperator::function, name);
    const BinaryOp op = *row->op;
    if (in_place && values[0].type.is_array()) {
        Value array = written_array(std::move(values[0]), out);
        update_array(op, duplicate(array), std::move(values[1]), span, out);
        return array;
    }
    return binary(op, std::move(values[0]), std::move(values[1]), span);
}

// `a < b` of tuples: the first elements that differ decide, else the lengths.
Value Inference::compare_tuples(BinaryOp op, Value lhs, Value rhs, Span span, ir::Block& out) {
    for (Value* side : {&lhs, &rhs})
        if (!side->is_trivial()) *side = spill(std::move(*side), "items", out);
    std::vector<Value> a = elements(std::move(lhs), out), b = elements(std::move(rhs), out);
    const size_t count = std::min(a.size(), b.size());
    const bool less = op == BinaryOp::Lt || op == BinaryOp::Le, or_equal = op == BinaryOp::Le || op == BinaryOp::Ge;
    const bool at_end = a.size() == b.size() ? or_equal : less == (a.size() < b.size());
    const auto alone = less ? ast::CompareOp::Lt : ast::CompareOp::Gt;
    const auto equal_too = less ? ast::CompareOp::LtE : ast::CompareOp::GtE;
    const auto from = [&](auto& self, size_t i, ir::Block& block) -> Value {
        if (i == count) return of_const(Const{at_end, {}}, span);
        if (i + 1 == count && a.size() == b.size())
            return compare(or_equal ? equal_too : alone, std::move(a[i]), std::move(b[i]), span, block);
        Value decided = compare(alone, duplicate(a[i]), duplicate(b[i]), span, block);
        return short_circuit(
            false, std::move(decided),
            [&](ir::Block& next) {
                Value equal = compare(ast::CompareOp::Eq, std::move(a[i]), std::move(b[i]), span, next);
                return short_circuit(
                    true, std::move(equal), [&](ir::Block& last) { return self(self, i + 1, last); }, nullptr, span,
                    next);
            },
            nullptr, span, block);
    };
    return from(from, 0, out);
}

// `t[1:3]` with bounds known at compile time.
Value Inference::slice_tuple(Value tuple, const ast::Slice& slice, Span span, ir::Block& out) {
    const auto count =
        static_cast<int64_t>(tuple.is_runtime() ? tuple.type.size() : tuple.constant->as<Const::Tuple>()->size());
    bool known = true;
    const auto bound = [&](ast::ExprRef expr) -> std::optional<int64_t> {
        if (!expr) return std::nullopt;
        const Value value = lower(*expr, out);
        const bool none = value.constant && value.constant->as<Const::None>();
        const auto at = value.constant ? to_int(*value.constant) : std::nullopt;
        if (!none && !at) known = false;
        return at;
    };
    ConstSubscript bounds{ConstSubscript::Kind::slice};
    bounds.start = bound(slice.lower);
    bounds.stop = bound(slice.upper);
    bounds.step = bound(slice.step);
    if (!known || bounds.step == 0) return not_constant(span);
    const SlicedAxis part = sliced(bounds, count);
    if (is_action(tuple.effects)) tuple = spill(std::move(tuple), "items", out);
    std::vector<Value> items = elements(std::move(tuple), out), taken;
    for (int64_t i = 0; i < part.count; ++i)
        taken.push_back(duplicate(items[static_cast<size_t>(part.first + i * part.step)]));
    return make_tuple(std::move(taken), span);
}

}  // namespace pyk
