// The ARGs of `pykc run`.
//
//   ARG    := [PARAM "="] value
//   value  := literal | TYPE ":" literal | FILE ".npy"
//           | ("zeros" | "ones" | "arange") ":" TYPE ":" shape
//           | "full" ":" TYPE ":" shape ":" literal
//           | "rand" ":" TYPE ":" shape [":" seed]     uniform in [0, 1); integers from 0 to 99
//           | "xoroshiro" ":" count [":" seed]         states of numba.cuda.random
//   TYPE   := i8 … i64, u8 … u64, f32, f64, bool, or a type's full name
//   shape  := extent {"x" extent}
#pragma once

#include <string>
#include <variant>

#include "driver/cli/npy.h"
#include "sema/sema.h"

namespace pyk {

/// A number: of its own type, or a plain literal (int64 and float64 then, as Numba dispatches Python's numbers).
struct ScalarArgument {
    Type type;
    ConstantValue value;
};

struct RunArgument {
    std::string text;   ///< as the user wrote it, for messages
    std::string param;  ///< empty: the next parameter that no other argument names
    std::variant<ScalarArgument, NpyArray> value;
};

/// Reads one ARG, its file too. `default_seed`: of `rand` without one. Throws UsageError, or InputOutputError about a
/// file.
RunArgument parse_argument(const std::string& text, uint64_t default_seed = 0);

/// A name as Python has them; so is an empty text.
bool is_identifier(std::string_view text);

/// A number as Python writes it: `1`, `-0x10`, `2.5`, `inf`, `True`. nullopt: none.
std::optional<ConstantValue> parse_number(std::string_view text);

}  // namespace pyk
