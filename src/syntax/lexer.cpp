#include "syntax/lexer.h"

#include <array>
#include <limits>
#include <unordered_map>

#include "syntax/antlr.h"
#include "syntax/formatted.h"

namespace pyk::syntax {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// What ANTLR's lexer has learnt of its automaton, as a dense table. ANTLR finds each state by a hash look-up under a
/// lock; here a character costs one load. A token that leads to an unknown place is given to ANTLR, and the way there
/// is learnt.
class Lexer {
  public:
    Lexer() : antlr_(&no_text_) {}

    std::vector<Token> run(std::string_view text) {
        std::vector<Token> tokens;
        tokens.reserve(text.size() / 4);
        size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        while (at < text.size()) {
            if (const size_t end = end_of_formatted(text, at)) {
                tokens.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end), kString});
                at = end;
                continue;
            }
            const Match match = next(text, at);
            if (!match.skipped)
                tokens.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(match.end), match.kind});
            at = match.end;
        }
        return tokens;
    }

  private:
    static constexpr int32_t kUnknown = -1, kNowhere = -2;

    struct State {
        State() { next.fill(kUnknown); }
        std::array<int32_t, 128> next;
        uint16_t accepts = 0;  ///< a token's kind, 0: none ends here
        bool skipped = false;
    };
    struct Match {
        size_t end = 0;
        uint16_t kind = 0;
        bool skipped = false;
    };

    ByteStream no_text_{"", 0};
    PykLexer antlr_;
    std::vector<State> states_;
    std::unordered_map<const antlr4::dfa::DFAState*, int32_t> known_;

    Match next(std::string_view text, size_t at) {
        if (states_.empty()) return ask_antlr(text, at);
        const State* state = states_.data();
        const State* last = nullptr;  // in which a token ended
        size_t end = at;
        for (size_t i = at; i < text.size(); ++i) {
            const int32_t next = state->next[ByteStream::shown(text[i])];
            if (next == kUnknown) return ask_antlr(text, at);
            if (next == kNowhere) break;
            state = &states_[static_cast<size_t>(next)];
            if (state->accepts) last = state, end = i + 1;
        }
        return last ? Match{end, last->accepts, last->skipped} : Match{};
    }

    Match ask_antlr(std::string_view text, size_t at) {
        ByteStream stream(text, at);
        antlr_.type = antlr4::Token::INVALID_TYPE;
        auto* automaton = antlr_.getInterpreter<antlr4::atn::LexerATNSimulator>();
        const size_t kind = automaton->match(&stream, 0);
        learn(automaton->_decisionToDFA[0].s0, text, at);
        return {stream.index(), static_cast<uint16_t>(kind), antlr_.type == antlr4::Lexer::SKIP};
    }

    void learn(const antlr4::dfa::DFAState* state, std::string_view text, size_t at) {
        for (int32_t row = row_of(state); at < text.size(); ++at) {
            const unsigned char c = ByteStream::shown(text[at]);
            const auto edge = state->edges.find(c);
            if (edge == state->edges.end()) return;
            state = edge->second;
            const bool nowhere = state->stateNumber == std::numeric_limits<int>::max();  // ANTLR's error state
            const int32_t target = nowhere ? kNowhere : row_of(state);
            states_[static_cast<size_t>(row)].next[c] = target;
            if (nowhere) return;
            row = target;
        }
    }

    int32_t row_of(const antlr4::dfa::DFAState* state) {
        const auto [found, is_new] = known_.try_emplace(state, static_cast<int32_t>(states_.size()));
        if (is_new) {
            State& row = states_.emplace_back();
            // The lexer's only command is `skip`: a state with an action skips.
            if (state->isAcceptState)
                row.accepts = static_cast<uint16_t>(state->prediction),
                row.skipped = state->lexerActionExecutor != nullptr;
        }
        return found->second;
    }
};

}  // namespace

std::vector<Token> raw_tokens(std::string_view text) {
    static Lexer lexer;
    return lexer.run(text);
}

}  // namespace pyk::syntax
