#include "ir/printer.h"

namespace pyk::ir {

void Printer::show(const Expr& expr, const Constant& n) {
    text += value_text(n.value);
    if (!expr.type.is_boolean() && !expr.type.is(Scalar::int64) && !expr.type.is(Scalar::float64))
        put(":{}", type_text(expr.type));
}

void Printer::show(const Expr&, const Unary& n) {
    put("({} ", n.op == UnaryOp::Not ? "not" : info(n.op).python);
    expression(*n.operand);
    text += ')';
}

void Printer::infix(const Expr& lhs, std::string_view op, const Expr& rhs) {
    text += '(';
    expression(lhs);
    put(" {} ", op);
    expression(rhs);
    text += ')';
}

void Printer::show(const Expr&, const Binary& n) {
    const BinaryOperator& op = info(n.op);
    infix(*n.lhs, op.python.empty() ? op.name : op.python, *n.rhs);
}

void Printer::show(const Expr& expr, const Convert& n) {
    const std::string type = type_text(expr.type);
    text += expr.type.is_scalar() ? type : fmt::format("convert<{}>", type);
    text += '(';
    expression(*n.operand);
    text += ')';
}

void Printer::show(const Expr&, const Select& n) {
    text += '(';
    expression(*n.then);
    text += " if ";
    expression(*n.condition);
    text += " else ";
    expression(*n.otherwise);
    text += ')';
}

void Printer::list(const std::vector<ExprPtr>& exprs) {
    for (size_t i = 0; i < exprs.size(); ++i) {
        if (i) text += ", ";
        expression(*exprs[i]);
    }
}

void Printer::show(const Expr& expr, const BuiltinCall& n) {
    put("@{}", n.builtin->name);
    if (!n.args.empty()) {
        text += '(';
        list(n.args);
        text += ')';
    }
    put(":{}", type_text(expr.type));
}

void Printer::show(const Expr&, const Call& n) {
    put("call {}(", symbol(n.callee));
    list(n.args);
    text += ')';
}

void Printer::show(const Expr&, const MakeTuple& n) {
    text += "tuple(";
    list(n.elements);
    text += ')';
}

void Printer::show(const Expr&, const TupleItem& n) {
    text += "item(";
    expression(*n.tuple);
    put(", {})", n.index);
}

void Printer::show(const Expr&, const TupleAt& n) {
    text += "at(";
    expression(*n.tuple);
    text += ", ";
    expression(*n.index);
    text += ')';
}

void Printer::subscript(const Index& index) {
    if (index.wraps) text += "wrap ";
    expression(*index.value);
}

void Printer::slice_part(const ExprPtr& part) {
    if (part) return expression(*part);
    text += '_';
}

void Printer::subscript(const SliceOf& slice) {
    text += "slice(";
    slice_part(slice.start);
    text += ", ";
    slice_part(slice.stop);
    text += ", ";
    slice_part(slice.step);
    text += ')';
}

void Printer::element(const Expr& array, const std::vector<Index>& indices) {
    expression(array);
    text += '[';
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i) text += ", ";
        subscript(indices[i]);
    }
    text += ']';
}

void Printer::show(const Expr&, const ElementRef& n) {
    text += "ref(";
    expression(*n.array);
    for (const Index& index : n.indices) {
        text += ", ";
        subscript(index);
    }
    text += ')';
}

void Printer::show(const Expr& expr, const View& n) {
    put("view<{}>(", type_text(expr.type));
    expression(*n.array);
    for (const Subscript& part : n.subscripts) {
        text += ", ";
        std::visit([&](const auto& s) { subscript(s); }, part);
    }
    text += ')';
}

void Printer::show(const Expr& expr, const Transpose& n) {
    put("transpose<{}>(", type_text(expr.type));
    expression(*n.array);
    text += ')';
}

void Printer::show(const Expr&, const ShapeOf& n) {
    text += "shape(";
    expression(*n.array);
    put(", {})", n.axis);
}

void Printer::field(const Expr& record, uint32_t index) {
    text += "field(";
    expression(record);
    put(", {})", index);
}

void Printer::show(const Expr&, const FieldsOf& n) {
    text += "fields(";
    expression(*n.array);
    put(", {})", n.field);
}

void Printer::show(const Expr&, const SizeOf& n) {
    text += "size(";
    expression(*n.array);
    text += ')';
}

}  // namespace pyk::ir
