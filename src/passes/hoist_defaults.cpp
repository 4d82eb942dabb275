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
    return value.type.is_scalar() && (number.as<ir::Constant>() || number.as<ir::ConstantRef>() || number.as<ir::LocalRef>());
}

/// What a join assigns: the author assigned it in front of the branch.
const ir::Assign* default_of(const ir::Block& way, const ir::Stmt& branch) {
    if (way.empty() || way.front().span.file != branch.span.file || way.front().span.begin > branch.span.begin) return nullptr;
    const auto* assign = way.front().as<ir::Assign>();
    return assign && is_at_hand(*assign->value) ? assign : nullptr;
}

bool jumps(const ir::Stmt& stmt) {
    bool result = stmt.as<ir::Break>() || stmt.as<ir::Continue>();
    ir::for_each_block(stmt, [&](const ir::Block& inner) { result = result || std::ranges::any_of(inner, jumps); });
    return result;
}

/// Whether nothing sees what the variable was before: it is assigned whenever the way is taken to its end, and is not
/// read until then.
bool assigns_first(const ir::Block& way, ir::LocalId variable) {
    for (const ir::Stmt& stmt : way) {
        if (count_reads(stmt, variable) != 0) return false;
        const auto* assign = stmt.as<ir::Assign>();
        const auto* branch = stmt.as<ir::If>();
        if (assign && assign->target == variable) return true;
        if (branch && assigns_first(branch->then, variable) && assigns_first(branch->otherwise, variable)) return true;
        if (stmt.as<ir::Return>()) return true;
        if (jumps(stmt)) return false;
    }
    return false;
}

/// The way that assigns the same before it assigns something else in some of its own ways.
void drop_same(ir::Block& way, const ir::Assign& hoisted) {
    const auto is_same = [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        return assign && assign->target == hoisted.target && ir::is_same(*assign->value, *hoisted.value);
    };
    const auto last = std::ranges::find_if_not(way, [](const ir::Stmt& stmt) { return stmt.as<ir::Assign>(); });
    const auto found = std::find_if(way.begin(), last, is_same);
    if (found != last && way.size() > 1) way.erase(found);
}

void hoist(ir::Block& block);

/// Moves the first statements of `way` in front of the branch, as far as the `other` way lets them.
void hoist(ir::Stmt& stmt, ir::Block ir::If::*way, ir::Block ir::If::*other, ir::Block& before) {
    auto& branch = *stmt.as<ir::If>();
    while (const ir::Assign* assign = default_of(branch.*way, stmt)) {
        if (reads(*branch.condition, assign->target) || !assigns_first(branch.*other, assign->target)) return;
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
