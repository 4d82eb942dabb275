#include "types/type.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>

#include "support/fault.h"
#include "types/digest.h"
#include "types/none.h"

namespace pyk {
namespace {

/// The words of each row's aliases, which blanks separate.
std::unordered_map<std::string_view, Scalar> scalars_by_name() {
    std::unordered_map<std::string_view, Scalar> result;
    for (const ScalarInfo& row : kScalars) {
        for (std::string_view rest = row.aliases; !rest.empty();) {
            const size_t end = std::min(rest.find(' '), rest.size());
            result.emplace(rest.substr(0, end), row.scalar);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return result;
}

}  // namespace

std::optional<Scalar> scalar_from_name(std::string_view name) {
    static const std::unordered_map<std::string_view, Scalar> by_name = scalars_by_name();
    const auto found = by_name.find(name);
    return found == by_name.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// Orders descriptions by content. Component types are interned already, so that their addresses stand for them.
struct ByContent {
    static bool less(Type a, Type b) { return std::less<const void*>()(a.data(), b.data()); }
    static bool same(const Field& a, const Field& b) {
        return a.type == b.type && std::tie(a.name, a.offset, a.shape) == std::tie(b.name, b.offset, b.shape);
    }
    static bool before(const Field& a, const Field& b) {
        if (a.type != b.type) return less(a.type, b.type);
        return std::tie(a.name, a.offset, a.shape) < std::tie(b.name, b.offset, b.shape);
    }

    bool operator()(const Type::Data& a, const Type::Data& b) const {
        const auto key = [](const Type::Data& d) {
            return std::tie(d.kind, d.scalar, d.ndim, d.layout, d.readonly, d.aligned, d.converts, d.tuple_kind, d.size,
                            d.name, d.names);
        };
        if (key(a) != key(b)) return key(a) < key(b);
        if (!std::ranges::equal(a.fields, b.fields, same))
            return std::ranges::lexicographical_compare(a.fields, b.fields, before);
        if (a.element != b.element) return less(a.element, b.element);
        return std::lexicographical_compare(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(),
                                            less);
    }
};

/// The one description with this content; lives as long as the process, whatever the order of static destruction.
const Type::Data* intern(Type::Data description) {
    static std::mutex& mutex = *new std::mutex;
    static auto& table = *new std::set<Type::Data, ByContent>;
    const std::lock_guard lock(mutex);
    return &*table.insert(std::move(description)).first;
}

/// Scalars are by far the most frequent: a table without a lock.
const Type::Data* scalar_data(Scalar scalar) {
    static const auto& table = *[] {
        auto* rows = new std::array<const Type::Data*, kScalars.size()>;
        for (const ScalarInfo& row : kScalars) {
            (*rows)[static_cast<size_t>(row.scalar)] = intern({.kind = Type::Kind::Scalar, .scalar = row.scalar});
        }
        return rows;
    }();
    return table[static_cast<size_t>(scalar)];
}

std::string joined(std::span<const Type> types, std::string (Type::*spell)() const, std::string_view separator) {
    std::string text;
    for (Type t : types) {
        if (!text.empty()) text += separator;
        text += (t.*spell)();
    }
    return text;
}

constexpr std::string_view kRecordName = "xoroshiro128p";
constexpr std::string_view kLayoutNames = "CFA";
constexpr std::string_view kLayoutCodes = "cfa";

}  // namespace

void Type::has_no(const char* what) { internal_error(std::string("not a type that has ") + what); }

Type::Type(Scalar scalar) : data_(scalar_data(scalar)) {}

Type Type::none() {
    static const Data* data = intern({.kind = Kind::None});
    return Type(data);
}

Type Type::array(Type element, int ndim, Layout layout, bool readonly, bool aligned) {
    require(ndim >= 0 && element.is_element(), "array elements");
    return Type(intern({.kind = Kind::Array,
                        .element = element,
                        .ndim = ndim,
                        .layout = ndim == 0 ? Layout::C : layout,
                        .readonly = readonly,
                        .aligned = aligned || element.alignment() == 1}));
}

Type Type::tuple(std::span<const Type> elements) {
    return Type(intern({.kind = Kind::Tuple, .elements = {elements.begin(), elements.end()}}));
}

Type Type::named_tuple(TupleKind kind, std::string name, std::vector<std::string> names,
                       std::span<const Type> elements) {
    require(kind != TupleKind::plain && names.size() == elements.size(), "a name for each element");
    return Type(intern({.kind = Kind::Tuple,
                        .elements = {elements.begin(), elements.end()},
                        .tuple_kind = kind,
                        .name = std::move(name),
                        .names = std::move(names)}));
}

Type Type::optional(Type value) {
    const Type elements[] = {Scalar::boolean, value};
    return named_tuple(TupleKind::optional, "optional", {"has_value", "value"}, elements);
}

Type Type::record(std::vector<Field> fields, size_t size, bool packed) {
    size_t alignment = 1;
    for (const Field& field : fields) {
        alignment = std::max(alignment, field.type.alignment());
        packed = packed || field.offset % field.type.alignment() != 0;
    }
    packed = packed || size % alignment != 0;
    if (packed && alignment > 1)
        for (Field& field : fields)
            if (field.type.is_record() && field.type.alignment() > 1)
                field.type =
                    record({field.type.fields().begin(), field.type.fields().end()}, field.type.byte_size(), true);
    return Type(intern({.kind = Kind::Record, .aligned = !packed, .fields = std::move(fields), .size = size}));
}

Type Type::xoroshiro128p_state() {
    static const Type type = record({{"s0", Scalar::uint64, 0}, {"s1", Scalar::uint64, 8}}, 16);
    return type;
}

Type Type::text(Scalar character, size_t count) {
    require(count > 0, "characters");
    return Type(intern({.kind = Kind::Text, .element = character, .size = count}));
}

Type Type::pointer(Type element) {
    require(static_cast<bool>(element) && !element.is_array(), "an address");
    return Type(intern({.kind = Kind::Pointer, .element = element}));
}

Type Type::distinct(std::string name, Scalar scalar, bool converts) {
    return Type(intern({.kind = Kind::Distinct, .scalar = scalar, .converts = converts, .name = std::move(name)}));
}

Type Type::component() const {
    require(is_complex(), "a real part");
    return is(Scalar::complex64) ? Scalar::float32 : Scalar::float64;
}

bool Type::converts() const {
    require(is_distinct(), "a scalar of its own");
    return data_->converts;
}

int Type::ndim() const {
    require(is_array(), "axes");
    return data_->ndim;
}

Layout Type::layout() const {
    require(is_array(), "a layout");
    return data_->layout;
}

bool Type::readonly() const {
    require(is_array(), "a readonly flag");
    return data_->readonly;
}

bool Type::aligned() const {
    require(is_array() || is_record(), "an alignment");
    return data_->aligned;
}

std::span<const Type> Type::elements() const {
    require(is_tuple(), "elements");
    return data_->elements;
}

bool Type::is_uniform_tuple() const {
    return is_tuple() && !is_optional() && size() > 0 &&
           std::ranges::all_of(elements(), [&](Type t) { return t == elements()[0]; });
}

std::string_view Type::tuple_name() const {
    require(is_tuple(), "elements");
    return data_->name;
}

std::span<const std::string> Type::element_names() const {
    require(is_tuple(), "elements");
    return data_->names;
}

Type Type::with_elements(std::span<const Type> elements) const {
    const auto names = element_names();
    std::vector<Type> types(elements.begin(), elements.end());
    if (names.empty()) return tuple(types);
    return named_tuple(tuple_kind(), std::string(tuple_name()), {names.begin(), names.end()}, std::move(types));
}

std::optional<size_t> Type::element_index(std::string_view name) const {
    const auto names = element_names();
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<size_t>(found - names.begin()));
}

std::span<const Field> Type::fields() const {
    require(is_record(), "fields");
    return data_->fields;
}

std::optional<size_t> Type::field_index(std::string_view name) const {
    const auto all = fields();
    const auto found = std::ranges::find(all, name, &Field::name);
    return found == all.end() ? std::nullopt : std::optional(static_cast<size_t>(found - all.begin()));
}

Type Type::field_type(size_t index) const {
    const Field& field = fields()[index];
    if (field.shape.empty()) return field.type;
    return array(field.type, static_cast<int>(field.shape.size()), Layout::C, false, data_->aligned);
}

size_t Field::byte_size() const {
    size_t bytes = type.byte_size();
    for (const int64_t extent : shape) bytes *= static_cast<size_t>(extent);
    return bytes;
}

size_t Type::count() const {
    require(is_text(), "characters");
    return data_->size;
}

size_t Type::byte_size() const {
    require(is_element(), "a size");
    if (is_record()) return data_->size;
    if (is_text()) return count() * element().byte_size();
    if (is_vector()) return size() * elements()[0].byte_size();
    return static_cast<size_t>(info(scalar()).bits) / 8;
}

size_t Type::alignment() const {
    if (is_vector()) return size() == 3 ? elements()[0].byte_size() : std::min<size_t>(byte_size(), 16);
    if (is_complex()) return component().byte_size();
    if (is_text()) return element().alignment();
    if (!is_record()) return byte_size();
    size_t alignment = 1;
    if (data_->aligned)
        for (const Field& field : fields()) alignment = std::max(alignment, field.type.alignment());
    return alignment;
}

namespace {

/// Numba's: `Record(x[type=float32;offset=0],v[type=nestedarray(int32, (3,));offset=4];16;True)`.
std::string record_text(Type record, std::string (Type::*spell)() const) {
    if (record == Type::xoroshiro128p_state()) return std::string(kRecordName);
    std::string text = "Record(";
    for (const Field& field : record.fields()) {
        if (!text.ends_with('(')) text += ',';
        text += field.name + "[type=";
        std::string extents;
        for (const int64_t extent : field.shape) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
        if (field.shape.size() == 1) extents += ',';
        const std::string type = (field.type.*spell)();
        text += field.shape.empty() ? type : "nestedarray(" + type + ", (" + extents + "))";
        text += ";offset=" + std::to_string(field.offset) + "]";
    }
    return text + ";" + std::to_string(record.byte_size()) + ";" + (record.aligned() ? "True)" : "False)");
}

/// `P(int64, float32)`, or Numba's `UniTuple(int64 x 2)` for a plain one.
std::string tuple_text(Type tuple) {
    if (is_none_value(tuple)) return "none";
    if (tuple.is_vector() || tuple.tuple_kind() == TupleKind::dim3) return std::string(tuple.tuple_name());
    if (tuple.is_optional()) return "OptionalType(" + tuple.elements()[1].name() + ")";
    if (tuple.tuple_kind() == TupleKind::plain && tuple.is_uniform_tuple())
        return "UniTuple(" + tuple.elements()[0].name() + " x " + std::to_string(tuple.size()) + ")";
    const std::string name(tuple.tuple_kind() == TupleKind::plain ? "Tuple" : tuple.tuple_name());
    return name + "(" + joined(tuple.elements(), &Type::name, ", ") + ")";
}

}  // namespace

std::string digest(std::string_view text) {
    uint32_t hash = 2166136261u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    std::string result;
    for (int shift = 28; shift >= 0; shift -= 4) result += "0123456789abcdef"[hash >> shift & 15];
    return result;
}

std::string Type::name() const {
    if (!data_) return "unknown";
    switch (kind()) {
        case Kind::None:
            return "none";
        case Kind::Scalar:
            return std::string(info(scalar()).name);
        case Kind::Record:
            return record_text(*this, &Type::name);
        case Kind::Distinct:
            return data_->name;
        case Kind::Pointer:
            return (element().is_none() ? "void" : element().name()) + "*";
        case Kind::Text:
            return (element().bits() == 8 ? "[char x " : "[unichr x ") + std::to_string(count()) + "]";
        case Kind::Array:
            return (readonly() ? "readonly array(" : "array(") + element().name() + ", " + std::to_string(ndim()) +
                   "d, " + kLayoutNames[static_cast<size_t>(layout())] + ")";
        case Kind::Tuple:
            return tuple_text(*this);
    }
    internal_error("a type of no kind");
}

namespace {

/// `float32[:, ::1]`, or Numba's long form where brackets cannot say it.
std::string array_signature(Type array) {
    const bool bracketed = !array.readonly() && array.ndim() > 0 && !(array.layout() == Layout::F && array.ndim() == 1);
    if (!bracketed) {
        return "Array(" + array.element().signature() + ", " + std::to_string(array.ndim()) + ", '" +
               kLayoutNames[static_cast<size_t>(array.layout())] + "'" + (array.readonly() ? ", readonly=True" : "") +
               ")";
    }
    const int contiguous = array.layout() == Layout::C ? array.ndim() - 1 : array.layout() == Layout::F ? 0 : -1;
    std::string text = array.element().signature() + "[";
    for (int axis = 0; axis < array.ndim(); ++axis) {
        if (axis > 0) text += ", ";
        text += axis == contiguous ? "::1" : ":";
    }
    return text + "]";
}

}  // namespace

std::string Type::signature() const {
    if (is_array()) return array_signature(*this);
    if (is_record()) return record_text(*this, &Type::signature);
    if (is_pointer()) return element().is_none() ? "voidptr" : "CPointer(" + element().signature() + ")";
    if (is_text()) return (element().bits() == 8 ? "CharSeq(" : "UnicodeCharSeq(") + std::to_string(count()) + ")";
    if (is_tuple() && tuple_kind() == TupleKind::plain)
        return "(" + joined(elements(), &Type::signature, ", ") + (size() == 1 ? ",)" : ")");
    return name();
}

std::string Type::code() const {
    switch (kind()) {
        case Kind::None:
            return "n";
        case Kind::Scalar:
            return std::string(info(scalar()).code);
        case Kind::Record:
            if (*this == xoroshiro128p_state()) return "rng";
            return "r" + std::to_string(byte_size()) + "x" + digest(name());
        case Kind::Distinct:
            return "d" + std::string(info(scalar()).code) + digest(name());
        case Kind::Pointer:
            return "p" + element().code();
        case Kind::Text:
            return (element().bits() == 8 ? "S" : "U") + std::to_string(count());
        case Kind::Array:
            return "a" + std::to_string(ndim()) + element().code() + kLayoutCodes[static_cast<size_t>(layout())] +
                   (readonly() ? "r" : "") + (aligned() ? "" : "u");
        case Kind::Tuple:
            if (is_none_value(*this)) return "n";
            if (tuple_kind() == TupleKind::optional) return "o" + elements()[1].code();
            if (is_vector() || tuple_kind() == TupleKind::dim3) return std::string(tuple_name());
            return std::string(tuple_name()) + (tuple_kind() == TupleKind::plain ? "t" : "") + std::to_string(size()) +
                   joined(elements(), &Type::code, "");
    }
    internal_error("a type of no kind");
}

}  // namespace pyk
