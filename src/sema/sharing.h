// The names that may have an object together, as far as the text of a file says.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "sema/host_values.h"
#include "syntax/ast.h"

namespace pyk {

class ModuleScope;

/// The names whose objects the value of an expression may have.
class Sharing {
  public:
    /// `scope`: of the expressions. `is_ours`: whether a name is the file's. `returning`: functions that return
    /// objects of the file's. `of_arrays`: only what may be a view, not what lists have in common when they are joined
    /// or copied.
    Sharing(const ModuleScope& scope, const std::function<bool(std::string_view)>& is_ours,
            const std::set<std::string_view>& returning, bool of_arrays)
        : scope_(scope), is_ours_(is_ours), returning_(returning), of_arrays_(of_arrays) {}

    std::vector<std::string_view> names;

    void add(const ast::Expr& expr);

  private:
    void add(ast::ExprList exprs);
    void add(ast::List<ast::Comprehension> generators);
    void called(const ast::Call& call);
    bool makes_an_array(const ast::Call& call) const;

    const ModuleScope& scope_;
    const std::function<bool(std::string_view)>& is_ours_;
    const std::set<std::string_view>& returning_;
    const bool of_arrays_;
};

bool is_one_of(std::string_view name, std::span<const std::string_view> all);
/// The names that a target assigns, or stores into.
void add_targets(const ast::Expr& target, std::vector<std::string_view>& names);
/// Whether a value may see changes of an object that is not in it by itself: a view of an array.
bool may_see(const Const& value, const Const& changed);

}  // namespace pyk
