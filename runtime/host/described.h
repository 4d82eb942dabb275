// Packed arguments as a person reads them.
#pragma once

#include <string>
#include <string_view>

namespace pyk {

/// `symbol(2.5, float32[1000] at 0x7f…)`: the types are the codes that end a symbol of ours (`pyk_saxpy_f4_a1f4c`).
/// There are `size` bytes of arguments, of which the first `kept` are at hand: the others are left out. Where a type is
/// unknown here all are.
std::string described(std::string_view symbol, const unsigned char* args, std::size_t kept, std::size_t size);

}  // namespace pyk
