#include "emit/columns.h"

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

class Columns {
  public:
    explicit Columns(const ir::Function& function) : values_(function.locals.size()) {
        std::vector<bool> is_assigned(values_.size());
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            if (!assign || !assign->value->type.is_array()) return;
            const auto id = static_cast<size_t>(assign->target);
            values_[id] = is_assigned[id] ? nullptr : assign->value.get();
            is_assigned[id] = true;
        });
    }

    std::vector<bool> run() const {
        std::vector<bool> result;
        for (const ir::Expr* value : values_) {
            const auto* call = value ? ir::call_of(*value, "pyk.broadcast") : nullptr;
            result.push_back(call && is_column(*call->args[0]));
        }
        return result;
    }

  private:
    bool is_column(const ir::Expr& array) const {
        if (const auto* named = array.as<ir::LocalRef>()) {
            const ir::Expr* value = values_[static_cast<size_t>(named->id)];
            return value && !value->as<ir::LocalRef>() && is_column(*value);
        }
        const auto* call = array.as<ir::BuiltinCall>();
        if (!call || array.type.ndim() < 2) return false;
        const auto last = ir::integer_value(*call->args.back());
        if (*call->builtin == "pyk.new_axis") return last == array.type.ndim() - 1;
        return *call->builtin == "array.reshape" && last == 1;
    }

    std::vector<const ir::Expr*> values_;  ///< by LocalId; null: not one
};

}  // namespace

std::vector<bool> column_locals(const ir::Function& function) { return Columns(function).run(); }

}  // namespace pyk::emitter
