#include "passes/parameter_ranges.h"

#include "ir/walk.h"

namespace pyk {
namespace {

template <typename Use>
void for_each_call(const ir::Function& function, const Use& use) {
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        if (const auto* call = expr.as<ir::Call>()) use(*call);
    });
}

}  // namespace

ParameterRanges::ParameterRanges(const ir::Module& module, bool closed)
    : module_(module), is_open_(module.functions.size(), !closed), of_(module.functions.size()) {
    if (!closed) return;
    for (const ir::ArrayEntry& entry : module.arrays) {
        open(entry.function);
        if (entry.algorithm && entry.algorithm->transform) open(*entry.algorithm->transform);
    }
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const ir::Function& function = module.functions[i];
        if (function.is_kernel || function.is_exported) is_open_[i] = true;
        if (function.is_kernel) continue;
        // One that calls itself, if through others.
        for_each_call(function, [&](const ir::Call& call) {
            if (static_cast<size_t>(call.callee) >= i) open(call.callee);
        });
    }
}

void ParameterRanges::add_calls(const ir::Function& function, const Ranges& ranges) {
    for_each_call(function, [&](const ir::Call& call) {
        const auto callee = static_cast<size_t>(call.callee);
        if (is_open_[callee]) return;
        auto& known = of_[callee];
        const bool is_first = !known;
        if (is_first) known.emplace(call.args.size());
        for (size_t i = 0; i < call.args.size(); ++i) {
            const Interval values = ranges.of(*call.args[i]);
            (*known)[i] = is_first ? values : hull((*known)[i], values);
        }
    });
}

void ParameterRanges::note_in(ir::Function& function) const {
    const auto index = static_cast<size_t>(&function - module_.functions.data());
    if (is_open_[index] || !of_[index]) return;
    for (size_t i = 0; i < function.params.size(); ++i) {
        ir::Local& param = function.local(function.params[i]);
        const Interval& values = (*of_[index])[i];
        if (!param.type.is_integer() || !fits(values, Scalar::int64) || values == all_of(param.type)) continue;
        param.passed = {static_cast<int64_t>(values.lo), static_cast<int64_t>(values.hi), values.is_place()};
    }
}

}  // namespace pyk
