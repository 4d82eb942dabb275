// The author's comments and docstrings in the emitted text, where its reader wants them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/scope.h"
#include "emit/source_comments.h"
#include "emit/templates.h"
#include "support/printer.h"

namespace pyk::emitter {

/// The lines of a docstring that say something, as far in as they stand in it.
std::vector<Values> doc_lines(const std::string& docstring);

/// The comments of the files that a module's functions are in: none where the text is not for people
/// (LineDirectives), of pyk's library, and of what only calls a function for the host.
class Comments {
  public:
    explicit Comments(const ModuleScope& scope);

    /// What stands above a function: the comments above its `def` and in that line, and its docstring.
    std::vector<Values> above(const ir::Function& function);
    /// Puts the comments within a function into its lines. Gives what stands behind each of them; empty: behind none.
    std::vector<std::string> place(const ir::Function& function, std::vector<Line>& lines);
    /// What stands behind the definition of a module's constant, as a comment of C++.
    std::string behind(const ir::ModuleConstant& constant);

  private:
    using Statements = std::vector<SourceStatement>;
    const Statements& statements_of(const SourceFile& file);
    bool has_comments_of(const ir::Function& function) const;

    bool is_wanted_;
    std::map<const SourceFile*, Statements> files_;
};

}  // namespace pyk::emitter
