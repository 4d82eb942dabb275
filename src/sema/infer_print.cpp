// `print`: a format of printf's and its values; f-strings.
#include <algorithm>

#include "module/formatted_text.h"
#include "module/free_names.h"
#include "sema/infer.h"
#include "types/none.h"

namespace pyk {
namespace {

constexpr size_t kMostPrinted = 32;  ///< CUDA's printf takes no more

// For printf: a percent sign is doubled.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) result += c == '%' ? std::string("%%") : std::string(1, c);
    return result;
}

}  // namespace

// Where no name of the function's is in it.
std::optional<Const> Inference::known_of_module(const ast::Expr& expr) const {
    bool has_own = false;
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& part) {
        const auto* name = part.as<ast::Name>();
        has_own = has_own || (name && names_.index(name->id)) || part.as<ast::Lambda>();
        for_each_host_child(part, look);
    };
    look(expr);
    return has_own ? std::nullopt : scope_.constant(expr);
}

std::optional<std::string> Inference::known_formatted(const ast::JoinedStr& node) const {
    return formatted_text(node, [this](const ast::Expr& value) { return known_of_module(value); });
}

// One item of Numba's format: integers in decimal, floats as `%f`, tuples in parentheses. For functions of the host
// floats and complex numbers are as Python writes them (print_line.h).
bool Inference::print_item(Value value, ir::Print& print, ir::Block& out) {
    const auto add = [&](Value number, std::string_view format, Type type) {
        print.format += format;
        print.values.push_back(ir::convert(std::move(number.expr), type));
    };
    if (value.is_unknown()) return false;
    const bool is_for_host = instance_.has_cpu_types && specializer_.can_allocate();
    const Const* known = value.entity ? std::get_if<Const>(&*value.entity) : nullptr;
    if (known && known->as<std::string>()) {
        print.format += escaped(*known->as<std::string>());
        return true;
    }
    if (is_for_host && (is_none(value.entity) || is_none_value(value.type))) {
        print.format += "None";
        return true;
    }
    materialize(value);
    if (!needs_value(value, value.span)) return false;
    const Type type = value.type;
    if (type.is_boolean()) {
        add(std::move(value), "%s", type);
    } else if (type.is_integer()) {
        add(std::move(value), type.is_signed() ? "%lld" : "%llu", type.is_signed() ? Scalar::int64 : Scalar::uint64);
    } else if (type.is_float()) {
        add(std::move(value), is_for_host ? "%g" : "%f", Scalar::float64);
    } else if (type.is_complex() && is_for_host) {
        if (!value.is_trivial()) value = spill(std::move(value), "value", out);
        add(number_part(duplicate(value), true, value.span), "%c", Scalar::float64);
        add(number_part(duplicate(value), false, value.span), "", Scalar::float64);
    } else if (is_sequence(type) || is_structure(type) || type == dim3_type()) {
        const bool is_struct = is_structure(type);
        if (is_struct) print.format += type.tuple_name();
        print.format += "(";
        const size_t count = type.size();
        size_t i = 0;
        for (Value& item : elements(std::move(value), out)) {
            if (is_struct) print.format += std::string(type.element_names()[i]) + "=";
            if (!print_item(std::move(item), print, out)) return false;
            print.format += ++i < count ? ", " : count == 1 && !is_struct ? ",)" : ")";
        }
        if (count == 0) print.format += ")";
    } else if (type.is_array()) {
        error(diag::unsupported_syntax, value.span, "arrays in `print`", "print their elements");
        return false;
    } else {
        error(diag::no_overload, value.span, "print", std::string_view(type.name()));
        return false;
    }
    return true;
}

// `{value:>8.3f}` of what the run knows.
bool Inference::print_number(Value value, std::string_view specification, ir::Print& print) {
    materialize(value);
    if (!needs_value(value, value.span)) return false;
    const Type type = value.type;
    const bool is_integer = type.is_integer() || type.is_boolean();
    const bool is_signed = type.is_boolean() || (type.is_integer() && type.is_signed());
    const auto made =
        is_integer || type.is_float() ? printed_number(specification, is_integer, is_signed) : std::nullopt;
    if (!made) {
        const bool is_of_bits = is_signed && specification.find_first_of("xXo") != std::string_view::npos;
        error(diag::unsupported_syntax, value.span,
              fmt::format("values of type {} that are written as `:{}`", type.name(), specification),
              is_of_bits ? "`x` and `o` are for unsigned integers: write `uint64(…)` around it"
                         : "there are widths, signs, `<`, `>`, zeros, and the types d, x, o, f, e and g");
        return false;
    }
    print.format += made->format;
    const Scalar number = made->as_float || type.is_float() ? Scalar::float64
                          : is_signed                       ? Scalar::int64
                                                            : Scalar::uint64;
    print.values.push_back(ir::convert(std::move(value.expr), number));
    return true;
}

bool Inference::print_field(Value value, const ast::FormattedValue& field, ir::Print& print, ir::Block& out) {
    if (value.is_unknown()) return false;
    const auto specification =
        field.format_spec ? known_formatted(*field.format_spec->as<ast::JoinedStr>()) : std::string();
    const Const* text = value.entity ? std::get_if<Const>(&*value.entity) : nullptr;
    const Const* known = text ? text : value.constant ? &*value.constant : nullptr;
    // A number is as `print` writes it.
    if (specification && specification->empty() && !(field.conversion && text))
        return print_item(std::move(value), print, out);
    if (const auto made =
            known && specification ? formatted_value(*known, field.conversion, *specification) : std::nullopt) {
        print.format += escaped(*made);
        return true;
    }
    if (specification && !field.conversion) return print_number(std::move(value), *specification, print);
    error(diag::unsupported_syntax, field.value->span,
          "fields of f-strings with a specification that is not known, or with a conversion too,",
          "write the specification out, without `!r`");
    return false;
}

// What `print` is given, in order: values, with the text in front of each, and the fields of f-strings that they are
// of.
std::vector<Inference::Printed> Inference::printed(const CallSite& site) {
    std::vector<Printed> parts;
    std::vector<Value> values;
    std::string text;
    bool is_first = true;
    const auto separate = [&] { text += std::exchange(is_first, false) ? "" : " "; };
    const auto add = [&](const ast::ExprRef& expr, const ast::FormattedValue* field) {
        const size_t before = site.out.size();
        std::vector<Value> items = lower_list({&expr, 1}, site.out);
        keep(values, before, site.out);
        for (Value& item : items) {
            if (!field) separate();
            values.push_back(std::move(item));
            parts.push_back({std::exchange(text, {}), {}, field});
        }
    };
    for (const ast::ExprRef& arg : site.node.args) {
        const auto* joined = arg->as<ast::JoinedStr>();
        if (!joined) {
            add(arg, nullptr);
            continue;
        }
        separate();
        for (const ast::ExprRef& part : joined->values) {
            if (const auto known = known_formatted({{&part, 1}}))
                text += escaped(*known);
            else
                add(part->as<ast::FormattedValue>()->value, part->as<ast::FormattedValue>());
        }
    }
    for (size_t i = 0; i < values.size(); ++i)
        parts[i].value = any(values[i].effects) ? spill(std::move(values[i]), "value", site.out) : std::move(values[i]);
    parts.push_back({std::move(text), {}, nullptr});
    return parts;
}

Value Inference::special_print(const CallSite& site) {
    Value nothing;
    nothing.span = site.span;
    for (const ast::Keyword& keyword : site.node.keywords)
        return error(diag::no_keywords, keyword.span, site.builtin.name);
    ir::Print print;
    std::vector<Printed> parts = printed(site);
    for (Printed& part : parts) {
        print.format += part.text;
        if (&part == &parts.back()) break;
        const bool done = part.field ? print_field(std::move(part.value), *part.field, print, site.out)
                                     : print_item(std::move(part.value), print, site.out);
        if (!done) return nothing;
    }
    if (print.values.size() > kMostPrinted)
        return error(diag::too_many_printed, site.span, static_cast<int>(kMostPrinted));
    site.out.push_back({statement_, std::move(print)});
    nothing.entity = Const{Const::None{}, {}};
    return nothing;
}

}  // namespace pyk
