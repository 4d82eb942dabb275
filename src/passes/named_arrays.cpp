#include "passes/named_arrays.h"

#include "ir/build.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

ir::ExprPtr& base_of(ir::ExprPtr& place) {
    if (auto* view = place->as<ir::View>()) return base_of(view->array);
    if (auto* transpose = place->as<ir::Transpose>()) return base_of(transpose->array);
    return place;
}

}  // namespace

NamedArrays::NamedArrays(const ir::Module& module, const ir::Function& function)
    : module_(module), function_(function) {
    const Usage usage(function);
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (!assign || !assign->value->type.is_array()) return;
        const bool is_parameter = function.local(assign->target).storage == ir::Storage::parameter;
        if (!is_parameter && usage.writes[static_cast<size_t>(assign->target)] == 1)
            values_[assign->target] = assign->value.get();
    });
}

ir::ExprPtr NamedArrays::expanded(const ir::Expr& array) const {
    ir::ExprPtr place = ir::clone(array);
    while (true) {
        ir::ExprPtr& base = base_of(place);
        const auto* ref = base->as<ir::LocalRef>();
        const auto value = ref ? values_.find(ref->id) : values_.end();
        if (value == values_.end() || !ir::base_local(*value->second)) break;
        base = ir::clone(*value->second);
    }
    ir::rewrite(place, [](ir::ExprPtr& expr) {
        if (auto* view = expr->as<ir::View>(); view && ir::is_whole(*view)) expr = ir::ExprPtr(std::move(view->array));
    });
    return place;
}

bool NamedArrays::are_different_parts(const ir::Expr& a, const ir::Expr& b) const {
    const ir::ExprPtr first = expanded(a), second = expanded(b);
    const auto *of = ir::base_local(*first), *other = ir::base_local(*second);
    return of && other && of->id == other->id &&
           ir::print(module_, function_, *first) != ir::print(module_, function_, *second);
}

}  // namespace pyk
