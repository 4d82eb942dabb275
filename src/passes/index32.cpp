#include "passes/index32.h"

#include <algorithm>
#include <limits>
#include <string>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/narrow.h"
#include "passes/narrow_thread_index.h"
#include "passes/ranges.h"
#include "passes/simplify_conversions.h"
#include "passes/usage.h"

namespace pyk {
namespace {

Type int32() { return Scalar::int32; }
Type int64() { return Scalar::int64; }

bool is_array_in_c_order(Type type) { return type.is_array() && type.ndim() > 0 && type.layout() == Layout::C; }

/// An array that is a parameter, indexed along several axes.
bool has_places(const ir::Function& kernel, const ir::Expr& array) {
    const auto* ref = array.as<ir::LocalRef>();
    return ref && kernel.local(ref->id).storage == ir::Storage::parameter && is_array_in_c_order(array.type) &&
           array.type.ndim() > 1;
}

bool profits(const ir::Function& kernel) {
    bool found = false;
    ir::for_each_stmt(kernel.body, [&](const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) found |= has_places(kernel, *store->array);
    });
    ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) {
        if (const auto* element = expr.as<ir::Element>()) found |= has_places(kernel, *element->array);
        if (const auto* place = expr.as<ir::ElementRef>()) found |= has_places(kernel, *place->array);
    });
    return found;
}

/// A node whose parts may be arrays of any kind.
bool takes_array(const ir::Expr& expr) {
    return expr.as<ir::Element>() || expr.as<ir::ElementRef>() || expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>() ||
           expr.as<ir::View>() || expr.as<ir::Transpose>() || expr.as<ir::Call>() || expr.as<ir::BuiltinCall>();
}

/// Whether an array is a value that others become or may be: `x = a`, `a if c else b`, `(a, b)`.
bool has_arrays_as_values(const ir::Function& kernel) {
    const auto is_parameter = [&](const ir::Expr& expr) {
        const auto* ref = expr.as<ir::LocalRef>();
        return ref && kernel.local(ref->id).storage == ir::Storage::parameter && is_array_in_c_order(expr.type);
    };
    bool found = std::ranges::any_of(kernel.params, [&](ir::LocalId id) {
        return is_array_in_c_order(kernel.local(id).type) && count_writes(kernel.body, id) != 0;
    });
    ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) {
        if (!takes_array(expr)) ir::for_each_child(expr, [&](const ir::Expr& part) { found |= is_parameter(part); });
    });
    ir::for_each_stmt(kernel.body, [&](const ir::Stmt& stmt) {
        if (const auto* assign = stmt.as<ir::Assign>()) found |= is_parameter(*assign->value);
    });
    return found;
}

void count_threads(ir::ExprPtr& expr) {
    if (ir::ExprPtr index = thread_index_as(int32(), *expr)) expr = ir::convert(std::move(index), int64());
}

/// The locals of 64 bits that never need more than 32.
class SmallLocals {
  public:
    SmallLocals(const ir::Function& function, const Ranges& ranges) : ranges_(ranges) {
        for (const ir::Local& local : function.locals)
            is_small_.push_back(local.type == int64() &&
                                (local.storage == ir::Storage::variable || local.storage == ir::Storage::temporary));
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) allow(assign->target, fits(*assign->value));
            if (const auto* loop = stmt.as<ir::ForRange>()) allow(loop->counter, fits(*loop));
        });
    }

    bool operator[](ir::LocalId id) const { return is_small_[static_cast<size_t>(id)]; }

  private:
    void allow(ir::LocalId id, bool fits) {
        is_small_[static_cast<size_t>(id)] = is_small_[static_cast<size_t>(id)] && fits;
    }
    bool fits(const ir::Expr& value) const { return pyk::fits(ranges_.of(value), int32()); }
    /// The counter too, where it has passed the end.
    bool fits(const ir::ForRange& loop) const {
        const Interval start = ranges_.of(*loop.start), stop = ranges_.of(*loop.stop), step = ranges_.of(*loop.step);
        const Interval passed{std::min(start.lo, stop.lo + std::min<Wide>(step.lo, 0)),
                              std::max(start.hi, stop.hi + std::max<Wide>(step.hi, 0) - 1)};
        return fits(*loop.start) && fits(*loop.stop) && fits(*loop.step) && pyk::fits(passed, int32()) &&
               loop.reductions.empty();
    }

    const Ranges& ranges_;
    std::vector<bool> is_small_;
};

void shrink(ir::ExprPtr& value) { value = ir::convert(std::move(value), int32()); }

void shrink_locals(ir::Function& function, const SmallLocals& small) {
    ir::rewrite(function.body, [&](ir::ExprPtr& expr) {
        const auto* ref = expr->as<ir::LocalRef>();
        if (!ref || !small[ref->id]) return;
        expr->type = int32();
        expr = ir::convert(std::move(expr), int64());
    });
    const auto block = [&](const auto& self, ir::Block& body) -> void {
        for (ir::Stmt& stmt : body) {
            if (auto* assign = stmt.as<ir::Assign>(); assign && small[assign->target]) shrink(assign->value);
            if (auto* loop = stmt.as<ir::ForRange>(); loop && small[loop->counter]) {
                shrink(loop->start);
                shrink(loop->stop);
                shrink(loop->step);
            }
            ir::for_each_block(stmt, [&](ir::Block& inner) { self(self, inner); });
        }
    };
    block(block, function.body);
    for (size_t i = 0; i < function.locals.size(); ++i)
        if (small[static_cast<ir::LocalId>(i)]) function.locals[i].type = int32();
}

}  // namespace

void index32(const ir::Module& module, ir::Function& kernel) {
    kernel.index32 = kernel.is_kernel && profits(kernel) && !has_arrays_as_values(kernel);
    if (!kernel.index32) return;
    ir::rewrite(kernel.body, [](ir::ExprPtr& expr) { count_threads(expr); });
    shrink_locals(kernel, SmallLocals(kernel, Ranges(module, kernel)));
    Ranges ranges(module, kernel);
    narrow(kernel, ranges);
    simplify_conversions(kernel);
}

bool is_index32(const ir::Function& function, ir::LocalId id) {
    const ir::Local& local = function.local(id);
    return function.index32 && local.storage == ir::Storage::parameter && is_array_in_c_order(local.type);
}

bool is_index32(const ir::Function& function, const ir::Expr& array) {
    const auto* ref = array.as<ir::LocalRef>();
    return ref && is_index32(function, ref->id);
}

}  // namespace pyk
