#include "module/host_functions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "module/const_math.h"
#include "module/const_numbers.h"
#include "module/const_text.h"
#include "module/formatted_text.h"
#include "module/host_defaults.h"
#include "module/host_iterators.h"
#include "module/host_numpy.h"
#include "module/host_sets.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Result = std::optional<Const>;

Const integer(Int n) { return {n, {}}; }

// --- Python's ---
Result length(const HostArguments& a) {
    const auto* type = a[0].as<Type>();
    if (type && type->is_tuple()) return integer(static_cast<Int>(type->size()));
    const auto items = in_any_order(a[0]);
    return items ? Result(integer(static_cast<Int>(items->size()))) : std::nullopt;
}

Result range(const HostArguments& a) {
    std::vector<int64_t> bounds;
    for (size_t i = 0; i < a.count(); ++i) {
        const auto bound = to_int(a[i]);
        if (!bound) return std::nullopt;
        bounds.push_back(*bound);
    }
    if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
    if (bounds.size() == 2) bounds.push_back(1);
    if (bounds.size() != 3 || bounds[2] == 0) return std::nullopt;
    std::vector<Const> items;
    for (Int i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += bounds[2]) {
        if (items.size() == kMostHostItems) return std::nullopt;
        items.push_back(integer(i));
    }
    return list_of(std::move(items));
}

Result as_list(const HostArguments& a) {
    if (a.count() == 0) return list_of({});
    auto items = items_of(a[0]);
    return items ? Result(list_of(std::move(*items))) : std::nullopt;
}

Result as_tuple(const HostArguments& a) {
    if (a.count() == 0) return Const{Const::Tuple(), {}};
    auto items = items_of(a[0]);
    return items ? Result(Const{std::move(*items), {}}) : std::nullopt;
}

Result as_dict(const HostArguments& a) {
    Result dict = Const{Const::Dict(), {}};
    const auto* other = a.count() == 1 ? a[0].as<Const::Dict>() : nullptr;
    if (other) dict = Const{Const::Dict{other->keys, other->values}, {}};
    const auto pairs = a.count() == 1 && !other ? items_of(a[0]) : std::optional(std::vector<Const>());
    if (!pairs) return std::nullopt;
    for (const Const& one : *pairs) {
        const auto pair = items_of(one);
        if (!dict || !pair || pair->size() != 2) return std::nullopt;
        dict = with_item(*dict, (*pair)[0], (*pair)[1]);
    }
    for (const auto& [name, value] : a.call().named) dict = dict ? with_item(*dict, {name, {}}, value) : std::nullopt;
    return dict;
}

Result from_keys(const HostArguments& a) {
    const auto keys = items_of(a[0]);
    const Const value = a.count() > 1 ? a[1] : Const{Const::None(), {}};
    if (!keys || value.as<Const::List>() || value.as<Const::Dict>()) return std::nullopt;
    Result dict = Const{Const::Dict(), {}};
    for (const Const& key : *keys) dict = dict ? with_item(*dict, key, value) : std::nullopt;
    return dict;
}

Result reversed(const HostArguments& a) {
    auto items = items_of(a[0]);
    if (!items) return std::nullopt;
    std::ranges::reverse(*items);
    return list_of(std::move(*items));
}

Result sorted(const HostArguments& a) {
    auto items = in_any_order(a[0]);
    if (!items) return std::nullopt;
    std::vector<Const> pairs;
    for (size_t i = 0; i < items->size(); ++i) {
        const Result key = a.has(1) ? a.call().call(a[1], {&(*items)[i], 1}) : (*items)[i];
        if (!key || is_nan(*key)) return std::nullopt;
        pairs.push_back({Const::Tuple{*key, integer(static_cast<Int>(i))}, {}});
    }
    const bool down = a.has(2) && truth(a[2]);
    if (down)  // equal ones stay in their order
        for (Const& pair : pairs) {
            auto& parts = std::get<Const::Tuple>(pair.value);
            parts[1] = integer(-*parts[1].as<Int>());
        }
    if (!sort_items(pairs)) return std::nullopt;
    if (down) std::ranges::reverse(pairs);
    std::vector<Const> result;
    for (const Const& pair : pairs) {
        const Int at = *(*pair.as<Const::Tuple>())[1].as<Int>();
        result.push_back((*items)[static_cast<size_t>(at < 0 ? -at : at)]);
    }
    return list_of(std::move(result));
}

Result enumerated(const HostArguments& a) {
    const auto items = items_of(a[0]);
    const auto first = a.has(1) ? to_int(a[1]) : std::optional<int64_t>(0);
    if (!items || !first) return std::nullopt;
    std::vector<Const> result;
    for (size_t i = 0; i < items->size(); ++i)
        result.push_back({Const::Tuple{integer(*first + static_cast<Int>(i)), (*items)[i]}, {}});
    return list_of(std::move(result));
}

// The items side by side, as far as the shortest goes.
std::optional<std::vector<std::vector<Const>>> zipped_items(const HostArguments& a, size_t first) {
    std::vector<std::vector<Const>> rows;
    size_t known = SIZE_MAX;  // of those without an end
    for (size_t k = first; k < a.count(); ++k) {
        const auto coming = coming_of(a[k]);
        if (!coming) return std::nullopt;
        const std::vector<Const>& items = coming->items;
        if (coming->is_endless) known = std::min(known, items.size());
        if (k == first) rows.resize(items.size());
        rows.resize(std::min(rows.size(), items.size()));
        for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(items[i]);
    }
    return rows.size() < known ? std::optional(std::move(rows)) : std::nullopt;
}

Result zip(const HostArguments& a) {
    auto rows = zipped_items(a, 0);
    if (!rows) return std::nullopt;
    std::vector<Const> result;
    for (auto& row : *rows) result.push_back({std::move(row), {}});
    return list_of(std::move(result));
}

Result map(const HostArguments& a) {
    const auto rows = a.count() > 1 ? zipped_items(a, 1) : std::nullopt;
    if (!rows) return std::nullopt;
    std::vector<Const> result;
    for (const auto& row : *rows) {
        const Result one = a.call().call(a[0], row);
        if (!one) return std::nullopt;
        result.push_back(*one);
    }
    return list_of(std::move(result));
}

Result filter(const HostArguments& a) {
    const auto items = items_of(a[1]);
    if (!items) return std::nullopt;
    std::vector<Const> result;
    for (const Const& item : *items) {
        const Result test = a[0].as<Const::None>() ? item : a.call().call(a[0], {&item, 1});
        if (!test) return std::nullopt;
        if (truth(*test)) result.push_back(item);
    }
    return list_of(std::move(result));
}

Result any_or_all(const HostArguments& a, bool is_all) {
    const auto items = in_any_order(a[0]);
    if (!items) return std::nullopt;
    const auto is_true = [](const Const& c) { return truth(c); };
    return Const{is_all ? std::ranges::all_of(*items, is_true) : std::ranges::any_of(*items, is_true), {}};
}

Result sum(const HostArguments& a) {
    if (a[0].as<Const::Array>()) return a.has(1) ? std::nullopt : numpy_sum(a);
    const auto items = in_any_order(a[0]);
    Result total = a.has(1) ? a[1] : integer(0);
    if (!items) return std::nullopt;
    for (const Const& item : *items) total = total ? apply(ast::BinaryOp::Add, *total, item) : std::nullopt;
    return total;
}

// By `key`, of one sequence or of the arguments; `default` where there are none.
Result extreme(const HostArguments& a, bool least) {
    const auto named = [&](std::string_view name) -> const Const* {
        for (const auto& [key, value] : a.call().named)
            if (key == name) return &value;
        return nullptr;
    };
    const auto items = a.count() == 1 ? in_any_order(a[0]) : std::optional(a.call().args);
    if (!items) return std::nullopt;
    if (items->empty()) return named("default") ? Result(*named("default")) : std::nullopt;
    Result best, best_key;
    for (const Const& item : *items) {
        const Result key = named("key") ? a.call().call(*named("key"), {&item, 1}) : item;
        if (!key) return std::nullopt;
        const auto better = best_key ? compare(least ? ast::CompareOp::Lt : ast::CompareOp::Gt, *key, *best_key) : true;
        if (!better) return std::nullopt;
        if (*better) best = item, best_key = key;
    }
    return best;
}

Result ordinal(const HostArguments& a) {
    const auto* text = a[0].as<std::string>();
    if (!text || text->size() != 1 || static_cast<unsigned char>((*text)[0]) > 127) return std::nullopt;
    return integer((*text)[0]);
}

Result character(const HostArguments& a) {
    const auto code = to_int(a[0]);
    if (!code || *code < 0 || *code > 127) return std::nullopt;
    return Const{std::string(1, static_cast<char>(*code)), {}};
}

Result text(const HostArguments& a) {
    auto made = text_of(a[0]);
    return made ? Result(Const{std::move(*made), {}}) : std::nullopt;
}

Result formatted(const HostArguments& a) {
    const auto* specification = a.has(1) ? a[1].as<std::string>() : nullptr;
    if (a.has(1) && !specification) return std::nullopt;
    auto made = formatted_value(a[0], 0, specification ? *specification : std::string());
    return made ? Result(Const{std::move(*made), {}}) : std::nullopt;
}

Result represented(const HostArguments& a) {
    auto made = representation(a[0]);
    return made ? Result(Const{std::move(*made), {}}) : std::nullopt;
}

// --- math ---
Result product(const HostArguments& a) {
    const auto items = items_of(a[0]);
    Result total = a.has(1) ? a[1] : integer(1);
    if (!items) return std::nullopt;
    for (const Const& item : *items) total = total ? apply(ast::BinaryOp::Mult, *total, item) : std::nullopt;
    return total;
}

// Of two numbers at a time.
Result of_integers(const HostArguments& a, Int start, std::optional<Int> (*join)(Int, Int)) {
    std::optional<Int> total = start;
    for (const Const& c : a.call().args) {
        const Int* const n = c.as<Int>();
        const bool* const b = c.as<bool>();
        if (!n && !b) return std::nullopt;
        total = join(*total, n ? *n : Int(*b));
        if (!total) return std::nullopt;
    }
    return integer(*total);
}

// n! / (n - k)!, over k! if `ordered` is false.
Result choices(int64_t n, int64_t k, bool ordered) {
    if (n < 0 || k < 0) return std::nullopt;
    if (k > n) return integer(0);
    Result total = integer(1);
    if (!ordered) k = std::min(k, n - k);
    for (int64_t i = 1; total && i <= k; ++i) {
        total = apply(ast::BinaryOp::Mult, *total, integer(n - k + i));
        if (!ordered && total) total = apply(ast::BinaryOp::FloorDiv, *total, integer(i));
    }
    return total;
}

Result chosen(const HostArguments& a, bool ordered) {
    const auto n = to_int(a[0]), k = a.has(1) ? to_int(a[1]) : n;
    return n && k ? choices(*n, *k, ordered) : std::nullopt;
}

Result factorial(const HostArguments& a) {
    const auto n = to_int(a[0]);
    return n && !a[0].as<double>() ? choices(*n, *n, true) : std::nullopt;
}

Result square_root(const HostArguments& a) {
    const auto n = to_int(a[0]);
    if (!n || *n < 0) return std::nullopt;
    auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(*n)));
    while (Int(root) * root > *n) --root;
    while (Int(root + 1) * (root + 1) <= *n) ++root;
    return integer(root);
}

Result of_floats(const HostArguments& a, double (*function)(double, double)) {
    const auto x = cast(a[0], Scalar::float64), y = cast(a[1], Scalar::float64);
    return x && y ? Result(Const{function(*x->as<double>(), *y->as<double>()), {}}) : std::nullopt;
}

// Without rounding on the way: of parts that do not overlap, each below the one behind it.
Result exact_sum(const HostArguments& a) {
    const auto items = items_of(a[0]);
    if (!items) return std::nullopt;
    std::vector<double> parts;
    for (const Const& item : *items) {
        const auto number = cast(item, Scalar::float64);
        if (!number || !std::isfinite(*number->as<double>())) return std::nullopt;
        double x = *number->as<double>();
        size_t kept = 0;
        for (double y : std::vector(parts)) {
            if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0) parts[kept++] = low;
            x = high;
        }
        parts.resize(kept);
        parts.push_back(x);
    }
    double high = 0, low = 0;
    while (!parts.empty() && low == 0) {
        const double x = high, y = parts.back();
        parts.pop_back();
        high = x + y;
        low = y - (high - x);
    }
    // Halfway between two numbers, what is left says which is the nearer one.
    if (!parts.empty() && low != 0 && (low < 0) == (parts.back() < 0)) {
        const double twice = low * 2, other = high + twice;
        if (twice == other - high) high = other;
    }
    return Const{high, {}};
}

/// `bin(n)`, `oct(n)`, `hex(n)`.
Result digits(const HostArguments& a, std::string_view prefix, unsigned bits) {
    const auto n = a[0].as<double>() ? std::nullopt : to_int(a[0]);
    if (!n) return std::nullopt;
    uint64_t rest = *n < 0 ? 0 - static_cast<uint64_t>(*n) : static_cast<uint64_t>(*n);
    std::string text;
    do {
        text.insert(text.begin(), "0123456789abcdef"[rest & ((1U << bits) - 1)]);
        rest >>= bits;
    } while (rest != 0);
    return Const{std::string(*n < 0 ? "-" : "") + std::string(prefix) + text, {}};
}

/// `functools.reduce`, and with all that it comes by `itertools.accumulate`.
std::optional<std::vector<Const>> folded(const HostArguments& a, const Const& items, const Const* function,
                                         const Const* start) {
    auto all = items_of(items);
    if (!all) return std::nullopt;
    if (start) all->insert(all->begin(), *start);
    for (size_t i = 1; i < all->size(); ++i) {
        const Const pair[] = {(*all)[i - 1], (*all)[i]};
        const Result next = function ? a.call().call(*function, pair) : apply(ast::BinaryOp::Add, pair[0], pair[1]);
        if (!next) return std::nullopt;
        (*all)[i] = *next;
    }
    return all;
}

Result fold(const HostArguments& a) {
    const auto all = folded(a, a[1], &a[0], a.has(2) ? &a[2] : nullptr);
    return all && !all->empty() ? Result(all->back()) : std::nullopt;
}

Result accumulated(const HostArguments& a) {
    auto all = folded(a, a[0], a.has(1) ? &a[1] : nullptr, a.has(2) ? &a[2] : nullptr);
    return all ? Result(list_of(std::move(*all))) : std::nullopt;
}

/// What gives 1 when it is multiplied with the number, modulo `modulus`.
std::optional<Int> inverse(Int number, Int modulus) {
    Int a = number, b = modulus, x = 1, y = 0;  // a ≡ x · number, b ≡ y · number
    while (b != 0) {
        const Int times = a / b;
        a = std::exchange(b, a - times * b);
        x = std::exchange(y, x - times * y);
    }
    return a == 1 ? std::optional((x % modulus + modulus) % modulus) : std::nullopt;
}

Result power_modulo(const HostArguments& a) {
    const auto base = to_int(a[0]), exponent = to_int(a[1]), modulus = to_int(a[2]);
    if (!base || !exponent || !modulus || *modulus <= 0) return std::nullopt;
    const Int known = (*base % *modulus + *modulus) % *modulus;
    const auto first = *exponent < 0 ? inverse(known, *modulus) : std::optional(known);
    if (!first) return std::nullopt;
    Int result = 1 % *modulus, square = *first;
    for (int64_t n = std::abs(*exponent); n != 0; n >>= 1) {
        if (n & 1) result = result * square % *modulus;
        square = square * square % *modulus;
    }
    return integer(result);
}

// `copy.deepcopy`: what lists hold is copied once, however often they do.
Result deep_copy(const HostArguments& a) {
    std::vector<std::pair<Const, Const>> made;
    const auto copied = [&](const auto& self, const Const& value) -> Const {
        const auto in_items = [&](const std::vector<Const>& items) {
            std::vector<Const> copies;
            for (const Const& item : items) copies.push_back(self(self, item));
            return copies;
        };
        if (const auto* items = value.as<Const::Tuple>()) return {in_items(*items), value.typed};
        const auto* dict = value.as<Const::Dict>();
        const auto* list = value.as<Const::List>();
        if (!dict && !list && !value.as<Const::Array>()) return value;
        for (const auto& [before, copy] : made)
            if (is_same_object(before, value)) return copy;
        Const copy = list   ? list_of(in_items((*list)->items))
                     : dict ? Const{dict->with(dict->keys, in_items(dict->values)), {}}
                            : copy_of(value);
        made.emplace_back(value, copy);
        return copy;
    };
    return copied(copied, a[0]);
}

Result shallow_copy(const HostArguments& a) { return copy_of(a[0]); }

Result default_of_environment(const HostArguments& a) { return a.has(1) ? a[1] : Const{Const::None{}, {}}; }

// --- the rows ---
constexpr HostFunction kFunctions[] = {
    {"len", "obj", 1, length},
    {"range", "*", 1, range},
    {"list", "iterable", 0, as_list},
    {"tuple", "iterable", 0, as_tuple},
    {"dict", "*", 0, as_dict},
    {"dict.fromkeys", "iterable value", 1, from_keys},
    {"collections.OrderedDict", "*", 0, as_dict},
    {"collections.deque", "iterable", 0, as_list},
    {"reversed", "sequence", 1, reversed},
    {"sorted", "iterable key reverse", 1, sorted},
    {"enumerate", "iterable start", 1, enumerated},
    {"zip", "*", 0, zip},
    {"map", "*", 2, map},
    {"filter", "function iterable", 2, filter},
    {"any", "iterable", 1, [](const HostArguments& a) { return any_or_all(a, false); }},
    {"all", "iterable", 1, [](const HostArguments& a) { return any_or_all(a, true); }},
    {"sum", "iterable start", 1, sum},
    {"min", "*", 1, [](const HostArguments& a) { return extreme(a, true); }},
    {"max", "*", 1, [](const HostArguments& a) { return extreme(a, false); }},
    {"ord", "c", 1, ordinal},
    {"chr", "i", 1, character},
    {"str", "object", 1, text},
    {"repr", "obj", 1, represented},
    {"format", "value format_spec", 1, formatted},
    {"bin", "number", 1, [](const HostArguments& a) { return digits(a, "0b", 1); }},
    {"oct", "number", 1, [](const HostArguments& a) { return digits(a, "0o", 3); }},
    {"hex", "number", 1, [](const HostArguments& a) { return digits(a, "0x", 4); }},
    {"pow", "base exp mod", 3, power_modulo},
    {"functools.reduce", "function iterable initial", 2, fold},
    {"itertools.accumulate", "iterable func initial", 1, accumulated},
    {"math.prod", "iterable start", 1, product},
    {"math.gcd", "*", 0,
     [](const HostArguments& a) {
         return of_integers(a, 0, [](Int m, Int n) { return std::optional(greatest_divisor(m, n)); });
     }},
    {"math.lcm", "*", 0, [](const HostArguments& a) { return of_integers(a, 1, least_multiple); }},
    {"math.factorial", "n", 1, factorial},
    {"math.comb", "n k", 2, [](const HostArguments& a) { return chosen(a, false); }},
    {"math.perm", "n k", 1, [](const HostArguments& a) { return chosen(a, true); }},
    {"math.isqrt", "n", 1, square_root},
    {"math.fsum", "seq", 1, exact_sum},
    {"math.ldexp", "x i", 2,
     [](const HostArguments& a) {
         return of_floats(a, [](double x, double n) { return std::ldexp(x, static_cast<int>(n)); });
     }},
    {"math.nextafter", "x y", 2,
     [](const HostArguments& a) { return of_floats(a, [](double x, double y) { return std::nextafter(x, y); }); }},
    {"math.remainder", "x y", 2,
     [](const HostArguments& a) { return of_floats(a, [](double x, double y) { return std::remainder(x, y); }); }},
    {"copy.copy", "x", 1, shallow_copy},
    {"copy.deepcopy", "x", 1, deep_copy},
    // The environment of whoever compiles is not read.
    {"os.getenv", "key default", 1, default_of_environment},
    {"os.environ.get", "key default", 1, default_of_environment},
    {"cuda.is_available", "", 0,
     [](const HostArguments&) {
         return Result(Const{true, {}});
     }},
};

}  // namespace

const HostFunction* find_host_function(std::string_view path) {
    for (const std::string_view module : {"numpy.", "cupy.", "np."})
        if (path.starts_with(module)) return find_numpy_function(path.substr(module.size()));
    for (const std::span<const HostFunction> rows :
         {std::span<const HostFunction>(kFunctions), sequence_functions(), iterator_functions(), set_functions(),
          default_functions(), json_functions()})
        if (const auto found = std::ranges::find(rows, path, &HostFunction::name); found != rows.end()) return &*found;
    return nullptr;
}

std::optional<Const> call_host_function(const HostFunction& function, const HostCall& call) {
    const auto result = [&](const HostCall& given) {
        const auto arguments = HostArguments::of(function, given);
        return arguments ? function.call(*arguments) : std::nullopt;
    };
    if (std::ranges::none_of(call.args, is_without_axes)) return result(call);
    HostCall of_numbers = call;
    for (Const& argument : of_numbers.args) argument = number_of(argument);
    return result(of_numbers);
}

std::optional<HostArguments> HostArguments::of(const HostFunction& function, const HostCall& call) {
    HostArguments arguments(call);
    if (function.parameters == "*") {
        arguments.count_ = call.args.size();
        for (const Const& c : call.args) arguments.given_.push_back(&c);
        return call.args.size() < function.required ? std::nullopt : std::optional(std::move(arguments));
    }
    std::string_view rest = function.parameters;
    size_t named = 0;
    for (size_t i = 0; !rest.empty(); ++i) {
        const std::string_view name = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        const Const* value = i < call.args.size() ? &call.args[i] : nullptr;
        for (const auto& [key, other] : call.named)
            if (key == name && !value) value = &other, ++named;
        if (!value && i < function.required) return std::nullopt;
        arguments.given_.push_back(value);
    }
    arguments.count_ = call.args.size();
    const bool fits = call.args.size() <= arguments.given_.size() && named == call.named.size();
    return fits ? std::optional(std::move(arguments)) : std::nullopt;
}

}  // namespace pyk
