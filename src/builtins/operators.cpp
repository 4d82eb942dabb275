#include "builtins/operators.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

namespace pyk {
namespace {

constexpr auto kBinary = std::to_array<BinaryOperator>({
#define PYK_BINARY_OPERATOR(name, python, precedence, cpp, function, rule) \
    {BinaryOp::name, #name, python, precedence, cpp, function, rule},
#include "builtins/operators.def"
});

constexpr auto kUnary = std::to_array<UnaryOperator>({
#define PYK_UNARY_OPERATOR(name, python, cpp, rule) {UnaryOp::name, #name, python, cpp, rule},
#include "builtins/operators.def"
});

constexpr size_t kScalarCount = 0
#define PYK_SCALAR(...) +1
#include "types/types.def"
    ;

template <typename Row, size_t N>
std::array<Rule, N> parse_rules(const std::array<Row, N>& rows) {
    std::array<Rule, N> rules;
    for (size_t i = 0; i < N; ++i) {
        if (!rows[i].rule.empty()) rules[i] = parse_rule(rows[i].rule);
    }
    return rules;
}

template <typename Op, typename Row, size_t N>
std::optional<Op> op_from_name(const std::array<Row, N>& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    if (found == rows.end()) return std::nullopt;
    return found->op;
}

}  // namespace

const BinaryOperator& info(BinaryOp op) { return kBinary[static_cast<size_t>(op)]; }
const UnaryOperator& info(UnaryOp op) { return kUnary[static_cast<size_t>(op)]; }

std::optional<BinaryOp> binary_op_from_name(std::string_view name) { return op_from_name<BinaryOp>(kBinary, name); }
std::optional<UnaryOp> unary_op_from_name(std::string_view name) { return op_from_name<UnaryOp>(kUnary, name); }

std::optional<Resolution> resolve(BinaryOp op, Type lhs, Type rhs) {
    static const auto rules = parse_rules(kBinary);
    const Rule& rule = rules[static_cast<size_t>(op)];
    if (!lhs.is_scalar() || !rhs.is_scalar()) return resolve(rule, std::array{lhs, rhs});
    // Programs ask the same few again and again: each is found once in a process, and kept.
    using Found = const std::optional<Resolution>*;
    static std::atomic<Found> table[kBinary.size()][kScalarCount][kScalarCount];
    auto& known = table[static_cast<size_t>(op)][static_cast<size_t>(lhs.scalar())][static_cast<size_t>(rhs.scalar())];
    if (const Found found = known.load(std::memory_order_acquire)) return *found;
    auto found = std::make_unique<const std::optional<Resolution>>(resolve(rule, std::array{lhs, rhs}));
    Found none = nullptr;
    if (!known.compare_exchange_strong(none, found.get(), std::memory_order_acq_rel)) return *none;
    return *found.release();
}

std::optional<Resolution> resolve(UnaryOp op, Type operand) {
    static const auto rules = parse_rules(kUnary);
    return resolve(rules[static_cast<size_t>(op)], std::array{operand});
}

}  // namespace pyk
