// The files *.pyk of this folder, carried inside the compiler: functions that are made of others.
#pragma once

#include <string_view>

#include "syntax/ast.h"
#include "syntax/importer.h"

namespace pyk {

size_t library_size();
/// By its place among the files, parsed when it is asked for first; the same one for all compilations.
const ast::Module& library_file(size_t place);
/// The first file with this name at its top, from a place on: `def name(`, `class name` or `name = other`;
/// library_size(): none.
size_t library_place_of(std::string_view name, size_t from = 0);
/// What a file of the library imports from another one: `from shapes import with_extent`.
Importer& library_importer();

}  // namespace pyk
