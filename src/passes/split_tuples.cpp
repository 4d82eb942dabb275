#include "passes/split_tuples.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// A number, an array or a tuple: a record's local is a place and no value.
bool can_be_local(Type type) { return type.is_scalar() || type.is_array() || type.is_tuple(); }

/// One whose elements have no names, which a class of C++ would show.
bool can_be_split(Type type) {
    return type.is_tuple() && type.tuple_kind() == TupleKind::plain && !type.elements().empty() &&
           std::ranges::all_of(type.elements(), can_be_local);
}

/// The item of a local that an expression is.
const ir::LocalRef* split_local(const ir::Expr& expr) {
    const auto* item = expr.as<ir::TupleItem>();
    return item ? item->tuple->as<ir::LocalRef>() : nullptr;
}

/// Whether the items can be assigned one after the other: none reads what an earlier one was before.
bool is_in_turn(const ir::MakeTuple& made, ir::LocalId tuple) {
    bool result = true;
    for (size_t i = 1; i < made.elements.size(); ++i)
        ir::for_each_expr_deep(*made.elements[i], [&](const ir::Expr& part) {
            const ir::LocalRef* ref = split_local(part);
            result = result && !(ref && ref->id == tuple && part.as<ir::TupleItem>()->index < i);
        });
    return result;
}

class Splitter {
  public:
    explicit Splitter(ir::Function& function) : function_(function) {}

    /// One round; the items of a tuple of tuples are the next one's.
    bool run() {
        find_candidates();
        if (parts_.empty()) return false;
        for (auto& [tuple, parts] : parts_) add_parts(tuple, parts);
        split(function_.body);
        return true;
    }

  private:
    void find_candidates() {
        for (size_t i = 0; i < function_.locals.size(); ++i) {
            const ir::Local& local = function_.locals[i];
            const bool is_own = local.storage == ir::Storage::variable || local.storage == ir::Storage::temporary;
            if (is_own && can_be_split(local.type)) parts_.try_emplace(static_cast<ir::LocalId>(i));
        }
        if (parts_.empty()) return;
        std::set<ir::LocalId> made_ones;
        ir::for_each_stmt(std::as_const(function_).body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            if (!assign) return;
            const auto* made = assign->value->as<ir::MakeTuple>();
            made_ones.insert(assign->target);
            if (!made || !is_in_turn(*made, assign->target)) parts_.erase(assign->target);
        });
        // Each read that is no item's is one of the whole.
        std::map<ir::LocalId, int> wholes;
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::LocalRef>(); ref && parts_.contains(ref->id)) ++wholes[ref->id];
            if (const ir::LocalRef* ref = split_local(expr); ref && parts_.contains(ref->id)) --wholes[ref->id];
        });
        std::erase_if(parts_, [&](const auto& candidate) {
            return wholes[candidate.first] != 0 || !made_ones.contains(candidate.first);
        });
    }

    void add_parts(ir::LocalId tuple, std::vector<ir::LocalId>& parts) {
        const ir::Local whole = function_.local(tuple);
        for (size_t i = 0; i < whole.type.elements().size(); ++i) {
            ir::Local part = whole;
            part.type = whole.type.elements()[i];
            part.name = fmt::format("{}_{}", whole.name, i);
            parts.push_back(ir::add_local(function_, std::move(part)));
        }
    }

    void split(ir::Block& block) {
        ir::Block result;
        result.reserve(block.size());
        for (ir::Stmt& stmt : block) {
            ir::for_each_expr(stmt,
                              [&](ir::ExprPtr& expr) { ir::rewrite(expr, [&](ir::ExprPtr& part) { replace(part); }); });
            ir::for_each_block(stmt, [&](ir::Block& inner) { split(inner); });
            auto* assign = stmt.as<ir::Assign>();
            const auto found = assign ? parts_.find(assign->target) : parts_.end();
            if (found == parts_.end()) {
                result.push_back(std::move(stmt));
                continue;
            }
            auto& made = *assign->value->as<ir::MakeTuple>();
            for (size_t i = 0; i < made.elements.size(); ++i)
                result.push_back({stmt.span, ir::Assign{found->second[i], std::move(made.elements[i])}});
        }
        block = std::move(result);
    }

    void replace(ir::ExprPtr& expr) {
        const ir::LocalRef* ref = split_local(*expr);
        const auto found = ref ? parts_.find(ref->id) : parts_.end();
        if (found != parts_.end())
            expr = ir::local(function_, found->second[expr->as<ir::TupleItem>()->index], expr->span);
    }

    ir::Function& function_;
    std::map<ir::LocalId, std::vector<ir::LocalId>> parts_;  ///< of the tuples that are split
};

}  // namespace

bool split_tuples(ir::Function& function) {
    if (ir::has_handler(function.body)) return false;
    bool result = false;
    while (Splitter(function).run()) result = true;
    return result;
}

}  // namespace pyk
