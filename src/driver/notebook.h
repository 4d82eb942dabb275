// The code of Jupyter's notebooks.
#pragma once

#include <string>
#include <string_view>

namespace pyk {

/// Jupyter's files are JSON, which happens to be an expression of Python.
bool is_notebook(std::string_view text);

/// The code cells one behind the other, as a file of Python: each behind a comment with its number, what speaks to
/// Jupyter (`%matplotlib inline`, `!pip install …`, cells of other languages) as comments, what it times or captures as
/// code. An empty text with `error`: it is no notebook of Python.
std::string code_of_notebook(std::string_view text, std::string& error);

}  // namespace pyk
