// Arrays that the module makes: `np.array([...])`, `np.arange(n).reshape(2, 3)`, their attributes and subscripts.
#include <algorithm>

#include "module/const_array.h"
#include "module/const_math.h"
#include "module/const_time.h"
#include "module/host_functions.h"
#include "module/host_iterators.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "support/words.h"

namespace pyk {
namespace {

std::optional<std::vector<int64_t>> extents(const Const& constant) {
    std::vector<int64_t> result;
    const auto add = [&](const Const& c) {
        const auto extent = to_int(c);
        result.push_back(extent.value_or(0));
        return extent.has_value();
    };
    if (const auto* tuple = constant.as<Const::Tuple>())
        return std::ranges::all_of(*tuple, add) ? std::optional(result) : std::nullopt;
    return add(constant) ? std::optional(result) : std::nullopt;
}

/// The keywords that NumPy's constructors are followed with; with another one the array is not known.
constexpr std::pair<std::string_view, std::string_view> kKeywords[] = {
    {"array", "dtype copy order subok ndmin"},
    {"asarray", "dtype copy order"},
    {"copy", "order"},
    {"rec.array", "dtype shape copy"},
    {"recarray", "shape dtype"},
    {"ascontiguousarray", "dtype"},
    {"asfortranarray", "dtype"},
    {"zeros", "shape dtype order"},
    {"empty", "shape dtype order"},
    {"ones", "shape dtype order"},
    {"full", "shape fill_value dtype order"},
    {"zeros_like", "a dtype shape"},
    {"empty_like", "a dtype shape"},
    {"ones_like", "a dtype shape"},
    {"full_like", "a fill_value dtype shape"},
    {"eye", "N M k dtype"},
    {"identity", "dtype"},
    {"arange", "start stop step dtype"},
    {"linspace", "start stop num endpoint dtype"},
    {"outer", "a b"},
    {"fromiter", "dtype count"},
    {"frombuffer", "buffer dtype count offset"},
};

/// The same bytes as elements of another type; nullopt: they are no whole number of these.
std::optional<ConstArray> viewed(const ConstArray& array, Type element) {
    std::vector<int64_t> shape = array.table.shape;
    const auto from = static_cast<int64_t>(array.type.element().byte_size());
    const auto to = static_cast<int64_t>(element.byte_size());
    if (from != to) {
        if (shape.empty() || array.type.layout() != Layout::C || shape.back() * from % to != 0) return std::nullopt;
        shape.back() = shape.back() * from / to;
    }
    auto made = zeros(element, std::move(shape), array.type.layout());
    if (made) made->table.bytes = array.table.bytes;
    return made;
}

class Reader {
  public:
    Reader(const ModuleScope& scope, const ast::Call& call) : scope_(scope), call_(call) {}

    std::optional<Const> value() {
        if (const auto* attribute = call_.func->as<ast::Attribute>()) {
            const auto base = scope_.constant(*attribute->value);
            if (array_in(base)) return method(*array_in(base), attribute->attr);
            if (base && is_number(*base) && attribute->attr == "astype") return cast_number(*base);
            if (base && is_number(*base) && attribute->attr == "view") return view_number(*base);
        }
        const auto callee = scope_.evaluate(*call_.func);
        if (!callee) return std::nullopt;
        if (const Path* path = std::get_if<Path>(&*callee)) {
            std::string_view name = path->name;
            for (const std::string_view prefix : {"numpy.", "np."})
                if (name.starts_with(prefix)) return constructor(name.substr(prefix.size()));
            return std::nullopt;
        }
        if (const TypeName* type = std::get_if<TypeName>(&*callee)) return converted(type->type);
        if (const auto* builtin = std::get_if<const Builtin*>(&*callee)) {
            const std::string_view name = (*builtin)->name;
            auto made = name.starts_with("np.") ? constructor(name.substr(3)) : std::nullopt;
            return made ? made : function(name);
        }
        return std::nullopt;
    }

  private:
    // --- arguments
    const ast::Expr* argument(size_t index, std::string_view name) const {
        for (const ast::Keyword& keyword : call_.keywords)
            if (keyword.arg == name) return keyword.value;
        return index < call_.args.size() ? call_.args[index] : nullptr;
    }
    std::optional<Const> constant(size_t index, std::string_view name) const {
        const ast::Expr* expr = argument(index, name);
        return expr ? scope_.constant(*expr) : std::nullopt;
    }
    /// Invalid: none was written. False: one was written that is no type.
    bool dtype(size_t index, Type& type) const {
        const ast::Expr* expr = argument(index, "dtype");
        if (!expr) return true;
        if (const auto* c = expr->as<ast::Constant>(); c && std::holds_alternative<ast::NoneValue>(c->value))
            return true;
        const auto named = dtype_of(scope_, *expr);
        if (named) type = *named;
        return named.has_value();
    }
    /// `order='F'`.
    Layout order(Layout otherwise) const {
        const ast::Expr* expr = argument(SIZE_MAX, "order");
        const auto word = expr ? scope_.constant(*expr) : std::nullopt;
        const std::string* text = word ? word->as<std::string>() : nullptr;
        if (!text) return otherwise;
        return *text == "F" ? Layout::F : *text == "C" ? Layout::C : otherwise;
    }

    // --- calls
    std::optional<Const> converted(Type type) {
        if (call_.args.size() != 1 || !call_.keywords.empty() || !type || !type.is_scalar()) return std::nullopt;
        auto value = scope_.constant(*call_.args[0]);
        if (value) value = number_of(*value);
        if (const ConstArray* array = array_in(value)) return as_value(astype(*array, type));
        return value && value->as<Const::List>() ? as_value(array_of(nested_of(*value), type)) : std::nullopt;
    }

    std::optional<Const> function(std::string_view name) {
        if (!call_.keywords.empty() || call_.args.empty()) return std::nullopt;
        const bool is_of_items = call_.args.size() == 1 && (name == "max" || name == "min");  // `max(array)`
        if (is_of_items) return std::nullopt;
        std::vector<Const> operands;
        for (const ast::Expr* arg : call_.args) {
            auto value = scope_.constant(*arg);
            if (!value) return std::nullopt;
            const bool is_list = value->as<Const::List>() && name.starts_with("np.");
            if (auto array = is_list ? pyk::array_of(*value) : nullptr) value = Const{std::move(array), {}};
            operands.push_back(*value);
        }
        return elementwise(operands, [&](std::span<const Const> values) { return call_function(name, values); });
    }

    bool has_known_keywords(std::string_view name) const {
        const auto known = std::ranges::find(kKeywords, name, &std::pair<std::string_view, std::string_view>::first);
        return known != std::end(kKeywords) && std::ranges::all_of(call_.keywords, [&](const ast::Keyword& keyword) {
                   return !keyword.arg.empty() && has_word(known->second, keyword.arg);
               });
    }

    /// `np.array(x, ndmin=2)`: with more axes in front.
    std::optional<Const> with_axes(std::optional<Const> value) const {
        if (!argument(SIZE_MAX, "ndmin")) return value;
        const auto least = constant(SIZE_MAX, "ndmin");
        const auto count = least ? to_int(*least) : std::nullopt;
        const Const::Array array = value ? pyk::array_of(*value) : nullptr;
        if (!count || !array || *count > 32) return std::nullopt;
        std::vector<int64_t> shape = array->table.shape;
        while (static_cast<int64_t>(shape.size()) < *count) shape.insert(shape.begin(), 1);
        return as_value(reshaped(*array, std::move(shape)));
    }

    /// `np.fromiter(x, dtype, count)`.
    std::optional<Const> counted(std::optional<Const> value) const {
        if (!argument(2, "count")) return value;
        const auto said = constant(2, "count");
        const auto number = said ? to_int(*said) : std::nullopt;
        const ConstArray* array = array_in(value);
        if (!number || !array || *number > count(*array)) return std::nullopt;
        const ConstSubscript first{.kind = ConstSubscript::Kind::slice, .stop = *number};
        return *number < 0 ? value : subscripted(*array, {&first, 1});
    }

    /// The array that `np.array(…)` and its like are given.
    std::optional<Const> given(Type type, std::optional<Layout> layout) {
        if (call_.args.empty()) return std::nullopt;
        std::optional<Const> result;
        auto value = scope_.constant(*call_.args[0]);
        if (value && is_iterator(*value) && !root_of(*call_.args[0])) value = as_whole(*value);  // of `np.fromiter`
        if (const ConstArray* bytes = array_in(value); bytes && bytes->is_bytes) {
            ConstArray elements = *bytes;  // of a `bytearray`
            elements.is_bytes = false;
            value = as_value(std::move(elements));
        }
        if (array_in(value))
            result = type ? as_value(astype(*array_in(value), type)) : value;
        else if (value && (is_number(*value) || nested_of(*value).kind != Nested::Kind::value))
            result = as_value(array_of(nested_of(*value), type));
        if (result && layout) result = as_value(in_layout(*array_in(result), *layout));
        return result;
    }

    std::optional<Const> filled(size_t dtype_at, Type type, const std::optional<Const>& value) {
        const auto shape = constant(0, "shape");
        if (!shape || !dtype(dtype_at, type)) return std::nullopt;
        const auto axes = extents(*shape);
        auto array = axes ? zeros(type, *axes, order(Layout::C)) : std::nullopt;
        for (int64_t i = 0; array && value && i < count(*array); ++i)
            if (!set_item(*array, i, *value)) return std::nullopt;
        return as_value(std::move(array));
    }

    std::optional<Const> filled_like(size_t dtype_at, const std::optional<Const>& value) {
        const auto pattern = constant(0, "a");
        const ConstArray* array = array_in(pattern);
        Type type = array ? array->type.element() : Type();
        if (!array || !dtype(dtype_at, type)) return std::nullopt;
        const auto shape = constant(SIZE_MAX, "shape");
        const bool has_own = shape && !shape->as<Const::None>();
        if (argument(SIZE_MAX, "shape") && !shape) return std::nullopt;
        const auto axes = has_own ? extents(*shape) : std::optional(array->table.shape);
        auto result = axes ? zeros(type, *axes, order(array->type.layout())) : std::nullopt;
        for (int64_t i = 0; result && value && i < count(*result); ++i)
            if (!set_item(*result, i, *value)) return std::nullopt;
        return as_value(std::move(result));
    }

    std::optional<Const> constructor(std::string_view name) {
        const Const zero{Const::Int(0), {}}, one{Const::Int(1), {}};
        Type type;
        if (!has_known_keywords(name)) return std::nullopt;
        if (name == "recarray" || (name == "rec.array" && is_empty())) return records(name);
        if (name == "array" || name == "asarray" || name == "copy" || name == "rec.array") {
            if (!dtype(1, type)) return std::nullopt;
            auto value = given(type, argument(SIZE_MAX, "order") ? std::optional(order(Layout::C)) : std::nullopt);
            if (name == "array") value = with_axes(std::move(value));
            const bool is_copy = name != "asarray" && !argument(SIZE_MAX, "copy");
            return value && is_copy ? std::optional(copy_of(*value)) : value;
        }
        if (name == "ascontiguousarray") return dtype(1, type) ? given(type, Layout::C) : std::nullopt;
        if (name == "asfortranarray") return dtype(1, type) ? given(type, Layout::F) : std::nullopt;
        if (name == "zeros" || name == "empty") return filled(1, Scalar::float64, std::nullopt);
        if (name == "ones") return filled(1, Scalar::float64, one);
        if (name == "full") {
            const auto value = constant(1, "fill_value");
            return value && is_number(*value) ? filled(2, type_of(*value), value) : std::nullopt;
        }
        if (name == "zeros_like" || name == "empty_like") return filled_like(1, std::nullopt);
        if (name == "ones_like") return filled_like(1, one);
        if (name == "full_like")
            return constant(1, "fill_value") ? filled_like(2, constant(1, "fill_value")) : std::nullopt;
        if (name == "eye" || name == "identity") return eye(name == "eye");
        if (name == "arange") return arange(zero, one);
        if (name == "linspace") return linspace();
        if (name == "outer") return outer();
        if (name == "fromiter") return dtype(1, type) ? counted(given(type, std::nullopt)) : std::nullopt;
        if (name == "frombuffer") return from_buffer();
        return std::nullopt;
    }

    bool is_empty() const {
        const auto value = constant(0, "obj");
        return value && value->as<Const::None>();
    }

    /// `np.recarray((3,), dtype=…)`, `np.rec.array(None, shape=(3,), dtype=…)`: what is in it is to be stored.
    std::optional<Const> records(std::string_view name) {
        Type type;
        const auto shape = constant(name == "recarray" ? 0 : 2, "shape");
        const auto axes = shape ? extents(*shape) : std::nullopt;
        if (!axes || !dtype(1, type) || !type.is_record()) return std::nullopt;
        return as_value(zeros(type, *axes));
    }

    /// Bytes as elements of another type.
    std::optional<Const> from_buffer() {
        Type type = Scalar::float64;
        const auto buffer = constant(0, "buffer");
        const ConstArray* bytes = array_in(buffer);
        if (!bytes || !dtype(1, type) || !type) return std::nullopt;
        const auto said_count = argument(2, "count") ? constant(2, "count") : Const{Const::Int(-1), {}};
        const auto said_offset = argument(3, "offset") ? constant(3, "offset") : Const{Const::Int(0), {}};
        const auto number = said_count ? to_int(*said_count) : std::nullopt;
        const auto offset = said_offset ? to_int(*said_offset) : std::nullopt;
        const auto size = static_cast<int64_t>(type.byte_size());
        const int64_t rest = static_cast<int64_t>(bytes->table.bytes.size()) - offset.value_or(0);
        if (!number || !offset || *offset < 0 || rest < 0) return std::nullopt;
        const int64_t count = *number < 0 ? rest / size : *number;
        if (*number < 0 ? rest % size != 0 : count > rest / size) return std::nullopt;
        auto array = zeros(type, {count});
        const auto first = bytes->table.bytes.begin() + *offset;
        if (array) array->table.bytes.assign(first, first + count * size);
        return as_value(std::move(array));
    }

    std::optional<Const> eye(bool takes_columns) {
        Type type = Scalar::float64;
        const auto rows = constant(0, "N"), columns = takes_columns ? constant(1, "M") : rows;
        const auto shift = takes_columns ? constant(2, "k") : std::nullopt;
        const auto n = rows ? to_int(*rows) : std::nullopt;
        const auto m = columns ? to_int(*columns) : n;
        if (!n || !m || !dtype(takes_columns ? 3 : 1, type)) return std::nullopt;
        auto result = zeros(type, {*n, *m});
        for (int64_t i = 0; result && i < *n; ++i)
            if (const int64_t j = i + (shift ? to_int(*shift).value_or(0) : 0); j >= 0 && j < *m)
                set_item(*result, i * *m + j, Const{Const::Int(1), {}});
        return as_value(std::move(result));
    }

    std::optional<Const> arange(const Const& zero, const Const& one) {
        Type type;
        const bool has_stop = argument(1, "stop") != nullptr;
        const auto first = constant(0, has_stop ? "start" : "stop"), stop = has_stop ? constant(1, "stop") : first;
        const auto step = argument(2, "step") ? constant(2, "step") : one;
        if (!first || !stop || !step || !dtype(3, type)) return std::nullopt;
        return as_value(pyk::arange(has_stop ? *first : zero, *stop, *step, type));
    }

    std::optional<Const> linspace() {
        Type type;
        const auto start = constant(0, "start"), stop = constant(1, "stop"), endpoint = constant(3, "endpoint");
        const auto number = argument(2, "num") ? constant(2, "num") : Const{Const::Int(50), {}};
        const auto n = number ? to_int(*number) : std::nullopt;
        if (!start || !stop || !n || !dtype(5, type) || call_.args.size() > 4) return std::nullopt;
        return as_value(pyk::linspace(*start, *stop, *n, !endpoint || truth(*endpoint), type));
    }

    std::optional<Const> outer() {
        const auto a = constant(0, "a"), b = constant(1, "b");
        const Const::Array left = a ? array_of(*a) : nullptr, right = b ? array_of(*b) : nullptr;
        if (!left || !right) return std::nullopt;
        const auto column = as_value(reshaped(*left, {-1, 1})), row = as_value(reshaped(*right, {1, -1}));
        if (!column || !row) return std::nullopt;
        const Const operands[] = {*column, *row};
        return elementwise(operands, [](std::span<const Const> v) { return apply(ast::BinaryOp::Mult, v[0], v[1]); });
    }

    /// `a.tolist()`: lists in lists, of Python's numbers.
    static std::optional<Const> as_list(const ConstArray& array) {
        std::vector<Const> items;
        for (int64_t i = 0; i < count(array); ++i) {
            const auto one = item(array, i);
            if (!one) return std::nullopt;
            items.push_back({one->value, {}});
        }
        const auto& shape = array.table.shape;
        if (shape.empty()) return items[0];
        for (size_t axis = shape.size(); axis-- > 1;) {
            std::vector<Const> rows;
            const auto width = static_cast<std::ptrdiff_t>(shape[axis]);
            if (width == 0) return std::nullopt;
            for (auto row = items.begin(); row != items.end(); row += width)
                rows.push_back(list_of({row, row + width}));
            items = std::move(rows);
        }
        return list_of(std::move(items));
    }

    std::optional<Const> cast_number(const Const& number) {
        Type type;
        if (!dtype(0, type) || !type) return std::nullopt;
        return is_time(number) ? time_as(number, type) : cast(number, type);
    }

    /// `np.float32(x).view(np.int32)`.
    std::optional<Const> view_number(const Const& number) {
        Type type;
        if (!dtype(0, type) || !type.is_scalar() || !number.typed.is_scalar()) return std::nullopt;
        auto array = zeros(number.typed, {});
        if (!array || !set_item(*array, 0, number)) return std::nullopt;
        const auto made = viewed(*array, type);
        return made ? item(*made, 0) : std::nullopt;
    }

    /// `a.item(5)` counts all elements, `a.item(1, 2)` has a place in each axis.
    std::optional<Const> item_at(const ConstArray& array) const {
        std::vector<ConstSubscript> place;
        for (const ast::Expr* arg : call_.args) {
            const auto value = scope_.constant(*arg);
            const auto indices = value ? extents(*value) : std::nullopt;
            if (!indices) return std::nullopt;
            for (const int64_t index : *indices) place.push_back({ConstSubscript::Kind::index, index});
        }
        if (place.size() != 1)
            return place.size() == array.table.shape.size() ? subscripted(array, place) : std::nullopt;
        const auto flat = reshaped(array, {-1});
        return flat ? subscripted(*flat, place) : std::nullopt;
    }

    std::optional<Const> method(const ConstArray& array, std::string_view name) {
        Type type;
        if (name == "astype") return dtype(0, type) && type ? as_value(astype(array, type)) : std::nullopt;
        if (name == "reshape") {
            std::vector<int64_t> shape;
            for (const ast::Expr* arg : call_.args) {
                const auto value = scope_.constant(*arg);
                const auto more = value ? extents(*value) : std::nullopt;
                if (!more) return std::nullopt;
                shape.insert(shape.end(), more->begin(), more->end());
            }
            if (order(Layout::C) == Layout::C) return as_value(reshaped(array, std::move(shape)));
            std::ranges::reverse(shape);
            const auto columns = reshaped(transposed(array), std::move(shape));
            return columns ? as_value(transposed(*columns)) : std::nullopt;
        }
        if (name == "copy") return as_value(in_layout(array, order(Layout::C)));
        if (name == "view" && call_.args.size() + call_.keywords.size() == 1)
            return dtype(0, type) && type && type.is_scalar() ? as_value(viewed(array, type)) : std::nullopt;
        if (name == "tobytes" && call_.args.empty() && call_.keywords.empty())
            return bytes_of({reinterpret_cast<const char*>(array.table.bytes.data()), array.table.bytes.size()});
        if (name == "ravel" || name == "flatten") {
            const auto said = constant(0, "order");
            const auto* order = said ? said->as<std::string>() : nullptr;
            if (said && (!order || (*order != "C" && *order != "F"))) return std::nullopt;
            return as_value(reshaped(order && *order == "F" ? transposed(array) : array, {-1}));
        }
        if (name == "item" && !call_.args.empty()) return item_at(array);
        if (!call_.args.empty() || !call_.keywords.empty()) return as_function(array, name);
        if (name == "transpose") return as_value(transposed(array));
        if (name == "sum") return sum(array);
        if (name == "tolist") return as_list(array);
        if (name == "min" || name == "max") return extreme(array, name == "min");
        if (name == "item" && count(array) == 1) return item(array, 0);
        if (name == "conj" || name == "conjugate") {
            const Const operand = *as_value(array);
            return elementwise({&operand, 1}, [](std::span<const Const> v) { return call_function("np.conj", v); });
        }
        return as_function(array, name);
    }

    /// `a.mean(axis=0)`: what `np.mean(a, axis=0)` says.
    std::optional<Const> as_function(const ConstArray& array, std::string_view name) {
        static constexpr std::string_view kMethods[] = {
            "all",      "any",    "argmax", "argmin",    "argsort", "choose", "clip", "compress",
            "cumprod",  "cumsum", "dot",    "diagonal",  "max",     "mean",   "min",  "nonzero",
            "prod",     "ptp",    "repeat", "round",     "squeeze", "std",    "sum",  "searchsorted",
            "swapaxes", "take",   "trace",  "transpose", "var"};
        if (std::ranges::find(kMethods, name) == std::end(kMethods)) return std::nullopt;
        HostCall call;
        call.args.push_back(*as_value(array));
        for (const ast::Expr* arg : call_.args) {
            const auto value = scope_.constant(*arg);
            if (!value) return std::nullopt;
            call.args.push_back(*value);
        }
        for (const ast::Keyword& keyword : call_.keywords) {
            const auto value = scope_.constant(*keyword.value);
            if (!value) return std::nullopt;
            call.named.emplace_back(keyword.arg, *value);
        }
        if (name == "transpose" && call.args.size() > 2)
            call.args = {call.args[0], Const{Const::Tuple(call.args.begin() + 1, call.args.end()), {}}};
        const std::string path = "np." + std::string(name);
        const HostFunction* function = find_host_function(path);
        if (auto value = function ? call_host_function(*function, call) : std::nullopt) return value;
        return scope_.call_library(path, &call_, call);
    }

    const ModuleScope& scope_;
    const ast::Call& call_;
};

}  // namespace

std::optional<Const> called_constant(const ModuleScope& scope, const ast::Call& call) {
    return Reader(scope, call).value();
}

std::optional<Entity> array_member(const Const& constant, std::string_view attr) {
    const auto field = field_of(constant, attr);
    const auto* held = constant.as<Const::Array>();
    if (!held) return field ? std::optional<Entity>(*field) : std::nullopt;
    const ConstArray& array = **held;
    const Type element = array.type.element();
    const auto integer = [](size_t n) { return Const{static_cast<Const::Int>(n), {}}; };
    if (attr == "T") return as_value(transposed(array));
    if (attr == "ndim") return integer(array.table.shape.size());
    if (attr == "size") return integer(static_cast<size_t>(count(array)));
    if (attr == "itemsize") return integer(element.byte_size());
    if (attr == "nbytes") return integer(array.table.bytes.size());
    if (attr == "dtype") return TypeName{element};
    if (attr == "shape") {
        Const::Tuple shape;
        for (const int64_t extent : array.table.shape) shape.push_back(integer(static_cast<size_t>(extent)));
        return Const{std::move(shape), {}};
    }
    if (attr == "real" || attr == "imag") {
        const auto part = elementwise({&constant, 1}, [&](std::span<const Const> v) {
            const auto z = to_complex(v[0]);
            return cast(Const{attr == "real" ? z.real() : z.imag(), {}},
                        element.is_complex() ? element.component() : element);
        });
        if (part) return *part;
    }
    return field ? std::optional<Entity>(*field) : std::nullopt;
}

namespace {

/// `b"ab" + b"c"`, `b"ab" * 2`.
std::optional<Const> apply_bytes(ast::BinaryOp op, const ConstArray* lhs, const ConstArray* rhs, const Const& times) {
    const auto text = [](const ConstArray& bytes) {
        return std::string(bytes.table.bytes.begin(), bytes.table.bytes.end());
    };
    if (op == ast::BinaryOp::Add && lhs && rhs && lhs->is_bytes && rhs->is_bytes)
        return bytes_of(text(*lhs) + text(*rhs));
    const auto count = op == ast::BinaryOp::Mult && !(lhs && rhs) ? to_int(times) : std::nullopt;
    const ConstArray& bytes = lhs ? *lhs : *rhs;
    if (!count || !may_repeat(bytes.table.bytes.size(), *count)) return std::nullopt;
    std::string all;
    for (int64_t i = 0; i < *count; ++i) all += text(bytes);
    return bytes_of(all);
}

}  // namespace

std::optional<Const> apply_arrays(ast::BinaryOp op, const Const& lhs, const Const& rhs) {
    const ConstArray *left = array_in(lhs), *right = array_in(rhs);
    if (!left && !right) return apply(op, lhs, rhs);
    if ((left && left->is_bytes) || (right && right->is_bytes)) return apply_bytes(op, left, right, left ? rhs : lhs);
    if (op == ast::BinaryOp::MatMult) {
        HostCall product;
        product.args = {lhs, rhs};
        return call_host_function(*find_host_function("np.matmul"), product);
    }
    const Const operands[] = {lhs, rhs};
    return elementwise(operands, [&](std::span<const Const> v) -> std::optional<Const> {
        if (auto value = apply(op, v[0], v[1])) return value;
        // NumPy divides floats by zero.
        if (op != ast::BinaryOp::Div || !is_number(v[0]) || !is_number(v[1])) return std::nullopt;
        const auto like = apply(op, v[0], Const{Const::Int(1), v[1].typed});
        const double a = to_complex(v[0]).real(), b = to_complex(v[1]).real();
        return like && type_of(*like).is_float() ? cast(Const{a / b, {}}, type_of(*like)) : std::nullopt;
    });
}

}  // namespace pyk
