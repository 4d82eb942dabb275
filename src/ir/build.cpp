#include "ir/build.h"

#include <algorithm>
#include <limits>
#include <string>

#include "types/none.h"

namespace pyk::ir {
namespace {

ExprPtr copy(const ExprPtr& expr) { return expr ? clone(*expr) : nullptr; }

std::vector<ExprPtr> copy(const std::vector<ExprPtr>& exprs) {
    std::vector<ExprPtr> result;
    result.reserve(exprs.size());
    for (const ExprPtr& expr : exprs) result.push_back(copy(expr));
    return result;
}

Subscript copy(const Subscript& subscript) {
    if (const auto* index = std::get_if<Index>(&subscript)) return clone(*index);
    const auto& slice = std::get<SliceOf>(subscript);
    return SliceOf{copy(slice.start), copy(slice.stop), copy(slice.step)};
}

std::vector<Subscript> copy(const std::vector<Subscript>& subscripts) {
    std::vector<Subscript> result;
    result.reserve(subscripts.size());
    for (const Subscript& subscript : subscripts) result.push_back(copy(subscript));
    return result;
}

Constant copy(const Constant& n) { return n; }
ConstantRef copy(const ConstantRef& n) { return n; }
LocalRef copy(const LocalRef& n) { return n; }
Unary copy(const Unary& n) { return {n.op, copy(n.operand)}; }
Binary copy(const Binary& n) { return {n.op, copy(n.lhs), copy(n.rhs)}; }
Logical copy(const Logical& n) { return {n.is_and, copy(n.lhs), copy(n.rhs)}; }
Convert copy(const Convert& n) { return {copy(n.operand)}; }
Select copy(const Select& n) { return {copy(n.condition), copy(n.then), copy(n.otherwise)}; }
BuiltinCall copy(const BuiltinCall& n) { return {n.builtin, copy(n.args)}; }
Call copy(const Call& n) { return {n.callee, copy(n.args)}; }
MakeTuple copy(const MakeTuple& n) { return {copy(n.elements)}; }
TupleItem copy(const TupleItem& n) { return {copy(n.tuple), n.index}; }
TupleAt copy(const TupleAt& n) { return {copy(n.tuple), copy(n.index)}; }
Element copy(const Element& n) { return {copy(n.array), clone(n.indices)}; }
ElementRef copy(const ElementRef& n) { return {copy(n.array), clone(n.indices)}; }
View copy(const View& n) { return {copy(n.array), copy(n.subscripts)}; }
Transpose copy(const Transpose& n) { return {copy(n.array)}; }
ShapeOf copy(const ShapeOf& n) { return {copy(n.array), n.axis}; }
SizeOf copy(const SizeOf& n) { return {copy(n.array)}; }
RecordField copy(const RecordField& n) { return {copy(n.record), n.field}; }
FieldsOf copy(const FieldsOf& n) { return {copy(n.array), n.field}; }

Block copy(const Block& block);

Assign copy(const Assign& n) { return {n.target, copy(n.value)}; }
Store copy(const Store& n) { return {copy(n.array), clone(n.indices), copy(n.value)}; }
StoreField copy(const StoreField& n) { return {copy(n.record), n.field, copy(n.value)}; }
Evaluate copy(const Evaluate& n) { return {copy(n.value)}; }
If copy(const If& n) { return {copy(n.condition), copy(n.then), copy(n.otherwise)}; }
While copy(const While& n) { return {copy(n.condition), copy(n.body), copy(n.orelse)}; }
ForRange copy(const ForRange& n) {
    return {n.counter,    copy(n.start),  copy(n.stop),  copy(n.step),
            copy(n.body), copy(n.orelse), n.is_parallel, n.reductions};
}
Break copy(const Break& n) { return n; }
Continue copy(const Continue& n) { return n; }
Return copy(const Return& n) { return {copy(n.value)}; }
Raise copy(const Raise& n) { return n; }
Try copy(const Try& n) { return {copy(n.body), copy(n.handler), n.keeps_error}; }
Print copy(const Print& n) { return {n.format, copy(n.values)}; }

Block copy(const Block& block) {
    Block result;
    result.reserve(block.size());
    for (const Stmt& stmt : block)
        std::visit([&](const auto& node) { result.push_back({stmt.span, copy(node)}); }, stmt.node);
    return result;
}

std::optional<int64_t> as_int64(const ConstantValue& value) {
    if (const auto* number = std::get_if<int64_t>(&value)) return *number;
    const auto* number = std::get_if<uint64_t>(&value);
    if (!number || *number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(*number);
}

}  // namespace

ExprPtr clone(const Expr& expr) {
    return std::visit([&](const auto& node) { return make(expr.type, expr.span, copy(node)); }, expr.node);
}

Index clone(const Index& index) { return {clone(*index.value), index.wraps}; }

std::vector<Index> clone(const std::vector<Index>& indices) {
    std::vector<Index> result;
    result.reserve(indices.size());
    for (const Index& index : indices) result.push_back(clone(index));
    return result;
}

Block clone(const Block& block) { return copy(block); }

Function clone(const Function& function) {
    return {function.name,     function.symbol,  function.is_kernel, function.always_inline, function.is_exported,
            function.options,  function.params,  function.result,    function.locals,        copy(function.body),
            function.effects,  function.raises,  function.foreign,   function.ptx,           function.debug,
            function.noalias,  function.index32, function.parallel,  function.one_thread,    function.span,
            function.docstring};
}

ExprPtr boolean(bool value, Span span) { return make(Scalar::boolean, span, Constant{value}); }

ExprPtr integer(int64_t value, Type type, Span span) {
    return make(type, span, Constant{integer_constant(static_cast<uint64_t>(value), type)});
}

ExprPtr floating(double value, Type type, Span span) {
    return make(type, span, Constant{*convert_constant(value, type)});
}

ExprPtr local(const Function& function, LocalId id, Span span) {
    return make(function.local(id).type, span, LocalRef{id});
}

namespace {

/// What an Optional holds: ends the thread where that is nothing.
ExprPtr some_value(ExprPtr optional) {
    const Type type = optional->type, inner = type.elements()[1];
    const Span span = optional->span;
    BuiltinCall some{&builtin("pyk.some"), {}};
    some.args.push_back(std::move(optional));
    return make(inner, span, TupleItem{make(type, span, std::move(some)), 1});
}

ExprPtr some_of(ExprPtr value, Type optional) {
    const Span span = value->span;
    MakeTuple made;
    if (is_none_value(value->type)) return make(optional, span, std::move(made));
    made.elements.push_back(boolean(true, span));
    made.elements.push_back(convert(std::move(value), optional.elements()[1]));
    return make(optional, span, std::move(made));
}

bool holds_none(Type type) {
    return is_none_value(type) || (type.is_tuple() && std::ranges::any_of(type.elements(), holds_none));
}

}  // namespace

ExprPtr convert_items(ExprPtr made, Type type) {
    auto& elements = made->as<MakeTuple>()->elements;
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = convert(std::move(elements[i]), type.elements()[i]);
    made->type = type;
    return made;
}

ExprPtr convert(ExprPtr value, Type type) {
    if (value->type == type) return value;
    if (value->type.is_optional() && !type.is_optional()) return convert(some_value(std::move(value)), type);
    if (type.is_optional() && !value->type.is_optional()) return some_of(std::move(value), type);
    // None has no struct in C++.
    if (value->as<MakeTuple>() && holds_none(value->type)) return convert_items(std::move(value), type);
    const auto* constant = value->as<Constant>();
    if (constant && type.is_scalar()) {
        if (auto converted = convert_constant(constant->value, type))
            return make(type, value->span, Constant{*converted});
    }
    const Span span = value->span;
    return make(type, span, Convert{std::move(value)});
}

ExprPtr applied(BuiltinName builtin, Type type, std::vector<ExprPtr> args, Span span) {
    return make(type, span, BuiltinCall{&pyk::builtin(builtin), std::move(args)});
}

ExprPtr applied(BuiltinName builtin, ExprPtr argument) {
    const Type type = argument->type;
    const Span span = argument->span;
    std::vector<ExprPtr> args;
    args.push_back(std::move(argument));
    return applied(builtin, type, std::move(args), span);
}

ExprPtr binary(BinaryOp op, ExprPtr lhs, ExprPtr rhs, Span span) {
    const Type type = is_comparison(op) ? Type(Scalar::boolean) : lhs->type;
    return make(type, span, Binary{op, std::move(lhs), std::move(rhs)});
}

ExprPtr unary(UnaryOp op, ExprPtr operand, Span span) {
    const Type type = operand->type;
    return make(type, span, Unary{op, std::move(operand)});
}

bool is_row(const Expr& place) {
    const auto* view = place.as<View>();
    const auto is_index = [](const Subscript& subscript) { return std::holds_alternative<Index>(subscript); };
    return view && std::ranges::all_of(view->subscripts, is_index);
}

namespace {

template <typename Subscripts>
void put_before(ExprPtr& row, Subscripts& subscripts) {
    while (is_row(*row)) {
        auto& [array, indices] = *row->as<View>();
        for (size_t i = 0; i < indices.size(); ++i)
            subscripts.insert(subscripts.begin() + static_cast<std::ptrdiff_t>(i),
                              std::get<Index>(std::move(indices[i])));
        row = ExprPtr(std::move(array));
    }
}

}  // namespace

void index_array_of_row(ExprPtr& row, std::vector<Index>& indices) { put_before(row, indices); }
void index_array_of_row(ExprPtr& row, std::vector<Subscript>& subscripts) { put_before(row, subscripts); }

Type fields_type(Type array, size_t field) {
    if (!array.is_array() || !array.element().is_record() || field >= array.element().fields().size()) return {};
    const Field& of = array.element().fields()[field];
    return Type::array(of.type, array.ndim() + static_cast<int>(of.shape.size()), Layout::A, array.readonly(),
                       array.element().aligned());
}

LocalId add_local(Function& function, Local local) {
    function.locals.push_back(std::move(local));
    return static_cast<LocalId>(function.locals.size() - 1);
}

LocalId add_temporary(Function& function, std::string name, Type type, Span span) {
    return add_local(function, Local{std::move(name), type, Storage::temporary, span, false, {}, 0});
}

LocalId add_parameter(Function& function, std::string name, Type type, Span span) {
    const LocalId id = add_local(function, Local{std::move(name), type, Storage::parameter, span, false, {}, 0});
    function.params.push_back(id);
    return id;
}

std::optional<int64_t> integer_value(const Expr& expr) {
    const auto* constant = expr.as<Constant>();
    return constant ? as_int64(constant->value) : std::nullopt;
}

namespace {

bool holds(Type type, int64_t value) {
    if (!type.is_integer() || (value < 0 && type.is_unsigned())) return false;
    const int bits = type.bits() - (type.is_signed() ? 1 : 0);
    return bits >= 63 || (value < 0 ? ~value : value) >> bits == 0;
}

/// Of sums and products.
std::optional<int64_t> integer_value(const Module& module, Type type, const Binary& n) {
    const bool adds = n.op == BinaryOp::Add, subtracts = n.op == BinaryOp::Sub;
    if (!type.is_integer() || (!adds && !subtracts && n.op != BinaryOp::Mul)) return std::nullopt;
    const auto rhs = integer_value(module, *n.rhs);
    const auto lhs = rhs ? integer_value(module, *n.lhs) : std::nullopt;
    if (!lhs) return std::nullopt;
    int64_t result = 0;
    const bool overflows = adds        ? __builtin_add_overflow(*lhs, *rhs, &result)
                           : subtracts ? __builtin_sub_overflow(*lhs, *rhs, &result)
                                       : __builtin_mul_overflow(*lhs, *rhs, &result);
    return overflows || !holds(type, result) ? std::nullopt : std::optional(result);
}

}  // namespace

std::optional<int64_t> integer_value(const Module& module, const Expr& expr) {
    if (const auto* binary = expr.as<Binary>()) return integer_value(module, expr.type, *binary);
    if (const auto* convert = expr.as<Convert>()) {
        const auto value = integer_value(module, *convert->operand);
        return value && holds(expr.type, *value) ? value : std::nullopt;
    }
    const auto* named = expr.as<ConstantRef>();
    if (!named) return integer_value(expr);
    if (!expr.type.is_scalar() && !expr.type.is_distinct()) return std::nullopt;
    return as_int64(module.constants[static_cast<size_t>(named->id)].value);
}

}  // namespace pyk::ir
