#include "emit/held_parts.h"

#include <algorithm>
#include <optional>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

// Such a loop's body is there once for each element.
constexpr size_t kMostExpressions = 64;

class Holding {
  public:
    Holding(const ir::Function& function, const std::vector<ir::CoreOperand>& core, const std::set<ir::LocalId>& stored,
            const SharedLoops& loops, TeamForm& form)
        : function_(function), core_(core), stored_(stored), loops_(loops), form_(form) {}

    void run();

  private:
    using Subscripts = std::vector<const std::vector<ir::Index>*>;

    bool is_row(ir::LocalId id) const;
    bool is_extent(const ir::Expr& expr) const { return is_extent(expr, function_.body.size()); }
    bool is_extent(const ir::Expr& expr, size_t before) const;
    bool is_over_items(const ir::ForRange& loop) const;
    static Subscripts subscripts(const ir::Block& block, ir::LocalId array);
    Subscripts at_counter(const ir::ForRange& loop, ir::LocalId array) const;

    const ir::Function& function_;
    const std::vector<ir::CoreOperand>& core_;
    const std::set<ir::LocalId>& stored_;
    const SharedLoops& loops_;
    TeamForm& form_;
};

void Holding::run() {
    bool returns = false;
    ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) { returns |= stmt.as<ir::Return>() != nullptr; });
    for (size_t k = 0; k < core_.size(); ++k) {
        const ir::LocalId id = function_.params[k];
        const bool is_stored = stored_.contains(id);
        if (!is_row(id) || (is_stored && returns)) continue;
        Subscripts held;
        std::vector<TeamForm::Loop*> over;
        for (auto& [loop, form] : form_.loops) {
            if (form.inner || !is_over_items(*loop)) continue;
            const Subscripts found = at_counter(*loop, id);
            if (!found.empty()) over.push_back(&form);
            held.insert(held.end(), found.begin(), found.end());
        }
        // What is stored to has no other place meanwhile.
        if (held.empty() || (is_stored && held.size() != subscripts(function_.body, id).size())) continue;
        for (TeamForm::Loop* form : over) form->over_items = true;
        form_.held.push_back({id, !core_[k].is_overwritten, is_stored});
        form_.held_elements.insert(held.begin(), held.end());
    }
}

/// A parameter along one axis, of numbers, whose extent is known to the launch.
bool Holding::is_row(ir::LocalId id) const {
    const auto at = std::ranges::find(function_.params, id);
    if (at == function_.params.end() || count_writes(function_.body, id) != 0) return false;
    const Type type = function_.local(id).type;
    const ir::CoreOperand& operand = core_[static_cast<size_t>(at - function_.params.begin())];
    if (!type.is_array() || type.ndim() != 1 || !type.aligned() || operand.shape != std::vector<int64_t>{0})
        return false;
    const Type element = type.element();
    return element.is_scalar() && !element.is_distinct() && (element.is_integer() || element.is_float());
}

/// Or less. Names of it are followed to what the function's own statements assign, up to the one that is `before`.
bool Holding::is_extent(const ir::Expr& expr, size_t before) const {
    const auto of_row = [&](const ir::Expr& array) {
        const auto* ref = array.as<ir::LocalRef>();
        return ref && is_row(ref->id);
    };
    if (const auto* shape = expr.as<ir::ShapeOf>()) return of_row(*shape->array);
    if (const auto* size = expr.as<ir::SizeOf>()) return of_row(*size->array);
    if (const auto* less = expr.as<ir::Binary>()) {
        const auto by = less->op == BinaryOp::Sub ? ir::integer_value(*less->rhs) : std::nullopt;
        return by && *by >= 0 && is_extent(*less->lhs, before);
    }
    const auto* ref = expr.as<ir::LocalRef>();
    // What the caller passes has another value before it is assigned.
    if (!ref || function_.local(ref->id).storage == ir::Storage::parameter ||
        count_writes(function_.body, ref->id) != 1)
        return false;
    for (size_t at = 0; at < before; ++at) {
        const auto* assign = function_.body[at].as<ir::Assign>();
        if (assign && assign->target == ref->id) return is_extent(*assign->value, at);
    }
    return false;
}

bool Holding::is_over_items(const ir::ForRange& loop) const {
    const auto start = ir::integer_value(*loop.start);
    if (!start || *start < 0 || ir::integer_value(*loop.step) != 1 || !is_extent(*loop.stop)) return false;
    size_t expressions = 0;
    ir::for_each_expr_deep(loop.body, [&](const ir::Expr&) { ++expressions; });
    return !ir::has_loop(loop.body) && expressions <= kMostExpressions;
}

Holding::Subscripts Holding::subscripts(const ir::Block& block, ir::LocalId array) {
    Subscripts found;
    for_each_element(block, [&](const ir::Expr& of, const std::vector<ir::Index>& indices) {
        if (ir::is_local(of, array)) found.push_back(&indices);
    });
    return found;
}

Holding::Subscripts Holding::at_counter(const ir::ForRange& loop, ir::LocalId array) const {
    Subscripts found = subscripts(loop.body, array);
    std::erase_if(found, [&](const std::vector<ir::Index>* indices) {
        const ir::Index& index = indices->front();
        return index.wraps || !loops_.is_counter(*index.value, loop, loop.body);
    });
    return found;
}

}  // namespace

void hold_parts(const ir::Function& function, const std::vector<ir::CoreOperand>& core,
                const std::set<ir::LocalId>& stored, const SharedLoops& loops, TeamForm& form) {
    Holding(function, core, stored, loops, form).run();
}

}  // namespace pyk::emitter
