// Expressions → text.
#pragma once

#include <string>

#include "emit/scope.h"
#include "emit/text.h"

namespace pyk::emitter {

/// What stands under conversions.
const ir::Expr& unwrapped(const ir::Expr& expr);

class Expressions {
  public:
    explicit Expressions(const FunctionScope& scope) : scope_(scope) {}

    /// In its shortest form: see Text.
    Text text(const ir::Expr& expr) const;
    /// Where C++ converts to the expression's type by itself: initialisations, assignments, arguments of typed
    /// parameters.
    std::string value(const ir::Expr& expr) const { return held(expr.type, text(expr)).text; }
    /// A record itself, not a pointer to it: where it is copied.
    std::string copied(const ir::Expr& expr) const { return text(expr).text; }
    /// Of exactly the expression's type: arguments of overloaded functions.
    std::string exact(const ir::Expr& expr) const { return exactly(expr.type, held(expr.type, text(expr))).text; }
    /// Where it is kept: an array with what holds its memory, in modules that make arrays; else as `value`. `is_typed`:
    /// C++ converts to what is wanted.
    std::string kept(const ir::Expr& expr, bool is_typed = false) const;
    /// In an `if` or `while`.
    std::string condition(const ir::Expr& expr) const { return as_condition(text(expr)).text; }
    /// An element as a place that can be assigned.
    std::string place(const ir::Expr& array, const std::vector<ir::Index>& indices) const;
    /// A record's field as a place that can be assigned.
    std::string place(const ir::Expr& record, size_t field) const;
    /// Whether accesses of a place of that type, in an array or in a record, are watched for races.
    bool is_watched(const ir::Expr& holder, Type type) const;
    /// A store to such a place, as a statement.
    std::string watched_store(const ir::Expr& holder, Span span, const std::string& place, const ir::Expr& value) const;

    /// The operator stands between its operands.
    bool is_infix(const ir::Binary& n) const;
    /// Of `n`, which is the node of `expr`. In debug code a divisor is looked at before it divides.
    Text right_operand(const ir::Expr& expr, const ir::Binary& n) const;

  private:
    Text show(const ir::Expr& expr, const ir::Constant& n) const { return literal(n.value, expr.type, expr.span); }
    Text show(const ir::Expr& expr, const ir::ConstantRef& n) const;
    Text show(const ir::Expr& expr, const ir::LocalRef& n) const;
    Text show(const ir::Expr& expr, const ir::Unary& n) const;
    Text show(const ir::Expr& expr, const ir::Binary& n) const;
    Text show(const ir::Expr& expr, const ir::Logical& n) const;
    Text show(const ir::Expr& expr, const ir::Convert& n) const;
    Text show(const ir::Expr& expr, const ir::Select& n) const;
    Text show(const ir::Expr& expr, const ir::BuiltinCall& n) const;
    std::string spelled(const Builtin& builtin, std::span<const std::string> args, const CallContext& call) const;
    Text show(const ir::Expr& expr, const ir::Call& n) const;
    Text show(const ir::Expr& expr, const ir::MakeTuple& n) const;
    Text show(const ir::Expr& expr, const ir::TupleItem& n) const;
    Text show(const ir::Expr& expr, const ir::TupleAt& n) const;
    Text show(const ir::Expr& expr, const ir::Element& n) const;
    Text show(const ir::Expr& expr, const ir::ElementRef& n) const;
    Text show(const ir::Expr& expr, const ir::View& n) const;
    Text show(const ir::Expr& expr, const ir::Transpose& n) const;
    Text show(const ir::Expr& expr, const ir::ShapeOf& n) const;
    Text show(const ir::Expr& expr, const ir::SizeOf& n) const;
    Text show(const ir::Expr& expr, const ir::RecordField& n) const;
    Text show(const ir::Expr& expr, const ir::FieldsOf& n) const;

    static std::string characters(const ir::MakeTuple& text);
    static Text held(Type type, Text text);
    static Text pointed_to(const ir::Expr& expr, std::string text);
    static const Field* array_field(const ir::Expr& expr);
    bool is_read(const ir::Expr& array) const;
    bool is_const(const ir::Expr& array) const;
    const std::vector<int64_t>* plain_shape(const ir::Expr& array) const;
    const std::string& plain_name(const ir::Expr& array) const;
    std::string extent(const ir::Expr& array, size_t axis) const;
    Text typed_extent(const ir::Expr& array, size_t axis, Type type) const;
    std::string same_value(const ir::Expr& expr) const;
    std::string watched_read(const ir::Expr& holder, const ir::Expr& read, std::string place) const;
    std::string argument(const Builtin& builtin, const ir::Expr& arg) const;
    const ir::Expr* watched_atomic(const ir::BuiltinCall& call) const;
    std::string watched_atomic(const ir::Expr& place, const std::string& call) const;
    std::string watched(std::string_view format, const ir::Expr& holder, Span span, const std::string& place,
                        std::string_view rest) const;
    std::string first_of(const ir::Expr& holder) const;
    std::string index(const ir::Expr& array, size_t axis, const ir::Index& index) const;
    std::string index(const std::string& extent, std::string_view array, size_t axis, const ir::Index& index) const;
    std::string place(const ir::FieldsOf& fields, const std::vector<ir::Index>& indices) const;
    std::string subscript(const ir::Expr& array, size_t axis, const ir::Subscript& subscript) const;
    std::string slice(const ir::SliceOf& slice) const;
    Text converted_tuple(Type type, const ir::Expr& tuple) const;
    Text converted_items(Type type, const Text& tuple) const;
    Text converted_item(Type from, Type to, const Text& item) const;
    Text made_tuple(Type type, const std::string& elements) const;
    std::string function_name(const ir::Call& n) const;
    Text operator_call(const ir::Expr& expr, const ir::Binary& n) const;

    const FunctionScope& scope_;
};

}  // namespace pyk::emitter
