#include "syntax/parse.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "support/large_stack.h"
#include "syntax/antlr.h"
#include "syntax/build_ast.h"
#include "syntax/characters.h"
#include "syntax/failure.h"
#include "syntax/indent.h"
#include "syntax/lexer.h"
#include "syntax/parse_field.h"
#include "syntax/rules.h"
#include "syntax/syntax_error.h"
#include "syntax/type_parameters.h"

namespace pyk {
namespace syntax {
namespace {

/// The ANTLR 4.9 runtime shares caches between parsers without locking them.
std::mutex antlr_mutex;

// --- parsing --------------------------------------------------------------------------------------------------------
/// Where the parser stopped: thrown through the generated code, which catches ANTLR's own exceptions only.
struct Stop {
    size_t index;
    std::vector<std::string_view> expected;
};

/// Finds what the automaton has learnt without ANTLR's locks: ours is held.
class UnlockedPrediction final : public antlr4::atn::ParserATNSimulator {
  public:
    using ParserATNSimulator::ParserATNSimulator;
    antlr4::dfa::DFAState* getExistingTargetState(antlr4::dfa::DFAState* from, size_t token) override {
        const auto edge = from->edges.find(token);
        return edge == from->edges.end() ? nullptr : edge->second;
    }
};

/// Stops at the first error, and at text that would nest the generated functions too deeply.
class StoppingParser final : public PykParser {
  public:
    StoppingParser(TokenVector* tokens, const SourceFile& source, Builder& builder)
        : PykParser(tokens), source_(source), builder_(builder) {
        removeErrorListeners();
        auto* locked = getInterpreter<antlr4::atn::ParserATNSimulator>();
        setInterpreter(new UnlockedPrediction(this, getATN(), locked->decisionToDFA, locked->getSharedContextCache()));
    }

    /// Goes back to the first token. The fast prediction may find errors where there are none; the exact one does not,
    /// and tells what was expected.
    void restart(bool exact) {
        using Mode = antlr4::atn::PredictionMode;
        reset();
        is_exact_ = exact;
        getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(exact ? Mode::LL : Mode::SLL);
    }

  private:
    const SourceFile& source_;
    Builder& builder_;
    bool is_exact_ = false;

    Made make(const RuleTree& statement) override { return builder_.statement(Tree(statement)); }

    [[noreturn]] void stop(antlr4::Token* token) override {
        Stop result{token->getTokenIndex(), {}};
        if (is_exact_)
            for (const ssize_t kind : getExpectedTokens().toList()) result.expected.push_back(name(*this, kind));
        throw result;
    }
    [[noreturn]] void refuse_depth(const ParserToken& token) override {
        const Token& t = token.token();
        fail({&source_, t.begin, t.end}, "this nests too deeply; split it into several statements");
    }

    static std::string_view name(antlr4::Parser& parser, ssize_t kind) {
        if (kind <= 0) return "EOF";
        static const antlr4::dfa::Vocabulary& vocabulary = parser.getVocabulary();
        const std::string_view quoted = literal(vocabulary, static_cast<size_t>(kind));
        return quoted.empty() ? symbol(vocabulary, static_cast<size_t>(kind)) : quoted.substr(1, quoted.size() - 2);
    }
    // Later runtimes return views here, 4.9 references to strings that live as long as the vocabulary.
    static std::string_view literal(const antlr4::dfa::Vocabulary& v, size_t kind) {
        static std::vector<std::string> names(v.getMaxTokenType() + 1);
        return names[kind] = std::string(v.getLiteralName(kind));
    }
    static std::string_view symbol(const antlr4::dfa::Vocabulary& v, size_t kind) {
        static std::vector<std::string> names(v.getMaxTokenType() + 1);
        return names[kind] = std::string(v.getSymbolicName(kind));
    }
};

constexpr size_t kMostFailures = 20;

/// Behind a token, the next at the start of a line that begins a definition or an import of the file's; else the end.
size_t next_definition(const SourceFile& source, const std::vector<Token>& tokens, size_t from) {
    for (size_t i = from + 1; i + 1 < tokens.size(); ++i) {
        const bool is_first = tokens[i - 1].kind == kNewline || tokens[i - 1].kind == kDedent;
        if (!is_first || (tokens[i].begin > 0 && source.text()[tokens[i].begin - 1] != '\n')) continue;
        const std::string_view text = text_of(tokens[i], source.text());
        if (text == "@" || text == "def" || text == "class" || text == "from" || text == "import") return i;
    }
    return tokens.size() - 1;
}

/// Tokens and what is made of them. Functions throw Failure.
class Parsing {
  public:
    Parsing(const SourceFile& source, const std::vector<Token>& tokens, Arena& arena, int depth = 0)
        : source_(source),
          tokens_(tokens),
          stream_(tokens),
          builder_(source, arena, depth),
          parser_(&stream_, source, builder_) {}

    /// Statement by statement, so that each one's errors are its own: behind one the next definition is looked at.
    ast::Block file(std::vector<Failure>& failures) {
        Builder::Stmts statements;
        while (stream_.LA(1) != antlr4::Token::EOF && failures.size() < kMostFailures) {
            size_t at = stream_.index();
            try {
                const ast::Block made = next([&] { return parser_.stmt()->made; });
                statements.insert(statements.end(), made.begin(), made.end());
                continue;
            } catch (const Stop& stop) {
                at = stop.index;
                failures.push_back(explained(stop));
            } catch (const Failure& failure) {
                failures.push_back(failure);
            }
            stream_.seek(next_definition(source_, tokens_, at));
        }
        return builder_.block_of(statements);
    }

    ast::ExprRef field() {
        return builder_.field_input(whole([&] { return parser_.fieldInput(); }));
    }

  private:
    /// The fast prediction first; when it finds an error, the exact one decides whether that is so.
    template <typename Parse>
    std::invoke_result_t<const Parse&> next(const Parse& parse) {
        const size_t begin = stream_.index();
        const auto run = [&](bool exact) {
            parser_.restart(exact);
            stream_.seek(begin);
            return parse();
        };
        try {
            return run(false);
        } catch (const Stop&) {
            return run(true);
        }
    }

    template <typename Parse>
    Tree whole(const Parse& parse) {
        try {
            return Tree(*next(parse));
        } catch (const Stop& stop) {
            throw explained(stop);
        }
    }

    Failure explained(const Stop& stop) const { return explain({source_, tokens_, stop.index, stop.expected}); }

    const SourceFile& source_;
    const std::vector<Token>& tokens_;
    TokenVector stream_;
    Builder builder_;
    StoppingParser parser_;
};

std::vector<Token> tokens_of(const SourceFile& source, std::string_view text) {
    return without_type_parameters(source.text(), lay_out(source, raw_tokens(text)));
}

/// What is wrong above a line that no tokens can be made of: read first, it is told first.
void add_failures_above(const Failure& stop, const SourceFile& source, Arena& arena, std::vector<Failure>& failures) {
    const std::string_view text = source.text();
    const size_t end = stop.span.begin == 0 ? 0 : text.rfind('\n', stop.span.begin - 1) + 1;
    std::vector<Token> tokens;
    try {
        tokens = tokens_of(source, text.substr(0, end));
    } catch (const Failure&) {
        return;  // the line goes on with one above
    }
    std::vector<Failure> found;
    Parsing(source, tokens, arena).file(found);
    // What is missing behind the last of those lines may stand in the next.
    std::ranges::copy_if(found, std::back_inserter(failures), [&](const Failure& f) { return f.span.end < end; });
}

ast::Block parse_text(const SourceFile& source, Arena& arena, std::vector<Failure>& failures) {
    check_text(source);
    const std::lock_guard lock(antlr_mutex);
    std::vector<Token> tokens;
    try {
        tokens = tokens_of(source, source.text());
    } catch (const Failure& stop) {
        add_failures_above(stop, source, arena, failures);
        throw;
    }
    const ast::Block body = Parsing(source, tokens, arena).file(failures);
    if (failures.empty()) check_rules(body);
    return body;
}

std::optional<ast::Module> parse_source(SourceFilePtr source, Diagnostics& diagnostics) {
    ast::Module module{std::move(source), std::make_unique<Arena>(), {}};
    // What the caller's thread has left must not decide which files parse.
    const std::vector<Failure> failures = on_large_stack([&] {
        std::vector<Failure> found;
        try {
            module.body = parse_text(*module.source, *module.arena, found);
        } catch (const Failure& failure) {
            found.push_back(failure);
        }
        return found;
    });
    for (const Failure& failure : failures) {
        diagnostics.report(diag::syntax_error, failure.span, std::string_view(failure.text));
        if (failure.note_span) diagnostics.note(failure.note_span, failure.note_text);
    }
    if (!failures.empty()) return std::nullopt;
    return module;
}

}  // namespace

ast::ExprRef parse_field(Span at, Arena& arena, int depth) {
    const std::vector<Token> tokens = lay_out_field(at, raw_tokens(at.file->text().substr(0, at.end), at.begin));
    return Parsing(*at.file, tokens, arena, depth).field();
}

}  // namespace syntax

std::optional<ast::Module> parse(SourceFilePtr source, Diagnostics& diagnostics) {
    return syntax::parse_source(std::move(source), diagnostics);
}

}  // namespace pyk
