#include "module/const_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "module/const_text.h"
#include "module/const_time.h"
#include "module/host_values.h"
#include "support/words.h"
#include "syntax/characters.h"
#include "types/convert.h"
#include "types/small_float.h"
#include "types/time.h"

namespace pyk {
namespace {

constexpr int kMostAxes = 5;

int64_t product(std::span<const int64_t> extents) {
    int64_t n = 1;
    for (const int64_t extent : extents) n *= extent;
    return n;
}

template <typename T>
T load(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <typename T>
bool store(unsigned char* at, T value) {
    std::memcpy(at, &value, sizeof value);
    return true;
}

Const::Int load_integer(const unsigned char* at, Type type) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, type.byte_size());
    if (!type.is_signed()) return bits;
    const int unused = 64 - type.bits();
    return static_cast<int64_t>(bits << unused) >> unused;
}

bool is_time(Type type) { return is_datetime(type) || is_timedelta(type); }

/// NumPy has no room for what is behind the last character that is not 0.
Const load_text(const unsigned char* at, Type type) {
    std::string text;
    size_t end = 0;
    const size_t bytes = type.element().byte_size();
    for (size_t i = 0; i < type.count(); ++i) {
        const uint32_t code = bytes == 1 ? at[i] : load<uint32_t>(at + i * bytes);
        syntax::append_utf8(text, code);
        if (code != 0) end = text.size();
    }
    return Const{text.substr(0, end), {}};
}

std::optional<Const> load_scalar(const unsigned char* at, Type type) {
    if (is_time(type)) return Const{Const::Int(load<int64_t>(at)), type};
    if (type.is_text()) return load_text(at, type);
    if (type.is_boolean()) return Const{*at != 0, type};
    if (type.is_integer()) return Const{load_integer(at, type), type};
    if (type.is_small_float()) return Const{small_float_value(load<uint16_t>(at), type), type};
    if (type.is(Scalar::float32)) return Const{static_cast<double>(load<float>(at)), type};
    if (type.is(Scalar::float64)) return Const{load<double>(at), type};
    if (type.is(Scalar::complex64)) return Const{std::complex<double>(load<std::complex<float>>(at)), type};
    if (type.is(Scalar::complex128)) return Const{load<std::complex<double>>(at), type};
    return std::nullopt;
}

/// What is too long is cut.
bool store_text(unsigned char* at, Type type, const std::string& text) {
    const size_t bytes = type.element().byte_size();
    size_t from = 0;
    for (size_t i = 0; i < type.count() && from < text.size(); ++i) {
        const uint32_t code = next_code_point(text, from);
        if (bytes == 1 && code > 127) return false;
        std::memcpy(at + i * bytes, &code, bytes);
    }
    return true;
}

/// A time, the text of one, or a count of the type's unit.
bool store_time(unsigned char* at, Type type, const Const& value) {
    if (is_time(value)) {
        const auto same = time_as(value, type);
        return same && store(at, static_cast<int64_t>(*same->as<Const::Int>()));
    }
    if (const auto* text = value.as<std::string>(); text && is_datetime(type)) {
        const auto moment = parse_moment(*text);
        const auto count = moment ? moment_in(*moment, unit_of(type)) : std::nullopt;
        return count && store(at, *count);
    }
    const auto count = count_of_span(value);
    return count && store(at, *count);
}

bool store_scalar(unsigned char* at, Type type, const Const& value) {
    if (is_time(type)) return store_time(at, type, value);
    if (type.is_text()) return value.as<std::string>() && store_text(at, type, *value.as<std::string>());
    if (is_time(value)) return false;
    const auto converted = cast(value, type);
    if (!converted) return false;
    const Const& c = *converted;
    if (type.is_boolean()) return store(at, static_cast<unsigned char>(truth(c)));
    if (type.is_integer()) {
        const auto bits = static_cast<uint64_t>(*c.as<Const::Int>());
        std::memcpy(at, &bits, type.byte_size());
        return true;
    }
    if (type.is_small_float()) return store(at, small_float_bits(*c.as<double>(), type));
    if (type.is(Scalar::float32)) return store(at, static_cast<float>(*c.as<double>()));
    if (type.is(Scalar::float64)) return store(at, *c.as<double>());
    if (type.is(Scalar::complex64)) return store(at, std::complex<float>(to_complex(c)));
    return store(at, to_complex(c));
}

/// A value of the type from what `np.array` was given: records from tuples, array fields from lists.
bool store_nested(unsigned char* at, Type type, const Nested& nested);

bool store_field(unsigned char* at, const Field& field, std::span<const int64_t> shape, const Nested& nested) {
    if (shape.empty()) return store_nested(at, field.type, nested);
    const bool repeats = nested.kind == Nested::Kind::value;
    if (!repeats && nested.items.size() != static_cast<size_t>(shape[0])) return false;
    const size_t bytes = field.type.byte_size() * static_cast<size_t>(product(shape.subspan(1)));
    for (int64_t i = 0; i < shape[0]; ++i)
        if (!store_field(at + static_cast<size_t>(i) * bytes, field, shape.subspan(1),
                         repeats ? nested : nested.items[static_cast<size_t>(i)]))
            return false;
    return true;
}

bool store_nested(unsigned char* at, Type type, const Nested& nested) {
    if (!type.is_record()) return nested.kind == Nested::Kind::value && store_scalar(at, type, nested.value);
    const auto fields = type.fields();
    if (nested.kind == Nested::Kind::value) {  // one number for every field
        for (const Field& field : fields)
            if (!store_field(at + field.offset, field, field.shape, nested)) return false;
        return true;
    }
    if (nested.items.size() != fields.size()) return false;
    for (size_t i = 0; i < fields.size(); ++i)
        if (!store_field(at + fields[i].offset, fields[i], fields[i].shape, nested.items[i])) return false;
    return true;
}

bool is_axis(const Nested& nested, bool of_records) {
    return nested.kind == Nested::Kind::list || (nested.kind == Nested::Kind::tuple && !of_records);
}

bool shape_of(const Nested& nested, bool of_records, std::vector<int64_t>& shape) {
    for (const Nested* at = &nested; is_axis(*at, of_records); at = &at->items[0]) {
        shape.push_back(static_cast<int64_t>(at->items.size()));
        if (at->items.empty()) break;
    }
    return shape.size() <= kMostAxes;
}

/// The values in C order; false: ragged.
bool flatten(const Nested& nested, std::span<const int64_t> shape, std::vector<const Nested*>& values) {
    if (shape.empty()) {
        values.push_back(&nested);
        return true;
    }
    if (nested.kind == Nested::Kind::value || nested.items.size() != static_cast<size_t>(shape[0])) return false;
    return std::ranges::all_of(nested.items, [&](const Nested& n) { return flatten(n, shape.subspan(1), values); });
}

/// Of texts the longest, of times the finest unit; invalid: they are others, or not all are such.
Type common_type_of_no_numbers(std::span<const Nested* const> values) {
    size_t longest = 0;
    Type time;
    for (const Nested* nested : values) {
        const Const& c = nested->value;
        if (nested->kind != Nested::Kind::value) return {};
        const auto* text = c.as<std::string>();
        if (text) longest = std::max<size_t>({longest, characters_in(*text), 1});
        if (!text && !is_time(c)) return {};
        if (text ? bool(time) : longest > 0 || (time && is_datetime(time) != is_datetime(c.typed))) return {};
        if (text) continue;
        const int unit = time ? finest(unit_of(time), unit_of(c.typed)) : unit_of(c.typed);
        time = is_datetime(c.typed) ? datetime_type(unit) : timedelta_type(unit);
    }
    return longest > 0 ? Type::text(Scalar::uint32, longest) : time;
}

/// NumPy's dtype for Python's numbers and typed ones together.
Type common_dtype(std::span<const Nested* const> values) {
    if (const Type type = common_type_of_no_numbers(values)) return type;
    Type result;
    for (const Nested* nested : values) {
        const Const& c = nested->value;
        const Type type = nested->kind == Nested::Kind::value && is_number(c) ? type_of(c) : Type();
        if (!type) return {};
        result = !result || result == type ? type : unify(result, type);
        if (!result) return {};
    }
    return values.empty() ? Type(Scalar::float64) : result;
}

std::optional<std::vector<int64_t>> broadcast_shape(std::span<const Const> operands) {
    std::optional<std::vector<int64_t>> shape(std::in_place);
    for (const Const& operand : operands)
        if (const auto* array = operand.as<Const::Array>(); array && shape)
            shape = broadcast_shapes(*shape, (*array)->table.shape);
    return shape;
}

/// The position in an array that an index into the broadcast shape means.
int64_t position(const std::vector<int64_t>& own, const std::vector<int64_t>& shape, int64_t index) {
    int64_t at = 0, stride = 1;
    for (size_t k = 0; k < own.size(); ++k) {
        const size_t axis = shape.size() - 1 - k;
        const int64_t i = index % shape[axis];
        index /= shape[axis];
        if (own[own.size() - 1 - k] != 1) at += i * stride;
        stride *= own[own.size() - 1 - k];
    }
    return at;
}

double pairwise(const std::vector<double>& values, size_t first, size_t n, bool is_single) {
    const auto round = [&](double x) { return is_single ? static_cast<double>(static_cast<float>(x)) : x; };
    if (n < 8) {
        double total = -0.0;
        for (size_t i = 0; i < n; ++i) total = round(total + values[first + i]);
        return total;
    }
    if (n > 128) {
        const size_t half = n / 2 - n / 2 % 8;
        return round(pairwise(values, first, half, is_single) + pairwise(values, first + half, n - half, is_single));
    }
    double r[8];
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), 8, r);
    size_t i = 8;
    for (; i < n - n % 8; i += 8)
        for (size_t k = 0; k < 8; ++k) r[k] = round(r[k] + values[first + i + k]);
    double total =
        round(round(round(r[0] + r[1]) + round(r[2] + r[3])) + round(round(r[4] + r[5]) + round(r[6] + r[7])));
    for (; i < n; ++i) total = round(total + values[first + i]);
    return total;
}

}  // namespace

int64_t count(const ConstArray& array) { return product(array.table.shape); }

std::optional<ConstArray> zeros(Type element, std::vector<int64_t> shape, Layout layout) {
    if (!element || !element.is_element() || element.is_vector() || shape.size() > kMostAxes) return std::nullopt;
    int64_t bytes = static_cast<int64_t>(element.byte_size());
    for (const int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > static_cast<int64_t>(kMaxTableBytes))
            return std::nullopt;
    const auto ndim = static_cast<int>(shape.size());
    const Type type = Type::array(element, ndim, ndim <= 1 ? Layout::C : layout, true);
    return ConstArray{type, {std::move(shape), std::vector<unsigned char>(static_cast<size_t>(bytes))}};
}

std::optional<ConstArray> array_of(const Nested& nested, Type element) {
    std::vector<int64_t> shape;
    std::vector<const Nested*> values;
    if (!shape_of(nested, element && element.is_record(), shape) || !flatten(nested, shape, values))
        return std::nullopt;
    auto array = zeros(element ? element : common_dtype(values), shape);
    if (!array) return std::nullopt;
    const size_t bytes = array->type.element().byte_size();
    for (size_t i = 0; i < values.size(); ++i)
        if (!store_nested(array->table.bytes.data() + i * bytes, array->type.element(), *values[i]))
            return std::nullopt;
    return array;
}

std::optional<Const> item(const ConstArray& array, int64_t index) {
    const Type type = array.type.element();
    if (type.is_record()) return std::nullopt;
    return load_scalar(array.table.bytes.data() + static_cast<size_t>(index) * type.byte_size(), type);
}

Const record_at(const ConstArray& array, int64_t index) {
    const size_t bytes = array.type.element().byte_size();
    ConstArray one = *zeros(array.type.element(), {1});
    std::memcpy(one.table.bytes.data(), array.table.bytes.data() + static_cast<size_t>(index) * bytes, bytes);
    return {Const::Record{std::make_shared<const ConstArray>(std::move(one))}, {}};
}

std::optional<Const> field_of(const Const& value, std::string_view name) {
    const auto* record = value.as<Const::Record>();
    const auto* whole = record ? &record->array : value.as<Const::Array>();
    const Type type = whole ? (*whole)->type.element() : Type();
    if (!type.is_record()) return std::nullopt;
    const auto field = std::ranges::find(type.fields(), name, &Field::name);
    if (field == type.fields().end()) return std::nullopt;
    std::vector<int64_t> shape = record ? std::vector<int64_t>() : (*whole)->table.shape;
    shape.insert(shape.end(), field->shape.begin(), field->shape.end());
    auto values = zeros(field->type, shape);
    if (!values) return std::nullopt;
    for (int64_t i = 0; i < count(**whole); ++i)
        std::memcpy(values->table.bytes.data() + static_cast<size_t>(i) * field->byte_size(),
                    (*whole)->table.bytes.data() + static_cast<size_t>(i) * type.byte_size() + field->offset,
                    field->byte_size());
    if (!shape.empty()) return as_value(std::move(values));
    return field->type.is_record() ? record_at(*values, 0) : item(*values, 0);
}

bool set_item(ConstArray& array, int64_t index, const Const& value) {
    const Type type = array.type.element();
    unsigned char* at = array.table.bytes.data() + static_cast<size_t>(index) * type.byte_size();
    if (!type.is_record()) return store_scalar(at, type, value);
    const auto* record = value.as<Const::Record>();
    if (!record) return store_nested(at, type, nested_of(value));
    if (record->array->type.element() != type) return false;
    std::memcpy(at, record->array->table.bytes.data(), type.byte_size());
    return true;
}

std::optional<ConstArray> astype(const ConstArray& array, Type element) {
    auto result = zeros(element, array.table.shape, array.type.layout());
    for (int64_t i = 0; result && i < count(array); ++i) {
        const auto value = item(array, i);
        if (!value || !set_item(*result, i, *value)) return std::nullopt;
    }
    return result;
}

std::optional<std::vector<int64_t>> broadcast_shapes(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    const auto& [shorter, longer] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
    std::vector<int64_t> shape = longer;
    const size_t first = longer.size() - shorter.size();
    for (size_t i = 0; i < shorter.size(); ++i) {
        int64_t& extent = shape[first + i];
        if (extent != shorter[i] && extent != 1 && shorter[i] != 1) return std::nullopt;
        if (extent == 1) extent = shorter[i];
    }
    return shape;
}

std::optional<std::vector<int64_t>> settled_shape(std::vector<int64_t> shape, int64_t count) {
    int64_t known = 1;
    int64_t* open = nullptr;
    for (int64_t& extent : shape) {
        if (extent == -1 && !open)
            open = &extent;
        else if (extent < 0 || __builtin_mul_overflow(known, extent, &known))
            return std::nullopt;
    }
    if (open && (known == 0 || count % known != 0)) return std::nullopt;
    if (open)
        *open = count / known;
    else if (known != count)
        return std::nullopt;
    return shape;
}

std::optional<ConstArray> reshaped(const ConstArray& array, std::vector<int64_t> shape) {
    auto settled = settled_shape(std::move(shape), count(array));
    auto result = settled ? zeros(array.type.element(), std::move(*settled)) : std::nullopt;
    if (result) result->table.bytes = array.table.bytes;
    return result;
}

ConstArray in_layout(const ConstArray& array, Layout layout) {
    const int ndim = array.type.ndim();
    return {Type::array(array.type.element(), ndim, ndim <= 1 ? Layout::C : layout, true), array.table};
}

ConstArray transposed(const ConstArray& array) {
    const size_t ndim = array.table.shape.size(), bytes = array.type.element().byte_size();
    ConstArray result = in_layout(array, array.type.layout() == Layout::C ? Layout::F : Layout::C);
    std::ranges::reverse(result.table.shape);
    for (int64_t i = 0; i < count(array); ++i) {
        int64_t rest = i, to = 0;
        std::vector<int64_t> index(ndim);
        for (size_t axis = ndim; axis-- > 0; rest /= array.table.shape[axis])
            index[axis] = rest % array.table.shape[axis];
        for (size_t axis = ndim; axis-- > 0;) to = to * array.table.shape[axis] + index[axis];
        std::memcpy(result.table.bytes.data() + static_cast<size_t>(to) * bytes,
                    array.table.bytes.data() + static_cast<size_t>(i) * bytes, bytes);
    }
    return result;
}

SlicedAxis sliced(const ConstSubscript& slice, int64_t extent) {
    const int64_t step = slice.step.value_or(1);
    const int64_t least = step > 0 ? 0 : -1, most = step > 0 ? extent : extent - 1;
    const auto clipped = [&](std::optional<int64_t> bound, int64_t otherwise) {
        if (!bound) return otherwise;
        return std::clamp(*bound < 0 ? *bound + extent : *bound, least, most);
    };
    const int64_t first = clipped(slice.start, step > 0 ? least : most),
                  last = clipped(slice.stop, step > 0 ? most : least);
    const int64_t distance = step > 0 ? last - first : first - last, size = step > 0 ? step : -step;
    return {first, step, distance > 0 ? (distance - 1) / size + 1 : 0};
}

std::optional<Const> subscripted(const ConstArray& array, std::span<const ConstSubscript> subscripts) {
    struct Axis {
        int64_t first, step, count;
        bool kept;
        size_t of;
    };
    const std::vector<int64_t>& extents = array.table.shape;
    std::vector<Axis> axes;
    size_t used = 0;
    for (const ConstSubscript& s : subscripts) {
        if (s.kind == ConstSubscript::Kind::new_axis) {
            axes.push_back({0, 0, 1, true, 0});
            continue;
        }
        if (used == extents.size()) return std::nullopt;
        const int64_t n = extents[used];
        if (s.kind == ConstSubscript::Kind::index) {
            const int64_t i = s.index < 0 ? s.index + n : s.index;
            if (i < 0 || i >= n) return std::nullopt;
            axes.push_back({i, 0, 1, false, used++});
            continue;
        }
        if (s.step == 0) return std::nullopt;
        const SlicedAxis part = sliced(s, n);
        axes.push_back({part.first, part.step, part.count, true, used++});
    }
    for (; used < extents.size(); ++used) axes.push_back({0, 1, extents[used], true, used});
    std::vector<int64_t> strides(extents.size(), 1), shape;
    for (size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * extents[i];
    int64_t first = 0;
    for (const Axis& axis : axes) {
        if (axis.kept) shape.push_back(axis.count);
        if (!extents.empty() && axis.of < strides.size()) first += axis.first * strides[axis.of];
    }
    if (shape.empty() && array.type.element().is_record()) return record_at(array, first);
    if (shape.empty()) {
        auto one = item(array, first);
        if (one && array.is_bytes) one->typed = {};  // Python's integers
        return one;
    }
    auto result = zeros(array.type.element(), shape);
    if (!result) return std::nullopt;
    result->is_bytes = array.is_bytes;
    const size_t bytes = array.type.element().byte_size();
    std::erase_if(axes, [](const Axis& axis) { return !axis.kept; });
    for (int64_t i = 0; i < count(*result); ++i) {
        int64_t rest = i, from = first;
        for (size_t k = axes.size(); k-- > 0; rest /= axes[k].count)
            from += rest % axes[k].count * axes[k].step * strides[axes[k].of];
        std::memcpy(result->table.bytes.data() + static_cast<size_t>(i) * bytes,
                    array.table.bytes.data() + static_cast<size_t>(from) * bytes, bytes);
    }
    return Const{std::make_shared<const ConstArray>(std::move(*result)), {}};
}

std::optional<Const> elementwise(std::span<const Const> operands, const ConstFunction& function) {
    bool is_fortran = true;
    const auto together = broadcast_shape(operands);
    if (!together) return std::nullopt;
    const std::vector<int64_t>& shape = *together;
    std::vector<Const> values(operands.begin(), operands.end());
    for (Const& value : values)
        if (const auto* array = value.as<Const::Array>()) {
            is_fortran &= (*array)->type.layout() == Layout::F;
            const Const one{Const::Int(1), {}};
            const auto sample = shape.empty() ? item(**array, 0) : cast(one, (*array)->type.element());
            if (!sample) return std::nullopt;
            value = *sample;
        }
    if (shape.empty()) return function(values);
    const auto sample = function(values);
    const Type type = sample ? type_of(*sample) : Type();
    auto result = type && type.is_scalar() ? zeros(type, shape, is_fortran ? Layout::F : Layout::C) : std::nullopt;
    if (!result) return std::nullopt;
    for (int64_t i = 0; i < count(*result); ++i) {
        for (size_t k = 0; k < operands.size(); ++k)
            if (const auto* array = operands[k].as<Const::Array>())
                values[k] = *item(**array, position((*array)->table.shape, shape, i));
        const auto value = function(values);
        if (!value || !set_item(*result, i, *value)) return std::nullopt;
    }
    return Const{std::make_shared<const ConstArray>(std::move(*result)), {}};
}

std::optional<Const> sum(const ConstArray& array) {
    const Type type = array.type.element();
    if (!type.is_scalar()) return std::nullopt;
    if (type.is_float() && type.bits() >= 32) {
        std::vector<double> values;
        for (int64_t i = 0; i < count(array); ++i) values.push_back(*item(array, i)->as<double>());
        return Const{pairwise(values, 0, values.size(), type.bits() == 32) + 0.0, type};
    }
    if (type.is_float() || type.is_complex()) return std::nullopt;
    Const total{Const::Int(0), type.is_unsigned() ? Scalar::uint64 : Scalar::int64};
    for (int64_t i = 0; i < count(array); ++i) {
        const auto next = cast(*item(array, i), total.typed);
        const auto added = next ? apply(ast::BinaryOp::Add, total, *next) : std::nullopt;
        if (!added) return std::nullopt;
        total = *added;
    }
    return total;
}

std::optional<Const> extreme(const ConstArray& array, bool least) {
    std::optional<Const> result;
    for (int64_t i = 0; i < count(array); ++i) {
        const auto value = item(array, i);
        if (!value) return std::nullopt;
        const auto better =
            result ? compare(least ? ast::CompareOp::Lt : ast::CompareOp::Gt, *value, *result) : std::optional(true);
        if (!better) return std::nullopt;
        if (*better) result = value;
    }
    return result;
}

std::optional<ConstArray> arange(const Const& start, const Const& stop, const Const& step, Type element) {
    if (!start.as<Const::Int>() || !stop.as<Const::Int>() || !step.as<Const::Int>()) {
        if (!is_number(start) || !is_number(stop) || !is_number(step)) return std::nullopt;
        if (!element) element = Scalar::float64;
    } else if (!element) {
        element = start.typed ? start.typed : stop.typed ? stop.typed : Type(Scalar::int64);
    }
    const double from = to_complex(start).real(), by = to_complex(step).real();
    const double length = std::ceil((to_complex(stop).real() - from) / by);
    if (!(length < static_cast<double>(kMaxTableBytes))) return std::nullopt;
    auto result = zeros(element, {length > 0 ? static_cast<int64_t>(length) : 0});
    // NumPy computes the first two elements in float64, and the others from them in the array's own type.
    const bool is_single = element.is_float() && element.bits() < 64;
    const double second = from + by;
    const double origin = is_single ? static_cast<float>(from) : from;
    const double delta = (is_single ? static_cast<float>(second) : second) - origin;
    for (int64_t i = 0; result && i < result->table.shape[0]; ++i) {
        const auto n = static_cast<double>(i);
        const double value = is_single ? static_cast<float>(origin) + static_cast<float>(n) * static_cast<float>(delta)
                                       : origin + n * delta;
        const bool is_integral = start.as<Const::Int>() && step.as<Const::Int>();
        const Const exact =
            is_integral ? Const{*start.as<Const::Int>() + *step.as<Const::Int>() * i, {}} : Const{value, {}};
        if (!set_item(*result, i, i == 1 && !is_integral ? Const{second, {}} : exact)) return std::nullopt;
    }
    return result;
}

std::optional<ConstArray> linspace(const Const& start, const Const& stop, int64_t count, bool endpoint, Type element) {
    if (!is_number(start) || !is_number(stop) || count < 0) return std::nullopt;
    const double from = to_complex(start).real(), to = to_complex(stop).real(), delta = to - from;
    const int64_t parts = endpoint ? count - 1 : count;
    const double step = parts > 0 ? delta / static_cast<double>(parts) : 0;
    auto result = zeros(element ? element : Type(Scalar::float64), {count});
    for (int64_t i = 0; result && i < count; ++i) {
        const auto n = static_cast<double>(i);
        double value = step != 0 ? n * step : parts > 0 ? n / static_cast<double>(parts) * delta : n * delta;
        value += from;
        if (endpoint && i == count - 1 && count > 1) value = to;
        if (result->type.element().is_integer()) value = std::floor(value);
        if (!set_item(*result, i, Const{value, {}})) return std::nullopt;
    }
    return result;
}

const ConstArray* array_in(const std::optional<Const>& constant) {
    const auto* array = constant ? constant->as<Const::Array>() : nullptr;
    return array ? array->get() : nullptr;
}

std::optional<Const> as_value(std::optional<ConstArray> array) {
    if (!array) return std::nullopt;
    return Const{std::make_shared<const ConstArray>(std::move(*array)), {}};
}

}  // namespace pyk
