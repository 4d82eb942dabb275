#include "passes/fuse_array_loops.h"

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/array_nest.h"
#include "passes/named_arrays.h"
#include "passes/new_arrays.h"
#include "passes/share_array_loops.h"
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
    const auto* call = assign ? ir::call_of(*assign->value, "pyk.broadcast") : nullptr;
    if (!call) return std::nullopt;
    const ir::LocalId* target = local_of(call->args[1]);
    return target ? std::optional(Broadcast{assign->target, call->args[0].get(), *target}) : std::nullopt;
}

/// `value = array`, or as one axis: what a loop over all elements in order runs over.
struct Elements {
    ir::LocalId value, array;
};
std::optional<Elements> elements_of(const ir::Stmt& stmt) {
    const auto* assign = stmt.as<ir::Assign>();
    if (!assign || !assign->value->type.is_array() || assign->value->type.ndim() != 1) return std::nullopt;
    const ir::Expr* of = assign->value.get();
    const auto* call = of->as<ir::BuiltinCall>();
    const bool is_reshaped = call && *call->builtin == "array.reshape" && ir::integer_value(*call->args[1]) == -1;
    if (is_reshaped || (call && *call->builtin == "pyk.axis")) of = call->args[0].get();
    const auto* ref = of->as<ir::LocalRef>();
    return ref ? std::optional(Elements{assign->target, ref->id}) : std::nullopt;
}

/// What a fusion takes out of a block, and where it goes.
struct Fusion {
    size_t made, filled, passed,
        read;  ///< the places of `new_array`, its loop, `broadcast` of it, and the loop that reads it
    ir::LocalId array, value, target;  ///< the array; as the other loop knows it; what that stores to
    bool is_flat = false;  ///< the other loop runs over all elements in order, and stores none: `for x in a.flat`
    std::vector<size_t> operands = {};  ///< the places of its operands' `broadcast`
    bool keeps_apart = false;           ///< an operand may lie where the other loop stores
};

class Fuser {
  public:
    Fuser(const ir::Module& module, ir::Function& function, bool is_array_function)
        : module_(module), function_(function), is_array_function_(is_array_function) {}

    /// What is added up is first made by one loop.
    void run() {
        for (const bool flat : {false, true}) {
            fuses_flat_ = flat;
            block(function_.body);
        }
    }

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
        const auto* call = assign ? ir::call_of(*assign->value, "pyk.new_array") : nullptr;
        if (!call) return std::nullopt;
        Fusion fusion{made, 0, 0, 0, assign->target, {}, {}};
        if (function_.local(fusion.array).storage != ir::Storage::temporary) return std::nullopt;
        count();
        if (writes_[static_cast<size_t>(fusion.array)] != 1) return std::nullopt;
        std::optional<ArrayNest> filling, reading;
        bool is_read = false;
        for (size_t i = made + 1; i < block.size() && !is_read; ++i) {
            const auto nest = array_nest_of(block[i]);
            const auto broadcast = broadcast_of(block[i]);
            const auto elements = fuses_flat_ ? elements_of(block[i]) : std::nullopt;
            if (!filling && nest && nest->target == fusion.array) {
                filling = nest;
                fusion.filled = i;
            } else if (!filling && broadcast && broadcast->target == fusion.array) {
                fusion.operands.push_back(i);
            } else if (filling && !fusion.passed && broadcast && ir::is_local(*broadcast->array, fusion.array)) {
                fusion.passed = i;
                fusion.value = broadcast->value;
                fusion.target = broadcast->target;
            } else if (filling && !fusion.passed && elements && elements->array == fusion.array) {
                fusion.passed = i;
                fusion.value = elements->value;
                fusion.is_flat = true;
            } else if (fusion.passed && !fusion.is_flat && nest && nest->target == fusion.target) {
                reading = nest;
                fusion.read = i;
                is_read = true;
            } else if (fusion.is_flat && is_over(block[i], fusion.value)) {
                fusion.read = i;
                is_read = may_repeat_within(*filling, *block[i].as<ir::ForRange>());
                if (!is_read) return std::nullopt;
            } else if (!may_be_between(block[i], nest)) {
                return std::nullopt;
            }
        }
        if (!is_read) return std::nullopt;
        // What stores it, what it is broadcast to, what reads it, and those who ask how large it is.
        size_t known = 1 + fusion.operands.size() + 1;
        for (size_t i = made + 1; i < block.size(); ++i) known += extents_in(block[i], fusion.array);
        if (reads_[static_cast<size_t>(fusion.array)] != known || !may_move(*filling, block, fusion))
            return std::nullopt;
        if (fusion.is_flat) return fusion;
        if (filling->loops.size() != reading->loops.size() || !is_read_once(*reading, fusion)) return std::nullopt;
        if (may_store(*filling, *reading, block)) return fusion;
        fusion.keeps_apart = can_be_apart(block, fusion);
        return fusion.keeps_apart ? std::optional(fusion) : std::nullopt;
    }

    /// A loop over all elements of `value`, each of which it reads once and at once; it stores nothing and ends early
    /// for nothing.
    bool is_over(const ir::Stmt& stmt, ir::LocalId value) const {
        const auto* loop = stmt.as<ir::ForRange>();
        if (!loop || !loop->orelse.empty() || loop->is_parallel) return false;
        const auto* shape = loop->stop->as<ir::ShapeOf>();
        const bool is_whole = ir::integer_value(*loop->start) == 0 && ir::integer_value(*loop->step) == 1 && shape &&
                              ir::is_local(*shape->array, value);
        if (!is_whole || reads_[static_cast<size_t>(value)] != 2 || writes_[static_cast<size_t>(value)] != 1)
            return false;
        bool is_plain = true;
        size_t at_counter = 0;
        ir::for_each_stmt(loop->body,
                          [&](const ir::Stmt& inner) { is_plain &= inner.as<ir::Assign>() || inner.as<ir::If>(); });
        ir::for_each_expr_deep(loop->body, [&](const ir::Expr& expr) {
            is_plain &= !is_action(effects_of_node(expr));
            const auto* element = expr.as<ir::Element>();
            at_counter += element && ir::is_local(*element->array, value) &&
                          ir::is_local(*element->indices[0].value, loop->counter);
        });
        return is_plain && at_counter == 1 && count_reads(loop->body, loop->counter) == 1;
    }

    Effects effects_of_node(const ir::Expr& expr) const {
        if (const auto* call = expr.as<ir::BuiltinCall>()) return call->builtin->effects;
        const auto* call = expr.as<ir::Call>();
        return call ? module_.function(call->callee).effects : Effects::none;
    }

    /// The iterations of the other loop assign nothing that the elements are made of.
    static bool may_repeat_within(const ArrayNest& filling, const ir::ForRange& loop) {
        std::set<ir::LocalId> assigned;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) assigned.insert(assign->target);
        });
        bool stays = true;
        ir::for_each_expr_deep(*filling.store->value, [&](const ir::Expr& expr) {
            const auto* ref = expr.as<ir::LocalRef>();
            stays &= !ref || !assigned.contains(ref->id);
        });
        return stays;
    }

    /// Statements between the two loops: nothing that they do changes what the first one reads.
    bool may_be_between(const ir::Stmt& stmt, const std::optional<ArrayNest>& nest) const {
        if (nest) return is_new(nest->target);
        if (const auto* branch = stmt.as<ir::If>())
            return branch->otherwise.empty() && branch->then.size() == 1 && branch->then[0].as<ir::Raise>();
        const auto* assign = stmt.as<ir::Assign>();
        return assign && !any(ir::effects_of(module_, *assign->value) & Effects::writes);
    }

    static size_t extents_in(const ir::Stmt& stmt, ir::LocalId array) {
        size_t found = 0;
        const auto look = [&](const ir::Expr& expr) { found += asks_how_large(expr, array); };
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { ir::for_each_expr_deep(expr, look); });
        ir::for_each_block(stmt, [&](const ir::Block& inner) { ir::for_each_expr_deep(inner, look); });
        return found;
    }

    static bool asks_how_large(const ir::Expr& expr, ir::LocalId array) {
        const auto* shape = expr.as<ir::ShapeOf>();
        const auto* size = expr.as<ir::SizeOf>();
        return (shape && ir::is_local(*shape->array, array)) || (size && ir::is_local(*size->array, array));
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

    /// It reads elements at its counters alone, of arrays that hardly ever overlap what is stored to but for being the
    /// same: they are copied where they do. Parts of one array do so often: one array of results is less than copies.
    bool can_be_apart(const ir::Block& block, const Fusion& fusion) const {
        const auto nest = shared_nest_of(function_, block[fusion.filled]);
        if (!nest) return false;
        const NamedArrays named(module_, function_);
        const ir::ExprPtr target = ir::local(function_, fusion.target);
        std::set<ir::LocalId> values;
        for (const size_t operand : fusion.operands) {
            const Broadcast broadcast = *broadcast_of(block[operand]);
            if (broadcast.array->type.ndim() == 0 || named.are_different_parts(*broadcast.array, *target)) return false;
            values.insert(broadcast.value);
        }
        return std::all_of(nest->arrays.begin() + 1, nest->arrays.end(),
                           [&](ir::LocalId array) { return values.contains(array); });
    }

    /// New, and nothing else has it.
    bool has_one_name(const ir::Expr& array) const {
        const auto* ref = array.as<ir::LocalRef>();
        return ref && is_new(ref->id) && !shared_.contains(ref->id);
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
        for (size_t i = fusion.filled + 1; i < block.size(); ++i) replace_extents(block[i], fusion.array, extents);
        if (fusion.is_flat)
            nest_in(block[fusion.filled], block[fusion.read], fusion, extents);
        else
            put_in(block[fusion.filled], block[fusion.read], fusion);
        ir::Block changed;
        for (size_t i = 0; i < block.size(); ++i) {
            if (i == fusion.read)
                for (const size_t operand : fusion.operands) {
                    auto& call = *block[operand].as<ir::Assign>()->value->as<ir::BuiltinCall>();
                    if (fusion.keeps_apart && !has_one_name(*call.args[0]))
                        changed.push_back(keep_apart(call.args[0], fusion.target));
                    fit(call, fusion, extents);
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

    ir::Stmt keep_apart(ir::ExprPtr& array, ir::LocalId target) {
        const Type type = array->type;
        const Span span = array->span;
        const ir::LocalId id = ir::add_temporary(function_, "operand", type, span);
        ir::BuiltinCall apart{&builtin("pyk.apart"), {}};
        apart.args.push_back(std::move(array));
        apart.args.push_back(ir::local(function_, target, span));
        array = ir::local(function_, id, span);
        return {span, ir::Assign{id, ir::make(type, span, std::move(apart))}};
    }

    /// Its operands are stretched to what takes its place.
    void fit(ir::BuiltinCall& broadcast, const Fusion& fusion, const std::vector<ir::ExprPtr>& extents) {
        if (!fusion.is_flat) {
            broadcast.args[1] = ir::local(function_, fusion.target, broadcast.args[1]->span);
            return;
        }
        broadcast.builtin = &builtin("pyk.broadcast_to");
        broadcast.args.resize(1);
        for (const ir::ExprPtr& extent : extents) broadcast.args.push_back(ir::clone(*extent));
    }

    ir::ExprPtr element_of(const ArrayNest& filling, const Fusion& fusion) const {
        return ir::convert(ir::clone(*filling.store->value), function_.local(fusion.array).type.element());
    }

    void put(ir::ExprPtr element, ir::LocalId value, ir::Block& block) const {
        ir::rewrite(block, [&](ir::ExprPtr& expr) { put(element, value, expr); });
    }
    static void put(ir::ExprPtr& element, ir::LocalId value, ir::ExprPtr& expr) {
        const auto* read = expr->as<ir::Element>();
        if (read && ir::is_local(*read->array, value)) expr = std::move(element);
    }

    /// Into another loop that stores, at the counters of that.
    void put_in(const ir::Stmt& filled, ir::Stmt& read, const Fusion& fusion) {
        const ArrayNest filling = *array_nest_of(filled), reading = *array_nest_of(read);
        ir::ExprPtr element = element_of(filling, fusion);
        ir::rewrite(element, [&](ir::ExprPtr& expr) {
            const ir::LocalId* id = local_of(expr);
            for (size_t axis = 0; id && axis < filling.loops.size(); ++axis)
                if (*id == filling.loops[axis]->counter) {
                    expr = ir::local(function_, reading.loops[axis]->counter, expr->span);
                    return;
                }
        });
        ir::rewrite(store_in(read).value, [&](ir::ExprPtr& expr) { put(element, fusion.value, expr); });
    }

    /// A loop over all elements in order becomes one per axis.
    void nest_in(const ir::Stmt& filled, ir::Stmt& read, const Fusion& fusion,
                 const std::vector<ir::ExprPtr>& extents) {
        const ArrayNest filling = *array_nest_of(filled);
        auto& loop = *read.as<ir::ForRange>();
        put(element_of(filling, fusion), fusion.value, loop.body);
        ir::Block body = std::move(loop.body);
        for (size_t axis = extents.size(); axis-- > 0;) {
            ir::ForRange around{filling.loops[axis]->counter,
                                ir::integer(0, Scalar::int64, read.span),
                                ir::clone(*extents[axis]),
                                ir::integer(1, Scalar::int64, read.span),
                                std::move(body),
                                {}};
            body = ir::Block();
            body.push_back({read.span, std::move(around)});
        }
        read = std::move(body.front());
    }

    /// What `new_array` was to have, named in its place.
    std::vector<ir::ExprPtr> named_extents(ir::Stmt& made) {
        std::vector<ir::ExprPtr> extents;
        for (ir::ExprPtr& extent : made.as<ir::Assign>()->value->as<ir::BuiltinCall>()->args) {
            const ir::LocalId id = ir::add_temporary(function_, "n", extent->type, made.span);
            extents_made_.push_back({made.span, ir::Assign{id, std::move(extent)}});
            extents.push_back(ir::local(function_, id, made.span));
        }
        return extents;
    }

    static void replace_extents(ir::Stmt& stmt, ir::LocalId array, const std::vector<ir::ExprPtr>& extents) {
        const auto change = [&](ir::ExprPtr& expr) {
            if (!asks_how_large(*expr, array)) return;
            if (const auto* shape = expr->as<ir::ShapeOf>()) {
                expr = ir::clone(*extents[shape->axis]);
                return;
            }
            ir::ExprPtr size = ir::clone(*extents[0]);
            for (size_t axis = 1; axis < extents.size(); ++axis)
                size = ir::binary(BinaryOp::Mul, std::move(size), ir::clone(*extents[axis]), expr->span);
            expr = std::move(size);
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
        shared_.clear();
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
            if (call && makes_array(*call) && writes_[static_cast<size_t>(assign->target)] == 1)
                made_.insert(assign->target);
            if (!assign || assign->value->type.is_scalar() || broadcast_of(stmt) || (call && makes_array(*call)))
                return;
            ir::for_each_expr_deep(*assign->value, [&](const ir::Expr& expr) {
                if (const auto* ref = expr.as<ir::LocalRef>()) shared_.insert(ref->id);
            });
        });
    }

    const ir::Module& module_;
    ir::Function& function_;
    bool is_array_function_, fuses_flat_ = false;
    std::vector<uint32_t> reads_, writes_;
    std::set<ir::LocalId> made_, shared_;  ///< new arrays; what other names may have a part of
    ir::Block extents_made_;
};

}  // namespace

void fuse_array_loops(ir::Module& module) {
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const bool is_array_function = std::ranges::any_of(
            module.arrays, [&](const ir::ArrayEntry& entry) { return static_cast<size_t>(entry.function) == i; });
        Fuser(module, module.functions[i], is_array_function).run();
    }
}

}  // namespace pyk
