// A token as the layout and the messages see it: a kind and a place. ANTLR's own token objects are made from these.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace pyk::syntax {

/// Kinds that code without ANTLR needs to know, numbered as in PykLexer.tokens (antlr.h asserts it). All others are
/// told apart by their text.
enum Kind : uint16_t {
    kEndOfFile = 0,
    kIndent = 1,
    kDedent = 2,
    kMatch = 3,
    kCase = 4,
    kNewline = 5,
    kFirstKeyword = 6,
    kLastKeyword = 40,
    kName = 41,
    kUnicodeName = 42,
    kNumber = 43,
    kString = 44,
    kUnterminatedString = 45,
    kUnterminatedTriple = 46,
    kBad = 97,
};

struct Token {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint16_t kind = kEndOfFile;
};

inline std::string_view text_of(const Token& token, std::string_view source) {
    return source.substr(token.begin, token.end - token.begin);
}

}  // namespace pyk::syntax
