#include "emit/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "emit/expression.h"
#include "ir/walk.h"
#include "passes/new_arrays.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

class Finder {
  public:
    explicit Finder(const ir::Function& function)
        : function_(function), usage_(function), count_(function.locals.size()) {}

    std::vector<bool> run() {
        collect();
        find_short_views(function_.body);
        std::vector<bool> kept(count_.size());
        for (size_t i = 0; i < kept.size(); ++i) {
            const ir::Local& local = function_.locals[i];
            const auto id = static_cast<ir::LocalId>(i);
            if (!local.type.is_array() || local.storage == ir::Storage::shared || local.storage == ir::Storage::local)
                continue;
            const bool is_parameter = local.storage == ir::Storage::parameter;
            kept[i] = count_[i].escapes || (is_parameter ? count_[i].assigned > 0 : !is_view_of_what_stays(id));
        }
        return kept;
    }

  private:
    struct Uses {
        int assigned = 0;
        bool at_top = false;         ///< the assignment is no part of a loop or branch
        bool escapes = false;        ///< more than its elements is asked for
        bool is_short_view = false;  ///< a temporary, last read before what it is a view of gets another value
        std::vector<const ir::Expr*> values;
    };

    void collect() {
        for (const ir::Stmt& stmt : function_.body)
            if (const auto* assign = stmt.as<ir::Assign>()) uses(assign->target).at_top = true;
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) {
                Uses& target = uses(assign->target);
                ++target.assigned;
                target.values.push_back(assign->value.get());
                // A view that is named for its elements alone does not hold the array: see is_view_of_what_stays.
                if (&root_of(*assign->value) == assign->value.get()) escape(*assign->value);
            }
            if (const auto* end = stmt.as<ir::Return>(); end && end->value) escape(root_of(*end->value));
        });
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) {
            if (const auto* call = expr.as<ir::Call>())
                for (const ir::ExprPtr& arg : call->args) escape(root_of(*arg));
            if (const auto* tuple = expr.as<ir::MakeTuple>())
                for (const ir::ExprPtr& element : tuple->elements) escape(root_of(*element));
            if (const auto* give = ir::call_of(expr, "pyk.give")) escape(root_of(*give->args[1]));
        });
    }

    void escape(const ir::Expr& expr) {
        if (const auto* ref = expr.as<ir::LocalRef>()) uses(ref->id).escapes = true;
        if (const auto* select = expr.as<ir::Select>()) {
            escape(root_of(*select->then));
            escape(root_of(*select->otherwise));
        }
    }

    void find_short_views(const ir::Block& block) {
        for (size_t i = 0; i < block.size(); ++i) {
            ir::for_each_block(block[i], [&](const ir::Block& inner) { find_short_views(inner); });
            const auto* assign = block[i].as<ir::Assign>();
            if (assign && is_short_view(*assign, std::span(block).subspan(i + 1)))
                uses(assign->target).is_short_view = true;
        }
    }

    /// `rest`: what follows in the block. What it is a view of has to hold the memory itself.
    bool is_short_view(const ir::Assign& assign, std::span<const ir::Stmt> rest) {
        if (!assign.value->type.is_array() || function_.local(assign.target).storage != ir::Storage::temporary)
            return false;
        const ir::Expr& root = root_of(*assign.value);
        const auto* of = root.as<ir::LocalRef>();
        if (!of || &root == assign.value.get() || uses(assign.target).assigned != 1 || !holds_memory(of->id))
            return false;
        uint32_t left = usage_.reads_of(assign.target);
        for (size_t i = 0; left > 0; ++i) {
            if (i == rest.size() || count_writes(rest[i], of->id) > 0) return false;
            left -= count_reads(rest[i], assign.target);
        }
        return true;
    }

    bool holds_memory(ir::LocalId id) {
        const auto is_whole = [](const ir::Expr* value) { return &root_of(*value) == value; };
        return std::ranges::all_of(uses(id).values, is_whole);
    }

    /// Of a parameter that stays what it is, or of an array that is named once, for the whole function.
    bool is_view_of_what_stays(ir::LocalId id) const {
        if (count_[static_cast<size_t>(id)].is_short_view) return true;
        const std::vector<const ir::Expr*>& values = count_[static_cast<size_t>(id)].values;
        return std::ranges::all_of(values, [&](const ir::Expr* value) {
            const ir::Expr& root = root_of(*value);
            const auto* ref = root.as<ir::LocalRef>();
            if (!ref || &root == value) return false;
            const Uses& of = count_[static_cast<size_t>(ref->id)];
            const bool is_parameter = function_.local(ref->id).storage == ir::Storage::parameter;
            return is_parameter ? of.assigned == 0 : of.assigned == 1 && of.at_top;
        });
    }

    Uses& uses(ir::LocalId id) { return count_[static_cast<size_t>(id)]; }

    const ir::Function& function_;
    Usage usage_;
    std::vector<Uses> count_;
};

/// Where temporary arrays are handed on.
class LastAssignments {
  public:
    LastAssignments(const ir::Function& function, const std::vector<bool>& kept)
        : function_(function), kept_(kept), usage_(function), found_(function.locals.size()), is_seen_(kept.size()) {
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            if (!assign || !assign->value->type.is_array() || kept_[static_cast<size_t>(assign->target)]) return;
            if (const auto* of = root_of(*assign->value).as<ir::LocalRef>())
                is_seen_[static_cast<size_t>(of->id)] = true;
        });
    }

    std::vector<const ir::Stmt*> run() {
        block(function_.body);
        return std::move(found_);
    }

  private:
    void block(const ir::Block& block) {
        for (size_t i = 0; i < block.size(); ++i) {
            ir::for_each_block(block[i], [&](const ir::Block& inner) { this->block(inner); });
            const auto* assign = block[i].as<ir::Assign>();
            if (assign && is_candidate(assign->target)) find(assign->target, std::span(block).subspan(i + 1));
        }
    }

    /// Made once, and nothing is a view of it without a share of its own.
    bool is_candidate(ir::LocalId id) {
        return kept_[static_cast<size_t>(id)] && !is_seen_[static_cast<size_t>(id)] && usage_.writes_of(id) == 1 &&
               function_.local(id).storage == ir::Storage::temporary;
    }

    void find(ir::LocalId id, std::span<const ir::Stmt> rest) {
        uint32_t left = usage_.reads_of(id);
        for (const ir::Stmt& stmt : rest) {
            left -= count_reads(stmt, id);
            if (left > 0) continue;
            const auto* assign = stmt.as<ir::Assign>();
            const auto* value = assign ? assign->value->as<ir::LocalRef>() : nullptr;
            if (value && kept_[static_cast<size_t>(assign->target)]) found_[static_cast<size_t>(id)] = &stmt;
            return;
        }
    }

    const ir::Function& function_;
    const std::vector<bool>& kept_;
    Usage usage_;
    std::vector<const ir::Stmt*> found_;
    std::vector<bool> is_seen_;  ///< by a view without a share
};

}  // namespace

std::vector<bool> kept_locals(const ir::Function& function) { return Finder(function).run(); }

std::vector<const ir::Stmt*> handing_on(const ir::Function& function, const std::vector<bool>& kept) {
    return LastAssignments(function, kept).run();
}

const ir::Expr& root_of(const ir::Expr& array) {
    const ir::Expr* at = &array;
    while (at->type.is_array()) {
        const ir::Expr* of = nullptr;
        if (const auto* view = at->as<ir::View>()) of = view->array.get();
        if (const auto* transpose = at->as<ir::Transpose>()) of = transpose->array.get();
        if (const auto* fields = at->as<ir::FieldsOf>()) of = fields->array.get();
        if (const auto* convert = at->as<ir::Convert>()) of = convert->operand.get();
        if (const auto* call = at->as<ir::BuiltinCall>(); call && !keeps_array(*call) && !call->args.empty())
            of = call->args.front().get();
        if (!of || !of->type.is_array()) break;
        at = of;
    }
    return *at;
}

std::string Expressions::kept(const ir::Expr& expr, bool is_typed) const {
    if (!scope_.module.makes_arrays || !expr.type.is_array()) return value(expr);
    const ir::Expr& root = root_of(expr);
    const auto is_held = [&](const ir::Expr& of) {
        const auto* ref = of.as<ir::LocalRef>();
        const auto* made = of.as<ir::BuiltinCall>();
        if (ref) return scope_.is_kept(ref->id);
        return of.as<ir::Call>() || of.as<ir::TupleItem>() || of.as<ir::TupleAt>() || (made && keeps_array(*made));
    };
    if (const auto* select = expr.as<ir::Select>())
        return fmt::format("({} ? {} : {})", condition(*select->condition), kept(*select->then),
                           kept(*select->otherwise));
    if (!is_held(root)) return is_typed ? value(expr) : fmt::format("pyk::keep({})", value(expr));
    return &root == &expr ? value(expr) : fmt::format("pyk::kept_of({}, {})", value(root), value(expr));
}

}  // namespace pyk::emitter
