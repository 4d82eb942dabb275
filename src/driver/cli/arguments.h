// The ARGs of `pykc run`.
//
//   ARG    := [PARAM "="] value
//   value  := single | tuple | "None" | FILE ".npy" | one of array_forms()
//   single := literal | TYPE ":" literal
//   tuple  := "(" item {"," item} [","] ")"    item := single | tuple; without a comma, the item alone
//   TYPE   := one of type_codes(), or a type's full name
//   SHAPE  := extent {"x" extent}
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "driver/cli/npy.h"
#include "sema/sema.h"

namespace pyk {

/// A number: of its own type, or a plain literal (int64, float64 and complex128 then, as Numba dispatches Python's
/// numbers).
struct ScalarArgument {
    Type type;
    ConstantValue value;
    double imaginary = 0;  ///< of a complex number, whose `value` is the real part
};

/// A tuple of numbers, None and tuples, its elements one behind the other as in a C struct.
struct TupleArgument {
    Type type;
    std::string bytes;
    size_t alignment = 1;
};

struct NoneArgument {};

using RunValue = std::variant<ScalarArgument, NpyArray, TupleArgument, NoneArgument>;

struct RunArgument {
    std::string text;   ///< as the user wrote it, for messages
    std::string param;  ///< empty: the next parameter that no other argument names
    RunValue value;
};

/// How an array is written that is made on the spot: `rand:TYPE:SHAPE[:SEED]`, and what is in it.
struct ArrayForm {
    std::string_view form, doc;
    std::string_view name() const { return form.substr(0, form.find(':')); }
};
std::vector<ArrayForm> array_forms();
/// `bool`, `i8`, `f32`.
std::vector<std::string> type_codes();

/// Reads one ARG, its file too. `default_seed`: of `rand` without one. Throws UsageError, or InputOutputError about a
/// file.
RunArgument parse_argument(const std::string& text, uint64_t default_seed = 0);

/// A number as Python writes it: `1`, `-0x10`, `2.5`, `inf`, `True`. nullopt: none.
std::optional<ConstantValue> parse_number(std::string_view text);
/// A complex number as Python's `complex` reads it: `1+2j`, `-j`. nullopt: none.
std::optional<std::complex<double>> parse_complex(std::string_view text);

}  // namespace pyk
