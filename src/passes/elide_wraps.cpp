#include "passes/elide_wraps.h"

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

class WrapElision {
  public:
    WrapElision(const ir::Module& module, const Ranges& ranges) : module_(module), ranges_(ranges) {}

    void block(ir::Block& body) {
        for (ir::Stmt& stmt : body) {
            if (auto* store = stmt.as<ir::Store>()) elide(store->indices);
            ir::for_each_expr(stmt, [&](ir::ExprPtr& root) {
                ir::rewrite(root, [&](ir::ExprPtr& expr) {
                    take_element(expr);
                    elide(*expr);
                });
            });
            ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
        }
    }

  private:
    void elide(ir::Index& index) { index.wraps = index.wraps && !ranges_.is_place(index); }
    void elide(std::vector<ir::Index>& indices) {
        for (ir::Index& index : indices) elide(index);
    }
    void elide(ir::Expr& expr) {
        if (auto* element = expr.as<ir::Element>()) elide(element->indices);
        if (auto* place = expr.as<ir::ElementRef>()) elide(place->indices);
        auto* view = expr.as<ir::View>();
        if (!view) return;
        for (ir::Subscript& subscript : view->subscripts)
            if (auto* index = std::get_if<ir::Index>(&subscript)) elide(*index);
    }

    // An item of a table whose index is in range is an element of it: nothing is left to check.
    void take_element(ir::ExprPtr& expr) {
        auto* at = expr->as<ir::TupleAt>();
        const auto* table = at ? at->tuple->as<ir::ConstantRef>() : nullptr;
        if (!table) return;
        const Interval index = ranges_.of(*at->index);
        const int64_t count = module_.constants[static_cast<size_t>(table->id)].table->shape[0];
        if (index.lo < -count || index.hi >= count) return;
        std::vector<ir::Index> indices;
        indices.push_back({std::move(at->index)});
        expr = ir::make(expr->type, expr->span, ir::Element{std::move(at->tuple), std::move(indices)});
    }

    const ir::Module& module_;
    const Ranges& ranges_;
};

}  // namespace

void elide_wraps(const ir::Module& module, ir::Function& function, const Ranges& ranges) {
    WrapElision(module, ranges).block(function.body);
}

}  // namespace pyk
