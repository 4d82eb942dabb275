// Walking IR: the children of each node, named once, so that a pass spells out only the nodes that it cares about.
#pragma once

#include <functional>

#include "ir/ir.h"

namespace pyk::ir {

/// Calls `visit` for each direct child expression, in evaluation order.
void for_each_child(const Expr& expr, const std::function<void(const Expr&)>& visit);
void for_each_child(Expr& expr, const std::function<void(ExprPtr&)>& visit);
/// The expressions that a statement holds itself (not those of its blocks), in evaluation order.
void for_each_expr(const Stmt& stmt, const std::function<void(const Expr&)>& visit);
void for_each_expr(Stmt& stmt, const std::function<void(ExprPtr&)>& visit);
/// The blocks that a statement owns.
void for_each_block(const Stmt& stmt, const std::function<void(const Block&)>& visit);
void for_each_block(Stmt& stmt, const std::function<void(Block&)>& visit);

/// Every statement of a block, nested ones after their parent.
void for_each_stmt(const Block& block, const std::function<void(const Stmt&)>& visit);
/// Every expression of a block's statements, parents before children. Needs little stack.
void for_each_expr_deep(const Block& block, const std::function<void(const Expr&)>& visit);
void for_each_expr_deep(const Expr& expr, const std::function<void(const Expr&)>& visit);

/// Rewrites expressions in place, children before parents: `change` may replace what it is given.
void rewrite(ExprPtr& expr, const std::function<void(ExprPtr&)>& change);
void rewrite(Block& block, const std::function<void(ExprPtr&)>& change);

/// The effects of evaluating an expression, callees included.
Effects effects_of(const Module& module, const Expr& expr);

}  // namespace pyk::ir
