// Compile-time values: what module-level expressions and literals evaluate to, with Python's own arithmetic (integers
// of any size up to 128 bits, true division, floor semantics). Their types as values in a kernel are Numba's types of
// globals.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/ir.h"
#include "syntax/ast.h"
#include "types/type.h"

namespace pyk {

struct FunctionInfo;

/// A NumPy array that the module makes.
struct ConstArray {
    Type type;  ///< a readonly array of layout C or F
    ir::Table table;
    bool is_bytes = false;  ///< Python's `bytes` or `bytearray`, whose `+` and `*` are those of sequences
};

struct ConstList;

struct Const {
    struct None {
        bool operator==(const None&) const = default;
    };
    using Int = __int128;
    using Tuple = std::vector<Const>;
    /// A dict, or what is made of one: a set has no values, a Counter counts its keys.
    struct Dict {
        enum class Kind : uint8_t { plain, set, counter };
        std::vector<Const> keys, values;
        Kind kind = Kind::plain;
        /// Of a Counter and of `defaultdict(int)`: makes the value of a key that is not there.
        Const (*factory)() = nullptr;

        /// The same with other entries.
        Dict with(std::vector<Const> other_keys, std::vector<Const> other_values) const {
            return {std::move(other_keys), std::move(other_values), kind, factory};
        }
    };
    using Array = std::shared_ptr<const ConstArray>;
    using List = std::shared_ptr<const ConstList>;  ///< one object: what changes it makes another
    /// Of a structured array.
    struct Record {
        Array array;  ///< has it alone
        bool operator==(const Record&) const = default;
    };
    /// One object, as a list is.
    struct DictObject {
        std::shared_ptr<const Dict> dict;

        DictObject(Dict entries) : dict(std::make_shared<const Dict>(std::move(entries))) {}
        bool operator==(const DictObject&) const = default;
    };
    /// Functions are elements of tuples.
    std::variant<None, bool, Int, double, std::complex<double>, std::string, Type, Tuple, DictObject,
                 const FunctionInfo*, const Builtin*, Array, List, Record>
        value;
    /// Set by a typed constructor (`np.float32(0.5)`): the value keeps this type in kernels.
    Type typed;
    /// Of a member of an IntEnum or a StrEnum, which is a number or a text otherwise: its enumeration.
    Type member_of = {};

    template <typename T>
    const T* as() const {
        if constexpr (std::is_same_v<T, Dict>) {
            const auto* object = std::get_if<DictObject>(&value);
            return object ? object->dict.get() : nullptr;
        } else {
            return std::get_if<T>(&value);
        }
    }
};

/// A list, or an iterator: what is still to come of it, and of an endless one the first of that.
struct ConstList {
    enum class Kind : uint8_t { list, iterator, endless };
    std::vector<Const> items;
    Kind kind = Kind::list;
};
Const list_of(std::vector<Const> items);

/// The type that the constant has as a value in a kernel; invalid for None, strings, types and integers beyond 64 bits.
Type type_of(const Const& constant);
/// Whether it is an array, a record, or a tuple with one in it.
bool holds_array(const Const& constant);
/// The IR of a constant whose type is valid and that holds no array; tuples element by element, complex numbers from
/// their parts.
ir::ExprPtr to_expr(const Const& constant, Span span);
/// Of a number.
std::complex<double> to_complex(const Const& constant);
bool is_number(const Const& constant);
/// Of a scalar that is not complex.
std::variant<bool, int64_t, uint64_t, double> to_scalar(const Const& constant);
std::optional<int64_t> to_int(const Const& constant);
/// `int(x)`: towards zero, and without a type. nullopt: there is none, or it has too many digits for a constant.
std::optional<Const> whole_number(const Const& number);
bool truth(const Const& constant);

/// The constant converted by a typed constructor, as NumPy converts.
std::optional<Const> cast(const Const& constant, Type type);

/// Python's `complex(real, imag)`.
std::optional<Const> complex_of(const Const& real, const Const& imag);

/// Python's operators on constants. nullopt: not defined, or not a constant that kernels can use.
std::optional<Const> apply(ast::BinaryOp op, const Const& lhs, const Const& rhs);
std::optional<Const> apply(ast::UnaryOp op, const Const& operand);
std::optional<bool> compare(ast::CompareOp op, const Const& lhs, const Const& rhs);
std::optional<Const> literal(const ast::Constant& constant);

}  // namespace pyk
