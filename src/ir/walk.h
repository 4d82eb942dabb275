// Walking IR: the children of each node, named once, so that a pass spells out only the nodes that it cares about.
#pragma once

#include "builtins/known.h"
#include "ir/ir.h"
#include "support/function_ref.h"

namespace pyk::ir {

/// Calls `visit` for each direct child expression, in evaluation order.
void for_each_child(const Expr& expr, FunctionRef<void(const Expr&)> visit);
void for_each_child(Expr& expr, FunctionRef<void(ExprPtr&)> visit);
/// The expressions that a statement holds itself (not those of its blocks), in evaluation order.
void for_each_expr(const Stmt& stmt, FunctionRef<void(const Expr&)> visit);
void for_each_expr(Stmt& stmt, FunctionRef<void(ExprPtr&)> visit);
/// The blocks that a statement owns.
void for_each_block(const Stmt& stmt, FunctionRef<void(const Block&)> visit);
void for_each_block(Stmt& stmt, FunctionRef<void(Block&)> visit);

bool is_loop(const Stmt& stmt);
/// `return`, `break`, `continue`, `raise`: nothing of its block follows.
bool is_jump(const Stmt& stmt);
bool ends_in_jump(const Block& block);
/// Anywhere in it.
bool has_loop(const Block& block);
/// Whether an error may lead to another place of it: what was assigned before is seen there.
bool has_handler(const Block& block);
/// Every statement of a block, nested ones after their parent.
void for_each_stmt(const Block& block, FunctionRef<void(const Stmt&)> visit);
void for_each_stmt(Block& block, FunctionRef<void(Stmt&)> visit);
/// Those that are in a loop.
void for_each_stmt_in_loops(Block& block, FunctionRef<void(Stmt&)> visit);
/// Every expression of a block's statements, parents before children. Needs little stack.
void for_each_expr_deep(const Block& block, FunctionRef<void(const Expr&)> visit);
void for_each_expr_deep(const Expr& expr, FunctionRef<void(const Expr&)> visit);

/// Rewrites expressions in place, children before parents: `change` may replace what it is given.
void rewrite(ExprPtr& expr, FunctionRef<void(ExprPtr&)> change);
void rewrite(Block& block, FunctionRef<void(ExprPtr&)> change);

bool is_local(const Expr& expr, LocalId id);
/// The call of this builtin that it is; null: it is another expression.
const BuiltinCall* call_of(const Expr& expr, BuiltinName builtin);
/// The local that a place lies in: that is an array, whose views and elements are places, or refers to a record, whose
/// fields are. Null: it lies in none.
const LocalRef* base_local(const Expr& place);
/// All of an axis: `:`; of an array: `a[:, :]`.
bool is_whole(const Subscript& subscript);
bool is_whole(const View& view);
/// What is converted, however often; the expression itself, if it is none.
const Expr& without_conversions(const Expr& expr);

/// A division whose divisor is not known to be something else than zero.
bool may_divide_by_zero(const Binary& binary);

/// The effects of evaluating an expression, callees included.
Effects effects_of(const Module& module, const Expr& expr);
/// Those of all the expressions in a block.
Effects effects_of(const Module& module, const Block& block);
/// Those of calling a function: what happens to a thread's own arrays stays within the call.
Effects effects_of(const Function& function, FunctionRef<Effects(FunctionId)> of_callee);

}  // namespace pyk::ir
