#include "module/constant.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "ir/build.h"
#include "module/const_arithmetic.h"
#include "module/const_numbers.h"
#include "module/const_time.h"
#include "module/host_values.h"
#include "types/small_float.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Complex = std::complex<double>;

bool fits(Int v, int64_t low, uint64_t high) { return v >= low && v <= static_cast<Int>(high); }

Type type_of_int(Int v) {
    if (fits(v, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max())) return Scalar::int64;
    if (fits(v, 0, std::numeric_limits<uint64_t>::max())) return Scalar::uint64;
    return {};
}

Int wrap(Int v, Type type) {
    const int bits = type.bits();
    const Int mask = (static_cast<Int>(1) << bits) - 1;
    Int low = v & mask;
    if (type.is_signed() && (low >> (bits - 1)) != 0) low -= mask + 1;
    return low;
}

}  // namespace

Const list_of(std::vector<Const> items) { return {std::make_shared<const ConstList>(ConstList{std::move(items)}), {}}; }

bool is_number(const Const& c) { return is_real(c) || c.as<Complex>(); }

Complex to_complex(const Const& c) { return as_complex(c); }

bool holds_array(const Const& c) {
    const auto* tuple = c.as<Const::Tuple>();
    return c.as<Const::Array>() || c.as<Const::Record>() || (tuple && std::ranges::any_of(*tuple, holds_array));
}

Type type_of(const Const& c) {
    if (c.typed) return c.typed;
    if (const auto* array = c.as<Const::Array>()) return (*array)->type;
    if (const auto* record = c.as<Const::Record>()) return record->array->type.element();
    if (c.as<bool>()) return Scalar::boolean;
    if (const Int* i = c.as<Int>()) return type_of_int(*i);
    if (c.as<double>()) return Scalar::float64;
    if (c.as<Complex>()) return Scalar::complex128;
    const Const::Tuple* tuple = c.as<Const::Tuple>();
    if (!tuple) return {};
    std::vector<Type> elements;
    for (const Const& element : *tuple) {
        elements.push_back(type_of(element));
        if (!elements.back()) return {};
    }
    return Type::tuple(elements);
}

std::variant<bool, int64_t, uint64_t, double> to_scalar(const Const& c) {
    const Type own = type_of(c);
    const Type type = own.is_distinct() ? Type(own.scalar()) : own;
    if (type.is_boolean()) return as_double(c) != 0;
    if (type.is_float()) return as_double(c);
    if (type.is_signed()) return static_cast<int64_t>(as_int(c));
    return static_cast<uint64_t>(as_int(c));
}

ir::ExprPtr to_expr(const Const& c, Span span) {
    if (const Const::Tuple* tuple = c.as<Const::Tuple>()) {
        ir::MakeTuple node;
        for (const Const& element : *tuple) node.elements.push_back(to_expr(element, span));
        return ir::make(type_of(c), span, std::move(node));
    }
    const Type type = type_of(c);
    if (!type.is_complex()) return ir::make(type, span, ir::Constant{to_scalar(c)});
    const Complex value = as_complex(c);
    std::vector<ir::ExprPtr> parts;
    parts.push_back(ir::floating(value.real(), type.component(), span));
    parts.push_back(ir::floating(value.imag(), type.component(), span));
    return ir::applied("pyk.complex", type, std::move(parts), span);
}

std::optional<int64_t> to_int(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    const Int* i = c.as<Int>();
    if (!i || !fits(*i, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(*i);
}

std::optional<Const> whole_number(const Const& c) {
    if (!is_real(c)) return std::nullopt;
    const double* d = c.as<double>();
    if (!d) return Const{as_int(c), {}};
    constexpr double kMost = 0x1p126;
    return std::fabs(*d) < kMost ? std::optional(Const{static_cast<Int>(*d), {}}) : std::nullopt;
}

bool truth(const Const& c) {
    if (c.typed.is_distinct() && !is_time(c)) return true;  // a member of an enumeration
    if (is_number(c)) return as_complex(c) != 0.0;
    if (const std::string* s = c.as<std::string>()) return !s->empty();
    if (const Const::List* list = c.as<Const::List>()) return !(*list)->items.empty();
    if (const Const::Dict* dict = c.as<Const::Dict>()) return !dict->keys.empty();
    if (const Const::Tuple* t = c.as<Const::Tuple>()) return !t->empty();
    return !c.as<Const::None>();
}

std::optional<Const> cast(const Const& c, Type type) {
    if (!is_number(c) || !type.is_scalar()) return std::nullopt;
    if (type.is_boolean()) return Const{as_complex(c) != 0.0, type};
    if (type.is(Scalar::complex64)) return Const{Complex(std::complex<float>(as_complex(c))), type};
    if (type.is_complex()) return Const{as_complex(c), type};
    if (!is_real(c)) return std::nullopt;
    if (type.is_float()) return Const{rounded(as_double(c), type), type};
    if (const double* d = c.as<double>()) {
        if (!(std::fabs(*d) < 1.8e19)) return std::nullopt;
        return Const{wrap(static_cast<Int>(*d), type), type};
    }
    return Const{wrap(as_int(c), type), type};
}

std::optional<Const> complex_of(const Const& real, const Const& imag) {
    if (!is_number(real) || !is_number(imag)) return std::nullopt;
    return Const{as_complex(real) + product(as_complex(imag), Complex(0, 1)), {}};
}

std::optional<Const> literal(const ast::Constant& constant) {
    return std::visit(
        [](const auto& v) -> std::optional<Const> {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, ast::NoneValue>)
                return Const{Const::None{}, {}};
            else if constexpr (std::is_same_v<T, bool>)
                return Const{v, {}};
            else if constexpr (std::is_same_v<T, double>)
                return Const{v, {}};
            else if constexpr (std::is_same_v<T, ast::ImaginaryValue>)
                return Const{Complex(0, v.value), {}};
            else if constexpr (std::is_same_v<T, ast::StrValue>)
                return Const{std::string(v.text), {}};
            else if constexpr (std::is_same_v<T, ast::BytesValue>)
                return bytes_of(v.bytes);
            else if constexpr (std::is_same_v<T, ast::IntValue>)
                return v.fits ? std::optional(Const{static_cast<Int>(v.value), {}}) : std::nullopt;
            else
                return std::nullopt;
        },
        constant.value);
}

}  // namespace pyk
