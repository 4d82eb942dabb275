#include "passes/fuse_array_loops.h"

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/array_nest.h"
#include "passes/new_arrays.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// Precondition: it is a nest.
ir::Store& store_in(ir::Stmt& stmt) {
    ir::Stmt* at = &stmt;
    while (auto* loop = at->as<ir::ForRange>()) at = &loop->body.front();
    return *at->as<ir::Store>();
}

/// `value = broadcast(array, target)`.
struct Broadcast {
    ir::LocalId value;
    const ir::Expr* array;
    ir::LocalId target;
};
std::optional<Broadcast> broadcast_of(const ir::Stmt& stmt) {
    const auto* assign = stmt.as<ir::Assign>();
    const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
    if (!call || call->builtin->name != "pyk.broadcast") return std::nullopt;
    const ir::LocalId* target = local_of(call->args[1]);
    return target ? std::optional(Broadcast{assign->target, call->args[0].get(), *target}) : std::nullopt;
}

/// What a fusion takes out of a block, and where it goes.
struct Fusion {
    size_t made, filled, passed,
        read;  ///< the places of `new_array`, its loop, `broadcast` of it, and the loop that reads it
    ir::LocalId array, value, target;   ///< the array; as the other loop knows it; what that stores to
    std::vector<size_t> operands = {};  ///< the places of its operands' `broadcast`
};

class Fuser {
  public:
    Fuser(const ir::Module& module, ir::Function& function, bool is_array_function)
        : module_(module), function_(function), is_array_function_(is_array_function) {}

    void run() { block(function_.body); }

  private:
    void block(ir::Block& block) {
        for (ir::Stmt& stmt : block) ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
        // From the end: what is read last is in its reader before what it reads itself is looked at.
        for (size_t i = block.size(); i-- > 0;) {
            if (i >= block.size()) continue;
            if (const auto fusion = find(block, i)) apply(block, *fusion);
        }
    }

    bool is_new(ir::LocalId id) const {
        return function_.local(id).storage == ir::Storage::temporary && made_.contains(id);
    }

    std::optional<Fusion> find(const ir::Block& block, size_t made) {
        const auto* assign = block[made].as<ir::Assign>();
        const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
        if (!call || call->builtin->name != "pyk.new_array") return std::nullopt;
        Fusion fusion{made, 0, 0, 0, assign->target, {}, {}};
        if (function_.local(fusion.array).storage != ir::Storage::temporary) return std::nullopt;
        count();
        if (writes_[static_cast<size_t>(fusion.array)] != 1) return std::nullopt;
        std::optional<ArrayNest> filling, reading;
        uint32_t known = 0;  // reads of it that are seen
        for (size_t i = made + 1; i < block.size() && !reading; ++i) {
            const auto nest = array_nest_of(block[i]);
            const auto broadcast = broadcast_of(block[i]);
            if (!filling && nest && nest->target == fusion.array) {
                filling = nest;
                fusion.filled = i;
                known += 1 + static_cast<uint32_t>(nest->loops.size());
            } else if (!filling && broadcast && broadcast->target == fusion.array) {
                fusion.operands.push_back(i);
                ++known;
            } else if (filling && broadcast && broadcast->array->as<ir::LocalRef>() &&
                       broadcast->array->as<ir::LocalRef>()->id == fusion.array) {
                if (fusion.passed) return std::nullopt;
                fusion.passed = i;
                fusion.value = broadcast->value;
                fusion.target = broadcast->target;
                ++known;
            } else if (fusion.passed && nest && nest->target == fusion.target) {
                reading = nest;
                fusion.read = i;
                known += extents_in(block[i], fusion.array);
            } else {
                known += extents_in(block[i], fusion.array);
                if (!may_be_between(block[i], nest)) return std::nullopt;
            }
        }
        const bool fits = reading && reads_[static_cast<size_t>(fusion.array)] == known &&
                          filling->loops.size() == reading->loops.size() && may_move(*filling, block, fusion) &&
                          is_read_once(*reading, fusion) && may_store(*filling, *reading, block);
        return fits ? std::optional(fusion) : std::nullopt;
    }

    /// Statements between the two loops: nothing that they do changes what the first one reads.
    bool may_be_between(const ir::Stmt& stmt, const std::optional<ArrayNest>& nest) const {
        if (nest) return is_new(nest->target);
        const auto* assign = stmt.as<ir::Assign>();
        return assign && !any(ir::effects_of(module_, *assign->value) & Effects::writes);
    }

    static uint32_t extents_in(const ir::Stmt& stmt, ir::LocalId array) {
        uint32_t found = 0;
        const auto look = [&](const ir::Expr& expr) {
            const auto* shape = expr.as<ir::ShapeOf>();
            const ir::LocalId* id = shape ? local_of(shape->array) : nullptr;
            found += id && *id == array;
        };
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { ir::for_each_expr_deep(expr, look); });
        ir::for_each_block(stmt, [&](const ir::Block& inner) { ir::for_each_expr_deep(inner, look); });
        return found;
    }

    /// Whether its elements, and the views that they are read from, are the same where they are read.
    bool may_move(const ArrayNest& filling, const ir::Block& block, const Fusion& fusion) const {
        if (is_action(ir::effects_of(module_, *filling.store->value))) return false;
        const auto is_same = [&](ir::LocalId id) {
            for (size_t i = fusion.filled + 1; i < fusion.read; ++i) {
                const auto* assign = block[i].as<ir::Assign>();
                if (assign && assign->target == id) return false;
            }
            return true;
        };
        bool stays = true;
        const auto look = [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::LocalRef>()) stays &= is_same(ref->id);
        };
        ir::for_each_expr_deep(*filling.store->value, look);
        for (const size_t operand : fusion.operands) {
            const Broadcast broadcast = *broadcast_of(block[operand]);
            ir::for_each_expr_deep(*broadcast.array, look);
            // The loop alone has it.
            stays &= writes_[static_cast<size_t>(broadcast.value)] == 1 &&
                     function_.local(broadcast.value).storage == ir::Storage::temporary;
        }
        return stays;
    }

    bool is_read_once(const ArrayNest& reading, const Fusion& fusion) const {
        if (reads_[static_cast<size_t>(fusion.value)] != 1 || writes_[static_cast<size_t>(fusion.value)] != 1)
            return false;
        bool found = false;
        ir::for_each_expr_deep(*reading.store->value, [&](const ir::Expr& expr) {
            const auto* element = expr.as<ir::Element>();
            const ir::LocalId* id = element ? local_of(element->array) : nullptr;
            found |= id && *id == fusion.value && is_at(element->indices, reading);
        });
        return found;
    }

    /// Elements are read while others are stored: nothing may have both.
    bool may_store(const ArrayNest& filling, const ArrayNest& reading, const ir::Block& block) const {
        if (is_new(reading.target)) return true;
        if (!is_array_function_) return false;
        // Inputs that are not stored to are copied before the call where outputs overlap them.
        bool apart = true;
        ir::for_each_expr_deep(*filling.store->value, [&](const ir::Expr& expr) {
            const auto* element = expr.as<ir::Element>();
            if (element) apart &= is_input(*element->array, block);
        });
        return apart;
    }

    bool is_input(const ir::Expr& array, const ir::Block& block) const {
        const ir::LocalRef* base = ir::base_local(array);
        if (!base) return false;
        const ir::Local& local = function_.local(base->id);
        if (local.storage == ir::Storage::parameter)
            return local.type.readonly() && writes_[static_cast<size_t>(base->id)] == 0;
        if (local.storage != ir::Storage::temporary || writes_[static_cast<size_t>(base->id)] != 1) return false;
        if (is_new(base->id)) return true;
        for (const ir::Stmt& stmt : block) {
            const auto broadcast = broadcast_of(stmt);
            if (broadcast && broadcast->value == base->id) return is_input(*broadcast->array, block);
        }
        return false;
    }

    void apply(ir::Block& block, const Fusion& fusion) {
        const std::vector<ir::ExprPtr> extents = named_extents(block[fusion.made]);
        for (size_t i = fusion.filled + 1; i <= fusion.read; ++i) replace_extents(block[i], fusion.array, extents);
        const ArrayNest filling = *array_nest_of(block[fusion.filled]), reading = *array_nest_of(block[fusion.read]);
        ir::ExprPtr element =
            ir::convert(ir::clone(*filling.store->value), function_.local(fusion.array).type.element());
        ir::rewrite(element, [&](ir::ExprPtr& expr) {
            const ir::LocalId* id = local_of(expr);
            for (size_t axis = 0; id && axis < filling.loops.size(); ++axis)
                if (*id == filling.loops[axis]->counter) {
                    expr = ir::local(function_, reading.loops[axis]->counter, expr->span);
                    return;
                }
        });
        ir::rewrite(store_in(block[fusion.read]).value, [&](ir::ExprPtr& expr) {
            const auto* read = expr->as<ir::Element>();
            const ir::LocalId* id = read ? local_of(read->array) : nullptr;
            if (id && *id == fusion.value) expr = std::move(element);
        });
        ir::Block changed;
        for (size_t i = 0; i < block.size(); ++i) {
            if (i == fusion.read)
                for (const size_t operand : fusion.operands) {
                    auto* call = block[operand].as<ir::Assign>()->value->as<ir::BuiltinCall>();
                    call->args[1] = ir::local(function_, fusion.target, call->args[1]->span);
                    changed.push_back(std::move(block[operand]));
                }
            if (i == fusion.made) std::ranges::move(extents_made_, std::back_inserter(changed));
            const bool is_gone = i == fusion.made || i == fusion.filled || i == fusion.passed ||
                                 std::ranges::find(fusion.operands, i) != fusion.operands.end();
            if (!is_gone) changed.push_back(std::move(block[i]));
        }
        extents_made_.clear();
        block = std::move(changed);
    }

    /// What `new_array` was to have, named in its place.
    std::vector<ir::ExprPtr> named_extents(ir::Stmt& made) {
        std::vector<ir::ExprPtr> extents;
        for (ir::ExprPtr& extent : made.as<ir::Assign>()->value->as<ir::BuiltinCall>()->args) {
            const ir::LocalId id =
                ir::add_local(function_, ir::Local{"n", extent->type, ir::Storage::temporary, made.span, false, {}, 0});
            extents_made_.push_back({made.span, ir::Assign{id, std::move(extent)}});
            extents.push_back(ir::local(function_, id, made.span));
        }
        return extents;
    }

    static void replace_extents(ir::Stmt& stmt, ir::LocalId array, const std::vector<ir::ExprPtr>& extents) {
        const auto change = [&](ir::ExprPtr& expr) {
            const auto* shape = expr->as<ir::ShapeOf>();
            const ir::LocalId* id = shape ? local_of(shape->array) : nullptr;
            if (id && *id == array) expr = ir::clone(*extents[shape->axis]);
        };
        ir::for_each_expr(stmt, [&](ir::ExprPtr& expr) { ir::rewrite(expr, change); });
        ir::for_each_block(stmt, [&](ir::Block& inner) { ir::rewrite(inner, change); });
    }

    /// How often each local is read and assigned, and which are new arrays.
    void count() {
        const Usage usage(function_);
        reads_ = usage.reads;
        writes_ = usage.writes;
        made_.clear();
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
            if (call && makes_array(*call) && writes_[static_cast<size_t>(assign->target)] == 1)
                made_.insert(assign->target);
        });
    }

    const ir::Module& module_;
    ir::Function& function_;
    bool is_array_function_;
    std::vector<uint32_t> reads_, writes_;
    std::set<ir::LocalId> made_;
    ir::Block extents_made_;
};

}  // namespace

void fuse_array_loops(ir::Module& module) {
    if (!makes_arrays(module)) return;
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const bool is_array_function = std::ranges::any_of(
            module.arrays, [&](const ir::ArrayEntry& entry) { return static_cast<size_t>(entry.function) == i; });
        Fuser(module, module.functions[i], is_array_function).run();
    }
}

}  // namespace pyk
