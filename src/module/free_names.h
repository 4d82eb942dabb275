// The names that a function uses and does not define itself.
#pragma once

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "support/function_ref.h"
#include "syntax/ast.h"

namespace pyk {

/// Each once, in the order of their first use; functions and lambdas inside of it count with theirs.
std::vector<std::string_view> free_names(const ast::FunctionDef& def);
std::vector<std::string_view> free_names(const ast::Lambda& lambda);
std::vector<std::string_view> free_names(const ast::ListComp& comprehension);

/// The places that a target assigns, `i, (x[0], *y)` three: names, elements and attributes.
void for_each_place(const ast::Expr& target, FunctionRef<void(const ast::Expr&)> visit);
/// Those that are names.
void for_each_target(const ast::Expr& target, FunctionRef<void(std::string_view)> visit);

/// A comprehension, a dict or a set, which kernels do not have.
bool is_for_host(const ast::Expr& expr);
/// The parts of an expression that is not for the host; those of a lambda are its defaults.
void for_each_child(const ast::Expr& expr, FunctionRef<void(const ast::Expr&)> visit);
/// The parts of any.
void for_each_host_child(const ast::Expr& expr, FunctionRef<void(const ast::Expr&)> visit);
/// The blocks of a statement, but not the bodies of functions and classes.
void for_each_block(const ast::Stmt& stmt, FunctionRef<void(const ast::Block&)> visit);
/// The statements of a block and of the blocks in them, but not those of functions and classes; each before its own.
void for_each_stmt(const ast::Block& body, FunctionRef<void(const ast::Stmt&)> visit);
/// What a statement computes by itself: the values, tests and calls, not those of the blocks in it.
void for_each_computed(const ast::Stmt& stmt, FunctionRef<void(const ast::Expr&)> visit);
/// Every expression that the statements have, also those of functions and classes inside, with the places of
/// assignments; the parts of expressions are not visited.
void for_each_expression(const ast::Block& body, FunctionRef<void(const ast::Expr&)> visit);
/// The parameters, in the order in which instances take them.
void for_each_parameter(const ast::Arguments& args, FunctionRef<void(const ast::Arg&)> visit);

/// The names whose values a loop assigns or changes, or whose value another statement changes in its place, each with
/// the expression that names it.
std::vector<std::pair<std::string_view, const ast::Expr*>> changed_names(const ast::Stmt& stmt);
/// Those of which it changes the object; the others get another value.
std::set<std::string_view> changed_in_place(const ast::Stmt& stmt);

/// Whether a method changes its object: `append`, `fill`.
bool changes_object(std::string_view method);
/// `d.setdefault(k, [])` of `d.setdefault(k, []).append(v)`; null: it is another call.
const ast::Call* filled_item(const ast::Call& call);
/// `counter` of `next(counter)`; null: it is another call.
const ast::Expr* taken_by_next(const ast::Call& call);
/// What a call writes to that is made for that: `np.fill_diagonal(a, 1)`, `np.add(a, b, out=c)`, `next(counter)`; null:
/// nothing known.
const ast::Expr* changed_argument(const ast::Call& call);

}  // namespace pyk
