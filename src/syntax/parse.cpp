#include "syntax/parse.h"

#include <cstdint>
#include <mutex>

#include "support/large_stack.h"
#include "syntax/antlr.h"
#include "syntax/build_ast.h"
#include "syntax/characters.h"
#include "syntax/failure.h"
#include "syntax/indent.h"
#include "syntax/lexer.h"
#include "syntax/rules.h"
#include "syntax/syntax_error.h"

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

/// Stops at the first error. Never repairs, never prints.
class StopAtError final : public antlr4::DefaultErrorStrategy {
  public:
    explicit StopAtError(bool wants_expected) : wants_expected_(wants_expected) {}

    void sync(antlr4::Parser*) override {}
    void recover(antlr4::Parser*, std::exception_ptr) override {}
    antlr4::Token* recoverInline(antlr4::Parser* parser) override { stop(parser, parser->getCurrentToken()); }
    void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
        stop(parser, e.getOffendingToken());
    }

  private:
    bool wants_expected_;

    [[noreturn]] void stop(antlr4::Parser* parser, antlr4::Token* token) {
        Stop result{token->getTokenIndex(), {}};
        if (wants_expected_)
            for (const ssize_t kind : parser->getExpectedTokens().toList())
                result.expected.push_back(name(*parser, kind));
        throw result;
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

/// Finds what the automaton has learnt without ANTLR's locks: ours is held.
class UnlockedPrediction final : public antlr4::atn::ParserATNSimulator {
  public:
    using ParserATNSimulator::ParserATNSimulator;
    antlr4::dfa::DFAState* getExistingTargetState(antlr4::dfa::DFAState* from, size_t token) override {
        const auto edge = from->edges.find(token);
        return edge == from->edges.end() ? nullptr : edge->second;
    }
};

std::uintptr_t stack_address() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

/// Refuses text that would nest the generated functions too deeply: deeper than any program that the limits on nesting
/// let pass.
class GuardedParser final : public PykParser {
  public:
    GuardedParser(antlr4::TokenStream* tokens, const SourceFile& source)
        : PykParser(tokens), source_(source), outermost_(stack_address()) {
        removeErrorListeners();
        auto* locked = getInterpreter<antlr4::atn::ParserATNSimulator>();
        setInterpreter(new UnlockedPrediction(this, getATN(), locked->decisionToDFA, locked->getSharedContextCache()));
    }
    void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t index) override {
        if (outermost_ - stack_address() > kDeepest) {
            const Token& t = static_cast<ParserToken*>(getCurrentToken())->token();
            fail({&source_, t.begin, t.end}, "this nests too deeply; split it into several statements");
        }
        PykParser::enterRule(context, state, index);
    }

  private:
    static constexpr std::uintptr_t kDeepest = std::uintptr_t{8} << 20;  // bytes of stack

    const SourceFile& source_;
    const std::uintptr_t outermost_;
};

enum class Input { file, expression };

/// The tree of the next statement, or of the whole expression. The fast prediction first; when it finds an error, the
/// exact one decides whether that is so.
Tree* next_tree(GuardedParser& parser, TokenVector& tokens, Input input) {
    const size_t begin = tokens.index();
    const auto run = [&](bool exact) -> Tree* {
        using Mode = antlr4::atn::PredictionMode;
        parser.reset();  // frees the last statement's tree, and goes back to the first token
        tokens.seek(begin);
        parser.setErrorHandler(std::make_shared<StopAtError>(exact));
        parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(exact ? Mode::LL : Mode::SLL);
        return input == Input::file ? static_cast<Tree*>(parser.stmt()) : parser.expressionInput();
    };
    try {
        return run(false);
    } catch (const Stop&) {
        return run(true);
    }
}

/// Statement by statement, so that one statement's parse tree is all that there is at a time.
ast::Block parse_tokens(const SourceFile& source, const std::vector<Token>& tokens, std::pmr::memory_resource& arena,
                        Input input) {
    TokenVector stream(tokens);
    GuardedParser parser(&stream, source);
    Builder builder(source, arena);
    Builder::Stmts statements;
    if (input == Input::expression) {
        statements.push_back(builder.expression_input(next_tree(parser, stream, input)));
    } else {
        while (stream.LA(1) != antlr4::Token::EOF) builder.statement(next_tree(parser, stream, input), statements);
    }
    return builder.block_of(statements);
}

ast::Block parse_text(const SourceFile& source, std::pmr::memory_resource& arena, Input input) {
    check_text(source);
    const std::lock_guard lock(antlr_mutex);
    const std::vector<Token> tokens = lay_out(source, raw_tokens(source.text()));
    try {
        const ast::Block body = parse_tokens(source, tokens, arena, input);
        if (input == Input::file) check_rules(body);
        return body;
    } catch (const Stop& stop) {
        throw explain({source, tokens, stop.index, stop.expected});
    }
}

std::optional<ast::Module> parse_source(SourceFilePtr source, Diagnostics& diagnostics, Input input) {
    ast::Module module{std::move(source), std::make_unique<std::pmr::monotonic_buffer_resource>(), {}};
    // What the caller's thread has left must not decide which files parse.
    const bool parsed = on_large_stack([&] {
        try {
            module.body = parse_text(*module.source, *module.arena, input);
            return true;
        } catch (const Failure& failure) {
            diagnostics.report(diag::syntax_error, failure.span, std::string_view(failure.text));
            if (failure.note_span) diagnostics.note(failure.note_span, failure.note_text);
            return false;
        }
    });
    if (!parsed) return std::nullopt;
    return module;
}

}  // namespace
}  // namespace syntax

std::optional<ast::Module> parse(SourceFilePtr source, Diagnostics& diagnostics) {
    return syntax::parse_source(std::move(source), diagnostics, syntax::Input::file);
}

std::optional<ast::Module> parse_expression(SourceFilePtr source, Diagnostics& diagnostics) {
    return syntax::parse_source(std::move(source), diagnostics, syntax::Input::expression);
}

}  // namespace pyk
