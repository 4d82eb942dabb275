// The names that may have an object together, as far as the text of a file says.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "module/host_values.h"
#include "syntax/ast.h"

namespace pyk {

class ModuleScope;

/// What is asked of the names of a file.
struct NamesOfFile {
    std::function<bool(std::string_view)> is_ours;       ///< whether the file gives them their values
    std::function<bool(std::string_view)> is_class;      ///< whether it is a class of the file
    std::function<bool(std::string_view)> makes_arrays;  ///< of functions: see returns_own_arrays
};

/// The names whose objects the value of an expression may have.
class Sharing {
  public:
    /// `scope`: of the expressions. `returning`: functions that return objects of the file's. `of_arrays`: only what
    /// may be a view, not what lists have in common when they are joined or copied.
    /// `file` and `returning` are to live longer.
    Sharing(const ModuleScope& scope, const NamesOfFile& file, const std::set<std::string_view>& returning,
            bool of_arrays)
        : scope_(scope), file_(file), returning_(returning), of_arrays_(of_arrays) {}

    std::vector<std::string_view> names;

    void add(const ast::Expr& expr);

  private:
    void add(ast::ExprList exprs);
    void add(ast::List<ast::Comprehension> generators);
    void of_class(const ast::Expr& object);
    void called(const ast::Call& call);
    bool makes_an_array(const ast::Call& call) const;
    bool joins_sequences(const ast::BinOp& node) const;
    bool is_sequence(const ast::Expr& expr) const;

    const ModuleScope& scope_;
    const NamesOfFile& file_;
    const std::set<std::string_view>& returning_;
    const bool of_arrays_;
};

/// Whether all that a function returns are arrays that it makes, or numbers: no views of what it gets, or of the
/// file's.
bool returns_own_arrays(const ModuleScope& scope, const NamesOfFile& file, const ast::FunctionDef& def);

bool is_one_of(std::string_view name, std::span<const std::string_view> all);
/// The names that a target assigns, or stores into.
void add_targets(const ast::Expr& target, std::vector<std::string_view>& names);
/// Whether a value may see changes of an object that is not in it by itself: a view of an array.
bool may_see(const Const& value, const Const& changed);

}  // namespace pyk
