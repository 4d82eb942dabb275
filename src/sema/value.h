// What inference knows of an expression.
#pragma once

#include <memory>
#include <optional>

#include "ir/build.h"
#include "module/entity.h"
#include "support/rare.h"

namespace pyk {

/// An expression's meaning: a run-time value (`type` and `expr`), or something that exists before run time only
/// (`entity`: a module, a type, a function, None, a string). Without either it is unknown: in error, or not inferred
/// yet in this round.
struct Value {
    Type type;
    ir::ExprPtr expr;
    Rare<Const> constant;  ///< its value, where it is known at compile time
    Rare<Entity> entity;
    std::shared_ptr<const Value> receiver;  ///< of a method that was looked up on a value (`entity` is its row)
    Effects effects = Effects::none;
    Span span;
    bool is_literal =
        false;             ///< an integer or boolean that Numba's type names: written out, or a constant of the module
    bool is_weak = false;  ///< narrow typing: takes the type of what it meets
    bool is_some = false;  ///< an Optional that is not None
    std::vector<uint8_t> weak_items;  ///< of a tuple: which elements are weak

    bool is_unknown() const { return !type && !entity; }
    bool is_runtime() const { return static_cast<bool>(type); }
    /// Is what the constant is, as before run time.
    void stand_for(const Const& known) { constant = known, entity = known; }
    /// Costs nothing to evaluate twice and gives the same both times.
    bool is_trivial() const {
        return expr && (expr->as<ir::LocalRef>() || expr->as<ir::Constant>() || expr->as<ir::ConstantRef>());
    }
};

/// A function inside of a function. Its name stands for the definition; where the name is used, it is bound to the
/// values that the captured names have there.
struct Closure {
    const FunctionInfo* info = nullptr;  ///< null: it is not bound
    std::vector<Value> captured;         ///< in the order of `info->captures`
    const ast::FunctionDef* def = nullptr;
    Span span = {};  ///< of the definition
    std::string name = {};
    /// Defaults that are made of variables around it, as they were when the definition ran.
    std::vector<std::pair<const ast::Expr*, Value>> defaults = {};

    const Value* default_of(const ast::Expr& written) const {
        for (const auto& [expr, value] : defaults)
            if (expr == &written) return &value;
        return nullptr;
    }
};

/// The same value once more; its expression is copied.
inline Value duplicate(const Value& value) {
    return {value.type,      value.expr ? clone(*value.expr) : nullptr,
            value.constant,  value.entity,
            value.receiver,  value.effects,
            value.span,      value.is_literal,
            value.is_weak,   value.is_some,
            value.weak_items};
}

/// A call of a builtin, as the function that lowers it gets it.
struct CallSite {
    const Builtin& builtin;
    const ast::Call& node;
    Span span;
    ir::Block& out;
    const Value* receiver = nullptr;      ///< of a method: the argument before those that are written
    std::vector<Value>* given = nullptr;  ///< the arguments, where the call is not written as such: `map(f, a)` calls f
};

/// A value as a message names it: by its type, or what it is where it is no run-time value.
std::string described(const Value& value);
/// What to write in place of a call of a number, a tuple or an array, `x.size()`, `x.shape(0)`, `x(i)`; empty: it is
/// another call.
std::string without_call(const Value& callee, const ast::Call& node);

}  // namespace pyk
