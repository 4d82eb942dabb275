#include "syntax/lexer.h"

#include "syntax/formatted.h"

namespace pyk::syntax {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The automaton of the grammar: which state follows by which column, and which token ends in a state.
#include "lexer_table.inc"

/// The grammar sees bytes, those of non-ASCII characters as DEL.
unsigned char shown(char c) { return static_cast<signed char>(c) < 0 ? 0x7F : static_cast<unsigned char>(c); }

struct Match {
    size_t end = 0;
    size_t state = 0;
};

/// The longest token that begins there. There is one: the last rule takes any character.
Match next_token(std::string_view text, size_t at) {
    Match match;
    size_t state = 0;
    for (size_t i = at; i < text.size(); ++i) {
        const int16_t next = kNext[state * kColumns + kColumnOf[shown(text[i])]];
        if (next == kNowhere) break;
        state = static_cast<size_t>(next);
        if (kAccepts[state]) match = {i + 1, state};
    }
    return match;
}

}  // namespace

std::vector<Token> raw_tokens(std::string_view text, size_t from) {
    std::vector<Token> tokens;
    tokens.reserve((text.size() - from) / 2);
    size_t at = from == 0 && text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : from;
    while (at < text.size()) {
        if (const size_t end = end_of_formatted(text, at)) {
            tokens.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end), kString});
            at = end;
            continue;
        }
        const Match match = next_token(text, at);
        if (!kSkips[match.state])
            tokens.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(match.end), kAccepts[match.state]});
        at = match.end;
    }
    return tokens;
}

}  // namespace pyk::syntax
