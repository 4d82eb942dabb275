// f-strings of the module's.
#include "sema/const_text.h"
#include "sema/formatted_text.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

const ast::Expr* only_expression(const std::optional<ast::Module>& parsed) {
    if (!parsed || parsed->body.size() != 1) return nullptr;
    const auto* stmt = parsed->body[0]->as<ast::ExprStmt>();
    return stmt ? &*stmt->value : nullptr;
}

}  // namespace

// `f"…{expression:specification}…"`; a specification may have fields of its own.
std::optional<std::string> ModuleScope::formatted(const ast::JoinedStr& node) const {
    const auto parts = formatted_parts(node.raw);
    if (!parts) return std::nullopt;
    std::string made;
    for (const FormattedPart& part : *parts) {
        if (!part.is_field) {
            made += part.text;
            continue;
        }
        const auto [slot, is_new] = shared_->fields_of_texts.try_emplace(part.text);
        if (is_new) {
            Diagnostics unused;
            slot->second = parse_expression(std::make_shared<SourceFile>("<f-string>", part.text), unused);
        }
        const ast::Expr* expression = only_expression(slot->second);
        const auto value = expression ? constant(*expression) : std::nullopt;
        std::optional<std::string> specification = part.specification;
        if (part.specification.find('{') != std::string::npos) {
            const std::string own_fields = "f\"\"\"" + part.specification + "\"\"\"";
            specification = formatted(ast::JoinedStr{own_fields});
        }
        const auto text =
            value && specification ? formatted_value(*value, part.conversion, *specification) : std::nullopt;
        if (!text) return std::nullopt;
        made += *text;
    }
    return made;
}

}  // namespace pyk
