#include "jit/compiled_extents.h"

#include <algorithm>

#include "array/core.h"

namespace pyk::jit {

std::vector<long long> CompiledExtents::known_of(const std::vector<ElementType>& types,
                                                 const std::vector<long long>& extents,
                                                 const std::vector<long long>& fixed, bool is_asked) {
    std::vector<long long> small = fixed;
    for (std::size_t i = 0; i < small.size(); ++i)
        if (!fixed[i] && extents[i] <= arrays::kMostCompiledExtent) small[i] = extents[i];
    if (small == fixed) return fixed;
    const auto serves = [&](const std::vector<long long>& known) {
        for (std::size_t i = 0; i < known.size(); ++i)
            if (known[i] && known[i] != extents[i]) return false;
        return true;
    };
    const std::lock_guard lock(mutex_);
    auto of = std::find_if(compiled_.begin(), compiled_.end(), [&](const auto& each) { return each.first == types; });
    if (of == compiled_.end()) of = compiled_.insert(of, {types, {}});
    std::vector<std::vector<long long>>& compiled = of->second;
    if (is_asked ? std::find(compiled.begin(), compiled.end(), small) == compiled.end() : compiled.empty())
        compiled.insert(compiled.begin(), small);
    const auto known = std::find_if(compiled.begin(), compiled.end(), serves);
    return known == compiled.end() ? fixed : *known;
}

}  // namespace pyk::jit
