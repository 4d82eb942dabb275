// Whole files. What gives false failed, and errno says why.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace pyk {

/// Of more than `most` bytes it fails with EFBIG.
bool read_file(const std::string& path, std::string& bytes, size_t most = SIZE_MAX);
/// The rest of a file that is open, such as stdin.
bool read_all(std::FILE* file, std::string& bytes, size_t most = SIZE_MAX);

bool write_file(const std::string& path, std::string_view bytes);
/// To what is open.
bool write_all(int descriptor, std::string_view bytes);

}  // namespace pyk
