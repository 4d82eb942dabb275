// Types of values. A Type is a handle to an interned, immutable description: equal types are the same handle, copying
// is free, comparison is one pointer. The names are Numba's (`float32`, `array(float32, 2d, C)`).
#pragma once

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

const ScalarInfo& info(Scalar scalar);
std::span<const ScalarInfo> all_scalars();
/// By any alias, NumPy's and Numba's names alike.
std::optional<Scalar> scalar_from_name(std::string_view name);

/// How the elements of an array lie: C (last axis contiguous), F (first axis contiguous), A (any strides).
enum class Layout : uint8_t { C, F, A };

class Type {
  public:
    enum class Kind : uint8_t { None, Scalar, Array, Tuple, Record };
    struct Data;  ///< the interned description

    /// An invalid type: "not known", "in error". Everything else compares unequal to it.
    Type() = default;
    Type(Scalar scalar);  // NOLINT: a scalar is a type

    static Type none();
    /// An array that a kernel can be given, or a view of one. `ndim` ≥ 1.
    static Type array(Type element, int ndim, Layout layout, bool readonly = false);
    static Type tuple(std::span<const Type> elements);
    static Type tuple(std::initializer_list<Type> elements) {
        return tuple(std::span(elements.begin(), elements.size()));
    }

    /// The state of one xoroshiro128p generator, `{s0, s1: uint64}`: the only record so far.
    static Type xoroshiro128p_state();

    explicit operator bool() const { return data_ != nullptr; }
    bool operator==(const Type&) const = default;

    Kind kind() const;
    bool is_none() const { return data_ && kind() == Kind::None; }
    bool is_scalar() const { return data_ && kind() == Kind::Scalar; }
    bool is_array() const { return data_ && kind() == Kind::Array; }
    bool is_tuple() const { return data_ && kind() == Kind::Tuple; }
    bool is_record() const { return data_ && kind() == Kind::Record; }
    bool is(Scalar s) const { return is_scalar() && scalar() == s; }
    bool is_boolean() const { return is(Scalar::boolean); }
    bool is_signed() const { return is_scalar() && info(scalar()).kind == ScalarKind::signed_int; }
    bool is_unsigned() const { return is_scalar() && info(scalar()).kind == ScalarKind::unsigned_int; }
    bool is_integer() const { return is_signed() || is_unsigned(); }
    bool is_float() const { return is_scalar() && info(scalar()).kind == ScalarKind::floating; }
    /// float16 or bfloat16: a float that C++ does not have.
    bool is_small_float() const { return is_float() && bits() == 16; }
    bool is_complex() const { return is_scalar() && info(scalar()).kind == ScalarKind::complex; }

    Scalar scalar() const;  ///< of a scalar
    int bits() const { return info(scalar()).bits; }
    Type component() const;  ///< of a complex number: the type of its parts

    Type element() const;  ///< of an array
    int ndim() const;
    Layout layout() const;
    bool readonly() const;

    std::span<const Type> elements() const;  ///< of a tuple
    size_t size() const { return elements().size(); }
    /// A tuple whose elements all have one type (and which has at least one): may be indexed at run time.
    bool is_uniform_tuple() const;

    /// Bytes that one value takes in memory, and its alignment: of scalars and records, hence of array elements.
    size_t byte_size() const;
    size_t alignment() const;

    /// Numba's spelling: `int64`, `array(float32, 2d, C)`, `UniTuple(int64 x 2)`, `Tuple(int64, float32)`, `none`.
    std::string name() const;
    /// Signature spelling, which parse_type reads back: `int64`, `float32[:, ::1]`, `(int64, float32)`,
    /// `Array(float32, 1, 'C', readonly=True)` where brackets cannot say it.
    std::string signature() const;
    /// For mangled symbols: `i8`, `a2f4c`, `t2i8f4`, `a1rngc` (xoroshiro128p states).
    std::string code() const;

    const Data* data() const { return data_; }

  private:
    explicit Type(const Data* data) : data_(data) {}
    const Data* data_ = nullptr;
};

}  // namespace pyk

template <>
struct std::hash<pyk::Type> {
    size_t operator()(pyk::Type t) const noexcept { return std::hash<const void*>()(t.data()); }
};
