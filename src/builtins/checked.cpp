#include "builtins/checked.h"

#include <vector>

namespace pyk {
namespace {

constexpr std::string_view kSuffix = ".checked";

/// By row; null for most.
std::vector<const Builtin*> all_checked_forms() {
    std::vector<const Builtin*> forms(all_builtins().size());
    for (const Builtin& form : all_builtins()) {
        if (!form.name.ends_with(kSuffix)) continue;
        if (const Builtin* of = find_builtin(form.name.substr(0, form.name.size() - kSuffix.size())))
            forms[of->index] = &form;
    }
    return forms;
}

}  // namespace

const Builtin* checked_form(const Builtin& builtin) {
    static const std::vector<const Builtin*> forms = all_checked_forms();
    return forms[builtin.index];
}

}  // namespace pyk
