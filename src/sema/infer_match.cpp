// `match`: the syntax tree says as `if` statements what it means; here is what these alone cannot say.
#include "sema/infer.h"

namespace pyk {

void Inference::lower_match(const ast::Match& node, ir::Block& out) {
    bool is_supported = true;
    for (const ast::MatchCase& one : node.cases) is_supported &= check_pattern(*one.pattern);
    if (is_supported) lower(node.meaning, out);
}

bool Inference::check_pattern(const ast::Pattern& pattern) {
    const auto each = [&](ast::List<const ast::Pattern*> patterns) {
        bool is_supported = true;
        for (const ast::Pattern* one : patterns) is_supported &= check_pattern(*one);
        return is_supported;
    };
    if (const auto* sequence = std::get_if<ast::MatchSequence>(&pattern.node)) return each(sequence->patterns);
    if (const auto* any = std::get_if<ast::MatchOr>(&pattern.node)) return each(any->patterns);
    if (const auto* named = std::get_if<ast::MatchAs>(&pattern.node))
        return !named->pattern || check_pattern(*named->pattern);
    if (std::get_if<ast::MatchMapping>(&pattern.node))
        error(diag::unsupported_syntax, pattern.span, "mapping patterns", "use tuples, or `if`/`elif`");
    else if (std::get_if<ast::MatchClass>(&pattern.node))
        error(diag::unsupported_syntax, pattern.span, "class patterns", "test with `isinstance`, compare the fields");
    else
        return true;
    return false;
}

// As in Python, arrays are no sequences.
Value Inference::fits_sequence(const ast::IsSequence& node, Span span, ir::Block& out) {
    Value value = lower(*node.value, out);
    if (value.is_unknown()) return value;
    if (is_range(value))
        return error(diag::unsupported_syntax, span, "sequence patterns of a range", "compare its parts");
    const Const::Tuple* known = value.constant ? value.constant->as<Const::Tuple>() : nullptr;
    const bool is_tuple = is_sequence(value.type) || known;
    const size_t size = is_sequence(value.type) ? value.type.size() : known ? known->size() : 0;
    return of_const(Const{is_tuple && (node.exact ? size == node.least : size >= node.least), {}}, span);
}

}  // namespace pyk
