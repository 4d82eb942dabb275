// What is said of a program's array functions, in the cache on disk.
#pragma once

#include "cache/bytes.h"
#include "jit/compiler/interface.h"

namespace pyk::jit {

void write_texts(cache::Writer& to, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(cache::Reader& from);

void write_type(cache::Writer& to, ElementType type);
ElementType read_element_type(cache::Reader& from);

void write_summary(cache::Writer& to, const ArraySummary& function);
/// Of a faulty entry anything; the reader knows.
ArraySummary read_summary(cache::Reader& from);

}  // namespace pyk::jit
