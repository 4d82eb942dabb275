#include "syntax/type_parameters.h"

namespace pyk::syntax {
namespace {

/// Behind the bracket that closes the one at a place; that place itself where none does.
size_t behind_brackets(std::string_view text, const std::vector<Token>& tokens, size_t at) {
    int open = 0;
    for (size_t i = at; i < tokens.size(); ++i) {
        const std::string_view one = text_of(tokens[i], text);
        if (one == "[" || one == "(" || one == "{") ++open;
        if ((one == "]" || one == ")" || one == "}") && --open == 0) return i + 1;
    }
    return at;
}

}  // namespace

std::vector<Token> without_type_parameters(std::string_view text, std::vector<Token> tokens) {
    const auto is = [&](size_t at, std::string_view what) {
        return at < tokens.size() && text_of(tokens[at], text) == what;
    };
    const auto is_name = [&](size_t at) {
        return at < tokens.size() && (tokens[at].kind == kName || tokens[at].kind == kUnicodeName);
    };
    std::vector<Token> kept;
    size_t taken = 0;  // tokens up to here are in `kept`, or left out
    const auto leave_out = [&](size_t first, size_t behind) {
        kept.insert(kept.end(), tokens.begin() + static_cast<std::ptrdiff_t>(taken),
                    tokens.begin() + static_cast<std::ptrdiff_t>(first));
        taken = behind;
    };
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
        // Two names side by side, or a keyword and a name: which costs least to see.
        if (tokens[i].kind < kFirstKeyword || tokens[i].kind > kName || !is_name(i + 1)) continue;
        const bool has_parameters = is(i + 2, "[");
        if ((is(i, "def") || is(i, "class")) && has_parameters)
            if (const size_t behind = behind_brackets(text, tokens, i + 2);
                is(behind, "(") || (is(i, "class") && is(behind, ":")))
                leave_out(i + 2, behind);
        if (tokens[i].kind != kName) continue;
        const uint16_t before = i == 0 ? static_cast<uint16_t>(kNewline) : tokens[i - 1].kind;
        const bool begins = before == kNewline || before == kIndent || before == kDedent || is(i - 1, ";");
        if (!begins || !is(i, "type")) continue;
        const size_t behind = has_parameters ? behind_brackets(text, tokens, i + 2) : i + 2;
        if (!is(behind, "=")) continue;
        leave_out(i, i + 1);
        leave_out(i + 2, behind);
    }
    if (taken == 0) return tokens;
    leave_out(tokens.size(), tokens.size());
    return kept;
}

}  // namespace pyk::syntax
