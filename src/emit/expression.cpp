#include "emit/expression.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

#include "ir/build.h"
#include "ir/walk.h"
#include "prelude_names.h"
#include "types/none.h"

namespace pyk::emitter {
namespace {

/// The prelude's function of an operator that is not C++'s.
std::string_view function_of(const ir::Binary& n, const Target& target) {
    const bool divides = n.op == BinaryOp::TruncDiv || n.op == BinaryOp::TruncMod;
    const ir::Expr& divisor = ir::without_conversions(*n.rhs);
    const bool is_constant = divisor.as<ir::Constant>() || divisor.as<ir::ConstantRef>();
    if (!divides || !target.divides_by_call || n.lhs->type != Type(Scalar::int64) || is_constant)
        return info(n.op).function;
    return n.op == BinaryOp::TruncDiv ? "pyk::positive_div" : "pyk::positive_mod";
}

/// `whole.member`, or `p->member` of `*p`.
std::string member_of(const Text& whole, std::string_view member) {
    if (whole.text.starts_with('*') && whole.precedence == kUnary)
        return fmt::format(FMT_COMPILE("{}->{}"), std::string_view(whole.text).substr(1), member);
    return fmt::format(FMT_COMPILE("{}.{}"), at_least(kPrimary, whole), member);
}

std::string item_of(Type tuple, const Text& whole, size_t index) {
    if (tuple.tuple_kind() == TupleKind::plain) return fmt::format("pyk::get<{}>({})", index, whole.text);
    return member_of(whole, member_name(tuple, index));
}

bool becomes_optional(Type from, Type to) { return to.is_optional() && !from.is_optional(); }

/// What an array is, or is a view of: a local, a table of the module, what a call gives.
const ir::Expr& viewed_array(const ir::Expr& array) {
    if (array.as<ir::LocalRef>() || array.as<ir::ConstantRef>() || array.as<ir::Call>()) return array;
    const ir::Expr* viewed = nullptr;
    ir::for_each_child(array, [&](const ir::Expr& child) {
        if (!viewed && child.type.is_array()) viewed = &child;
    });
    return viewed ? viewed_array(*viewed) : array;
}

}  // namespace

const ir::Expr& unwrapped(const ir::Expr& expr) {
    const ir::Expr* inner = &expr;
    while (const auto* n = inner->as<ir::Convert>()) inner = n->operand.get();
    return *inner;
}

/// A record where it is held: its address.
Text Expressions::held(Type type, Text text) {
    if (!type.is_record()) return text;
    if (text.text.starts_with('*') && text.precedence == kUnary) return {text.text.substr(1), kPrimary, type};
    return {"&" + at_least(kUnary, std::move(text)), kUnary, type};
}

/// What a text gives that holds a value of the expression's type: of records it is a pointer.
Text Expressions::pointed_to(const ir::Expr& expr, std::string text) {
    if (!expr.type.is_record()) return {std::move(text), kPrimary, expr.type};
    return {"*" + text, kUnary, expr.type};
}

const Field* Expressions::array_field(const ir::Expr& expr) {
    const auto* n = expr.as<ir::RecordField>();
    const Field* field = n ? &n->record->type.fields()[n->field] : nullptr;
    return field && !field->shape.empty() ? field : nullptr;
}

std::string Expressions::place(const ir::Expr& record, size_t field) const {
    return member_of(text(record), member_name(record.type, field));
}

Text Expressions::show(const ir::Expr& expr, const ir::RecordField& n) const {
    const std::string member = place(*n.record, n.field);
    if (array_field(expr)) return {fmt::format("pyk::view({})", member), kPrimary, expr.type};
    const bool packed = !expr.type.is_record() && !n.record->type.aligned() && expr.type.alignment() > 1;
    return {watched_read(*n.record, expr, member) + (packed ? "()" : ""), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::FieldsOf& n) const {
    const Type record = n.array->type.element();
    return {fmt::format("pyk::fields({}, &{}::{})", value(*n.array), scope_.module.types.name(record),
                        member_name(record, n.field)),
            kPrimary, expr.type};
}

Text Expressions::text(const ir::Expr& expr) const {
    Text result = std::visit([&](const auto& node) { return show(expr, node); }, expr.node);
    if (result.type && result.type.is_distinct()) result.type = result.type.scalar();
    return result;
}

Text Expressions::show(const ir::Expr& expr, const ir::ConstantRef& n) const {
    const std::string& name = scope_.module.constants[static_cast<size_t>(n.id)];
    if (!expr.type.is_array()) return {name, kPrimary, expr.type};
    if (!plain_shape(expr)) {
        const auto& shape = scope_.module.module.constants[static_cast<size_t>(n.id)].table->shape;
        return {
            fmt::format("{}{{nullptr, {{{}}}}}", scope_.module.types.const_array(expr.type), fmt::join(shape, ", ")),
            kPrimary, expr.type};
    }
    if (expr.type.ndim() == 0)
        return {fmt::format("{}{{&{}}}", scope_.module.types.const_array(expr.type), name), kPrimary, expr.type};
    const bool is_fortran = expr.type.layout() == Layout::F;
    const std::string view = fmt::format("pyk::view({})", name);
    return {is_fortran ? fmt::format("pyk::transposed({})", view) : view, kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::LocalRef& n) const {
    const std::string& name = scope_.name(n.id);
    if (plain_shape(expr)) return {fmt::format("pyk::view({})", name), kPrimary, expr.type};
    return scope_.takes_copy(n.id) ? Text{name, kPrimary, expr.type} : pointed_to(expr, name);
}

Text Expressions::show(const ir::Expr& expr, const ir::Unary& n) const {
    const Type type = n.operand->type;
    if (n.op == UnaryOp::Not || n.op == UnaryOp::Pos || expr.type == type) return unary(n.op, type, text(*n.operand));
    return convert(type, expr.type, unary(n.op, type, text(*n.operand)));
}

Text Expressions::show(const ir::Expr& expr, const ir::Binary& n) const {
    if (!is_infix(n)) return operator_call(expr, n);
    // Long sums need no deep recursion.
    const ir::Expr* first = &expr;
    std::vector<const ir::Expr*> links;
    for (const auto* link = &n; link && is_infix(*link); link = first->as<ir::Binary>()) {
        links.push_back(first);
        first = link->lhs.get();
    }
    Text result = text(*first);
    for (const ir::Expr* link : links | std::views::reverse) {
        const auto& binary_node = *link->as<ir::Binary>();
        result = binary(binary_node.op, binary_node.lhs->type, std::move(result), right_operand(*link, binary_node));
    }
    return result;
}

bool Expressions::is_infix(const ir::Binary& n) const { return function_of(n, scope_.module.target).empty(); }

Text Expressions::operator_call(const ir::Expr& expr, const ir::Binary& n) const {
    return {fmt::format(FMT_COMPILE("{}({}, {})"), function_of(n, scope_.module.target), exact(*n.lhs),
                        exactly(n.rhs->type, right_operand(expr, n)).text),
            kPrimary, expr.type};
}

Text Expressions::right_operand(const ir::Expr& expr, const ir::Binary& n) const {
    if (!checks_divisor(scope_.module, n)) return text(*n.rhs);
    const std::string_view thread = scope_.module.target.thread_arg;
    return {fmt::format("pyk::divisor({}{}{}, {})", thread, thread.empty() ? "" : ", ", exact(*n.rhs),
                        scope_.site_line(expr.span.line())),
            kPrimary, n.rhs->type};
}

Text Expressions::show(const ir::Expr&, const ir::Logical& n) const {
    return logical(n.is_and, text(*n.lhs), text(*n.rhs));
}

Text Expressions::made_tuple(Type type, const std::string& elements) const {
    if (type.tuple_kind() == TupleKind::plain) return {fmt::format("pyk::make_tuple({})", elements), kPrimary, type};
    const std::string name = scope_.module.types.name(type);
    if (!type.is_vector() && type.tuple_kind() != TupleKind::dim3)
        return {fmt::format("{}{{{}}}", name, elements), kPrimary, type};
    const bool qualified = name.starts_with("pyk::");
    return {fmt::format("{}make_{}({})", qualified ? "pyk::" : "", name.substr(qualified ? 5 : 0), elements), kPrimary,
            type};
}

/// Element by element.
Text Expressions::converted_tuple(Type type, const ir::Expr& tuple) const {
    const auto* made = tuple.as<ir::MakeTuple>();
    if (!made || tuple.type == type) return converted_items(type, text(tuple));
    std::string elements;
    for (size_t i = 0; i < type.size(); ++i) {
        const ir::Expr& element = *made->elements[i];
        const Type to = type.elements()[i];
        if (to.is_array()) {
            elements += (i ? ", " : "") + kept(element);
            continue;
        }
        const bool is_tuple = to.is_tuple() && !becomes_optional(element.type, to);
        const Text item = is_tuple ? converted_tuple(to, element) : converted_item(element.type, to, text(element));
        elements += (i ? ", " : "") + exactly(to, item).text;
    }
    return made_tuple(type, elements);
}

/// Of a tuple that is at hand.
Text Expressions::converted_items(Type type, const Text& tuple) const {
    if (tuple.type == type) return tuple;
    std::string elements;
    for (size_t i = 0; i < type.size(); ++i) {
        const Type from = tuple.type.elements()[i], to = type.elements()[i];
        const Text item{item_of(tuple.type, tuple, i), kPrimary, from};
        elements += (i ? ", " : "") + exactly(to, converted_item(from, to, item)).text;
    }
    return made_tuple(type, elements);
}

/// An element that is at hand, which may become an Optional.
Text Expressions::converted_item(Type from, Type to, const Text& item) const {
    if (!becomes_optional(from, to)) return to.is_tuple() ? converted_items(to, item) : convert(from, to, item);
    if (is_none_value(from)) return made_tuple(to, "");
    const Type held = to.elements()[1];
    return made_tuple(to, "true, " + exactly(held, converted_item(from, held, item)).text);
}

Text Expressions::show(const ir::Expr& expr, const ir::Convert& n) const {
    if (expr.type.is_tuple() && expr.type != n.operand->type) return converted_tuple(expr.type, *n.operand);
    Text converted = convert(n.operand->type, expr.type, text(*n.operand));
    // A number that the type holds is that number in any type, by its name too.
    if (ir::integer_value(scope_.module.module, expr)) converted.pending = false;
    return converted;
}

/// Whether nothing writes through an array, so that it may be one of const elements in C++.
bool Expressions::is_read(const ir::Expr& array) const {
    const auto* root = viewed_array(array).as<ir::LocalRef>();
    return root ? scope_.reads_only(root->id) : array.type.readonly();
}

/// Whether it is one for sure: what else is only read may have the type of the array that it is a view of.
bool Expressions::is_const(const ir::Expr& array) const {
    const ir::Expr& root = viewed_array(array);
    const auto* ref = root.as<ir::LocalRef>();
    const bool is_parameter = ref && scope_.function.local(ref->id).storage == ir::Storage::parameter;
    return root.as<ir::ConstantRef>() || (is_parameter && is_read(array));
}

/// C++ chooses between arrays of one type: where one is only read and the other is written elsewhere, both are const.
Text Expressions::show(const ir::Expr& expr, const ir::Select& n) const {
    Text then = text(*n.then), otherwise = text(*n.otherwise);
    const bool may_differ = expr.type.is_array() && !scope_.module.makes_arrays;
    if (may_differ && (is_read(*n.then) || is_read(*n.otherwise)) && !(is_const(*n.then) && is_const(*n.otherwise)))
        for (Text* side : {&then, &otherwise})
            *side = {fmt::format("{}({})", scope_.module.types.const_array(expr.type), side->text), kPrimary,
                     expr.type};
    return select(expr.type, text(*n.condition), std::move(then), std::move(otherwise));
}

Text Expressions::show(const ir::Expr& expr, const ir::BuiltinCall& n) const {
    std::vector<std::string> args;
    const bool is_given = *n.builtin == "pyk.give";
    const ir::Expr* const atomic = watched_atomic(n);
    for (const ir::ExprPtr& arg : n.args)
        args.push_back(arg.get() == atomic            ? "pyk_at"
                       : is_given && arg != n.args[0] ? kept(*arg)
                                                      : argument(*n.builtin, *arg));
    const Target& target = scope_.module.target;
    const Type first = n.args.empty() ? Type() : n.args.front()->type;
    const bool other_type = target.spelled_types && n.builtin->spelled_type;
    const bool has_name = expr.type.is_scalar() || expr.type.is_vector();
    const std::string element = expr.type.is_array() ? scope_.module.types.name(expr.type.element())
                                : has_name           ? scope_.module.types.name(expr.type)
                                                     : "";
    const CallContext call{first, element, expr.span.line()};
    std::string text = spelled(*n.builtin, args, call);
    if (atomic) text = watched_atomic(*atomic, text);
    // An int of any value for true is a boolean only where C++ converts it.
    const bool pending = other_type && expr.type.is_boolean();
    return {std::move(text), kPrimary, other_type ? n.builtin->spelled_type : expr.type, pending};
}

std::string Expressions::spelled(const Builtin& builtin, std::span<const std::string> args,
                                 const CallContext& call) const {
    std::string spelling(row_for(scope_.module, builtin).spelling_for(scope_.module.target.id));
    if (const size_t line = spelling.find("{line}"); line != spelling.npos && scope_.facts().needs_site)
        spelling.replace(line, 6, kSiteLine);
    return spell(spelling, args, call);
}

/// With its namespace where a function of the prelude has the name too, and would be found through an argument's type.
std::string Expressions::function_name(const ir::Call& n) const {
    const std::string& name = scope_.module.function(n.callee).name;
    return prelude_part_of(name).empty() ? name : scope_.module.space + "::" + name;
}

Text Expressions::show(const ir::Expr& expr, const ir::Call& n) const {
    const FunctionFacts& callee = scope_.module.function(n.callee);
    std::string args(callee.needs_thread ? scope_.module.target.thread_arg : "");
    if (callee.needs_site) {
        const std::string file = scope_.file_text();
        args += fmt::format("{}{}, {}", args.empty() ? "" : ", ", scope_.line_text(expr.span.line()),
                            file.empty() ? "\"\"" : file);
    }
    for (const ir::ExprPtr& arg : n.args) args += (args.empty() ? "" : ", ") + kept(*arg, true);
    return pointed_to(expr, fmt::format(FMT_COMPILE("{}({})"), function_name(n), args));
}

/// What a text is made of: `{{'a', 'b', 0}}`.
std::string Expressions::characters(const ir::MakeTuple& text) {
    std::string codes;
    for (const ir::ExprPtr& element : text.elements) {
        const auto code = std::get<uint64_t>(element->as<ir::Constant>()->value);
        codes += (codes.empty() ? "" : ", ") + character(static_cast<uint32_t>(code), element->type);
    }
    return fmt::format("{{{{{}}}}}", codes);
}

/// Where some arrays of a tuple are only read, all are: `pyk::at` is of one type.
Text Expressions::show(const ir::Expr& expr, const ir::MakeTuple& n) const {
    if (expr.type.is_text()) return {scope_.module.types.name(expr.type) + characters(n), kPrimary, expr.type};
    const auto reads_array = [&](const ir::ExprPtr& e) { return e->type.is_array() && is_read(*e); };
    const bool reads = !scope_.module.makes_arrays && std::ranges::any_of(n.elements, reads_array);
    std::string elements;
    for (const ir::ExprPtr& element : n.elements) {
        const bool is_array = element->type.is_array();
        std::string text = is_array && scope_.module.makes_arrays ? kept(*element) : exact(*element);
        if (is_array && reads && !is_const(*element))
            text = fmt::format("{}({})", scope_.module.types.const_array(element->type), text);
        elements += (elements.empty() ? "" : ", ") + text;
    }
    return made_tuple(expr.type, elements);
}

Text Expressions::show(const ir::Expr& expr, const ir::TupleItem& n) const {
    return pointed_to(expr, item_of(n.tuple->type, text(*n.tuple), n.index));
}

Text Expressions::show(const ir::Expr& expr, const ir::TupleAt& n) const {
    const bool is_table = n.tuple->type.is_array();
    std::string tuple = is_table ? plain_name(*n.tuple) : value(*n.tuple);
    if (!is_table && n.tuple->type.tuple_kind() != TupleKind::plain) {
        const Text whole = text(*n.tuple);
        std::string items;
        for (size_t i = 0; i < n.tuple->type.size(); ++i) items += (i ? ", " : "") + item_of(n.tuple->type, whole, i);
        tuple = fmt::format("pyk::make_tuple({})", items);
    }
    const std::string args[] = {tuple, value(*n.index)};
    return pointed_to(expr, spelled(builtin("pyk.tuple_at"), args, {{}, {}, expr.span.line()}));
}

}  // namespace pyk::emitter
