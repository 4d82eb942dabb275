#include "sema/has_to_run.h"

#include "ir/thread_end.h"
#include "ir/walk.h"

namespace pyk {

bool has_to_run(const Value& value) {
    bool result = is_action(value.effects);
    if (value.expr)
        ir::for_each_expr_deep(
            *value.expr, [&](const ir::Expr& part) { result = result || part.as<ir::Call>() || ir::may_raise(part); });
    return result;
}

}  // namespace pyk
