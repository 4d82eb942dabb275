#include "passes/narrow_thread_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

bool is_narrow(Type type) { return type.is(Scalar::int32) || type.is(Scalar::uint32); }

/// The locals that are assigned once, a thread's index, and always read in the same type of 32 bits.
class NarrowlyRead {
  public:
    explicit NarrowlyRead(const ir::Function& function) {
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            if (assign && is_thread_index(*assign->value)) found_.push_back({assign->target, {}});
        });
        std::erase_if(found_, [&](const Index& index) { return count_writes(function.body, index.id) != 1; });
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (!found_.empty()) ir::for_each_expr(stmt, [&](const ir::Expr& expr) { note_read(expr); });
        });
        std::erase_if(found_, [&](const Index& index) { return !index.type; });
    }

    bool empty() const { return found_.empty(); }
    /// What a local is read as; null: it is not one of them.
    Type operator[](ir::LocalId id) const {
        const auto index = std::ranges::find(found_, id, &Index::id);
        return index == found_.end() ? Type() : index->type;
    }

  private:
    struct Index {
        ir::LocalId id;
        Type type;  ///< null: it was not read yet
    };

    void note_read(const ir::Expr& expr) {
        const auto* convert = expr.as<ir::Convert>();
        const auto* ref = convert && is_narrow(expr.type) ? convert->operand->as<ir::LocalRef>() : nullptr;
        if (ref) return note_read(ref->id, expr.type);
        if (const auto* other = expr.as<ir::LocalRef>()) return drop(other->id);
        ir::for_each_child(expr, [&](const ir::Expr& child) { note_read(child); });
    }
    void note_read(ir::LocalId id, Type type) {
        const auto index = std::ranges::find(found_, id, &Index::id);
        if (index == found_.end()) return;
        if (index->type && index->type != type) return drop(id);
        index->type = type;
    }
    void drop(ir::LocalId id) {
        std::erase_if(found_, [&](const Index& index) { return index.id == id; });
    }

    std::vector<Index> found_;
};

/// A read that was replaced is of another type already: `uint64(uint32(x))` is `uint64(x)`.
void read_narrow(ir::ExprPtr& expr, const NarrowlyRead& narrow) {
    auto* convert = expr->as<ir::Convert>();
    const auto* ref = convert ? convert->operand->as<ir::LocalRef>() : nullptr;
    if (!ref || !convert->operand->type.is(Scalar::int64) || !narrow[ref->id]) return;
    ir::ExprPtr read = std::move(convert->operand);
    read->type = expr->type;
    expr = std::move(read);
}

void assign_narrow(ir::Function& function, ir::Assign& assign, const NarrowlyRead& narrow) {
    const auto* convert = assign.value->as<ir::Convert>();
    if (const Type type = narrow[assign.target]) {
        assign.value = thread_index_as(type, *assign.value);
        function.local(assign.target).type = type;
    } else if (convert && is_narrow(assign.value->type)) {
        if (ir::ExprPtr index = thread_index_as(assign.value->type, *convert->operand)) assign.value = std::move(index);
    }
}

}  // namespace

void narrow_thread_index(ir::Function& function) {
    const NarrowlyRead narrow(function);
    if (!narrow.empty()) ir::rewrite(function.body, [&](ir::ExprPtr& expr) { read_narrow(expr, narrow); });
    ir::for_each_stmt(function.body, [&](ir::Stmt& stmt) {
        if (auto* assign = stmt.as<ir::Assign>()) assign_narrow(function, *assign, narrow);
    });
}

bool is_thread_index(const ir::Expr& expr) {
    constexpr BuiltinName kIndices[] = {"cuda.grid.x",     "cuda.grid.y",     "cuda.grid.z",
                                        "cuda.gridsize.x", "cuda.gridsize.y", "cuda.gridsize.z"};
    const auto* call = expr.as<ir::BuiltinCall>();
    return call && is_one_of(*call->builtin, kIndices);
}

ir::ExprPtr thread_index_as(Type type, const ir::Expr& expr) {
    if (!is_thread_index(expr)) return nullptr;
    const Builtin& wide = *expr.as<ir::BuiltinCall>()->builtin;
    const Builtin* narrow = find_builtin(fmt::format("{}.{}", wide.name, type.name()));
    return ir::make(type, expr.span, ir::BuiltinCall{narrow, {}});
}

}  // namespace pyk
