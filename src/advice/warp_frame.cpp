#include "advice/warp_frame.h"

#include <algorithm>
#include <functional>
#include <set>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

constexpr int kMostRounds = 64;
constexpr size_t kMostDepth = 32;

size_t width(Type type) {
    if (!type || type.is_none()) return 0;
    if (!type.is_tuple()) return 1;
    size_t sum = 0;
    for (const Type element : type.elements()) sum += width(element);
    return sum;
}

LaneValue number_value(WarpValue number) { return {{number}}; }

LaneValue unknown_value(Type type, bool is_loaded = false) {
    return {std::vector<WarpValue>(width(type), WarpValue::unknown(is_loaded))};
}

LaneValue uniform_value(Type type) { return {std::vector<WarpValue>(width(type), WarpValue::uniform())}; }

LaneValue place_value(Place place) { return {{}, std::move(place)}; }

WarpValue exactly(size_t number) { return WarpValue::exactly(static_cast<int64_t>(number)); }

Place joined(const Place& a, const Place& b) {
    Place place = a;
    place.offset = a.storage == b.storage ? WarpValue::either(a.offset, b.offset) : WarpValue::unknown();
    for (size_t axis = 0; axis < place.strides.size(); ++axis)
        place.strides[axis] =
            axis < b.strides.size() ? WarpValue::either(a.strides[axis], b.strides[axis]) : WarpValue::unknown();
    return place;
}

LaneValue joined(const LaneValue& a, const LaneValue& b, WarpValue (*join)(const WarpValue&, const WarpValue&)) {
    LaneValue value = a;
    for (size_t i = 0; i < value.numbers.size(); ++i)
        value.numbers[i] = i < b.numbers.size() ? join(a.numbers[i], b.numbers[i]) : WarpValue::unknown();
    if (a.place && b.place) value.place = joined(*a.place, *b.place);
    return value;
}

bool assigns(const ir::Block& body, ir::LocalId local) {
    bool found = false;
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
        const auto* assigned = stmt.as<ir::Assign>();
        const auto* loop = stmt.as<ir::ForRange>();
        found |= (assigned && assigned->target == local) || (loop && loop->counter == local);
    });
    return found;
}

}  // namespace

Place whole_array(std::string name, ir::Storage storage, Type type, const std::vector<int64_t>& shape) {
    Place place{std::move(name), storage, WarpValue::uniform(256)};
    const auto axes = static_cast<size_t>(type.ndim());
    const auto bytes = static_cast<int64_t>(type.element().byte_size());
    place.strides.resize(axes, WarpValue::uniform());
    if (type.layout() == Layout::A) return place;
    WarpValue stride = WarpValue::exactly(bytes);
    for (size_t i = 0; i < axes; ++i) {
        const size_t axis = type.layout() == Layout::F ? i : axes - 1 - i;
        place.strides[axis] = stride;
        const bool has_extent = axis < shape.size() && shape[axis] > 0;
        stride = stride * (has_extent ? WarpValue::exactly(shape[axis]) : WarpValue::uniform());
    }
    return place;
}

WarpFrame::WarpFrame(WarpProgram& program, const ir::Function& function, std::vector<LaneValue> arguments)
    : program_(program), function_(function), result_{} {
    for (size_t i = 0; i < function.params.size(); ++i)
        held_[function.params[i]] = i < arguments.size() ? std::move(arguments[i]) : initial(function.params[i]);
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* loop = stmt.as<ir::ForRange>(); loop && !assigns(loop->body, loop->counter)) counted_[loop];
    });
    solve();
}

void WarpFrame::for_each_stmt(const std::function<void(const ir::Stmt&)>& visit) const {
    for_each_stmt(function_.body, visit);
}

void WarpFrame::for_each_stmt(const ir::Block& block, const std::function<void(const ir::Stmt&)>& visit) const {
    for (const ir::Stmt& stmt : block) {
        visit(stmt);
        const auto* loop = stmt.as<ir::ForRange>();
        const bool counts = loop && counted_.contains(loop);
        if (counts) inside_.push_back(loop);
        ir::for_each_block(stmt, [&](const ir::Block& inner) { for_each_stmt(inner, visit); });
        if (counts) inside_.pop_back();
    }
}

// Each round lets what a loop carries reach its beginning. A value only ever becomes less known, and few times.
void WarpFrame::solve() {
    Known result;
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
        changed = false;
        for_each_stmt([&](const ir::Stmt& stmt) {
            changed |= assign(stmt);
            if (const auto* returned = stmt.as<ir::Return>(); returned && returned->value)
                changed |= merge(result, eval(*returned->value));
        });
    }
    if (changed)
        for (auto& [local, value] : held_) value = unknown_value(function_.local(local).type);
    result_ = changed || !result ? unknown_value(function_.result) : *result;
}

bool WarpFrame::assign(const ir::Stmt& stmt) {
    if (const auto* assigned = stmt.as<ir::Assign>()) return merge(held_[assigned->target], eval(*assigned->value));
    const auto* loop = stmt.as<ir::ForRange>();
    if (!loop) return false;
    const Known start = loop->start ? eval(*loop->start) : number_value(WarpValue::exactly(0));
    const Known step = loop->step ? eval(*loop->step) : number_value(WarpValue::exactly(1));
    if (!start || !step) return false;
    const WarpValue steps = step->numbers[0] * WarpValue::uniform();
    const Known counter = number_value(start->numbers[0] + steps);
    const auto own = counted_.find(loop);
    const bool is_new = own != counted_.end() && merge(own->second, counter);
    return merge(held_[loop->counter], counter) || is_new;
}

bool WarpFrame::merge(Known& held, const Known& value) {
    if (!value) return false;
    const Known before = held;
    held = held ? joined(*held, *value, WarpValue::either) : *value;
    return !(held == before);
}

// Of what is not assigned anywhere: parameters of the kernel, arrays of the block.
LaneValue WarpFrame::initial(ir::LocalId id) const {
    const ir::Local& local = function_.local(id);
    if (local.type.is_array()) return place_value(whole_array(local.name, local.storage, local.type, local.shape));
    if (local.type.is_record()) return place_value({local.name, ir::Storage::local, WarpValue::uniform()});
    return uniform_value(local.type);
}

LaneValue WarpFrame::value(const ir::Expr& expr) const {
    const Known value = eval(expr);
    return value ? *value : unknown_value(expr.type);
}

WarpValue WarpFrame::number(const ir::Expr& expr) const {
    const LaneValue value = this->value(expr);
    return value.numbers.size() == 1 ? value.numbers[0] : WarpValue::unknown();
}

Place WarpFrame::element(const Place& array, const std::vector<ir::Index>& indices) const {
    Place place = array;
    for (size_t axis = 0; axis < indices.size(); ++axis) {
        const WarpValue stride = axis < array.strides.size() ? array.strides[axis] : WarpValue::unknown();
        place.offset = place.offset + number(*indices[axis].value) * stride;
    }
    place.strides.clear();
    return place;
}

Place WarpFrame::field(const Place& record, Type type, uint32_t field) const {
    const Field& of = type.fields()[field];
    Place place = record;
    place.offset = place.offset + exactly(of.offset);
    if (!of.shape.empty()) {
        const Place inner = whole_array(of.name, record.storage, type.field_type(field), of.shape);
        place.strides.insert(place.strides.end(), inner.strides.begin(), inner.strides.end());
    }
    return place;
}

WarpFrame::Known WarpFrame::eval(const ir::Expr& expr) const {
    if (const auto exact = ir::integer_value(program_.module, expr)) return number_value(WarpValue::exactly(*exact));
    if (const auto* constant = expr.as<ir::ConstantRef>(); constant && expr.type.is_array())
        return place_value(whole_array(program_.module.constants[static_cast<size_t>(constant->id)].name,
                                       ir::Storage::parameter, expr.type, {}));
    if (const auto* local = expr.as<ir::LocalRef>()) {
        const ir::Storage storage = function_.local(local->id).storage;
        const auto loop = std::ranges::find(inside_.rbegin(), inside_.rend(), local->id, &ir::ForRange::counter);
        if (loop != inside_.rend()) return counted_.at(*loop);
        const auto at = held_.find(local->id);
        if (storage == ir::Storage::shared || storage == ir::Storage::local) return initial(local->id);
        return at == held_.end() ? std::nullopt : at->second;
    }
    if (const auto* convert = expr.as<ir::Convert>())
        return expr.type.is_integer() || expr.type.is_array() ? eval(*convert->operand) : of_parts(expr);
    if (const auto* binary = expr.as<ir::Binary>(); binary && expr.type.is_integer()) return of_binary(*binary);
    if (const auto* unary = expr.as<ir::Unary>(); unary && unary->op == UnaryOp::Neg && expr.type.is_integer()) {
        const Known operand = eval(*unary->operand);
        return operand ? Known(number_value(WarpValue::exactly(0) - operand->numbers[0])) : std::nullopt;
    }
    if (const auto* select = expr.as<ir::Select>()) {
        const Known then = eval(*select->then), otherwise = eval(*select->otherwise);
        if (!then || !otherwise) return std::nullopt;
        const auto lanes = lanes_of(*select->condition);
        if (lanes && then->numbers.size() == 1 && otherwise->numbers.size() == 1)
            return number_value(WarpValue::selected(*lanes, then->numbers[0], otherwise->numbers[0]));
        return joined(*then, *otherwise, WarpValue::chosen);
    }
    if (const auto* call = expr.as<ir::BuiltinCall>()) return of_builtin(*call, expr);
    if (const auto* call = expr.as<ir::Call>()) return of_call(*call, expr);
    if (const auto* tuple = expr.as<ir::MakeTuple>()) {
        LaneValue whole;
        for (const ir::ExprPtr& element : tuple->elements) {
            const Known part = eval(*element);
            if (!part) return std::nullopt;
            LaneValue filled = part->place ? unknown_value(element->type) : *part;
            whole.numbers.insert(whole.numbers.end(), filled.numbers.begin(), filled.numbers.end());
        }
        return whole;
    }
    if (const auto* item = expr.as<ir::TupleItem>()) {
        const Known tuple = eval(*item->tuple);
        if (!tuple) return std::nullopt;
        if (expr.type.is_array()) return place_value(whole_array("", ir::Storage::parameter, expr.type, {}));
        size_t first = 0;
        for (uint32_t i = 0; i < item->index; ++i) first += width(item->tuple->type.elements()[i]);
        if (tuple->numbers.size() < first + width(expr.type)) return unknown_value(expr.type);
        const auto begin = tuple->numbers.begin() + static_cast<std::ptrdiff_t>(first);
        return LaneValue{{begin, begin + static_cast<std::ptrdiff_t>(width(expr.type))}};
    }
    if (const auto* view = expr.as<ir::View>()) return of_view(*view);
    if (const auto* element = expr.as<ir::Element>(); element && expr.type.is_record()) {
        const Known array = eval(*element->array);
        if (array && array->place) return place_value(this->element(*array->place, element->indices));
    }
    if (const auto* of = expr.as<ir::RecordField>(); of && (expr.type.is_record() || expr.type.is_array())) {
        const Known record = eval(*of->record);
        if (record && record->place) return place_value(field(*record->place, of->record->type, of->field));
    }
    if (const auto* of = expr.as<ir::FieldsOf>()) {
        const Known array = eval(*of->array);
        if (array && array->place) return place_value(field(*array->place, of->array->type.element(), of->field));
    }
    if (const auto* transpose = expr.as<ir::Transpose>()) {
        Known array = eval(*transpose->array);
        if (array && array->place) std::ranges::reverse(array->place->strides);
        return array;
    }
    return of_parts(expr);
}

std::optional<std::array<bool, kLanes>> WarpFrame::lanes_of(const ir::Expr& condition) const {
    const auto* comparison = condition.as<ir::Binary>();
    if (!comparison || !is_comparison(comparison->op) || !comparison->lhs->type.is_integer()) return std::nullopt;
    const Known lhs = eval(*comparison->lhs), rhs = eval(*comparison->rhs);
    if (!lhs || !rhs || !lhs->numbers[0].is_exact_in_each_lane() || !rhs->numbers[0].is_exact_in_each_lane())
        return std::nullopt;
    std::array<bool, kLanes> holds{};
    for (size_t lane = 0; lane < kLanes; ++lane) {
        const auto order = lhs->numbers[0].at()[lane] <=> rhs->numbers[0].at()[lane];
        holds[lane] = comparison->op == BinaryOp::Eq   ? order == 0
                      : comparison->op == BinaryOp::Ne ? order != 0
                      : comparison->op == BinaryOp::Lt ? order < 0
                      : comparison->op == BinaryOp::Le ? order <= 0
                      : comparison->op == BinaryOp::Gt ? order > 0
                                                       : order >= 0;
    }
    return holds;
}

bool WarpFrame::is_of_one_lane(const ir::Expr& condition, bool holds) const {
    if (const auto* n = condition.as<ir::Unary>(); n && n->op == UnaryOp::Not)
        return is_of_one_lane(*n->operand, !holds);
    if (const auto* n = condition.as<ir::Logical>()) {
        const bool both_say_so = n->is_and == holds;
        return both_say_so && (is_of_one_lane(*n->lhs, holds) || is_of_one_lane(*n->rhs, holds));
    }
    const auto* n = condition.as<ir::Binary>();
    if (!n || n->op != (holds ? BinaryOp::Eq : BinaryOp::Ne) || !n->lhs->type.is_integer()) return false;
    const WarpValue apart = number(*n->lhs) - number(*n->rhs);
    return apart.is_known() && !apart.has_factor() &&
           std::set<int64_t>(apart.at().begin(), apart.at().end()).size() == kLanes;
}

WarpFrame::Known WarpFrame::of_binary(const ir::Binary& binary) const {
    const Known lhs = eval(*binary.lhs), rhs = eval(*binary.rhs);
    if (!lhs || !rhs) return std::nullopt;
    const WarpValue &a = lhs->numbers[0], &b = rhs->numbers[0];
    const auto power_of_two = [&] {
        const auto exponent = b.exact();
        return exponent && *exponent >= 0 && *exponent < 31 ? WarpValue::exactly(int64_t(1) << *exponent)
               : b.is_uniform()                             ? WarpValue::uniform()
                                                            : WarpValue::unknown();
    };
    switch (binary.op) {
        case BinaryOp::Add:
            return number_value(a + b);
        case BinaryOp::Sub:
            return number_value(a - b);
        case BinaryOp::Mul:
            return number_value(a * b);
        case BinaryOp::FloorDiv:
        case BinaryOp::TruncDiv:
            return number_value(WarpValue::quotient(a, b));
        case BinaryOp::Mod:
        case BinaryOp::TruncMod:
            return number_value(WarpValue::remainder(a, b));
        case BinaryOp::Shl:
        case BinaryOp::CShl:
            return number_value(a * power_of_two());
        case BinaryOp::Shr:
        case BinaryOp::CShr:
            return number_value(WarpValue::quotient(a, power_of_two()));
        case BinaryOp::BitAnd:
            return number_value(WarpValue::bitwise_and(a, b));
        case BinaryOp::BitOr:
            return number_value(WarpValue::bitwise_or(a, b));
        case BinaryOp::BitXor:
            return number_value(WarpValue::bitwise_xor(a, b));
        default:
            return number_value(a.is_uniform() && b.is_uniform() ? WarpValue::uniform()
                                                                 : WarpValue::unknown(a.is_loaded() || b.is_loaded()));
    }
}

WarpValue WarpFrame::part_of_launch(LaunchPart part) const {
    const WarpValue extent = exactly(program_.block[part.axis]);
    switch (part.value) {
        case LaunchValue::none:
            return WarpValue::unknown();
        case LaunchValue::lane:
            return WarpValue::lane();
        case LaunchValue::lanes_of_warp:
            return WarpValue::exactly(kLanes);
        case LaunchValue::threads_of_block:
            return extent;
        case LaunchValue::blocks_of_grid:
        case LaunchValue::block_index:
            return WarpValue::uniform();
        case LaunchValue::threads_of_grid:
            return extent * WarpValue::uniform();
        case LaunchValue::thread_index:
        case LaunchValue::grid_index:
            break;
    }
    WarpValue index = WarpValue::lane_in_block();
    for (size_t inner = 0; inner < part.axis; ++inner)
        index = WarpValue::quotient(index, exactly(program_.block[inner]));
    index = WarpValue::remainder(index, extent);
    return part.value == LaunchValue::grid_index ? index + extent * WarpValue::uniform() : index;
}

WarpFrame::Known WarpFrame::of_builtin(const ir::BuiltinCall& call, const ir::Expr& expr) const {
    if (call.args.empty()) {
        const WarpValue index = part_of_launch(call.builtin->launch);
        if (index.is_known()) return number_value(index);
        return unknown_value(expr.type);
    }
    if ((*call.builtin == "min" || *call.builtin == "max") && call.args.size() == 2 && expr.type.is_integer()) {
        const Known a = eval(*call.args[0]), b = eval(*call.args[1]);
        return a && b ? Known(joined(*a, *b, WarpValue::chosen)) : std::nullopt;
    }
    // `x.ravel()`, `x.reshape(…)`: the same elements, side by side.
    if (expr.type.is_array() && call.args[0]->type && call.args[0]->type.is_array()) {
        const Known array = eval(*call.args[0]);
        if (!array || !array->place) return array;
        Place place = whole_array(array->place->name, array->place->storage, expr.type, {});
        place.offset = array->place->offset;
        return place_value(std::move(place));
    }
    return of_parts(expr);
}

WarpFrame::Known WarpFrame::of_call(const ir::Call& call, const ir::Expr& expr) const {
    std::vector<LaneValue> arguments;
    for (const ir::ExprPtr& argument : call.args) {
        const Known value = eval(*argument);
        if (!value) return std::nullopt;
        arguments.push_back(*value);
    }
    std::vector<ir::FunctionId>& open = program_.open;
    if (program_.is_open(call.callee) || open.size() >= kMostDepth) return unknown_value(expr.type);
    const auto key = std::pair(call.callee, arguments);
    if (const auto at = program_.results.find(key); at != program_.results.end()) return at->second;
    open.push_back(call.callee);
    const WarpFrame frame(program_, program_.module.function(call.callee), std::move(arguments));
    open.pop_back();
    return program_.results[key] = frame.result();
}

WarpFrame::Known WarpFrame::of_view(const ir::View& view) const {
    const Known array = eval(*view.array);
    if (!array || !array->place) return array;
    Place place = *array->place;
    place.strides.clear();
    const std::vector<WarpValue>& strides = array->place->strides;
    for (size_t axis = 0; axis < strides.size(); ++axis) {
        if (axis >= view.subscripts.size()) {
            place.strides.push_back(strides[axis]);
        } else if (const auto* index = std::get_if<ir::Index>(&view.subscripts[axis])) {
            place.offset = place.offset + number(*index->value) * strides[axis];
        } else {
            const auto& slice = std::get<ir::SliceOf>(view.subscripts[axis]);
            const WarpValue step = slice.step ? number(*slice.step) : WarpValue::exactly(1);
            const bool begins_at_end = !slice.start && slice.step && step.exact().value_or(-1) < 0;
            const WarpValue start = slice.start     ? number(*slice.start)
                                    : begins_at_end ? WarpValue::uniform()
                                                    : WarpValue::exactly(0);
            place.offset = place.offset + start * strides[axis];
            place.strides.push_back(step * strides[axis]);
        }
    }
    return place_value(std::move(place));
}

// What is made of the same values is the same. What is read where lanes differ is anything.
WarpFrame::Known WarpFrame::of_parts(const ir::Expr& expr) const {
    const bool is_read = expr.as<ir::Element>() || expr.as<ir::RecordField>();
    bool all_known = true, all_uniform = true, is_loaded = is_read;
    ir::for_each_child(expr, [&](const ir::Expr& child) {
        const Known part = eval(child);
        all_known &= part.has_value();
        if (!part) return;
        for (const WarpValue& number : part->numbers) {
            all_uniform &= number.is_uniform();
            is_loaded |= number.is_loaded();
        }
        const bool holds_lanes = part->place && part->place->storage == ir::Storage::local && is_read;
        all_uniform &= !holds_lanes && (!part->place || part->place->offset.is_uniform());
    });
    if (!all_known) return std::nullopt;
    return all_uniform ? uniform_value(expr.type) : unknown_value(expr.type, is_loaded);
}

}  // namespace pyk
