// Types of values. A Type is a handle to an interned, immutable description: equal types are the same handle, copying
// is free, comparison is one pointer. The names are Numba's (`float32`, `array(float32, 2d, C)`).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyk {

enum class Scalar : uint8_t {
#define PYK_SCALAR(name, ...) name,
#include "types/types.def"
};

enum class ScalarKind : uint8_t { boolean, signed_int, unsigned_int, floating, complex };

/// One row of types.def.
struct ScalarInfo {
    Scalar scalar;
    std::string_view name;  ///< Numba's name
    ScalarKind kind;
    int bits;                  ///< of storage: a boolean takes 8
    std::string_view code;     ///< in mangled symbols
    std::string_view cpp;      ///< in emitted text
    std::string_view numpy;    ///< array-interface descriptor
    std::string_view aliases;  ///< separated by blanks
};

inline constexpr auto kScalars = std::to_array<ScalarInfo>({
#define PYK_SCALAR(name, kind, bits, code, cpp, numpy, aliases) \
    {Scalar::name, #name, ScalarKind::kind, bits, code, cpp, numpy, aliases},
#include "types/types.def"
});
inline const ScalarInfo& info(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }
inline std::span<const ScalarInfo> all_scalars() { return kScalars; }
/// By any alias, NumPy's and Numba's names alike.
std::optional<Scalar> scalar_from_name(std::string_view name);

/// How the elements of an array lie: C (last axis contiguous), F (first axis contiguous), A (any strides).
enum class Layout : uint8_t { C, F, A };

/// What a tuple type is besides its elements. All but `plain` have names for their elements.
enum class TupleKind : uint8_t {
    plain,
    named,      ///< a named tuple
    structure,  ///< a dataclass: like a named tuple, but a local's fields may be assigned
    vector,     ///< CUDA's float4 and its like: aligned as a whole, and an array may have it as element
    dim3,       ///< `cuda.threadIdx` as a value
    optional,   ///< `{has_value, value}`: a value or None
};

struct Field;

class Type {
  public:
    enum class Kind : uint8_t { None, Scalar, Array, Tuple, Record, Distinct, Pointer, Text };
    struct Data;  ///< the interned description

    /// An invalid type: "not known", "in error". Everything else compares unequal to it.
    Type() = default;
    Type(Scalar scalar);  // NOLINT: a scalar is a type

    static Type none();
    static constexpr int kMostAxes = 32;  ///< of an array: NumPy 1's own limit
    /// An array that a kernel can be given, or a view of one. `ndim` ≥ 1.
    static Type array(Type element, int ndim, Layout layout, bool readonly = false, bool aligned = true);
    static Type tuple(std::span<const Type> elements);
    static Type tuple(std::initializer_list<Type> elements) {
        return tuple(std::span(elements.begin(), elements.size()));
    }

    static Type named_tuple(TupleKind kind, std::string name, std::vector<std::string> names,
                            std::span<const Type> elements);
    static Type optional(Type value);

    /// A NumPy structured dtype. Where a field or the size does not fit the natural alignments, or `packed` says so,
    /// nothing in it is aligned. A value of such a type is a place in memory.
    static Type record(std::vector<Field> fields, size_t size, bool packed = false);
    /// The state of one xoroshiro128p generator, `{s0, s1: uint64}`.
    static Type xoroshiro128p_state();

    /// NumPy's text of a fixed length, filled up with zeros: `S12` of uint8, `U4` of uint32. `count` ≥ 1.
    static Type text(Scalar character, size_t count);

    /// C's pointer to `element`, where none stands for void.
    static Type pointer(Type element);

    /// A scalar that is a type of its own: an enumeration, `datetime64[us]`.
    static Type distinct(std::string name, Scalar scalar, bool converts = false);

    explicit operator bool() const { return data_ != nullptr; }
    bool operator==(const Type&) const = default;

    Kind kind() const;
    bool is_none() const { return data_ && kind() == Kind::None; }
    bool is_scalar() const { return data_ && kind() == Kind::Scalar; }
    bool is_array() const { return data_ && kind() == Kind::Array; }
    bool is_tuple() const { return data_ && kind() == Kind::Tuple; }
    bool is_record() const { return data_ && kind() == Kind::Record; }
    bool is_distinct() const { return data_ && kind() == Kind::Distinct; }
    bool is_pointer() const { return data_ && kind() == Kind::Pointer; }
    bool is_text() const { return data_ && kind() == Kind::Text; }
    bool is_optional() const { return is_tuple() && tuple_kind() == TupleKind::optional; }
    bool is_vector() const { return is_tuple() && tuple_kind() == TupleKind::vector; }
    /// What an array may consist of.
    bool is_element() const { return is_scalar() || is_record() || is_distinct() || is_vector() || is_text(); }
    bool is(Scalar s) const { return is_scalar() && scalar() == s; }
    bool is_boolean() const { return is(Scalar::boolean); }
    bool is_signed() const { return is_scalar() && info(scalar()).kind == ScalarKind::signed_int; }
    bool is_unsigned() const { return is_scalar() && info(scalar()).kind == ScalarKind::unsigned_int; }
    bool is_integer() const { return is_signed() || is_unsigned(); }
    bool is_float() const { return is_scalar() && info(scalar()).kind == ScalarKind::floating; }
    /// float16 or bfloat16: a float that C++ does not have.
    bool is_small_float() const { return is_float() && bits() == 16; }
    bool is_complex() const { return is_scalar() && info(scalar()).kind == ScalarKind::complex; }

    Scalar scalar() const;  ///< of a scalar, or of what a distinct type is made of
    bool converts() const;  ///< of a distinct type: it may be used as its scalar (IntEnum)
    int bits() const { return info(scalar()).bits; }
    Type component() const;  ///< of a complex number: the type of its parts

    Type element() const;  ///< of an array, what a pointer points to, or the character of a text
    int ndim() const;
    Layout layout() const;
    bool readonly() const;
    bool aligned() const;  ///< false: elements at any address, in fields of packed records

    std::span<const Type> elements() const;  ///< of a tuple
    size_t size() const { return elements().size(); }
    /// A tuple whose elements all have one type (and which has at least one): may be indexed at run time.
    bool is_uniform_tuple() const;
    TupleKind tuple_kind() const;
    std::string_view tuple_name() const;                 ///< the class' name
    std::span<const std::string> element_names() const;  ///< empty of plain tuples
    /// The same tuple, or named tuple, of elements of other types.
    Type with_elements(std::span<const Type> elements) const;
    std::optional<size_t> element_index(std::string_view name) const;

    std::span<const Field> fields() const;  ///< of a record
    std::optional<size_t> field_index(std::string_view name) const;
    /// The type of a field's value: an array's elements seen as an array of layout C.
    Type field_type(size_t index) const;

    size_t count() const;  ///< of a text: how many characters it has room for

    /// Bytes that one value takes in memory, and its alignment: of all that an array may consist of.
    size_t byte_size() const;
    size_t alignment() const;

    /// Numba's spelling: `int64`, `array(float32, 2d, C)`, `UniTuple(int64 x 2)`, `Tuple(int64, float32)`, `none`.
    std::string name() const;
    /// Signature spelling, which parse_type reads back: `int64`, `float32[:, ::1]`, `(int64, float32)`,
    /// `Array(float32, 1, 'C', readonly=True)` where brackets cannot say it.
    std::string signature() const;
    /// For mangled symbols: `i8`, `a2f4c`, `t2i8f4`, `S12`, `U4`, `a1rngc` (xoroshiro128p states);
    /// other records by size and a digest.
    std::string code() const;

    const Data* data() const { return data_; }

  private:
    explicit Type(const Data* data) : data_(data) {}
    /// What must hold of a type before it is asked something; a fault of ours otherwise.
    static void require(bool holds, const char* what) {
        if (!holds) has_no(what);
    }
    [[noreturn]] static void has_no(const char* what);

    const Data* data_ = nullptr;
};

/// A field of a record: a value of `type`, or an array of them where there is a shape.
struct Field {
    std::string name;
    Type type;
    size_t offset = 0;
    std::vector<int64_t> shape = {};

    size_t byte_size() const;
};

struct Type::Data {
    Kind kind = Kind::None;
    Scalar scalar{};
    Type element = {};
    int ndim = 0;
    Layout layout{};
    bool readonly = false;
    std::vector<Type> elements = {};
    bool aligned = true;  ///< of arrays and records
    bool converts = false;
    TupleKind tuple_kind = TupleKind::plain;
    std::string name = {};  ///< of tuples that have one, and of distinct types
    std::vector<std::string> names = {};
    std::vector<Field> fields = {};
    size_t size = 0;  ///< of records in bytes, of texts in characters
};

// Asked all the time, and so inline.
inline Type::Kind Type::kind() const {
    require(data_ != nullptr, "a kind");
    return data_->kind;
}
inline Scalar Type::scalar() const {
    require(is_scalar() || is_distinct(), "a scalar");
    return data_->scalar;
}
inline Type Type::element() const {
    require(is_array() || is_pointer() || is_text(), "an element type");
    return data_->element;
}
inline TupleKind Type::tuple_kind() const {
    require(is_tuple(), "elements");
    return data_->tuple_kind;
}

}  // namespace pyk

template <>
struct std::hash<pyk::Type> {
    size_t operator()(pyk::Type t) const noexcept { return std::hash<const void*>()(t.data()); }
};
