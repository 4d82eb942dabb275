#include "ir/reader.h"

namespace pyk::ir {
namespace {

constexpr size_t kBinaryOpCount = 0
#define PYK_BINARY_OPERATOR(...) +1
#include "builtins/operators.def"
    ;

/// By the Python operator or, for those that Python has not, by name.
std::optional<BinaryOp> binary_op(std::string_view text) {
    if (auto op = binary_op_from_name(text)) return op;
    for (size_t i = 0; i < kBinaryOpCount; ++i)
        if (info(static_cast<BinaryOp>(i)).python == text) return static_cast<BinaryOp>(i);
    return std::nullopt;
}

}  // namespace

ExprPtr Reader::expression() {
    ExprPtr result = operand();
    while (!scan_.peek().starts_line && scan_.accept("[")) {
        if (!result->type || !result->type.is_array()) scan_.fail("only arrays have elements");
        const Type element = result->type.element();
        result = make(element, {}, Element{std::move(result), indices("]")});
    }
    return result;
}

ExprPtr Reader::operand() {
    if (scan_.accept("(")) return parenthesised();
    if (scan_.accept("@")) return builtin();
    if (scan_.accept("$")) {
        const ConstantId id = find(constants_, scan_.name(), "constant");
        return make(module_.constants[static_cast<size_t>(id)].type, {}, ConstantRef{id});
    }
    if (scan_.peek().kind == Token::Kind::number) return literal();
    return named();
}

ExprPtr Reader::named() {
    if (scan_.accept("True")) return boolean(true);
    if (scan_.accept("False")) return boolean(false);
    if (scan_.at("inf") || scan_.at("nan")) return literal();
    if (scan_.accept("convert")) return convert_to(type_argument());
    if (scan_.accept("call")) return call();
    if (scan_.accept("tuple")) return tuple();
    if (scan_.accept("item")) return item();
    if (scan_.accept("at")) return at();
    if (scan_.accept("ref")) return element_ref();
    if (scan_.accept("view")) return view();
    if (scan_.accept("transpose")) return transpose();
    if (scan_.accept("shape")) return shape();
    if (scan_.accept("size")) return size();
    if (scan_.accept("field")) return field();
    if (scan_.accept("fields")) return fields();
    if (scalar_from_name(scan_.peek().text)) return convert_to(type());
    return ir::local(*function_, local_id());
}

ExprPtr Reader::literal() {
    const std::string_view text = scan_.take().text;
    Type type = text.find_first_of(".en") == std::string_view::npos ? Scalar::int64 : Scalar::float64;
    if (scan_.accept(":")) type = this->type();
    if (!type.is_scalar()) scan_.fail("a number has a scalar type");
    return make(type, {}, Constant{number(text, type)});
}

ExprPtr Reader::parenthesised() {
    for (UnaryOp op : {UnaryOp::Neg, UnaryOp::Pos, UnaryOp::Invert})
        if (scan_.accept(info(op).python)) {
            ExprPtr result = unary(op, expression());
            scan_.expect(")");
            return result;
        }
    if (scan_.accept("not")) {
        ExprPtr result = unary(UnaryOp::Not, expression());
        scan_.expect(")");
        return result;
    }
    ExprPtr result = after_lhs(expression());
    scan_.expect(")");
    return result;
}

ExprPtr Reader::after_lhs(ExprPtr lhs) {
    if (scan_.accept("and")) return make(Scalar::boolean, {}, Logical{true, std::move(lhs), expression()});
    if (scan_.accept("or")) return make(Scalar::boolean, {}, Logical{false, std::move(lhs), expression()});
    if (scan_.accept("if")) {
        ExprPtr condition = expression();
        scan_.expect("else");
        const Type type = lhs->type;
        return make(type, {}, Select{std::move(condition), std::move(lhs), expression()});
    }
    const auto op = binary_op(scan_.peek().text);
    if (!op) scan_.fail("expected an operator");
    scan_.take();
    return binary(*op, std::move(lhs), expression());
}

/// An expression, and the comma after it if there is one.
ExprPtr Reader::argument() {
    ExprPtr result = expression();
    scan_.accept(",");
    return result;
}

std::vector<ExprPtr> Reader::list() {
    std::vector<ExprPtr> result;
    scan_.expect("(");
    while (!scan_.accept(")")) result.push_back(argument());
    return result;
}

ExprPtr Reader::builtin() {
    const std::string_view name = scan_.name();
    const Builtin* builtin = find_builtin(name);
    if (!builtin) scan_.fail(fmt::format("unknown builtin `{}`", name));
    std::vector<ExprPtr> args;
    if (scan_.at("(")) args = list();
    scan_.expect(":");
    return make(type(), {}, BuiltinCall{builtin, std::move(args)});
}

ExprPtr Reader::call() {
    const FunctionId callee = find(functions_, scan_.name(), "function");
    return make(module_.function(callee).result, {}, Call{callee, list()});
}

ExprPtr Reader::convert_to(Type type) {
    scan_.expect("(");
    ExprPtr operand = argument();
    scan_.expect(")");
    return make(type, {}, Convert{std::move(operand)});
}

Type Reader::type_argument() {
    scan_.expect("<");
    const Type result = type();
    scan_.expect(">");
    return result;
}

uint32_t Reader::small_number() {
    return static_cast<uint32_t>(std::get<int64_t>(number(scan_.number(), Scalar::int64)));
}

ExprPtr Reader::tuple() {
    std::vector<ExprPtr> elements = list();
    std::vector<Type> types;
    for (const ExprPtr& element : elements) types.push_back(element->type);
    return make(Type::tuple(types), {}, MakeTuple{std::move(elements)});
}

ExprPtr Reader::item() {
    scan_.expect("(");
    ExprPtr tuple = argument();
    const uint32_t index = small_number();
    scan_.expect(")");
    if (!tuple->type.is_tuple() || index >= tuple->type.size()) scan_.fail("no such tuple item");
    const Type type = tuple->type.elements()[index];
    return make(type, {}, TupleItem{std::move(tuple), index});
}

ExprPtr Reader::at() {
    scan_.expect("(");
    ExprPtr tuple = argument();
    ExprPtr index = argument();
    scan_.expect(")");
    const bool is_table = tuple->as<ConstantRef>() && tuple->type.is_array();
    if (!is_table && !tuple->type.is_uniform_tuple()) scan_.fail("`at` needs a uniform tuple or a table");
    const Type type = is_table ? tuple->type.element() : tuple->type.elements()[0];
    return make(type, {}, TupleAt{std::move(tuple), std::move(index)});
}

Index Reader::index() {
    const bool wraps = scan_.accept("wrap");
    return {expression(), wraps};
}

std::vector<Index> Reader::indices(std::string_view close) {
    std::vector<Index> result;
    while (!scan_.accept(close)) {
        result.push_back(index());
        scan_.accept(",");
    }
    return result;
}

ExprPtr Reader::element_ref() {
    scan_.expect("(");
    ExprPtr array = argument();
    if (!array->type.is_array()) scan_.fail("only arrays have elements");
    const Type type = array->type.element();
    return make(type, {}, ElementRef{std::move(array), indices(")")});
}

ExprPtr Reader::slice_part() {
    ExprPtr result = scan_.accept("_") ? nullptr : expression();
    scan_.accept(",");
    return result;
}

Subscript Reader::subscript() {
    if (!scan_.accept("slice")) return index();
    scan_.expect("(");
    SliceOf slice;
    slice.start = slice_part();
    slice.stop = slice_part();
    slice.step = slice_part();
    scan_.expect(")");
    return slice;
}

ExprPtr Reader::view() {
    const Type type = type_argument();
    scan_.expect("(");
    View view;
    view.array = argument();
    while (!scan_.accept(")")) {
        view.subscripts.push_back(subscript());
        scan_.accept(",");
    }
    return make(type, {}, std::move(view));
}

ExprPtr Reader::transpose() {
    const Type type = type_argument();
    scan_.expect("(");
    ExprPtr array = argument();
    scan_.expect(")");
    return make(type, {}, Transpose{std::move(array)});
}

ExprPtr Reader::shape() {
    scan_.expect("(");
    ExprPtr array = argument();
    const uint32_t axis = small_number();
    scan_.expect(")");
    return make(Scalar::int64, {}, ShapeOf{std::move(array), axis});
}

ExprPtr Reader::field() {
    scan_.expect("(");
    ExprPtr record = argument();
    const uint32_t index = small_number();
    scan_.expect(")");
    if (!record->type.is_record() || index >= record->type.fields().size()) scan_.fail("no such field");
    const Type type = record->type.field_type(index);
    return make(type, {}, RecordField{std::move(record), index});
}

ExprPtr Reader::fields() {
    scan_.expect("(");
    ExprPtr array = argument();
    const uint32_t index = small_number();
    scan_.expect(")");
    const Type type = fields_type(array->type, index);
    if (!type) scan_.fail("no such field");
    return make(type, {}, FieldsOf{std::move(array), index});
}

ExprPtr Reader::size() {
    scan_.expect("(");
    ExprPtr array = argument();
    scan_.expect(")");
    return make(Scalar::int64, {}, SizeOf{std::move(array)});
}

}  // namespace pyk::ir
