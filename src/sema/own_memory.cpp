#include "sema/own_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/walk.h"

namespace pyk {
namespace {

bool may_refer(Type type) {
    return type.is_array() || type.is_record() || (type.is_tuple() && std::ranges::any_of(type.elements(), may_refer));
}

/// Which locals of a function refer into its local arrays.
class OwnMemory {
  public:
    explicit OwnMemory(const ir::Function& function) {
        for (const ir::Local& local : function.locals) refers_.push_back(local.storage == ir::Storage::local);
        for (bool again = true; std::exchange(again, false);)
            ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
                const auto* assign = stmt.as<ir::Assign>();
                if (!assign || refers_[static_cast<size_t>(assign->target)] || !refers(*assign->value)) return;
                refers_[static_cast<size_t>(assign->target)] = again = true;
            });
    }

    /// What a call gives is taken to lie elsewhere.
    bool refers(const ir::Expr& expr) const {
        if (!may_refer(expr.type) || expr.as<ir::Call>()) return false;
        if (const auto* ref = expr.as<ir::LocalRef>()) return refers_[static_cast<size_t>(ref->id)];
        bool found = false;
        ir::for_each_child(expr, [&](const ir::Expr& child) { found |= refers(child); });
        return found;
    }

  private:
    std::vector<bool> refers_;
};

}  // namespace

void check_own_memory(const ir::Module& module, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions) {
        if (!may_refer(function.result)) continue;
        const OwnMemory own(function);
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* returned = stmt.as<ir::Return>();
            if (returned && returned->value && own.refers(*returned->value))
                diagnostics.report(diag::unsupported_syntax, stmt.span,
                                   std::string_view("results in a local array of the function itself"),
                                   std::string_view("pass it the array that it fills"));
        });
    }
}

}  // namespace pyk
