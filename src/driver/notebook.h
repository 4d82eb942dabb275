// The code of Jupyter's notebooks.
#pragma once

#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace pyk {

/// Jupyter's files are JSON, which happens to be an expression of Python.
bool is_notebook(std::string_view text);

/// The code cells one behind the other, as a file of Python: each behind a comment with its number, what speaks to
/// Jupyter (`%matplotlib inline`, `!pip install …`, cells of other languages) as comments, what it times or captures as
/// code. An empty text with `error`: it is no notebook of Python.
std::string code_of_notebook(std::string_view text, std::string& error);

/// The code of a notebook with blanks for the cells that are no Python, such as those that a course leaves to be filled
/// in: each is told with a warning. Other files come back as they are.
SourceFilePtr without_broken_cells(SourceFilePtr source, Diagnostics& diagnostics);

}  // namespace pyk
