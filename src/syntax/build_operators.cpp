// Rows of operators become trees: their precedence and which way they associate.
#include <fmt/format.h>

#include "syntax/build_ast.h"

namespace pyk::syntax {
namespace {

using P = PykParser;

/// `second`: the token after the operator's first one, if it belongs to the operator.
ast::CompareOp compare_op(size_t first, size_t second) {
    switch (first) {
        case P::EQEQUAL:
            return ast::CompareOp::Eq;
        case P::NOTEQUAL:
            return ast::CompareOp::NotEq;
        case P::LESS:
            return ast::CompareOp::Lt;
        case P::LESSEQUAL:
            return ast::CompareOp::LtE;
        case P::GREATER:
            return ast::CompareOp::Gt;
        case P::GREATEREQUAL:
            return ast::CompareOp::GtE;
        case P::IS:
            return second == P::NOT ? ast::CompareOp::IsNot : ast::CompareOp::Is;
        case P::IN:
            return ast::CompareOp::In;
        default:
            return ast::CompareOp::NotIn;
    }
}

/// `+` and its like, not what compares nor joins comparisons.
bool is_arithmetic(size_t token) { return token >= P::AT && token <= P::RSHIFT; }

/// How tightly one of them binds, the loosest first.
enum Precedence : uint8_t { bit_or, bit_xor, bit_and, shift, sum, product, sign, power, await };

Precedence precedence_of(size_t token) {
    switch (token) {
        case P::VBAR:
            return bit_or;
        case P::CARET:
            return bit_xor;
        case P::AMPER:
            return bit_and;
        case P::LSHIFT:
        case P::RSHIFT:
            return shift;
        case P::PLUS:
        case P::MINUS:
            return sum;
        case P::DOUBLESTAR:
            return power;
        default:
            return product;
    }
}

ast::UnaryOp sign_of(size_t token) {
    return token == P::PLUS ? ast::UnaryOp::UAdd : token == P::MINUS ? ast::UnaryOp::USub : ast::UnaryOp::Invert;
}

}  // namespace

ast::BinaryOp binary_op(size_t token) {
    switch (token) {
        case P::PLUS:
        case P::PLUSEQUAL:
            return ast::BinaryOp::Add;
        case P::MINUS:
        case P::MINEQUAL:
            return ast::BinaryOp::Sub;
        case P::STAR:
        case P::STAREQUAL:
            return ast::BinaryOp::Mult;
        case P::AT:
        case P::ATEQUAL:
            return ast::BinaryOp::MatMult;
        case P::SLASH:
        case P::SLASHEQUAL:
            return ast::BinaryOp::Div;
        case P::PERCENT:
        case P::PERCENTEQUAL:
            return ast::BinaryOp::Mod;
        case P::DOUBLESTAR:
        case P::DOUBLESTAREQUAL:
            return ast::BinaryOp::Pow;
        case P::LSHIFT:
        case P::LSHIFTEQUAL:
            return ast::BinaryOp::LShift;
        case P::RSHIFT:
        case P::RSHIFTEQUAL:
            return ast::BinaryOp::RShift;
        case P::VBAR:
        case P::VBAREQUAL:
            return ast::BinaryOp::BitOr;
        case P::CARET:
        case P::CARETEQUAL:
            return ast::BinaryOp::BitXor;
        case P::AMPER:
        case P::AMPEREQUAL:
            return ast::BinaryOp::BitAnd;
        default:
            return ast::BinaryOp::FloorDiv;
    }
}

// --- logic ----------------------------------------------------------------------------------------------------------
ast::ExprRef Builder::logic(Tree t) {
    const Trees c = children(t);
    size_t at = 0;
    return c.size() == 1 ? primary(c[0]) : boolean(c, at, P::OR);
}

ast::ExprRef Builder::boolean(Trees row, size_t& at, size_t op) {
    const size_t begin = at;
    const auto next = [&] { return op == P::OR ? boolean(row, at, P::AND) : inversion(row, at); };
    const ast::ExprRef first = next();
    if (at == row.size() || kind(row[at]) != op) return first;
    std::vector<ast::ExprRef> values{first};
    while (at < row.size() && kind(row[at]) == op) {
        ++at;
        values.push_back(next());
    }
    return expr(cover(span(row[begin]), span(row[at - 1])),
                ast::BoolOp{op == P::AND ? ast::LogicalOp::And : ast::LogicalOp::Or, list(values)});
}

ast::ExprRef Builder::inversion(Trees row, size_t& at) {
    if (kind(row[at]) != P::NOT) return comparison(row, at);
    const Nest nest(*this, row[at]);
    const size_t begin = at++;
    const ast::ExprRef operand = inversion(row, at);
    return expr(cover(span(row[begin]), span(row[at - 1])), ast::Unary{ast::UnaryOp::Not, operand});
}

/// `a < b < c` is one comparison, however long.
ast::ExprRef Builder::comparison(Trees row, size_t& at) {
    const size_t begin = at;
    const ast::ExprRef left = arithmetic(row, at);
    std::vector<ast::CompareOp> ops;
    std::vector<ast::ExprRef> comparators;
    while (at < row.size() && kind(row[at]) != P::AND && kind(row[at]) != P::OR) {
        const size_t first = kind(row[at]), second = kind(row[at + 1]);
        ops.push_back(compare_op(first, second));
        at += first == P::NOT || (first == P::IS && second == P::NOT) ? 2 : 1;
        comparators.push_back(arithmetic(row, at));
    }
    if (ops.empty()) return left;
    return expr(cover(span(row[begin]), span(row[at - 1])), ast::Compare{left, list(ops), list(comparators)});
}

// --- arithmetic -----------------------------------------------------------------------------------------------------
ast::ExprRef Builder::bit(Tree t) {
    size_t at = 0;
    return arithmetic(children(t), at);
}

/// Operators wait until one binds less tightly, so that a sum of any length costs no stack; one that waits is a level
/// of nesting.
ast::ExprRef Builder::arithmetic(Trees row, size_t& at) {
    const auto ends_at = [&](size_t i) { return i == row.size() || (is_leaf(row[i]) && !is_arithmetic(kind(row[i]))); };
    if (!is_leaf(row[at]) && ends_at(at + 1)) return primary(row[at++]);
    struct Operand {
        ast::ExprRef value;
        Span span;  ///< with the parentheses around it
    };
    struct Operator {
        size_t token;
        Precedence precedence;
        Span span;
    };
    std::vector<Operand> operands;
    std::vector<Operator> waiting;
    const auto wait = [&](Tree op, Precedence precedence) {
        deepen(op);
        waiting.push_back({kind(op), precedence, span(op)});
    };
    const auto apply = [&] {
        const Operator op = waiting.back();
        waiting.pop_back();
        --depth_;
        const Operand right = operands.back();
        if (op.precedence == sign || op.precedence == await) {
            const Span whole = cover(op.span, right.span);
            operands.back() = {op.precedence == await ? expr(whole, ast::Await{right.value})
                                                      : expr(whole, ast::Unary{sign_of(op.token), right.value}),
                               whole};
            return;
        }
        operands.pop_back();
        const Operand left = operands.back();
        const Span whole = cover(left.span, right.span);
        operands.back() = {expr(whole, ast::BinOp{left.value, binary_op(op.token), right.value}), whole};
    };
    bool is_operand = true;
    for (; is_operand || !ends_at(at); ++at) {
        Tree part = row[at];
        if (!is_leaf(part)) {
            operands.push_back({primary(part), span(part)});
            is_operand = false;
        } else if (is_operand) {
            if (!waiting.empty() && waiting.back().precedence == await)
                fail(span(part),
                     fmt::format("invalid syntax near `{}`: `await` takes a name, a call or something in parentheses",
                                 span(part).text()));
            wait(part, kind(part) == P::AWAIT ? await : sign);
        } else {
            const Precedence precedence = precedence_of(kind(part));
            // `**` is the one that associates to the right.
            while (!waiting.empty() && (waiting.back().precedence > precedence ||
                                        (waiting.back().precedence == precedence && precedence != power)))
                apply();
            wait(part, precedence);
            is_operand = true;
        }
    }
    while (!waiting.empty()) apply();
    return operands[0].value;
}

}  // namespace pyk::syntax
