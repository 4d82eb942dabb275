// Which functions of a module do something, themselves or through those that they call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ir/ir.h"
#include "ir/walk.h"

namespace pyk::ir {

/// Functions of whose bodies something holds, and those that call them.
class Doers {
  public:
    template <typename Predicate>
    Doers(const Module& module, const Predicate& does) {
        for (const Function& function : module.functions) does_.push_back(does(function.body));
        for (size_t known = 0; known != count();) {
            known = count();
            for (size_t i = 0; i < does_.size(); ++i)
                if (!does_[i]) does_[i] = calls_one(module.functions[i]);
        }
    }
    bool contains(FunctionId function) const { return does_[static_cast<size_t>(function)]; }

  private:
    size_t count() const { return static_cast<size_t>(std::ranges::count(does_, true)); }

    bool calls_one(const Function& function) const {
        bool found = false;
        for_each_expr_deep(function.body, [&](const Expr& expr) {
            const auto* call = expr.as<Call>();
            found = found || (call && contains(call->callee));
        });
        return found;
    }

    std::vector<bool> does_;
};

}  // namespace pyk::ir
