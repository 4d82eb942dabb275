// Arrays of a kernel's own that are read, and given nothing but what is made of their own elements.
#include <map>

#include "advice/advice.h"
#include "advice/updates.h"
#include "ir/walk.h"

namespace pyk {
namespace {

constexpr BuiltinName kAtomicUpdates[] = {"cuda.atomic.add", "cuda.atomic.sub",    "cuda.atomic.max",
                                          "cuda.atomic.min", "cuda.atomic.nanmax", "cuda.atomic.nanmin",
                                          "cuda.atomic.inc", "cuda.atomic.dec",    "cuda.atomic.and_",
                                          "cuda.atomic.or_", "cuda.atomic.xor"};

/// A function's shared and local arrays that nothing fills, each with where it is first read. An array that leaves the
/// function's sight (as an argument, a view, another name) may be filled there.
class Unfilled {
  public:
    explicit Unfilled(const ir::Function& function) {
        for (size_t i = 0; i < function.locals.size(); ++i) {
            const ir::Local& local = function.locals[i];
            const bool is_own = local.storage == ir::Storage::shared || local.storage == ir::Storage::local;
            const bool is_sized = !local.shape.empty() && local.shape[0] > 0;  // dynamic arrays may share their memory
            if (is_own && is_sized && local.type.element().is_scalar()) reads_[static_cast<ir::LocalId>(i)];
        }
        if (reads_.empty()) return;
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { statement(stmt); });
    }

    /// By the local; an empty span: it is never read.
    const std::map<ir::LocalId, Span>& reads() const { return reads_; }

  private:
    void statement(const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        const ir::LocalRef* const stored = store ? own(*store->array) : nullptr;
        if (!stored) return ir::for_each_expr(stmt, [&](const ir::Expr& expr) { expression(expr); });
        if (StoredPlace::of(stmt).is_read_by(*store->value, {}))
            read(stored->id, stmt.span);
        else
            reads_.erase(stored->id);
        indices(store->indices);
        expression(*store->value);
    }

    void expression(const ir::Expr& expr) {
        if (const auto* element = expr.as<ir::Element>()) {
            if (const ir::LocalRef* array = own(*element->array)) {
                read(array->id, expr.span);
                return indices(element->indices);
            }
        }
        if (const auto* call = expr.as<ir::BuiltinCall>(); call && is_one_of(*call->builtin, kAtomicUpdates)) {
            const auto* place = call->args.empty() ? nullptr : call->args[0]->as<ir::ElementRef>();
            if (const ir::LocalRef* array = place ? own(*place->array) : nullptr) {
                read(array->id, expr.span);
                indices(place->indices);
                for (size_t i = 1; i < call->args.size(); ++i) expression(*call->args[i]);
                return;
            }
        }
        if (expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>()) return;
        if (const ir::LocalRef* array = own(expr)) return void(reads_.erase(array->id));
        ir::for_each_child(expr, [&](const ir::Expr& child) { expression(child); });
    }

    void indices(const std::vector<ir::Index>& all) {
        for (const ir::Index& index : all) expression(*index.value);
    }

    /// One of those that nothing filled so far.
    const ir::LocalRef* own(const ir::Expr& expr) const {
        const auto* local = expr.as<ir::LocalRef>();
        return local && reads_.contains(local->id) ? local : nullptr;
    }

    void read(ir::LocalId array, Span span) {
        if (Span& first = reads_.at(array); !first) first = span;
    }

    std::map<ir::LocalId, Span> reads_;
};

}  // namespace

void advise_on_unfilled(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions) {
        if (!files.has(function.span.file)) continue;
        const Unfilled unfilled(function);
        for (const auto& [id, read] : unfilled.reads()) {
            const ir::Local& array = function.local(id);
            if (!read) continue;
            diagnostics.report(diag::unfilled_array, read, std::string_view(array.name));
            const bool is_shared = array.storage == ir::Storage::shared;
            diagnostics.note(array.span, is_shared ? "it begins with what the memory held; store to each element, and "
                                                     "wait with `cuda.syncthreads()`"
                                                   : "it begins with what the memory held; store to each element");
        }
    }
}

}  // namespace pyk
