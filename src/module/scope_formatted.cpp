// f-strings of the module's.
#include "module/formatted_text.h"
#include "module/scope.h"

namespace pyk {

std::optional<std::string> ModuleScope::formatted(const ast::JoinedStr& node) const {
    return formatted_text(node, [this](const ast::Expr& value) { return constant(value); });
}

}  // namespace pyk
