#include "passes/elide_wraps.h"

#include "ir/walk.h"

namespace pyk {
namespace {

class WrapElision {
  public:
    explicit WrapElision(const Ranges& ranges) : ranges_(ranges) {}

    void block(ir::Block& body) {
        for (ir::Stmt& stmt : body) {
            if (auto* store = stmt.as<ir::Store>()) elide(store->indices);
            ir::for_each_expr(stmt,
                              [&](ir::ExprPtr& root) { ir::rewrite(root, [&](ir::ExprPtr& expr) { elide(*expr); }); });
            ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
        }
    }

  private:
    void elide(ir::Index& index) { index.wraps = index.wraps && !ranges_.never_negative(*index.value); }
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

    const Ranges& ranges_;
};

}  // namespace

void elide_wraps(ir::Module& module, std::span<const Ranges> ranges) {
    for (size_t i = 0; i < ranges.size(); ++i) WrapElision(ranges[i]).block(module.functions[i].body);
}

}  // namespace pyk
