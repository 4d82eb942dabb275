// NumPy's Fourier transforms and `einsum` of the host's code.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;
using Args = HostArguments;
using Complex = std::complex<double>;
using Signal = std::vector<Complex>;

constexpr int64_t kMostSlow = 4096;  ///< elements of a transform whose length is no power of two

/// e^(2 pi i k / n), exact where it is 1, i, -1 or -i.
Complex root_of_unity(int64_t k, int64_t n) {
    k = (k % n + n) % n;
    const int64_t quarter = 4 * k / n, rest = 4 * k - quarter * n;
    const auto angle = [&](int64_t part) {
        return std::numbers::pi / 2 * static_cast<double>(part) / static_cast<double>(n);
    };
    const bool is_late = 2 * rest > n;
    const double x = is_late ? std::sin(angle(n - rest)) : std::cos(angle(rest));
    const double y = is_late ? std::cos(angle(n - rest)) : std::sin(angle(rest));
    switch (quarter) {
        case 0:
            return {x, y};
        case 1:
            return {-y, x};
        case 2:
            return {-x, -y};
        default:
            return {y, -x};
    }
}

void transform_halves(Signal& x, int sign) {
    const size_t n = x.size();
    if (n < 2) return;
    Signal even, odd;
    for (size_t i = 0; i < n; ++i) (i % 2 == 0 ? even : odd).push_back(x[i]);
    transform_halves(even, sign);
    transform_halves(odd, sign);
    for (size_t k = 0; k < n / 2; ++k) {
        const Complex turned = root_of_unity(sign * static_cast<int64_t>(k), static_cast<int64_t>(n)) * odd[k];
        x[k] = even[k] + turned;
        x[k + n / 2] = even[k] - turned;
    }
}

std::optional<Signal> transformed(Signal x, int sign) {
    const auto n = static_cast<int64_t>(x.size());
    if ((n & (n - 1)) == 0) {
        transform_halves(x, sign);
        return x;
    }
    if (n > kMostSlow) return std::nullopt;
    Signal roots, all;
    for (int64_t k = 0; k < n; ++k) roots.push_back(root_of_unity(sign * k, n));
    for (int64_t k = 0; k < n; ++k) {
        Complex total = 0;
        for (int64_t i = 0; i < n; ++i) total += x[static_cast<size_t>(i)] * roots[static_cast<size_t>(k * i % n)];
        all.push_back(total);
    }
    return all;
}

/// NumPy 2 makes complex64 of these.
bool is_single(Type element) {
    return element.is(Scalar::complex64) || element.is(Scalar::float32) || element.is(Scalar::float16);
}

/// Along an axis, the last one where none is given.
template <typename Change>
Result along(const Args& a, Change change) {
    const Const::Array array = array_of(a[0]);
    if (!array || array->table.shape.empty()) return std::nullopt;
    const Type made = is_single(array->type.element()) ? Scalar::complex64 : Scalar::complex128;
    std::vector<int64_t> shape = array->table.shape;
    const auto axis = a.has(2) ? axis_of(a[2], shape.size()) : std::optional(shape.size() - 1);
    const auto length = axis && a.has(1) ? to_int(a[1]) : axis ? std::optional(shape[*axis]) : std::nullopt;
    const auto all = elements(*array);
    if (!length || !all || *length < 1 || *length > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    int64_t inner = 1, outer = 1;
    for (size_t k = *axis + 1; k < shape.size(); ++k) inner *= shape[k];
    for (size_t k = 0; k < *axis; ++k) outer *= shape[k];
    const int64_t given = shape[*axis];
    std::map<int64_t, Signal> lines;
    for (int64_t line = 0; line < outer * inner; ++line) {
        Signal x;
        for (int64_t i = 0; i < given; ++i)
            x.push_back(to_complex((*all)[static_cast<size_t>((line / inner * given + i) * inner + line % inner)]));
        auto changed = change(std::move(x), *length);
        if (!changed) return std::nullopt;
        lines[line] = std::move(*changed);
    }
    if (lines.empty()) return std::nullopt;
    shape[*axis] = static_cast<int64_t>(lines[0].size());
    std::vector<Const> values;
    for (int64_t o = 0; o < outer; ++o)
        for (int64_t i = 0; i < shape[*axis]; ++i)
            for (int64_t k = 0; k < inner; ++k)
                values.push_back({lines[o * inner + k][static_cast<size_t>(i)], Scalar::complex128});
    return array_with(made, shape, values);
}

Result fourier(const Args& a, bool is_half) {
    return along(a, [&](Signal x, int64_t n) {
        x.resize(static_cast<size_t>(n));
        auto all = transformed(std::move(x), -1);
        if (all && is_half) all->resize(static_cast<size_t>(n / 2 + 1));
        return all;
    });
}

Signal over(Signal x, double n) {
    for (Complex& one : x) one /= n;
    return x;
}

Result inverse(const Args& a) {
    return along(a, [](Signal x, int64_t n) -> std::optional<Signal> {
        x.resize(static_cast<size_t>(n));
        auto all = transformed(std::move(x), 1);
        return all ? std::optional(over(std::move(*all), static_cast<double>(n))) : std::nullopt;
    });
}

/// Of half of the frequencies, those of a real signal; of so many elements, twice as many less two unless given.
Result inverse_of_half(const Args& a) {
    const Result signal = along(a, [&](Signal x, int64_t n) -> std::optional<Signal> {
        if (!a.has(1)) n = 2 * (n - 1);
        if (n < 1) return std::nullopt;
        Signal whole(static_cast<size_t>(n));
        x.resize(static_cast<size_t>(n / 2 + 1));
        for (int64_t k = 0; k < n; ++k)
            whole[static_cast<size_t>(k)] =
                k <= n / 2 ? x[static_cast<size_t>(k)] : std::conj(x[static_cast<size_t>(n - k)]);
        auto all = transformed(std::move(whole), 1);
        return all ? std::optional(over(std::move(*all), static_cast<double>(n))) : std::nullopt;
    });
    if (!signal) return std::nullopt;
    return elementwise({&*signal, 1}, [](std::span<const Const> v) {
        return cast(Const{to_complex(v[0]).real(), {}}, type_of(v[0]).component());
    });
}

// --- einsum ---
struct Subscripts {
    std::vector<std::string> of_operands;
    std::string of_result;
};

/// `"ij,jk->ik"`; without `->` the result has the letters that occur once.
std::optional<Subscripts> subscripts_in(std::string text) {
    std::erase(text, ' ');
    Subscripts found;
    const size_t arrow = text.find("->");
    std::map<char, int> times;
    std::string one;
    for (const char c : text.substr(0, arrow) + ",") {
        if (c == ',') {
            found.of_operands.push_back(std::exchange(one, {}));
        } else if (std::isalpha(static_cast<unsigned char>(c))) {
            one += c;
            ++times[c];
        } else {
            return std::nullopt;
        }
    }
    if (arrow != text.npos) found.of_result = text.substr(arrow + 2);
    for (const auto& [letter, count] : times)
        if (arrow == text.npos && count == 1) found.of_result += letter;
    const auto is_known = [&](char c) { return times.contains(c); };
    return std::ranges::all_of(found.of_result, is_known) ? std::optional(found) : std::nullopt;
}

Result einsum(const Args& a) {
    constexpr int64_t kMostProducts = 1 << 20;
    const auto* text = a.count() > 1 ? a[0].as<std::string>() : nullptr;
    const auto subscripts = text ? subscripts_in(*text) : std::nullopt;
    if (!subscripts || subscripts->of_operands.size() + 1 != a.count() || !a.call().named.empty()) return std::nullopt;
    struct Operand {
        std::vector<Const> items;
        std::map<char, int64_t> steps;
    };
    std::vector<Operand> operands;
    std::map<char, int64_t> extents;
    for (size_t k = 0; k + 1 < a.count(); ++k) {
        const Const::Array array = array_of(a[k + 1]);
        const std::string& letters = subscripts->of_operands[k];
        auto items = array ? elements(*array) : std::nullopt;
        if (!items || array->table.shape.size() != letters.size()) return std::nullopt;
        Operand& operand = operands.emplace_back(std::move(*items));
        int64_t step = 1;
        for (size_t axis = letters.size(); axis-- > 0; step *= array->table.shape[axis]) {
            operand.steps[letters[axis]] += step;
            const auto [known, is_new] = extents.emplace(letters[axis], array->table.shape[axis]);
            if (!is_new && known->second != array->table.shape[axis]) return std::nullopt;
        }
    }
    // The result's letters first: each of its elements is a sum over the others.
    std::string order = subscripts->of_result;
    std::vector<int64_t> shape;
    int64_t sums = 1, terms = 1;
    for (const char c : order) shape.push_back(extents[c]), sums *= extents[c];
    for (const auto& [letter, extent] : extents)
        if (order.find(letter) == order.npos) order += letter, terms *= extent;
    if (sums < 1 || terms < 1 || sums > kMostProducts / terms) return std::nullopt;
    std::vector<Const> values;
    for (int64_t at = 0; at < sums * terms; ++at) {
        Result product;
        for (const Operand& operand : operands) {
            int64_t place = 0, rest = at;
            for (size_t i = order.size(); i-- > 0; rest /= extents[order[i]])
                if (const auto step = operand.steps.find(order[i]); step != operand.steps.end())
                    place += step->second * (rest % extents[order[i]]);
            const Const& item = operand.items[static_cast<size_t>(place)];
            product = product ? apply(ast::BinaryOp::Mult, *product, item) : item;
            if (!product) return std::nullopt;
        }
        if (at % terms == 0) {
            values.push_back(*product);
        } else {
            const Result total = apply(ast::BinaryOp::Add, values.back(), *product);
            if (!total) return std::nullopt;
            values.back() = *total;
        }
    }
    return shape.empty() ? values[0] : array_with(type_of(values[0]), shape, values);
}

constexpr HostFunction kFunctions[] = {
    {"einsum", "*", 2, einsum},
    {"fft.fft", "a n axis", 1, [](const Args& a) { return fourier(a, false); }},
    {"fft.ifft", "a n axis", 1, inverse},
    {"fft.irfft", "a n axis", 1, inverse_of_half},
    {"fft.rfft", "a n axis", 1, [](const Args& a) { return fourier(a, true); }},
};

}  // namespace

std::span<const HostFunction> numpy_transforms() { return kFunctions; }

}  // namespace pyk
