#include "sema/typing.h"

#include "module/free_names.h"

namespace pyk {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\f";
    const size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// What stands behind `prefix`, if it stands there.
std::optional<std::string_view> behind(std::string_view text, std::string_view prefix) {
    text = trimmed(text);
    if (!text.starts_with(prefix)) return std::nullopt;
    return trimmed(text.substr(prefix.size()));
}

/// Whether a place is within an expression, where a line may be a text's.
bool is_in_expression(const ast::Module& module, size_t at) {
    bool found = false;
    for_each_expression(module.body, [&](const ast::Expr& expr) {
        found = found || (expr.span.file && expr.span.begin < at && at < expr.span.end);
    });
    return found;
}

}  // namespace

std::optional<Typing> typing_from_name(std::string_view name) {
    if (name == "numba") return Typing::numba;
    if (name == "narrow") return Typing::narrow;
    return std::nullopt;
}

std::optional<Typing> typing_in_comment(const ast::Module& module, Diagnostics& diagnostics) {
    std::optional<Typing> result;
    const std::string_view text = module.source->text();
    size_t end = text.size();
    for (const ast::Stmt* stmt : module.body)
        if (stmt->as<ast::FunctionDef>()) {
            end = stmt->span.begin;
            break;
        }
    for (size_t at = 0; at < text.size();) {
        const size_t stop = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, stop - at);
        const auto comment = behind(line, "#");
        const auto setting = comment ? behind(*comment, "pyk:") : std::nullopt;
        const Span span{module.source.get(), static_cast<uint32_t>(at), static_cast<uint32_t>(at + line.size())};
        if (setting && at >= end) {
            if (!is_in_expression(module, at)) diagnostics.report(diag::late_setting, span);
        } else if (setting) {
            auto name = behind(*setting, "typing=");
            if (name) name = name->substr(0, name->find_first_of(" \t#"));
            result = name ? typing_from_name(*name) : std::nullopt;
            if (!result)
                diagnostics.report(diag::unknown_setting, span, setting->substr(0, setting->find_first_of(" \t#")));
        }
        at = stop + 1;
    }
    return result;
}

std::optional<Typing> typing_in_decorator(const ast::FunctionDef& def, Diagnostics& diagnostics) {
    std::optional<Typing> result;
    for (const ast::Expr* decorator : def.decorator_list) {
        const auto* call = decorator->as<ast::Call>();
        if (!call) continue;
        for (const ast::Keyword& keyword : call->keywords) {
            if (keyword.arg != "typing") continue;
            const auto* constant = keyword.value->as<ast::Constant>();
            const auto* name = constant ? std::get_if<ast::StrValue>(&constant->value) : nullptr;
            result = name ? typing_from_name(name->text) : std::nullopt;
            if (!result) diagnostics.report(diag::unknown_setting, keyword.span, "typing");
        }
    }
    return result;
}

}  // namespace pyk
