#include "ir/verify_expr.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"
#include "ir/constant.h"
#include "ir/text.h"
#include "types/none.h"

namespace pyk::ir {
namespace {

bool is_number(Type type) { return type.is_scalar() && !type.is_boolean(); }
bool is_place(const Expr& expr) { return expr.as<ElementRef>() != nullptr; }

bool converts(Type from, Type to);

/// Elements of tuples may become Optionals.
bool element_converts(Type from, Type to) {
    if (from == to) return true;
    if (!to.is_optional() || from.is_optional()) return converts(from, to);
    return is_none_value(from) || element_converts(from, to.elements()[1]);
}

bool converts(Type from, Type to) {
    if (!from || !to) return false;
    if (from.is_complex() && to.is_scalar()) return to.is_complex() || to.is_boolean();
    const bool plain_from = from.is_scalar() || from.is_distinct(), plain_to = to.is_scalar() || to.is_distinct();
    if (plain_from && plain_to) return from.is_scalar() || to.is_scalar() || from == to;
    if (from.is_array() && to.is_array())
        return from.element() == to.element() && from.ndim() == to.ndim() &&
               (to.layout() == from.layout() || to.layout() == Layout::A) && (to.readonly() || !from.readonly());
    return from.is_tuple() && to.is_tuple() && std::ranges::equal(from.elements(), to.elements(), element_converts);
}

Layout transposed(Layout layout) {
    if (layout == Layout::A) return layout;
    return layout == Layout::C ? Layout::F : Layout::C;
}

class NodeVerifier {
  public:
    NodeVerifier(const Module& module, const Function& function, const Expr& expr,
                 const std::function<void(std::string)>& report)
        : module_(module), function_(function), expr_(expr), report_(report) {}

    void check(const Constant& n) { require(represents(n.value, expr_.type), "constant does not fit its type"); }
    void check(const ConstantRef& n);
    void check(const LocalRef& n);
    void check(const Unary& n);
    void check(const Binary& n);
    void check(const Logical& n);
    void check(const Convert& n);
    void check(const Select& n);
    void check(const BuiltinCall& n);
    void check(const Call& n);
    void check(const MakeTuple& n);
    void check(const TupleItem& n);
    void check(const TupleAt& n);
    void check(const Element& n);
    void check(const ElementRef& n);
    void check(const View& n);
    void check(const Transpose& n);
    void check(const ShapeOf& n);
    void check(const SizeOf& n);
    void check(const RecordField& n);
    void check(const FieldsOf& n);

  private:
    void require(bool holds, std::string_view what) {
        if (!holds) report_(std::string(what));
    }
    void type_is(Type type) {
        if (expr_.type != type)
            report_(fmt::format("node of type {} should have type {}", type_text(expr_.type), type_text(type)));
    }
    /// An array operand: reports and returns false when it is none.
    bool array(const Expr& operand) {
        const bool is_array = operand.type && operand.type.is_array();
        require(is_array, "operand is not an array");
        return is_array;
    }
    void arithmetic(const Binary& n);
    void shift(const Binary& n);
    void power(const Binary& n);
    void args_match(const BuiltinCall& n);

    const Module& module_;
    const Function& function_;
    const Expr& expr_;
    const std::function<void(std::string)>& report_;
};

void NodeVerifier::check(const ConstantRef& n) {
    const auto id = static_cast<size_t>(n.id);
    if (id >= module_.constants.size()) return report_("no such module constant");
    type_is(module_.constants[id].type);
}

void NodeVerifier::check(const LocalRef& n) {
    if (static_cast<size_t>(n.id) >= function_.locals.size()) return report_("no such local");
    type_is(function_.local(n.id).type);
}

void NodeVerifier::check(const Unary& n) {
    const Type type = n.operand->type;
    if (n.op == UnaryOp::Not) require(type.is_boolean(), "`not` needs a boolean");
    if (n.op == UnaryOp::Invert) require(type.is_boolean() || type.is_integer(), "`~` needs an integer or boolean");
    if (n.op == UnaryOp::Neg || n.op == UnaryOp::Pos) require(is_number(type), "sign needs a number");
    type_is(type);
}

void NodeVerifier::arithmetic(const Binary& n) {
    require(n.lhs->type == n.rhs->type, "operands differ in type");
    type_is(n.lhs->type);
}

void NodeVerifier::shift(const Binary& n) {
    require(n.lhs->type.is_integer() && n.rhs->type.is_integer(), "shift needs integers");
    type_is(n.lhs->type);
}

void NodeVerifier::power(const Binary& n) {
    require(is_number(n.lhs->type) && (n.rhs->type == n.lhs->type || n.rhs->type.is_integer()), "power needs numbers");
    type_is(n.lhs->type);
}

void NodeVerifier::check(const Binary& n) {
    const Type type = n.lhs->type;
    switch (n.op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod:
            require(is_number(type), "arithmetic needs numbers");
            return arithmetic(n);
        case BinaryOp::TrueDiv:
            require(type.is_float() || type.is_complex(), "`/` needs floats");
            return arithmetic(n);
        case BinaryOp::CDiv:
            require(type.is_float(), "C++ division of floats needs floats");
            return arithmetic(n);
        case BinaryOp::TruncDiv:
        case BinaryOp::TruncMod:
            require(type.is_integer(), "C++ division needs integers");
            return arithmetic(n);
        case BinaryOp::BitAnd:
        case BinaryOp::BitXor:
        case BinaryOp::BitOr:
            require(type.is_integer() || type.is_boolean(), "bit operator needs integers or booleans");
            return arithmetic(n);
        case BinaryOp::Shl:
        case BinaryOp::Shr:
        case BinaryOp::CShl:
        case BinaryOp::CShr:
            return shift(n);
        case BinaryOp::Pow:
            return power(n);
        case BinaryOp::Eq:
        case BinaryOp::Ne:
        case BinaryOp::Lt:
        case BinaryOp::Le:
        case BinaryOp::Gt:
        case BinaryOp::Ge:
            require(type.is_scalar() && type == n.rhs->type, "comparison needs scalars of one type");
            return type_is(Scalar::boolean);
    }
    report_("unknown operator");
}

void NodeVerifier::check(const Logical& n) {
    require(n.lhs->type.is_boolean() && n.rhs->type.is_boolean(), "`and`/`or` needs booleans");
    type_is(Scalar::boolean);
}

void NodeVerifier::check(const Convert& n) {
    if (!converts(n.operand->type, expr_.type))
        report_(fmt::format("no conversion from {} to {}", type_text(n.operand->type), type_text(expr_.type)));
}

void NodeVerifier::check(const Select& n) {
    require(n.condition->type.is_boolean(), "condition is not a boolean");
    require(n.then->type == n.otherwise->type, "branches differ in type");
    type_is(n.then->type);
}

/// Special builtins are typed by inference: there is no rule to check them by.
void NodeVerifier::args_match(const BuiltinCall& n) {
    if (n.builtin->special != Special::none) return;
    std::vector<Type> types;
    for (const ExprPtr& arg : n.args) types.push_back(arg->type);
    const auto resolution = resolve(*n.builtin, types);
    if (!resolution) return report_(fmt::format("no case of {} takes these arguments", n.builtin->name));
    require(resolution->operands == types, "builtin's arguments are not converted");
    type_is(resolution->result);
}

void NodeVerifier::check(const BuiltinCall& n) {
    if (!n.builtin) return report_("no builtin");
    for (size_t i = 0; i < n.args.size() && n.builtin->special == Special::none; ++i)
        require(is_ref(*n.builtin, i) == is_place(*n.args[i]),
                "an element reference is for `ref` parameters, and only for these");
    args_match(n);
}

void NodeVerifier::check(const Call& n) {
    const auto id = static_cast<size_t>(n.callee);
    if (id >= module_.functions.size()) return report_("no such function");
    const Function& callee = module_.functions[id];
    require(!callee.is_kernel, "kernels are not called");
    const bool fits = std::ranges::equal(n.args, callee.params, [&](const ExprPtr& arg, LocalId param) {
        return arg->type == callee.local(param).type;
    });
    require(fits, "arguments differ from the callee's parameters");
    type_is(callee.result);
}

void NodeVerifier::check(const MakeTuple& n) {
    if (expr_.type.is_optional() && n.elements.empty()) return;  // None
    if (expr_.type.is_text()) {
        require(n.elements.size() == expr_.type.count(), "not as many characters as the text has");
        return require(
            std::ranges::all_of(n.elements, [&](const ExprPtr& e) { return e->type == expr_.type.element(); }),
            "characters of another type");
    }
    const bool fits =
        expr_.type.is_tuple() &&
        std::ranges::equal(n.elements, expr_.type.elements(), [](const ExprPtr& e, Type t) { return e->type == t; });
    require(fits, "elements differ from the tuple's type");
}

void NodeVerifier::check(const TupleItem& n) {
    const Type type = n.tuple->type;
    if (!type.is_tuple() || n.index >= type.size()) return report_("no such tuple item");
    type_is(type.elements()[n.index]);
}

void NodeVerifier::check(const TupleAt& n) {
    const Type type = n.tuple->type;
    const bool is_table = n.tuple->as<ConstantRef>() && type.is_array() && type.ndim() == 1;
    if (!is_table && !type.is_uniform_tuple()) return report_("indexed tuple is not uniform");
    require(n.index->type.is_integer(), "index is not an integer");
    type_is(is_table ? type.element() : type.elements()[0]);
}

void NodeVerifier::check(const Element& n) {
    if (!array(*n.array)) return;
    verify_indices(*n.array, n.indices, report_);
    type_is(n.array->type.element());
}

void NodeVerifier::check(const ElementRef& n) {
    if (!array(*n.array)) return;
    verify_indices(*n.array, n.indices, report_);
    type_is(n.array->type.element());
}

void NodeVerifier::check(const View& n) {
    const Type type = expr_.type;
    if (!array(*n.array) || !type.is_array()) return report_("a view is of an array, and is one");
    int dropped = 0;
    for (const Subscript& subscript : n.subscripts) dropped += std::holds_alternative<Index>(subscript);
    require(static_cast<int>(n.subscripts.size()) <= n.array->type.ndim(), "more subscripts than axes");
    require(type.ndim() == n.array->type.ndim() - dropped, "view has the wrong number of axes");
    require(type.element() == n.array->type.element(), "view has other elements");
    require(type.readonly() || !n.array->type.readonly(), "view of a readonly array is not readonly");
}

void NodeVerifier::check(const Transpose& n) {
    if (!array(*n.array)) return;
    const Type from = n.array->type;
    const Layout layout = from.ndim() == 1 ? from.layout() : transposed(from.layout());
    type_is(Type::array(from.element(), from.ndim(), layout, from.readonly()));
}

void NodeVerifier::check(const ShapeOf& n) {
    if (!array(*n.array)) return;
    require(static_cast<int>(n.axis) < n.array->type.ndim(), "no such axis");
    type_is(Scalar::int64);
}

void NodeVerifier::check(const SizeOf& n) {
    if (array(*n.array)) type_is(Scalar::int64);
}

void NodeVerifier::check(const RecordField& n) {
    if (!n.record->type.is_record() || n.field >= n.record->type.fields().size()) return report_("no such field");
    type_is(n.record->type.field_type(n.field));
}

void NodeVerifier::check(const FieldsOf& n) {
    const Type type = fields_type(n.array->type, n.field);
    if (!type) return report_("no such field");
    type_is(type);
}

/// Subscripts are not expressions of their own: their parts are checked with the view.
void verify_subscripts(const View& view, const std::function<void(std::string)>& report) {
    auto integer = [&](const ExprPtr& part) {
        if (part && !part->type.is_integer()) report("subscript is not an integer");
    };
    for (const Subscript& subscript : view.subscripts) {
        if (const auto* index = std::get_if<Index>(&subscript)) {
            integer(index->value);
            continue;
        }
        const auto& slice = std::get<SliceOf>(subscript);
        for (const ExprPtr* part : {&slice.start, &slice.stop, &slice.step}) integer(*part);
    }
}

}  // namespace

void verify_indices(const Expr& array, const std::vector<Index>& indices,
                    const std::function<void(std::string)>& report) {
    if (static_cast<int>(indices.size()) != array.type.ndim()) report("not as many indices as axes");
    for (const Index& index : indices)
        if (!index.value->type.is_integer()) report("index is not an integer");
}

void verify_node(const Module& module, const Function& function, const Expr& expr,
                 const std::function<void(std::string)>& report) {
    if (!expr.type) return report("node has no type");
    NodeVerifier verifier(module, function, expr, report);
    std::visit([&](const auto& node) { verifier.check(node); }, expr.node);
    if (const auto* view = expr.as<View>()) verify_subscripts(*view, report);
}

}  // namespace pyk::ir
