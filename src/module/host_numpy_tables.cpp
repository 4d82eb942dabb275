// NumPy's functions of the host's code that compute tables: filters, windows, polynomials, sorted orders.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "module/const_numbers.h"
#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Result = std::optional<Const>;
using Args = HostArguments;
using Numbers = std::vector<double>;

/// The elements of an array of one axis, or of all axes.
std::optional<std::vector<Const>> items(const Const& value, bool is_vector = true) {
    const Const::Array array = array_of(value);
    if (!array || (is_vector && array->table.shape.size() != 1)) return std::nullopt;
    return elements(*array);
}

std::optional<Numbers> numbers(const Const& value, bool is_vector = true) {
    const auto found = items(value, is_vector);
    if (!found) return std::nullopt;
    Numbers result;
    for (const Const& one : *found) {
        if (one.as<std::complex<double>>()) return std::nullopt;
        result.push_back(to_complex(one).real());
    }
    return result;
}

template <typename Number>
Result vector_of_numbers(const std::vector<Number>& numbers, Type element) {
    std::vector<Const> values;
    for (const Number number : numbers) {
        if constexpr (std::is_floating_point_v<Number>)
            values.push_back({static_cast<double>(number), element});
        else
            values.push_back({Int(number), element});
    }
    return vector_of(values, element);
}

/// A function of a number, of each element of an array. `keeps`: integers stay integers.
Result each(const Const& value, const std::function<double(double)>& function, bool keeps = false) {
    const Const::Array array = items_of(value) || value.as<Const::Array>() ? array_of(value) : nullptr;
    const Const operand = array ? Const{array, {}} : value;
    return elementwise({&operand, 1}, [&](std::span<const Const> v) -> Result {
        if (!is_number(v[0]) || v[0].as<std::complex<double>>()) return std::nullopt;
        const Type own = type_of(v[0]);
        return cast(Const{function(to_complex(v[0]).real()), {}},
                    own.is_float() || keeps ? own : Type(Scalar::float64));
    });
}

// --- filters ---
/// Σ x[i] y[n - i]; `mode`: full, same or valid.
Result convolved(const Args& a, bool turns) {
    auto x = items(a[0]), y = items(a[1]);
    if (!x || !y || x->empty() || y->empty()) return std::nullopt;
    const auto* word = a.has(2) ? a[2].as<std::string>() : nullptr;
    const std::string mode = word ? *word : turns ? "valid" : "full";
    if (turns) std::ranges::reverse(*y);
    const size_t most = std::max(x->size(), y->size()), least = std::min(x->size(), y->size());
    std::vector<Const> all;
    for (size_t n = 0; n + 1 < x->size() + y->size(); ++n) {
        Result total;
        for (size_t i = n < y->size() ? 0 : n - y->size() + 1; i < x->size() && i <= n; ++i) {
            const Result term = apply(ast::BinaryOp::Mult, (*x)[i], (*y)[n - i]);
            total = term && total ? apply(ast::BinaryOp::Add, *total, *term) : term;
            if (!total) return std::nullopt;
        }
        all.push_back(*total);
    }
    if (mode == "full") return vector_of(all);
    if (mode != "same" && mode != "valid") return std::nullopt;
    // A correlation's longer operand is the second one where that is longer: its middle lies on the other side.
    const bool rounds_up = turns && y->size() > x->size();
    const size_t first = mode == "valid" ? least - 1 : (least - (rounds_up ? 0 : 1)) / 2;
    return vector_of(std::span(all).subspan(first, mode == "valid" ? most - least + 1 : most));
}

// --- sequences of numbers ---
Result powers(const Args& a, bool from_ends) {
    const bool is_numbers = is_number(a[0]) && is_number(a[1]);
    const auto length = a.has(2) ? to_int(a[2]) : std::optional<int64_t>(50);
    const double first = is_numbers ? to_complex(a[0]).real() : 0, last = is_numbers ? to_complex(a[1]).real() : 0;
    const bool has_end = !a.has(3) || truth(a[3]);
    const double base = !from_ends && a.has(4) ? to_complex(a[4]).real() : 10.0;
    if (!is_numbers || !length || *length < 0 || (from_ends && !(first * last > 0))) return std::nullopt;
    const double low = from_ends ? std::log10(std::fabs(first)) : first;
    const double high = from_ends ? std::log10(std::fabs(last)) : last;
    const auto steps = static_cast<double>(std::max<int64_t>(*length - (has_end ? 1 : 0), 1));
    Numbers values;
    for (int64_t i = 0; i < *length; ++i) {
        const double exponent =
            i + 1 == *length && has_end && i > 0 ? high : low + static_cast<double>(i) * ((high - low) / steps);
        values.push_back(std::pow(base, exponent) * (from_ends && first < 0 ? -1.0 : 1.0));
    }
    if (from_ends && !values.empty()) values.front() = first;
    if (from_ends && has_end && values.size() > 1) values.back() = last;
    return vector_of_numbers(values, Scalar::float64);
}

Result frequencies(const Args& a, bool is_half) {
    const auto n = to_int(a[0]);
    const double spacing = a.has(1) ? to_complex(a[1]).real() : 1.0;
    if (!n || *n < 1 || *n > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    const double step = 1.0 / (static_cast<double>(*n) * spacing);
    Numbers values;
    for (int64_t i = 0; i < (is_half ? *n / 2 + 1 : *n); ++i)
        values.push_back(static_cast<double>(is_half || i < (*n + 1) / 2 ? i : i - *n) * step);
    return vector_of_numbers(values, Scalar::float64);
}

Result vandermonde(const Args& a) {
    const auto x = items(a[0]);
    const auto columns = x && a.has(1) ? to_int(a[1]) : std::optional(static_cast<int64_t>(x ? x->size() : 0));
    const bool rises = a.has(2) && truth(a[2]);
    if (!x || x->empty() || !columns || *columns < 1) return std::nullopt;
    std::vector<Const> all;
    for (const Const& one : *x)
        for (int64_t j = 0; j < *columns; ++j) {
            const Const power{Int(rises ? j : *columns - 1 - j), {}};
            const Result value = apply(ast::BinaryOp::Pow, one, power);
            if (!value) return std::nullopt;
            all.push_back(*value);
        }
    return array_with(type_of(all[0]), {static_cast<int64_t>(x->size()), *columns}, all);
}

Result polynomial(const Args& a) {
    const auto factors = items(a[0]);
    const Const::Array array = items_of(a[1]) || a[1].as<Const::Array>() ? array_of(a[1]) : nullptr;
    const Const x = array ? Const{array, {}} : a[1];
    Result value = apply_arrays(ast::BinaryOp::Mult, x, Const{Int(0), {}});
    for (size_t i = 0; factors && value && i < factors->size(); ++i) {
        value = apply_arrays(ast::BinaryOp::Mult, *value, x);
        if (value) value = apply_arrays(ast::BinaryOp::Add, *value, (*factors)[i]);
    }
    return factors ? value : std::nullopt;
}

Result interpolated(const Args& a) {
    const auto x = numbers(a[1]), y = numbers(a[2]);
    if (!x || !y || x->empty() || x->size() != y->size()) return std::nullopt;
    return each(a[0], [&](double at) {
        if (at <= x->front()) return y->front();
        if (at >= x->back()) return y->back();
        const auto i = static_cast<size_t>(std::ranges::upper_bound(*x, at) - x->begin()) - 1;
        const double slope = ((*y)[i + 1] - (*y)[i]) / ((*x)[i + 1] - (*x)[i]);
        return slope * (at - (*x)[i]) + (*y)[i];
    });
}

// --- windows and special functions ---
double bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double sinc(double x) {
    const double y = std::numbers::pi * (x == 0 ? 1.0e-20 : x);
    return std::sin(y) / y;
}
double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

Result window(const Args& a, double (*value)(double n, double most, double shape)) {
    const auto length = to_int(a[0]);
    if (!length || *length < 1 || *length > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    const double shape = a.has(1) ? to_complex(a[1]).real() : 0;
    Numbers values;
    for (int64_t i = 0; i < *length; ++i)
        values.push_back(*length == 1 ? 1.0 : value(static_cast<double>(i), static_cast<double>(*length - 1), shape));
    return vector_of_numbers(values, Scalar::float64);
}

// --- orders and counts ---
Result order_of(const Args& a) {
    const auto values = numbers(a[0]);
    if (!values) return std::nullopt;
    std::vector<int64_t> order(values->size());
    std::iota(order.begin(), order.end(), 0);
    const auto is_before = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
    std::ranges::stable_sort(order, is_before, [&](int64_t i) { return (*values)[static_cast<size_t>(i)]; });
    return vector_of_numbers(order, Scalar::int64);
}

Result different(const Args& a) {
    auto values = items(a[0], false);
    if (!values || !sort_numbers(*values)) return std::nullopt;
    const auto are_equal = [](const Const& x, const Const& y) {
        return (is_nan(x) && is_nan(y)) || compare(ast::CompareOp::Eq, x, y).value_or(false);
    };
    values->erase(std::ranges::unique(*values, are_equal).begin(), values->end());
    return vector_of(*values);
}

Result counted(const Args& a) {
    const auto values = numbers(a[0]);
    const auto least = a.has(2) ? to_int(a[2]) : std::optional<int64_t>(0);
    if (!values || !least || a.has(1)) return std::nullopt;
    std::vector<int64_t> counts(static_cast<size_t>(std::max<int64_t>(*least, 0)));
    for (const double value : *values) {
        if (value < 0 || value >= static_cast<double>(kMostHostItems)) return std::nullopt;
        counts.resize(std::max(counts.size(), static_cast<size_t>(value) + 1));
        ++counts[static_cast<size_t>(value)];
    }
    return vector_of_numbers(counts, Scalar::int64);
}

Result found_at(const Args& a) {
    const auto values = numbers(a[0]);
    const auto* side = a.has(2) ? a[2].as<std::string>() : nullptr;
    const bool is_right = side && *side == "right";
    const Const wanted = items_of(a[1]) || a[1].as<Const::Array>() ? a[1] : list_of({a[1]});
    const auto keys = numbers(wanted);
    if (!values || !keys) return std::nullopt;
    std::vector<int64_t> places;
    for (const double key : *keys) {
        const auto at = is_right ? std::ranges::upper_bound(*values, key) : std::ranges::lower_bound(*values, key);
        places.push_back(at - values->begin());
    }
    if (!items_of(a[1])) return Const{Int(places[0]), Scalar::int64};
    return vector_of_numbers(places, Scalar::int64);
}

Result nonzeros(const Args& a) {
    const auto values = items(a[0], false);
    if (!values) return std::nullopt;
    return Const{Int(std::ranges::count_if(*values, [](const Const& c) { return truth(c); })), {}};
}

// --- vectors ---
Result cross(const Args& a) {
    const auto x = items(a[0]), y = items(a[1]);
    if (!x || !y || x->size() != 3 || y->size() != 3) return std::nullopt;
    std::vector<Const> all;
    for (size_t i = 0; i < 3; ++i) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        const Result first = apply(ast::BinaryOp::Mult, (*x)[j], (*y)[k]);
        const Result second = apply(ast::BinaryOp::Mult, (*x)[k], (*y)[j]);
        const Result one = first && second ? apply(ast::BinaryOp::Sub, *first, *second) : std::nullopt;
        if (!one) return std::nullopt;
        all.push_back(*one);
    }
    return vector_of(all);
}

Result outer(const Args& a, ast::BinaryOp op) {
    const Const::Array x = array_of(a[0]), y = array_of(a[1]);
    if (!x || !y) return std::nullopt;
    std::vector<int64_t> shape = x->table.shape;
    shape.insert(shape.end(), y->table.shape.size(), 1);
    const auto column = reshaped(*x, shape);
    if (!column) return std::nullopt;
    return apply_arrays(op, Const{std::make_shared<const ConstArray>(*column), {}}, Const{y, {}});
}

Result rounded(const Args& a) {
    const auto digits = a.has(1) ? to_int(a[1]) : std::optional<int64_t>(0);
    if (!digits) return std::nullopt;
    const double scale = std::pow(10.0, static_cast<double>(std::abs(*digits)));
    const auto* array = a[0].as<Const::Array>();
    const Type type = array ? (*array)->type.element() : a[0].typed;
    const auto in_its_precision = [&](double x) { return type.is(Scalar::float32) ? static_cast<float>(x) : x; };
    const auto nearest = [&](double x) {
        if (*digits < 0) return std::nearbyint(in_its_precision(x / scale)) * scale;
        return std::nearbyint(in_its_precision(x * scale)) / scale;
    };
    return each(a[0], nearest, true);
}

constexpr HostFunction kFunctions[] = {
    {"add.outer", "A B", 2, [](const Args& a) { return outer(a, ast::BinaryOp::Add); }},
    {"argsort", "a", 1, order_of},
    {"around", "a decimals", 1, rounded},
    {"bartlett", "M", 1,
     [](const Args& a) {
         return window(a, [](double n, double most, double) { return 1.0 - std::fabs(2.0 * n - most) / most; });
     }},
    {"bincount", "x weights minlength", 1, counted},
    {"convolve", "a v mode", 2, [](const Args& a) { return convolved(a, false); }},
    {"correlate", "a v mode", 2, [](const Args& a) { return convolved(a, true); }},
    {"count_nonzero", "a", 1, nonzeros},
    {"cross", "a b", 2, cross},
    {"fft.fftfreq", "n d", 1, [](const Args& a) { return frequencies(a, false); }},
    {"fft.rfftfreq", "n d", 1, [](const Args& a) { return frequencies(a, true); }},
    {"geomspace", "start stop num endpoint", 2, [](const Args& a) { return powers(a, true); }},
    {"i0", "x", 1, [](const Args& a) { return each(a[0], bessel_i0); }},
    {"interp", "x xp fp", 3, interpolated},
    {"kaiser", "M beta", 2,
     [](const Args& a) {
         return window(a, [](double n, double most, double beta) {
             const double t = (n - most / 2) / (most / 2);
             return bessel_i0(beta * std::sqrt(1 - t * t)) / bessel_i0(beta);
         });
     }},
    {"logspace", "start stop num endpoint base", 2, [](const Args& a) { return powers(a, false); }},
    {"multiply.outer", "A B", 2, [](const Args& a) { return outer(a, ast::BinaryOp::Mult); }},
    {"polyval", "p x", 2, polynomial},
    {"round", "a decimals", 1, rounded},
    {"searchsorted", "a v side", 2, found_at},
    {"sign", "x", 1, [](const Args& a) { return each(a[0], sign, true); }},
    {"sinc", "x", 1, [](const Args& a) { return each(a[0], sinc); }},
    {"subtract.outer", "A B", 2, [](const Args& a) { return outer(a, ast::BinaryOp::Sub); }},
    {"unique", "ar", 1, different},
    {"vander", "x N increasing", 1, vandermonde},
};

}  // namespace

std::span<const HostFunction> numpy_table_functions() { return kFunctions; }

}  // namespace pyk
