#include "emit/disjoint.h"

#include <algorithm>

#include "ir/build.h"
#include "passes/index32.h"

namespace pyk::emitter {
namespace {

/// Numbers, and arrays of which the launch sees how far they reach. What else leads to memory (a pointer, an array in a
/// tuple, one without axes) may lead to that of an array.
bool is_seen(Type type) {
    if (type.is_array()) return type.ndim() > 0;
    if (type.is_tuple())
        return std::ranges::none_of(type.elements(), [](Type t) { return t.is_array() || !is_seen(t); });
    return !type.is_pointer();
}

/// What other threads store is to be seen: of arrays that the function writes behind a barrier or an atomic operation,
/// of all behind a fence.
bool may_restrict(const ir::Function& function, bool is_read_only) {
    if (any(function.effects & Effects::ordered)) return false;
    if (!is_read_only && any(function.effects & (Effects::barrier | Effects::atomic))) return false;
    return std::ranges::all_of(function.params, [&](ir::LocalId id) { return is_seen(function.local(id).type); });
}

}  // namespace

bool may_restrict(const FunctionScope& scope, ir::LocalId array) {
    return may_restrict(scope.function, scope.reads_only(array));
}

std::unique_ptr<const ir::Function> disjoint_variant(const ModuleScope& scope, size_t index) {
    const ir::Function& function = scope.module.functions[index];
    if (!scope.options.has_header || !scope.target.restrict_pointers || !function.is_kernel || function.noalias)
        return nullptr;
    size_t arrays = 0;
    bool writes = false, restricts = false;
    for (const ir::LocalId id : function.params) {
        const Type type = function.local(id).type;
        if (!type.is_array()) continue;
        const bool is_read_only = type.readonly() || scope.constness.read_only(static_cast<ir::FunctionId>(index), id);
        ++arrays;
        writes |= !is_read_only;
        restricts |= may_restrict(function, is_read_only);
    }
    auto variant = std::make_unique<ir::Function>(ir::clone(function));
    variant->noalias = true;
    if (!scope.options.check_bounds) index32(scope.module, *variant);
    const bool profits = (arrays > 1 && writes && restricts) || variant->index32;
    return profits ? std::move(variant) : nullptr;
}

}  // namespace pyk::emitter
