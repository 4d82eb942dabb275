#include "jit/core_call.h"

#include <algorithm>
#include <cstring>

#include "driver.h"
#include "jit/convert.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/pending.h"

namespace pyk::jit {
namespace {

using arrays::Layout;
using arrays::Part;
using arrays::Shape;

Shape shape_of(const Argument& argument) { return {argument.shape, argument.shape + argument.ndim}; }

std::size_t axes_of(const Argument& argument) { return argument.is_array() ? argument.ndim : 0u; }

// An array without axes is called a cell where it is passed, and an element here.
Argument argument_of(const AnyArray& array) { return MakeArgument<AnyArray>::from(array); }

}  // namespace

bool CoreCall::is_number(std::size_t operand) const {
    if (is_output(operand) || !core_.operands[operand].empty()) return false;
    return !chosen_ || core_.numbers[*chosen_][operand];
}

std::string CoreCall::operand_text(std::size_t operand) const {
    return (is_output(operand) ? "output `" : "input `") + function_.summary.params[operand] + "` of `" + name_ + "`";
}

Status CoreCall::run(std::vector<AnyArray>* results) {
    if (Status s = check_arguments(!results); !s) return s;
    const Result<driver::Context*> device =
        device_of(*function_.instances.engine, {given_.data(), given_.size(), nullptr, stream_});
    if (!device) return device.status();
    device_ = *device;
    if (Status s = choose_loop(); !s) return s;
    if (Status s = find_extents(); !s) return s;
    operands_.assign(given_.begin(), given_.end());
    for (Argument& operand : operands_)
        if (is_large_value(operand)) operand.order = Order::cell;
    if (results)
        if (Status s = make_outputs(*results); !s) return s;
    if (Status s = convert_arguments(); !s) return s;
    if (Status s = place_operands(); !s) return s;
    if (Status s = launch(); !s || is_preload()) return s;
    for (HostArrays& copies : copies_)
        if (Status s = copies.copy_back(); !s) return s;
    return convert_back();
}

Status CoreCall::check_arguments(bool has_outputs) const {
    const std::size_t operands = function_.summary.params.size(), wanted = has_outputs ? operands : core_.inputs;
    if (operands > arrays::kMostCoreOperands) return refuse("`" + name_ + "` has more parameters than a launch");
    if (given_.size() != wanted)
        return refuse("`" + name_ + "` takes " + std::to_string(wanted) + (has_outputs ? " operands" : " inputs") +
                      ", not " + std::to_string(given_.size()));
    if (!has_outputs && function_.summary.loops.empty())
        return refuse("`" + name_ + "` has no signatures: give its outputs as well, with apply");
    for (std::size_t k = 0; k < given_.size(); ++k) {
        const std::size_t axes = axes_of(given_[k]), needed = core_.operands[k].size();
        if (!given_[k].element_type().is_value())
            return refuse(operand_text(k) + " is of " + name_of(given_[k].element_type()) +
                          ", which no array function takes");
        if (is_output(k) && !given_[k].is_array()) return refuse(operand_text(k) + " is no array");
        if (core_.writable[k] && given_[k].readonly) return refuse(operand_text(k) + " is const");
        if (core_.writable[k] && given_[k].named && !given_[k].is_array())
            return refuse(operand_text(k) + " is stored to: it has to be an array");
        if (axes < needed)
            return refuse(operand_text(k) + " does not have enough axes: it has " + std::to_string(axes) +
                          ", and layout " + core_.text + " requires " + std::to_string(needed));
    }
    return {};
}

Result<Preload> CoreCall::preload(const Shared<ArrayFunction>& function) {
    std::vector<BuildRequest> requests;
    ahead_ = &requests;
    std::vector<AnyArray> results;
    if (Status s = run(given_.size() == core_.inputs ? &results : nullptr); !s) return s;
    return preload_first(function, Device(*device_), std::move(requests),
                         [](const Instance& instance) { return instance.entry.team.threads > 1; });
}

// --- types ----------------------------------------------------------------------------------------------------------
Status CoreCall::choose_loop() {
    std::vector<arrays::OperandType> types;
    const bool beside_arrays =
        std::any_of(given_.begin(), given_.end(), [](const Argument& a) { return a.is_array(); });
    for (const Argument& argument : given_)
        types.push_back(
            {argument.element_type(), !argument.is_array() && beside_arrays && argument.element_type().is_number()});
    if (function_.summary.loops.empty()) {
        for (const arrays::OperandType& type : types) loop_.push_back(type.element);
        return {};
    }
    const Result<std::size_t> chosen = matching_loop(types);
    if (!chosen) return refuse("`" + name_ + "`: " + chosen.message());
    chosen_ = *chosen;
    loop_ = function_.summary.loops[*chosen];
    return {};
}

// The inputs choose; a signature whose outputs cannot be kept in those that are given is none.
Result<std::size_t> CoreCall::matching_loop(const std::vector<arrays::OperandType>& types) const {
    std::vector<arrays::Loop> loops;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < function_.summary.loops.size(); ++i) {
        const arrays::Loop& loop = function_.summary.loops[i];
        bool fits = true;
        for (std::size_t k = core_.inputs; k < types.size(); ++k)
            fits &= arrays::can_cast_same_kind(loop[k], types[k].element);
        if (!fits) continue;
        loops.emplace_back(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(core_.inputs));
        numbers.push_back(i);
    }
    const std::vector<arrays::OperandType> inputs(types.begin(),
                                                  types.begin() + static_cast<std::ptrdiff_t>(core_.inputs));
    if (function_.summary.choice == LoopChoice::exact) {
        const Result<std::size_t> exact = arrays::exact_or_narrower_loop(loops, inputs);
        if (!exact) return exact;
        return numbers[*exact];
    }
    if (const auto first = arrays::exact_or_safe_loop(loops, inputs)) return numbers[*first];
    return refuse("there is no signature to which (" + arrays::names_of(types) + ") cast safely");
}

// --- shapes ---------------------------------------------------------------------------------------------------------
Status CoreCall::find_extents() {
    extents_ = core_.fixed;
    std::vector<bool> known;
    for (const long long fixed : core_.fixed) known.push_back(fixed != 0);
    for (std::size_t k = 0; k < given_.size(); ++k) {
        const std::vector<std::size_t>& axes = core_.operands[k];
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const long long extent = given_[k].shape[given_[k].ndim - axes.size() + axis];
            const std::size_t which = axes[axis];
            if (!known[which]) extents_[which] = extent;
            known[which] = true;
            if (extents_[which] != extent)
                return refuse(operand_text(k) + " has " + std::to_string(extent) + " elements along `" +
                              core_.extents[which] + "` of layout " + core_.text + ", not " +
                              std::to_string(extents_[which]));
        }
    }
    return {};
}

Status CoreCall::make_outputs(std::vector<AnyArray>& results) {
    std::vector<Layout> outer(core_.inputs);
    for (std::size_t k = 0; k < core_.inputs; ++k) {
        if (!given_[k].is_array()) continue;
        outer[k].shape = shape_of(given_[k]);
        outer[k].shape.resize(outer[k].shape.size() - core_.operands[k].size());
    }
    const Result<Shape> calls = arrays::broadcast(outer);
    if (!calls) return calls.status();
    results.clear();
    results.reserve(core_.operands.size() - core_.inputs);
    for (std::size_t k = core_.inputs; k < core_.operands.size(); ++k) {
        Shape shape = *calls;
        for (const std::size_t extent : core_.operands[k]) shape.push_back(extents_[extent]);
        if (shape.size() > max_ndim)
            return refuse(operand_text(k) + " would have " + std::to_string(shape.size()) + " axes");
        Result<AnyArray> made = new_array(loop_[k], shape, *device_, stream_);
        if (!made) return made.status();
        results.push_back(*std::move(made));
        operands_.push_back(argument_of(results.back()));
    }
    has_new_outputs_ = true;
    return {};
}

// --- operands of other types, and numbers where arrays are wanted --------------------------------------------------
Status CoreCall::convert_arguments() {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        Argument& operand = operands_[k];
        const bool is_value = !operand.is_array() && is_number(k);
        arrays::Number& number = numbers_.emplace_back();
        if (is_value && !write_value(number.bytes, sizeof number.bytes, loop_[k], operand))
            return refuse("the value of " + operand_text(k) + " does not fit " + arrays::name_of(loop_[k]));
        if (is_value || (operand.is_array() && operand.element_type() == loop_[k])) continue;
        Result<AnyArray> made = new_array(loop_[k], shape_of(operand), *device_, stream_);
        if (!made) return made.status();
        const Argument to = argument_of(converted_.emplace_back(*std::move(made)));
        // What an output holds is seen by the function, where it can be had.
        if (!is_output(k) || arrays::can_cast_same_kind(operand.element_type(), loop_[k]))
            if (Status s = convert(*function_.instances.engine, operand, to, stream_); !s) return s;
        if (core_.writable[k] && operand.is_array()) {
            if (!arrays::can_cast_same_kind(loop_[k], operand.element_type()))
                return refuse(operand_text(k) + " of " + name_of(operand.element_type()) + " cannot take " +
                              arrays::name_of(loop_[k]));
            changed_.push_back(k);
        }
        operand = to;
    }
    return {};
}

Status CoreCall::convert_back() {
    for (const std::size_t k : changed_)
        if (Status s = convert(*function_.instances.engine, operands_[k], given_[k], stream_); !s) return s;
    return {};
}

// --- memory ---------------------------------------------------------------------------------------------------------
Status CoreCall::place_operands() {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        if (is_output(k) && arrays::repeats(layout_of(operands_[k])))
            return refuse("elements of " + operand_text(k) + " share memory");
        Result<Layout> placed = place(operands_[k], core_.writable[k], *device_, stream_, copies_);
        if (!placed) return placed.status();
        Layout& layout = layouts_.emplace_back(*std::move(placed));
        layout.element_bytes = static_cast<long long>(element_bytes(loop_[k]));
    }
    if (!has_new_outputs_)
        if (Status s = part_from_outputs(); !s) return s;
    has_overlaps_ = arrays::have_overlaps(layouts_, core_.writable);
    for (std::size_t k = 0; k < layouts_.size(); ++k) {
        Part part = arrays::split(layouts_[k], core_.operands[k].size());
        part.is_loaded = !(is_output(k) && has_new_outputs_);
        part.is_stored = core_.writable[k];
        parts_.push_back(std::move(part));
    }
    const Result<Shape> calls = arrays::broadcast(layouts_);
    if (!calls) return calls.status();
    const bool has_outputs = core_.inputs < layouts_.size();
    for (std::size_t k = 0; k < layouts_.size(); ++k)
        if ((has_outputs ? is_output(k) : core_.writable[k]) && layouts_[k].shape != *calls)
            return refuse(operand_text(k) + " is for " + arrays::text_of(layouts_[k].shape) + " calls, and there are " +
                          arrays::text_of(*calls));
    arrays::repeat_last(layouts_, *calls);
    return {};
}

/// Inputs are read as they were before: those that an output overlaps are copied.
Status CoreCall::part_from_outputs() {
    for (std::size_t k = 0; k < core_.inputs; ++k) {
        Layout& input = layouts_[k];
        const bool overlaps = std::any_of(layouts_.begin() + static_cast<std::ptrdiff_t>(core_.inputs), layouts_.end(),
                                          [&](const Layout& output) { return arrays::may_overlap(input, output); });
        if (!overlaps || core_.writable[k]) continue;
        Result<Layout> copy = arrays::set_apart(input, *device_, stream_, apart_);
        if (!copy) return copy.status();
        input = *std::move(copy);
    }
    return {};
}

// --- launches -------------------------------------------------------------------------------------------------------
/// The code for parts in C order, where all are, or for any strides.
void CoreCall::find_known() {
    for (std::size_t k = 0; k < parts_.size(); ++k) are_dense_ &= parts_[k].is_dense(layouts_[k].element_bytes);
    known_ = are_dense_ ? function_.extents.known_of(loop_, extents_, core_.fixed, is_preload()) : core_.fixed;
    for (std::size_t k = 0; k < parts_.size(); ++k)
        parts_[k].is_known = std::all_of(core_.operands[k].begin(), core_.operands[k].end(),
                                         [&](std::size_t extent) { return known_[extent] != 0; });
}

BuildRequest CoreCall::request(bool may_stage) const {
    BuildRequest request{name_, {}, false, arch_of(*device_), ElementAccess::core, {}, {}, {}};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const Part& part = parts_[k];
        CoreOperand& operand = request.core.emplace_back();
        operand.is_staged = may_stage && part.is_staged;
        if (operand.is_staged) request.access = ElementAccess::staged;
        ArgumentType type = scalar_of(loop_[k]);
        if (!is_number(k)) {
            type.ndim = static_cast<unsigned char>(std::max<std::size_t>(1, part.shape.size()));
            type.order = are_dense_ || operand.is_staged || part.shape.empty() ? Order::c : Order::strided;
            for (const std::size_t extent : core_.operands[k]) operand.shape.push_back(known_[extent]);
            if (part.shape.empty()) operand.shape = {1};
        }
        request.types.push_back(type);
    }
    return request;
}

Status CoreCall::launch() {
    const Shape& calls = layouts_.back().shape;
    if (std::find(calls.begin(), calls.end(), 0) != calls.end()) return {};
    const bool is_cpu = device_->info.is_cpu;
    arrays::Iteration whole = arrays::iterate(layouts_);
    if (!is_cpu) arrays::choose_staged(whole, parts_);
    find_known();

    std::vector<arrays::Team> teams;
    if (!is_cpu && !has_overlaps_) teams = arrays::choose_teams(whole, parts_, device_->info.multiprocessors);
    BuildRequest together = request(false);
    for (const arrays::Team& team : teams) together.teams.push_back({team.threads, team.items});
    BuildRequest alone = request(true);
    if (is_preload()) {
        if (!teams.empty()) ahead_->push_back(std::move(together));
        ahead_->push_back(std::move(alone));
        return {};
    }
    if (!teams.empty()) {
        const Result<const Instance*> instance = instance_of(function_, together, *device_, stream_);
        if (!instance) return instance.status();
        if ((*instance)->entry.team.threads > 1) return launch(**instance, std::move(whole));
    }
    const Result<const Instance*> instance = instance_of(function_, alone, *device_, stream_);
    if (!instance) return instance.status();
    return launch(**instance, std::move(whole));
}

Status CoreCall::launch(const Instance& instance, arrays::Iteration whole) {
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].is_loaded &= !instance.entry.params[k].overwritten;
    const arrays::CoreCode code{device_->info.is_cpu, device_->info.multiprocessors, instance.entry.team.threads};
    const Status launched = arrays::launch_core_loops(
        std::move(whole), numbers_, parts_, code,
        [&](const arrays::PackedLoop& packed) { return jit::launch(instance, packed, stream_); });
    return launched ? finish(instance, stream_) : launched;
}

namespace detail {

Status call_core(ArrayFunction& function, const std::vector<Argument>& arguments, StreamRef stream,
                 std::vector<AnyArray>* results) {
    return guarded([&]() -> Status {
        if (Status s = CoreCall(function, arguments, stream).run(results); !s || !results) return s;
        for (AnyArray& result : *results) {
            Result<AnyArray> placed =
                where_it_belongs(std::move(result), {arguments.data(), arguments.size(), nullptr, stream});
            if (!placed) return placed.status();
            result = *std::move(placed);
        }
        return {};
    });
}

Preload preload_core(const Shared<ArrayFunction>& function, const std::vector<Argument>& arguments, StreamRef stream) {
    return begun_or_failed([&] { return CoreCall(*function, arguments, stream).preload(function); });
}

}  // namespace detail
}  // namespace pyk::jit
