// What the source says where a finding points: how a file spells a type, and what it assigns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

/// A type's name as a file can write it, and the import that this needs first, if any.
struct Spelling {
    std::string text;
    std::optional<Edit> import;
};

/// What is written at a place, as messages quote it: `…` for several lines, and for nothing.
std::string text_of(Span place);

/// The files of a program, by their trees, which outlive this.
class Written {
  public:
    explicit Written(std::vector<const ast::Module*> files) : files_(std::move(files)) {}

    bool has(const SourceFile* file) const { return tree(file) != nullptr; }
    /// How the file spells a scalar type of Numba's; nothing if it imports nothing of Numba's or NumPy's.
    std::optional<Spelling> spelling(const SourceFile* file, std::string_view type) const;
    /// Where the decorators or annotations of the function with this name (its place) spell a type; an empty span:
    /// nowhere, or more than once.
    Span type_in_signature(Span function, std::string_view type) const;
    /// What the assignment assigns whose one target, or whose value, is at this place; an empty span if none is.
    Span assigned_at(Span place) const;

  private:
    const ast::Module* tree(const SourceFile* file) const;

    std::vector<const ast::Module*> files_;
};

}  // namespace pyk
