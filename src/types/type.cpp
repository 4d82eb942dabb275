#include "types/type.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <set>
#include <tuple>

#include "support/fault.h"

namespace pyk {
namespace {

constexpr auto kScalars = std::to_array<ScalarInfo>({
#define PYK_SCALAR(name, kind, bits, code, cpp, numpy, aliases) \
    {Scalar::name, #name, ScalarKind::kind, bits, code, cpp, numpy, aliases},
#include "types/types.def"
});

/// Whether `word` is one of the words of `list`, which blanks separate.
bool contains_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

}  // namespace

const ScalarInfo& info(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }

std::span<const ScalarInfo> all_scalars() { return kScalars; }

std::optional<Scalar> scalar_from_name(std::string_view name) {
    for (const ScalarInfo& row : kScalars) {
        if (contains_word(row.aliases, name)) return row.scalar;
    }
    return std::nullopt;
}

struct Type::Data {
    Kind kind = Kind::None;
    Scalar scalar{};
    Type element = {};
    int ndim = 0;
    Layout layout{};
    bool readonly = false;
    std::vector<Type> elements = {};
};

namespace {

/// Orders descriptions by content. Component types are interned already, so that their addresses stand for them.
struct ByContent {
    static bool less(Type a, Type b) { return std::less<const void*>()(a.data(), b.data()); }

    bool operator()(const Type::Data& a, const Type::Data& b) const {
        const auto key = [](const Type::Data& d) { return std::tuple(d.kind, d.scalar, d.ndim, d.layout, d.readonly); };
        if (key(a) != key(b)) return key(a) < key(b);
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

/// What must hold of a type before it is asked something; a fault of ours otherwise.
void require(bool holds, const char* what) {
    if (!holds) internal_error(std::string("not a type that has ") + what);
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

Type::Type(Scalar scalar) : data_(scalar_data(scalar)) {}

Type Type::none() {
    static const Data* data = intern({.kind = Kind::None});
    return Type(data);
}

Type Type::array(Type element, int ndim, Layout layout, bool readonly) {
    require(ndim >= 1 && (element.is_scalar() || element.is_record()), "array elements");
    return Type(
        intern({.kind = Kind::Array, .element = element, .ndim = ndim, .layout = layout, .readonly = readonly}));
}

Type Type::tuple(std::span<const Type> elements) {
    return Type(intern({.kind = Kind::Tuple, .elements = {elements.begin(), elements.end()}}));
}

Type Type::xoroshiro128p_state() {
    static const Data* data = intern({.kind = Kind::Record});
    return Type(data);
}

Type::Kind Type::kind() const {
    require(data_ != nullptr, "a kind");
    return data_->kind;
}

Scalar Type::scalar() const {
    require(is_scalar(), "a scalar");
    return data_->scalar;
}

Type Type::component() const {
    require(is_complex(), "a real part");
    return is(Scalar::complex64) ? Scalar::float32 : Scalar::float64;
}

Type Type::element() const {
    require(is_array(), "an element type");
    return data_->element;
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

std::span<const Type> Type::elements() const {
    require(is_tuple(), "elements");
    return data_->elements;
}

bool Type::is_uniform_tuple() const {
    return is_tuple() && size() > 0 && std::ranges::all_of(elements(), [&](Type t) { return t == elements()[0]; });
}

size_t Type::byte_size() const {
    require(is_scalar() || is_record(), "a size");
    return is_record() ? 16 : static_cast<size_t>(bits()) / 8;
}

size_t Type::alignment() const { return is_record() ? 8 : is_complex() ? component().byte_size() : byte_size(); }

std::string Type::name() const {
    if (!data_) return "unknown";
    switch (kind()) {
        case Kind::None:
            return "none";
        case Kind::Scalar:
            return std::string(info(scalar()).name);
        case Kind::Record:
            return std::string(kRecordName);
        case Kind::Array:
            return (readonly() ? "readonly array(" : "array(") + element().name() + ", " + std::to_string(ndim()) +
                   "d, " + kLayoutNames[static_cast<size_t>(layout())] + ")";
        case Kind::Tuple:
            if (is_uniform_tuple()) return "UniTuple(" + elements()[0].name() + " x " + std::to_string(size()) + ")";
            return "Tuple(" + joined(elements(), &Type::name, ", ") + ")";
    }
    internal_error("a type of no kind");
}

namespace {

/// `float32[:, ::1]`, or Numba's long form where brackets cannot say it.
std::string array_signature(Type array) {
    const bool bracketed = !array.readonly() && !(array.layout() == Layout::F && array.ndim() == 1);
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
    if (is_tuple()) return "(" + joined(elements(), &Type::signature, ", ") + (size() == 1 ? ",)" : ")");
    return name();
}

std::string Type::code() const {
    switch (kind()) {
        case Kind::None:
            return "n";
        case Kind::Scalar:
            return std::string(info(scalar()).code);
        case Kind::Record:
            return "rng";
        case Kind::Array:
            return "a" + std::to_string(ndim()) + element().code() + kLayoutCodes[static_cast<size_t>(layout())] +
                   (readonly() ? "r" : "");
        case Kind::Tuple:
            return "t" + std::to_string(size()) + joined(elements(), &Type::code, "");
    }
    internal_error("a type of no kind");
}

}  // namespace pyk
