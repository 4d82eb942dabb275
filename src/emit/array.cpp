#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>

#include "emit/expression.h"
#include "emit/team.h"
#include "ir/build.h"
#include "ir/thread_end.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

/// The place of a literal index that counts from the end: `a.shape[0] - 2`, or the number where the extent is one.
std::string from_end(const std::string& extent, int64_t index) {
    int64_t number = 0;
    const bool is_number = std::from_chars(extent.data(), extent.data() + extent.size(), number).ec == std::errc();
    return is_number ? fmt::format("{}", number + index) : fmt::format("{} - {}", extent, -index);
}

}  // namespace

/// The shape of the shared, local or constant array that an expression names, where that is a plain C++ array.
const std::vector<int64_t>* Expressions::plain_shape(const ir::Expr& array) const {
    if (const auto* table = array.as<ir::ConstantRef>(); table && array.type.is_array()) {
        const ir::Table& of = *scope_.module.module.constants[static_cast<size_t>(table->id)].table;
        return of.bytes.empty() ? nullptr : &of.shape;
    }
    const auto* ref = array.as<ir::LocalRef>();
    if (!ref) return nullptr;
    const ir::Local& local = scope_.function.local(ref->id);
    return is_plain_array(local) ? &local.shape : nullptr;
}

const std::string& Expressions::plain_name(const ir::Expr& array) const {
    if (const auto* table = array.as<ir::ConstantRef>()) return scope_.module.constants[static_cast<size_t>(table->id)];
    return scope_.name(array.as<ir::LocalRef>()->id);
}

std::string Expressions::extent(const ir::Expr& array, size_t axis) const {
    if (const auto* table = array.as<ir::ConstantRef>())
        return fmt::format("{}", scope_.module.module.constants[static_cast<size_t>(table->id)].table->shape[axis]);
    if (const auto* shape = plain_shape(array)) return fmt::format("{}", (*shape)[axis]);
    if (const Field* field = array_field(array)) return fmt::format("{}", field->shape[axis]);
    return fmt::format(FMT_COMPILE("{}.shape[{}]"), at_least(kPrimary, text(array)), axis);
}

/// With the expression's value, in a C++ type that may be narrower.
std::string Expressions::same_value(const ir::Expr& expr) const {
    Text result = text(expr);
    return result.pending ? exactly(expr.type, std::move(result)).text : result.text;
}

std::string Expressions::index(const std::string& extent, std::string_view array, size_t axis,
                               const ir::Index& index) const {
    const std::string i = same_value(*index.value);
    if (scope_.module.options.check_bounds)
        return fmt::format(fmt::runtime(scope_.module.target.checked_index), fmt::arg("index", i),
                           fmt::arg("extent", extent), fmt::arg("array", array), fmt::arg("axis", axis),
                           fmt::arg("line", scope_.site_line(index.value->span.line())));
    if (!index.wraps) return i;
    const auto literal = ir::integer_value(*index.value);
    if (literal && *literal < 0 && *literal >= INT32_MIN) return from_end(extent, *literal);
    return fmt::format(FMT_COMPILE("pyk::wrap({}, {})"), i, extent);
}

std::string Expressions::index(const ir::Expr& array, size_t axis, const ir::Index& index) const {
    const auto* ref = array.as<ir::LocalRef>();
    const auto* table = array.as<ir::ConstantRef>();
    const bool needed = index.wraps || scope_.module.options.check_bounds;
    const std::string_view name = ref     ? std::string_view(scope_.function.local(ref->id).name)
                                  : table ? std::string_view(plain_name(array))
                                          : "array";
    return this->index(needed ? extent(array, axis) : "", name, axis, index);
}

/// `a(i).v[k]`: the array's indices first, then those of its records' field.
std::string Expressions::place(const ir::FieldsOf& fields, const std::vector<ir::Index>& indices) const {
    const Type array = fields.array->type;
    const Field& field = array.element().fields()[fields.field];
    const auto own = static_cast<size_t>(array.ndim());
    std::vector<ir::Index> outer;
    for (size_t axis = 0; axis < own; ++axis) outer.push_back(ir::clone(indices[axis]));
    std::string result = place(*fields.array, outer) + "." + member_name(array.element(), fields.field);
    for (size_t axis = own; axis < indices.size(); ++axis)
        result += "[" + index(fmt::format("{}", field.shape[axis - own]), "field", axis, indices[axis]) + "]";
    return result;
}

std::string Expressions::place(const ir::Expr& array, const std::vector<ir::Index>& indices) const {
    if (const auto* call = ir::call_of(array, "pyk.pointed"))
        return fmt::format("{}[{}]", at_least(kPrimary, text(*call->args[0])), same_value(*indices[0].value));
    if (const auto* fields = array.as<ir::FieldsOf>()) return place(*fields, indices);
    if (scope_.team && scope_.team->held_elements.contains(&indices))
        return held_item(scope_, array.as<ir::LocalRef>()->id);
    const bool plain = plain_shape(array) || array_field(array);
    std::string result = array_field(array)
                             ? place(*array.as<ir::RecordField>()->record, array.as<ir::RecordField>()->field)
                         : plain ? plain_name(array)
                                 : at_least(kPrimary, text(array)) + "(";
    for (size_t k = 0; k < indices.size(); ++k) {
        // A table of Fortran order is a C++ array of its transpose.
        const bool reversed = plain && array.type.layout() == Layout::F;
        const size_t axis = reversed ? indices.size() - 1 - k : k;
        const std::string i = index(array, axis, indices[axis]);
        result += plain ? "[" + i + "]" : (k ? ", " : "") + i;
    }
    return plain ? result : result + ")";
}

Text Expressions::show(const ir::Expr& expr, const ir::Element& n) const {
    return {watched_read(*n.array, expr, place(*n.array, n.indices)) + (n.array->type.aligned() ? "" : "()"), kPrimary,
            expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::ElementRef& n) const {
    return {place(*n.array, n.indices), kPrimary, expr.type};
}

std::string Expressions::slice(const ir::SliceOf& slice) const {
    const ir::ExprPtr* parts[] = {&slice.start, &slice.stop, &slice.step};
    const int count = slice.step ? 3 : slice.stop ? 2 : slice.start ? 1 : 0;
    std::string bounds;
    for (int i = 0; i < count; ++i) bounds += (i ? ", " : "") + (*parts[i] ? same_value(**parts[i]) : "pyk::none");
    return fmt::format("pyk::span{{{}}}", bounds);
}

std::string Expressions::subscript(const ir::Expr& array, size_t axis, const ir::Subscript& subscript) const {
    if (const auto* i = std::get_if<ir::Index>(&subscript)) return index(array, axis, *i);
    return slice(std::get<ir::SliceOf>(subscript));
}

/// `pyk::row(a, i)` for leading indices, `pyk::slice(a, pyk::span{1, n}, i)` in general.
Text Expressions::show(const ir::Expr& expr, const ir::View& n) const {
    static constexpr std::string_view kLayouts[] = {"<pyk::C>", "<pyk::F>", ""};
    const bool is_row = std::all_of(n.subscripts.begin(), n.subscripts.end(),
                                    [](const ir::Subscript& s) { return std::holds_alternative<ir::Index>(s); });
    std::string args = value(*n.array);
    for (size_t axis = 0; axis < n.subscripts.size(); ++axis)
        args += ", " + subscript(*n.array, axis, n.subscripts[axis]);
    if (is_row) return {fmt::format("pyk::row({})", args), kPrimary, expr.type};
    const std::string_view layout = kLayouts[static_cast<size_t>(expr.type.layout())];
    const std::string slice[] = {fmt::format("pyk::slice{}({})", layout, args)};
    if (!ir::may_step_by_zero(n)) return {slice[0], kPrimary, expr.type};
    return {spelled(*find_builtin("pyk.sliced"), slice, {{}, {}, expr.span.line()}), kPrimary, expr.type};
}

Text Expressions::show(const ir::Expr& expr, const ir::Transpose& n) const {
    return {fmt::format("pyk::transposed({})", value(*n.array)), kPrimary, expr.type};
}

/// Extents that are numbers, and those of arrays with places of 32 bits, are ints in C++.
Text Expressions::typed_extent(const ir::Expr& array, size_t axis, Type type) const {
    const auto* ref = array.as<ir::LocalRef>();
    const bool is_int =
        plain_shape(array) || array.as<ir::ConstantRef>() || array_field(array) || (ref && scope_.is_index32(ref->id));
    return {extent(array, axis), kPrimary, is_int ? Type(Scalar::int32) : type};
}

Text Expressions::show(const ir::Expr& expr, const ir::ShapeOf& n) const {
    return typed_extent(*n.array, n.axis, expr.type);
}

Text Expressions::show(const ir::Expr& expr, const ir::SizeOf& n) const {
    if (n.array->type.ndim() == 1) return typed_extent(*n.array, 0, expr.type);
    return {fmt::format("pyk::size({})", value(*n.array)), kPrimary, expr.type};
}

}  // namespace pyk::emitter
