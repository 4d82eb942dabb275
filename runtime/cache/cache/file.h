// An open file, closed with its scope.
#pragma once

#include <cstdio>
#include <memory>

namespace pyk::cache {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace pyk::cache
