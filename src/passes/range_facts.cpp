#include "passes/range_facts.h"

#include <cstring>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// Of numbers and what is computed from them.
bool is_arithmetic(const ir::Expr& part) {
    return part.as<ir::Constant>() || part.as<ir::ConstantRef>() || part.as<ir::Binary>() || part.as<ir::Unary>() ||
           part.as<ir::Convert>() || part.as<ir::Logical>();
}

}  // namespace

Interval of_value(const ir::ConstantValue& value, Type type) {
    if (const auto* truth = std::get_if<bool>(&value)) return {*truth, *truth};
    if (const auto* number = std::get_if<int64_t>(&value)) return {*number, *number};
    if (const auto* number = std::get_if<uint64_t>(&value)) return {*number, *number};
    return all_of(type);
}

Interval of_parameter(const ir::Local& param) {
    const Type type = param.type;
    Interval values = all_of(type);
    if (const auto& passed = param.passed) values = {passed->least, passed->most};
    const bool is_place = param.passed && param.passed->is_place;
    if (is_place || (type.is_integer() && type.bits() <= 32)) values.place = {1, 0, 1};
    return values;
}

Interval items_of(const ir::Table& table, Type type) {
    constexpr size_t kMost = 256;
    const size_t size = static_cast<size_t>(type.bits()) / 8, count = table.bytes.size() / size;
    if (count == 0 || count > kMost) return all_of(type);
    Interval result;
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, &table.bytes[i * size], size);  // little endian, as the GPU is
        const Interval item = of_value(ir::integer_constant(bits, type), type);
        result = i == 0 ? item : hull(result, item);
    }
    return result;
}

std::optional<Wide> small_divisor(const ir::Module& module, const ir::Binary& n) {
    const bool shifts = n.op == BinaryOp::Shr || n.op == BinaryOp::CShr;
    if (!shifts && n.op != BinaryOp::FloorDiv) return std::nullopt;
    const auto number = ir::integer_value(module, *n.rhs);
    constexpr int64_t kMostBits = 24;
    if (!number || *number <= 0 || *number > (shifts ? kMostBits : int64_t{1} << kMostBits)) return std::nullopt;
    return shifts ? Wide{1} << *number : Wide{*number};
}

LocalSet counters_of(const ir::Module& module, const ir::Function& function) {
    LocalSet moved(function), others(function);
    for (const ir::LocalId id : function.params) others.insert(id);
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (!assign) {
            if (const auto id = assigned_by(stmt)) others.insert(*id);
            return;
        }
        const auto* sum = assign->value->as<ir::Binary>();
        if (sum && ir::is_local(*sum->lhs, assign->target) && small_addend(module, *sum, assign->value->type))
            moved.insert(assign->target);
        else if (!ir::integer_value(module, *assign->value))
            others.insert(assign->target);
    });
    moved.erase(others);
    return moved;
}

bool follows_from_numbers(const ir::Expr& condition, const RangeState& state, const LocalSet& changed) {
    bool all_known = true, changes = false;
    ir::for_each_expr_deep(condition, [&](const ir::Expr& part) {
        const auto* ref = part.as<ir::LocalRef>();
        all_known = all_known && (ref ? state[ref->id].is_single() : is_arithmetic(part));
        changes = changes || (ref && changed.contains(ref->id));
    });
    return all_known && changes;
}

}  // namespace pyk
