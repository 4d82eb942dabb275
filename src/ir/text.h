// What print and read agree on below the grammar: types, scalar constants and the names of locals as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/constant.h"
#include "ir/ir.h"

namespace pyk::ir {

/// `int64`, `float32[:, ::1]`, `readonly float32[:]`, `(int64, float32)`, `none`, `xoroshiro128p_state`; `?` if
/// invalid.
std::string type_text(Type type);
inline constexpr std::string_view kRecordName = "xoroshiro128p_state";

/// `True`, `-5`, `2.5`, `inf`, `nan`: a float always shows that it is one.
std::string value_text(const ConstantValue& value);

/// The text that stands for each local of a function: its name, or `name.id` where another local or the grammar has it.
std::vector<std::string> local_handles(const Function& function);

bool is_reserved_word(std::string_view word);

std::string_view storage_text(Storage storage);
/// `flat`, `rows`, `strided`: also what the symbols of such entry points end with.
std::string_view access_text(ElementAccess access);
std::optional<ElementAccess> access_from_text(std::string_view text);

}  // namespace pyk::ir
