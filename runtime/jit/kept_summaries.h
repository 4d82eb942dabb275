// What is said of a program's array functions, in the cache on disk.
#pragma once

#include "jit/blob.h"
#include "jit/compiler/interface.h"

namespace pyk::jit {

void write_texts(BlobWriter& to, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(BlobReader& from);

void write_type(BlobWriter& to, ElementType type);
ElementType read_element_type(BlobReader& from);

void write_summary(BlobWriter& to, const ArraySummary& function);
/// Of a faulty blob anything; the reader knows.
ArraySummary read_summary(BlobReader& from);

}  // namespace pyk::jit
