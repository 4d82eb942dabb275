#include "passes/inline_temporaries.h"

#include "ir/thread_end.h"
#include "ir/walk.h"
#include "passes/run_reads.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// A temporary's one read is looked for in so many statements after its assignment.
constexpr size_t kReach = 16;

/// What a use of an element may spell twice: its place, and the extent that it wraps at.
bool is_made_array(const ir::Expr& value, Effects effects) {
    return value.type.is_array() && (is_action(effects) || value.as<ir::Call>() || value.as<ir::Select>());
}

/// Two evaluations whose order shows.
bool conflict(Effects a, Effects b) { return (is_action(a) && any(b)) || (is_action(b) && any(a)); }

bool is_simple(const ir::Stmt& stmt) {
    return stmt.as<ir::Assign>() || stmt.as<ir::Store>() || stmt.as<ir::StoreField>() || stmt.as<ir::Evaluate>() ||
           stmt.as<ir::Print>();
}

/// Whether the statement evaluates its own expressions once, before anything else that it does.
bool evaluates_once(const ir::Stmt& stmt) { return !stmt.as<ir::While>(); }

/// Whether evaluating `root` always evaluates the local: not in an operand that may be skipped.
bool always_evaluates(const ir::Expr& root, ir::LocalId id) {
    if (const auto* ref = root.as<ir::LocalRef>()) return ref->id == id;
    if (const auto* logical = root.as<ir::Logical>()) return always_evaluates(*logical->lhs, id);
    if (const auto* select = root.as<ir::Select>()) return always_evaluates(*select->condition, id);
    bool found = false;
    ir::for_each_child(root, [&](const ir::Expr& child) { found = found || always_evaluates(child, id); });
    return found;
}

class Inliner {
  public:
    Inliner(const ir::Module& module, ir::Function& function)
        : module_(module),
          function_(function),
          usage_(function),
          run_reads_(function, usage_),
          reach_(ir::has_handler(function.body) ? 1 : kReach) {}

    /// From the end: a statement has taken up later temporaries before an earlier one asks whether it may follow.
    void block(ir::Block& block) {
        for (size_t i = block.size(); i-- > 0;) {
            ir::for_each_block(block[i], [&](ir::Block& inner) { this->block(inner); });
            if (const size_t taken = inline_into_reader(block, i) ? i : join_versions(block, i); taken < block.size())
                block.erase(block.begin() + static_cast<std::ptrdiff_t>(taken));
        }
    }

  private:
    bool inline_into_reader(ir::Block& block, size_t position) {
        auto* assign = block[position].as<ir::Assign>();
        if (!assign || !is_candidate(assign->target)) return false;
        const Effects effects = ir::effects_of(module_, *assign->value);
        const bool raises = !is_action(effects) && ir::may_raise(module_, *assign->value);
        const bool is_made = is_made_array(*assign->value, effects);  // a name has to hold it
        for (size_t i = position + 1; i < block.size() && i <= position + reach_; ++i) {
            if (ir::ExprPtr* place = find_read(block[i], assign->target))
                return (!is_made || is_named(block[i], assign->target)) &&
                       may_join(block[i], *assign, effects, raises) && (*place = std::move(assign->value), true);
            if (!may_pass(block[i], *assign, effects, raises)) return false;
        }
        return false;
    }

    /// `k = temporary`
    static bool is_named(const ir::Stmt& stmt, ir::LocalId temporary) {
        const auto* assign = stmt.as<ir::Assign>();
        const auto* value = assign ? assign->value->as<ir::LocalRef>() : nullptr;
        return value && value->id == temporary;
    }

    /// Of a variable that has two types: what the one is assigned goes to the other at once, if it is for nothing else.
    /// Gives the position of the statement that is left over; behind the end where there is none. A constant is with
    /// the other already, and nothing reads the one.
    size_t join_versions(ir::Block& block, size_t position) {
        const size_t none = block.size();
        auto* assign = block[position].as<ir::Assign>();
        if (!assign || assign->value->type.is_array()) return none;
        const auto reads = run_reads_.of(*assign);
        if (reads == 0 && is_simple_value(*assign->value)) return position;
        if (!is_for_one_read(assign->target) && reads != 1) return none;
        const std::string& name = function_.local(assign->target).name;
        for (size_t i = position + 1; i < block.size() && i <= position + reach_; ++i) {
            auto* join = block[i].as<ir::Assign>();
            if (join && function_.local(join->target).name == name && find_read(block[i], assign->target)) {
                const ir::LocalId target = join->target;
                for (size_t between = position + 1; between < i; ++between)
                    if (mentions(block[between], target)) return none;
                ir::ExprPtr* const place = moved_by(join->value, assign->target);
                if (!place) return none;
                *place = std::move(assign->value);
                *assign = {target, std::move(join->value)};
                return i;
            }
            if (!is_simple(block[i])) return none;
        }
        return none;
    }

    static bool is_simple_value(const ir::Expr& value) { return value.as<ir::Constant>() || value.as<ir::LocalRef>(); }

    /// Where a value is nothing but the local, or a conversion of it.
    static ir::ExprPtr* moved_by(ir::ExprPtr& value, ir::LocalId id) {
        ir::ExprPtr* place = &value;
        if (auto* convert = value->as<ir::Convert>()) place = &convert->operand;
        const auto* ref = (*place)->as<ir::LocalRef>();
        return ref && ref->id == id ? place : nullptr;
    }

    static bool mentions(const ir::Stmt& stmt, ir::LocalId id) {
        bool result = assigned_by(stmt) == id;
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { result = result || reads(expr, id); });
        return result;
    }

    bool is_candidate(ir::LocalId id) {
        return function_.local(id).storage == ir::Storage::temporary && is_for_one_read(id);
    }

    bool is_for_one_read(ir::LocalId id) { return usage_.writes_of(id) == 1 && usage_.reads_of(id) == 1; }

    static ir::ExprPtr* find_read(ir::Stmt& stmt, ir::LocalId id) {
        ir::ExprPtr* place = nullptr;
        auto look = [&](ir::ExprPtr& expr) {
            const auto* ref = expr->as<ir::LocalRef>();
            if (ref && ref->id == id) place = &expr;
        };
        ir::for_each_expr(stmt, [&](ir::ExprPtr& expr) { ir::rewrite(expr, look); });
        return place;
    }

    Effects effects_of(const ir::Stmt& stmt) const {
        Effects effects = Effects::none;
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { effects = effects | ir::effects_of(module_, expr); });
        return effects;
    }

    /// Whether the value may be evaluated after the statement instead of before it.
    bool may_pass(const ir::Stmt& stmt, const ir::Assign& assign, Effects effects, bool raises) const {
        if (!is_simple(stmt)) return false;
        const auto target = assigned_by(stmt);
        if (target && reads(*assign.value, *target)) return false;
        const Effects stores = stmt.as<ir::Store>() || stmt.as<ir::StoreField>() ? Effects::writes : Effects::none;
        const Effects passed = effects_of(stmt) | stores;
        return !conflict(effects, passed) && !(raises && is_action(passed));
    }

    bool may_join(const ir::Stmt& stmt, const ir::Assign& assign, Effects effects, bool raises) const {
        if (!evaluates_once(stmt) || conflict(effects, effects_of(stmt))) return false;
        bool always = !is_action(effects) && !raises;
        ir::for_each_expr(stmt,
                          [&](const ir::Expr& expr) { always = always || always_evaluates(expr, assign.target); });
        return always;
    }

    const ir::Module& module_;
    ir::Function& function_;
    Usage usage_;
    const RunReads run_reads_;
    const size_t reach_;  ///< of a value that is evaluated later: where errors are handled it stays in front of others
};

}  // namespace

void inline_temporaries(const ir::Module& module, ir::Function& function) {
    Inliner(module, function).block(function.body);
}

}  // namespace pyk
