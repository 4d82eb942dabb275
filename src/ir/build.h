// Making IR nodes.
#pragma once

#include "builtins/known.h"
#include "ir/constant.h"
#include "ir/ir.h"

namespace pyk::ir {

template <typename Node>
ExprPtr make(Type type, Span span, Node node) {
    return std::make_unique<Expr>(Expr{type, span, std::move(node)});
}

/// A deep copy.
ExprPtr clone(const Expr& expr);
Index clone(const Index& index);
std::vector<Index> clone(const std::vector<Index>& indices);
Block clone(const Block& block);

/// The same function once more.
Function clone(const Function& function);

ExprPtr boolean(bool value, Span span = {});
/// An integer constant of an integer type.
ExprPtr integer(int64_t value, Type type, Span span = {});
ExprPtr floating(double value, Type type, Span span = {});
ExprPtr local(const Function& function, LocalId id, Span span = {});
/// `value` itself when it already has the type; a constant is converted here and now.
ExprPtr convert(ExprPtr value, Type type);
/// A MakeTuple of the same items, each as the type's element.
ExprPtr convert_items(ExprPtr made, Type type);
/// A call of a builtin of our own that gives what has its argument's type: `pyk.square`.
ExprPtr applied(BuiltinName builtin, ExprPtr argument);
/// One that gives a `type`.
ExprPtr applied(BuiltinName builtin, Type type, std::vector<ExprPtr> args, Span span = {});
/// A node whose type follows from its operands'.
ExprPtr binary(BinaryOp op, ExprPtr lhs, ExprPtr rhs, Span span = {});
ExprPtr unary(UnaryOp op, ExprPtr operand, Span span = {});

/// Whether it is a part of an array by indices alone: `a[i]`, `a[i, j]`.
bool is_row(const Expr& place);
/// Indices of a row are behind those of the row itself, in the array it is of: `a[i][j]` is `a[i, j]`.
void index_array_of_row(ExprPtr& row, std::vector<Index>& indices);
void index_array_of_row(ExprPtr& row, std::vector<Subscript>& subscripts);

/// The type of `array.field` for an array of records; invalid when there is no such field.
Type fields_type(Type array, size_t field);

LocalId add_local(Function& function, Local local);
/// A value between two statements; the name is for readers.
LocalId add_temporary(Function& function, std::string name, Type type, Span span);
/// The next one.
LocalId add_parameter(Function& function, std::string name, Type type, Span span);

/// The value of an integer constant, when int64 holds it: a Constant or, with the module, a ConstantRef, a sum or a
/// product of those, or one in another type that holds it.
std::optional<int64_t> integer_value(const Expr& expr);
std::optional<int64_t> integer_value(const Module& module, const Expr& expr);

}  // namespace pyk::ir
