// What is missing beside an access: a test of its index, or a look at what an atomic gives back.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "advice/advice.h"
#include "advice/assigned_once.h"
#include "advice/thread_values.h"
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Whether an `if`, a loop or a choice asks how far a thread has come.
bool tests_threads(const ir::Function& function, const ThreadValues& values) {
    bool found = false;
    const auto look = [&](const ir::Expr& expr) { found = found || values.differs(expr); };
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* branch = stmt.as<ir::If>()) look(*branch->condition);
        if (const auto* loop = stmt.as<ir::While>()) look(*loop->condition);
        if (const auto* loop = stmt.as<ir::ForRange>()) look(*loop->start);
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                if (const auto* select = expr.as<ir::Select>()) look(*select->condition);
                if (const auto* binary = expr.as<ir::Binary>(); binary && binary->op == BinaryOp::Mod) look(expr);
            });
        });
    });
    return found;
}

/// The first store to an array of the caller's, at a place that differs from thread to thread.
const ir::Stmt* first_store(const ir::Function& function, const ThreadValues& values) {
    const ir::Stmt* first = nullptr;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        const ir::LocalRef* const base = store ? ir::base_local(*store->array) : nullptr;
        if (!first && base && function.local(base->id).storage == ir::Storage::parameter &&
            values.differs(store->indices))
            first = &stmt;
    });
    return first;
}

/// `i <= x.size`: an index, and the axis of an array that it may be as large as.
struct Reach {
    ir::LocalId index, array;
    int axis;
    const ir::Expr* test;
};

/// A function's extents: `x.size`, and the variables that hold them.
class Extents {
  public:
    explicit Extents(const ir::Function& function) : assigned_(assigned_once(function)) {}

    /// The axis of a variable's array that the number is the extent of.
    std::optional<std::pair<ir::LocalId, int>> in(const ir::Expr& number) const {
        const ir::Expr& value = resolved(number, assigned_);
        const auto* shape = value.as<ir::ShapeOf>();
        const auto* size = value.as<ir::SizeOf>();
        const ir::Expr* array = shape ? shape->array.get() : size ? size->array.get() : nullptr;
        const auto* local = array ? array->as<ir::LocalRef>() : nullptr;
        if (!local || (size && array->type.ndim() != 1)) return std::nullopt;
        // What a variable holds is the extent of the array that was in its place then.
        const bool is_held = &value != &ir::without_conversions(number);
        if (is_held && !has_one_value(local->id, assigned_)) return std::nullopt;
        return std::pair(local->id, shape ? static_cast<int>(shape->axis) : 0);
    }

  private:
    AssignedOnce assigned_;
};

/// What a condition says by itself, or as a part of `and`.
void add_reaches(const ir::Expr& condition, const Extents& extents, std::vector<Reach>& reaches) {
    if (const auto* both = condition.as<ir::Logical>(); both && both->is_and) {
        add_reaches(*both->lhs, extents, reaches);
        add_reaches(*both->rhs, extents, reaches);
    }
    const auto* test = condition.as<ir::Binary>();
    if (!test || (test->op != BinaryOp::Le && test->op != BinaryOp::Ge)) return;
    const ir::Expr& less = ir::without_conversions(test->op == BinaryOp::Le ? *test->lhs : *test->rhs);
    const auto* index = less.as<ir::LocalRef>();
    const auto extent = extents.in(test->op == BinaryOp::Le ? *test->rhs : *test->lhs);
    if (index && extent) reaches.push_back({index->id, extent->first, extent->second, &condition});
}

bool has_at(const ir::Expr& array, const std::vector<ir::Index>& indices, const Reach& reach) {
    const auto* local = array.as<ir::LocalRef>();
    if (!local || local->id != reach.array || static_cast<int>(indices.size()) <= reach.axis) return false;
    const auto* index = ir::without_conversions(*indices[static_cast<size_t>(reach.axis)].value).as<ir::LocalRef>();
    return index && index->id == reach.index;
}

/// The first access in a block that the index may lead beyond the array's end, unless it changes before.
std::optional<Span> access_at(const ir::Block& body, const Reach& reach) {
    for (const ir::Stmt& stmt : body) {
        std::optional<Span> found;
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                const auto* element = expr.as<ir::Element>();
                if (!found && element && has_at(*element->array, element->indices, reach)) found = expr.span;
            });
        });
        const auto* store = stmt.as<ir::Store>();
        if (store && has_at(*store->array, store->indices, reach)) found = stmt.span;
        const auto* assign = stmt.as<ir::Assign>();
        bool leaves = assign && assign->target == reach.index;
        ir::for_each_block(stmt, [&](const ir::Block&) { leaves = true; });
        if (found || leaves) return found;
    }
    return std::nullopt;
}

/// `x[x.size]`. An array of a shape that is known has `constant-index`.
void advise_on_extent(const ir::Function& function, const Extents& extents, const ir::Expr& array,
                      const std::vector<ir::Index>& indices, Diagnostics& diagnostics) {
    const auto* local = array.as<ir::LocalRef>();
    if (!local || !function.local(local->id).shape.empty()) return;
    for (size_t axis = 0; axis < indices.size(); ++axis)
        if (extents.in(*indices[axis].value) == std::pair(local->id, static_cast<int>(axis)))
            diagnostics.report(diag::index_at_extent, indices[axis].value->span,
                               std::string_view(function.local(local->id).name));
}

/// `if i <= x.size: x[i] = …`.
void advise_on_extents(const ir::Function& function, Diagnostics& diagnostics) {
    const Extents extents(function);
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        if (const auto* element = expr.as<ir::Element>())
            advise_on_extent(function, extents, *element->array, element->indices, diagnostics);
    });
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>())
            advise_on_extent(function, extents, *store->array, store->indices, diagnostics);
        const auto* branch = stmt.as<ir::If>();
        const auto* loop = stmt.as<ir::While>();
        if (!branch && !loop) return;
        std::vector<Reach> reaches;
        add_reaches(branch ? *branch->condition : *loop->condition, extents, reaches);
        for (const Reach& reach : reaches) {
            const auto access = access_at(branch ? branch->then : loop->body, reach);
            if (!access) continue;
            const std::string_view array = function.local(reach.array).name;
            diagnostics.report(diag::index_at_extent, reach.test->span, array).note(*access, "here it is the index");
            const std::string_view text = reach.test->span.text();
            const size_t at = std::min(text.find("<="), text.find(">="));
            if (at == text.npos || text.find('=', at + 2) != text.npos) continue;
            const uint32_t equals = reach.test->span.begin + static_cast<uint32_t>(at) + 1;
            diagnostics.suggest({fmt::format("write `{}`", text[at]),
                                 Applicability::maybe_incorrect,
                                 {{{reach.test->span.file, equals, equals + 1}, ""}}});
        }
    });
}

void advise_on_swaps(const ir::Function& function, Diagnostics& diagnostics) {
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* alone = stmt.as<ir::Evaluate>();
        const auto* call = alone ? alone->value->as<ir::BuiltinCall>() : nullptr;
        if (!call || call->args.size() < 3) return;
        if (*call->builtin == "cuda.atomic.compare_and_swap" || *call->builtin == "cuda.atomic.cas")
            diagnostics.report(diag::unused_result, stmt.span, call->builtin->name);
    });
}

}  // namespace

void advise_on_last_indices(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions)
        if (files.has(function.span.file)) advise_on_extents(function, diagnostics);
}

void advise_on_guards(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions) {
        if (!files.has(function.span.file)) continue;
        advise_on_swaps(function, diagnostics);
        if (!function.is_kernel) continue;
        const ThreadValues values(module, function);
        const ir::Stmt* const store = first_store(function, values);
        if (!store || tests_threads(function, values)) continue;
        const ir::LocalRef& array = *ir::base_local(*store->as<ir::Store>()->array);
        diagnostics.report(diag::missing_guard, store->span, std::string_view(function.local(array.id).name));
    }
}

}  // namespace pyk
