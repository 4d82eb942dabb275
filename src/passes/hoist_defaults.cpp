#include "passes/hoist_defaults.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/comparison.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// A number that costs nothing to have.
bool is_at_hand(const ir::Expr& value) {
    const ir::Expr& number = ir::without_conversions(value);
    return value.type.is_scalar() &&
           (number.as<ir::Constant>() || number.as<ir::ConstantRef>() || number.as<ir::LocalRef>());
}

/// What a join assigns: the author assigned it in front of the branch.
const ir::Assign* default_of(const ir::Block& way, const ir::Stmt& branch) {
    if (way.empty() || !branch.span || way.front().span.file != branch.span.file) return nullptr;
    const auto* assign = way.front().as<ir::Assign>();
    const bool is_joins = way.front().span.begin <= branch.span.begin;
    return assign && is_joins && is_at_hand(*assign->value) ? assign : nullptr;
}

/// What becomes of a variable's old value on the way through a block.
enum class Old { kept, replaced, seen };

Old becomes(const ir::Block& way, ir::LocalId variable);

Old becomes(const ir::Stmt& stmt, ir::LocalId variable) {
    if (stmt.as<ir::Break>() || stmt.as<ir::Continue>()) return Old::seen;  // perhaps, where they lead to
    if (stmt.as<ir::While>() || stmt.as<ir::ForRange>()) return count_reads(stmt, variable) ? Old::seen : Old::kept;
    bool is_read = false;
    ir::for_each_expr(stmt, [&](const ir::Expr& expr) { is_read = is_read || reads(expr, variable); });
    if (is_read) return Old::seen;
    if (stmt.as<ir::Return>() || stmt.as<ir::Raise>()) return Old::replaced;  // nobody asks for it any more
    if (const auto* branch = stmt.as<ir::If>()) {
        const Old then = becomes(branch->then, variable), otherwise = becomes(branch->otherwise, variable);
        return then == Old::seen ? then : otherwise == Old::seen || then == otherwise ? otherwise : Old::kept;
    }
    const auto* assign = stmt.as<ir::Assign>();
    return assign && assign->target == variable ? Old::replaced : Old::kept;
}

Old becomes(const ir::Block& way, ir::LocalId variable) {
    for (const ir::Stmt& stmt : way)
        if (const Old old = becomes(stmt, variable); old != Old::kept) return old;
    return Old::kept;
}

/// The way that assigns the same before it assigns something else in some of its own ways.
void drop_same(ir::Block& way, const ir::Assign& hoisted) {
    const auto is_same = [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        return assign && assign->target == hoisted.target && ir::is_same(*assign->value, *hoisted.value);
    };
    const auto last = std::ranges::find_if_not(way, [](const ir::Stmt& stmt) { return stmt.as<ir::Assign>(); });
    const auto found = std::find_if(way.begin(), last, is_same);
    const bool is_constant = !ir::without_conversions(*hoisted.value).as<ir::LocalRef>();
    if (found != last && way.size() > 1 && (is_constant || found == way.begin())) way.erase(found);
}

void hoist(ir::Block& block);

/// Moves the first statements of `way` in front of the branch, as far as the `other` way lets them.
void hoist(ir::Stmt& stmt, ir::Block ir::If::*way, ir::Block ir::If::*other, ir::Block& before) {
    auto& branch = *stmt.as<ir::If>();
    while (const ir::Assign* assign = default_of(branch.*way, stmt)) {
        if (reads(*branch.condition, assign->target) || becomes(branch.*other, assign->target) != Old::replaced) return;
        drop_same(branch.*other, *assign);
        const Span written = ir::without_conversions(*assign->value).span;
        before.push_back(std::move((branch.*way).front()));
        if (written) before.back().span = written;
        (branch.*way).erase((branch.*way).begin());
    }
}

/// A branch whose first way has nothing left is one for the other.
void turn(ir::If& branch) {
    if (!branch.then.empty() || branch.otherwise.empty()) return;
    std::swap(branch.then, branch.otherwise);
    const Span span = branch.condition->span;
    branch.condition = negation(std::move(branch.condition), span);
}

void hoist(ir::Block& block) {
    ir::Block result;
    result.reserve(block.size());
    for (ir::Stmt& stmt : block) {
        ir::for_each_block(stmt, [](ir::Block& inner) { hoist(inner); });
        if (auto* branch = stmt.as<ir::If>(); branch && !branch->then.empty() && !branch->otherwise.empty()) {
            hoist(stmt, &ir::If::otherwise, &ir::If::then, result);
            hoist(stmt, &ir::If::then, &ir::If::otherwise, result);
            turn(*branch);
        }
        result.push_back(std::move(stmt));
    }
    block = std::move(result);
}

}  // namespace

void hoist_defaults(ir::Function& function) {
    if (!ir::has_handler(function.body)) hoist(function.body);
}

}  // namespace pyk
