// Names of emitted text: the author's, but where C++, its headers or the emitted text itself need the name.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "emit/emit.h"

namespace pyk::emitter {

using NameSet = std::set<std::string, std::less<>>;

/// A C++ identifier for an author's name: with `_` behind it where it is a keyword, a macro, reserved to the compiler,
/// or a name that spellings of builtins use without a namespace.
std::string cpp_identifier(std::string_view name);
/// The same, Greek letters by their names and without the underscores of reserved forms: of what no other file sees, or
/// with its name made unique.
std::string inner_identifier(std::string_view name);
/// Whether nothing but a function (or type) of C++'s headers has the name: a local may hide that from code that does
/// not use it.
bool is_function_of_headers(std::string_view name);
/// Whether a builtin that is spelled so uses the name without a namespace.
bool uses_name(std::string_view spelling, std::string_view name);
/// An inner identifier that is not taken: `x`, `x_1`, `x_2` ….
std::string unique_identifier(std::string_view name, const std::function<bool(const std::string&)>& taken);
std::string unique_identifier(std::string_view name, const NameSet& taken);
/// A path without its folders.
std::string file_name(std::string_view path);
/// A file's name as an identifier: `matmul` of `matmul.pyk`.
std::string file_identifier(std::string_view source_name);
/// The namespace of a file's functions: the user's, else `matmul` of `matmul.pyk`; never `std`, `pyk`, or a name that a
/// header declares.
std::string namespace_of(std::string_view source_name, const EmitOptions& options);

}  // namespace pyk::emitter
