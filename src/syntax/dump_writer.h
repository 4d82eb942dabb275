// How dump.cpp writes: nodes as Name(field=value, …), in pieces.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "syntax/ast.h"
#include "syntax/python_repr.h"

namespace pyk::syntax {

enum class Context { load, store, del };

struct ExprPiece {
    ast::ExprRef expr;
    Context context;
};
using Piece = std::variant<std::string, ExprPiece, const ast::Stmt*, const ast::Pattern*>;

/// Trees can be deeper than any stack, so writing one does not recurse: a node is replaced by its pieces, text and
/// nodes, which wait on a stack of our own.
class DumpWriter {
  public:
    /// Writes what was begun: replaces each waiting node by what `expand(node)` writes, until all is text.
    template <typename Expand>
    std::string finish(Expand&& expand) {
        settle();
        while (!waiting_.empty()) {
            const Piece piece = std::move(waiting_.back());
            waiting_.pop_back();
            if (const auto* written = std::get_if<std::string>(&piece))
                out_ += *written;
            else
                expand(piece);
            settle();
        }
        return std::move(out_);
    }

    void text(std::string_view text) {
        std::string* last = pieces_.empty() ? nullptr : std::get_if<std::string>(&pieces_.back());
        if (last)
            *last += text;
        else
            pieces_.emplace_back(std::string(text));
    }

    // --- a node's form: Name(field=value, …) ------------------------------------------------------------------------
    void open(std::string_view node) {
        text(node);
        text("(");
        first_field_ = true;
    }
    void close() {
        text(")");
        first_field_ = false;
    }
    void ctx(Context context) {
        constexpr std::string_view contexts[] = {"Load()", "Store()", "Del()"};
        plain("ctx", contexts[static_cast<size_t>(context)]);
        close();
    }
    void name(std::string_view field) {
        if (!first_field_) text(", ");
        first_field_ = false;
        text(field);
        text("=");
    }

    // --- fields (one that is None is left out) ----------------------------------------------------------------------
    void plain(std::string_view field, std::string_view value) {
        name(field);
        text(value);
    }
    void repr(std::string_view value) {
        std::string quoted;
        append_repr(quoted, value);
        text(quoted);
    }
    void string(std::string_view field, std::string_view value) {
        name(field);
        repr(value);
    }
    void optional_string(std::string_view field, std::string_view value) {
        if (!value.empty()) string(field, value);
    }
    void constant(std::string_view field, const ast::ConstantValue& value) {
        std::string shown;
        append_repr(shown, value);
        plain(field, shown);
    }
    void expr(std::string_view field, ast::ExprRef value, Context context = Context::load) {
        if (!value) return;
        name(field);
        pieces_.emplace_back(ExprPiece{value, context});
    }

    // --- lists ------------------------------------------------------------------------------------------------------
    template <typename T, typename F>
    void list(std::string_view field, ast::List<T> items, F&& item) {
        name(field);
        text("[");
        bool first = true;
        for (const T& i : items) {
            if (!first) text(", ");
            first = false;
            item(i);
        }
        text("]");
        first_field_ = false;
    }
    void exprs(std::string_view field, ast::ExprList items, Context context = Context::load) {
        list(field, items, [&](ast::ExprRef e) {
            if (e)
                pieces_.emplace_back(ExprPiece{e, context});
            else
                text("None");
        });
    }
    void block(std::string_view field, ast::Block body) {
        list(field, body, [this](const ast::Stmt* s) { pieces_.emplace_back(s); });
    }
    void pattern(std::string_view field, const ast::Pattern* value) {
        if (!value) return;
        name(field);
        pieces_.emplace_back(value);
    }
    void patterns(std::string_view field, ast::List<const ast::Pattern*> items) {
        list(field, items, [this](const ast::Pattern* p) { pieces_.emplace_back(p); });
    }
    void strings(std::string_view field, ast::List<ast::Identifier> items) {
        list(field, items, [this](ast::Identifier id) { repr(id); });
    }

  private:
    std::string out_;
    std::vector<Piece> waiting_;  ///< the next piece last
    std::vector<Piece> pieces_;   ///< of the node at hand, in order
    bool first_field_ = true;

    void settle() {
        for (; !pieces_.empty(); pieces_.pop_back()) waiting_.push_back(std::move(pieces_.back()));
    }
};

}  // namespace pyk::syntax
