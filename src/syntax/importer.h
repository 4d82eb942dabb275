#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/ast.h"

namespace pyk {

/// Finds the files that a file imports. Several threads may ask.
class Importer {
  public:
    virtual ~Importer() = default;
    /// The file that `from ..a.b import c` in `from` names (`a.b`, level 2); null: there is none.
    virtual const ast::Module* find(const SourceFile& from, std::string_view module, int level) = 0;
    virtual bool exists(const SourceFile& from, std::string_view module, int level) = 0;
    /// Where the modules are looked for that `from` imports.
    virtual std::vector<std::string> folders(const SourceFile& from) const = 0;
};

}  // namespace pyk
