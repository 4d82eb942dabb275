#include "jit/algorithm_call.h"

#include <algorithm>
#include <cstring>

#include "driver.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/refuse.h"

namespace pyk::jit {
namespace {

using arrays::Layout;

// What is compiled for calls that have no module of the user's.
constexpr const char* kOwnFile = R"py(
from numba import cuda, vectorize


@vectorize
def same(x):
    return x


@cuda.jit
def take(out, values, places):
    i = cuda.grid(1)
    if i < places.size:
        out[i] = values[places[i]]
)py";

struct IdentityOf {
    const char* name;
    long long value;
};
constexpr IdentityOf kIdentities[] = {{"pyk.plus", 0},       {"pyk.multiplies", 1}, {"pyk.logical_and", 1},
                                      {"pyk.logical_or", 0}, {"pyk.bit_and", -1},   {"pyk.bit_or", 0},
                                      {"pyk.bit_xor", 0}};

const OperatorSummary* find_summary(const Engine& engine, std::string_view name) {
    const auto found = std::find_if(engine.operators.begin(), engine.operators.end(),
                                    [&](const OperatorSummary& each) { return each.name == name; });
    return found == engine.operators.end() ? nullptr : &*found;
}

std::string key_of(const AlgorithmKind& kind) {
    std::string key = std::string(kind.name) + " " + kind.operation->name();
    if (kind.transform) key += " " + kind.transform->name();
    key += "/" + (kind.value ? name_of(*kind.value) : "");
    return key + "/" + (kind.result ? name_of(*kind.result) : "");
}

/// Bytes from each element to the next in C order, where they are the same for all.
std::optional<long long> step_in_order(const Layout& layout) {
    std::optional<long long> step;
    long long next = 0;
    for (std::size_t axis = layout.shape.size(); axis-- > 0;) {
        if (layout.shape[axis] == 1) continue;
        if (step && layout.strides[axis] != next) return std::nullopt;
        if (!step) step = layout.strides[axis];
        next = layout.strides[axis] * layout.shape[axis];
    }
    return step ? step : layout.element_bytes;
}

KernelState& state_of(Engine& engine, const AlgorithmKind& kind) {
    const std::lock_guard lock(engine.algorithms_mutex);
    std::unique_ptr<KernelState>& state = engine.algorithms[key_of(kind)];
    if (!state) {
        state = std::make_unique<KernelState>();
        state->engine = &engine;
        state->summary.name = kind.operation->name();
    }
    return *state;
}

}  // namespace

bool write_identity(const Operator& combine, ElementType type, unsigned char* to) {
    if (combine.engine()) return false;
    if (type.named) {
        // Of spans of time and of vectors, all bits are 0.
        if (combine.name() != plus.name || type.named->size > Number::most_bytes) return false;
        std::memset(to, 0, type.named->size);
        return true;
    }
    for (const IdentityOf& own : kIdentities) {
        if (combine.name() != own.name) continue;
        const bool is_all_ones = own.value < 0;
        if (!is_all_ones || type == Element::boolean)
            return write_scalar(to, type.element, Number(is_all_ones ? 1 : own.value).argument());
        std::memset(to, 0xFF, element_bytes(type));
        return true;
    }
    return false;
}

Status write_start(const std::optional<Number>& init, const Operator& combine, ElementType type, const char* what,
                   unsigned char* to) {
    if (init && !write_value(to, Number::most_bytes, type, init->argument()))
        return refuse("`init` does not fit " + name_of(type));
    if (init || write_identity(combine, type, to)) return {};
    return refuse(std::string(what) + " by `" + combine.name() + "`, which has no identity: say `init`");
}

Result<Shared<Engine>> own_engine() {
    static const auto& engine = *new Result<std::shared_ptr<Engine>>(make_engine("operators.pyk", kOwnFile, Options()));
    if (!engine) return engine.status();
    return Shared<Engine>(*engine);
}

Status AlgorithmCall::prepare(std::size_t operands) {
    if (arguments_.empty()) return refuse("an algorithm without arrays");
    if (arguments_.size() > most_inputs) return refuse("more than " + std::to_string(most_inputs) + " arrays");
    if (arguments_.size() > 1 && !kind_.transform) return refuse("several arrays, and no function that takes them");
    for (const std::optional<ElementType>& type : {kind_.value, kind_.result})
        if (type && (!type->is_value() || (type->element == Element::named && !type->named)))
            return refuse("`dtype` is none of a value");
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        if (!arguments_[i].is_array()) return refuse("argument " + std::to_string(i + 1) + " is no array");
        if (!arguments_[i].element_type().is_value())
            return refuse("argument " + std::to_string(i + 1) + " is an array of " +
                          name_of(arguments_[i].element_type()) + ", which no algorithm takes");
    }
    if (Status s = choose_engine(); !s) return s;
    if (Status s = check_operands(operands); !s) return s;
    const Result<driver::Context*> device =
        device_of(*engine_, {arguments_.data(), arguments_.size(), nullptr, stream_});
    if (!device) return device.status();
    device_ = *device;
    if (Status s = find_instance(); !s) return s;
    return place_inputs();
}

Status AlgorithmCall::choose_engine() {
    for (const Operator* each : {kind_.operation, kind_.transform}) {
        if (!each || !each->engine()) continue;
        if (engine_ && engine_.get() != each->engine().get())
            return refuse("`" + kind_.operation->name() + "` and `" + kind_.transform->name() +
                          "` are of different modules: they are compiled together");
        engine_ = each->engine();
    }
    if (engine_) return {};
    const Result<Shared<Engine>> own = own_engine();
    if (!own) return own.status();
    engine_ = *own;
    return {};
}

Status AlgorithmCall::check_operands(std::size_t operands) const {
    const auto check = [&](const Operator& each, std::size_t wanted) -> Status {
        return each.arity() == wanted ? Status() : refuse_count("`" + each.name() + "`", each.arity(), wanted);
    };
    if (Status s = check(*kind_.operation, operands); !s) return s;
    return kind_.transform ? check(*kind_.transform, arguments_.size()) : Status();
}

Status AlgorithmCall::find_instance() {
    KernelState& state = state_of(*engine_, kind_);
    BuildRequest request{kind_.operation->name(), {}, false, arch_of(*device_), ElementAccess::algorithm, {}, {}};
    for (const Argument& argument : arguments_) request.elements.push_back(argument.element_type());
    request.algorithm = {kind_.name, kind_.transform ? kind_.transform->name() : "", kind_.value, kind_.result};
    const Result<const Instance*> found = instance_of(state, request, *device_, stream_);
    if (found) instance_ = *found;
    return found.status();
}

Status AlgorithmCall::place_inputs() {
    for (const Argument& argument : arguments_) {
        Result<Layout> placed = place(argument, false, *device_, stream_, copies_);
        if (!placed) return placed.status();
        layouts_.push_back(*std::move(placed));
    }
    Result<arrays::Shape> shape = arrays::broadcast(layouts_);
    if (!shape) return shape.status();
    shape_ = *std::move(shape);
    count_ = 1;
    for (const long long extent : shape_) count_ *= extent;
    return {};
}

/// Gives all the shape that they are broadcast to.
void AlgorithmCall::broadcast_all() {
    for (Layout& layout : layouts_) {
        if (layout.shape == shape_) continue;
        const std::size_t missing = shape_.size() - layout.shape.size();
        layout.strides.insert(layout.strides.begin(), missing, 0);
        for (std::size_t axis = missing; axis < shape_.size(); ++axis)
            if (layout.shape[axis - missing] == 1) layout.strides[axis] = 0;
        layout.shape = shape_;
    }
}

Status AlgorithmCall::in_any_order() {
    if (count_ == 0) return {};
    broadcast_all();
    arrays::Iteration it = arrays::iterate(layouts_);
    if (it.axes.size() > 1) {
        for (std::size_t i = 0; i < layouts_.size(); ++i)
            if (Status s = make_dense(i); !s) return s;
        it = arrays::iterate(layouts_);
    }
    inputs_.clear();
    is_dense_ = true;
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        inputs_.push_back({it.data[i], it.axes[0].strides[i]});
        is_dense_ &= inputs_[i].step == it.element_bytes[i];
    }
    return {};
}

Status AlgorithmCall::in_order(const Layout* output) {
    if (count_ == 0) return {};
    broadcast_all();
    inputs_.clear();
    is_dense_ = true;
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        if (!step_in_order(layouts_[i]))
            if (Status s = make_dense(i); !s) return s;
        if (output && arrays::may_overlap(layouts_[i], *output) && !arrays::is_same(layouts_[i], *output))
            if (Status s = part(i); !s) return s;
        inputs_.push_back({layouts_[i].data, *step_in_order(layouts_[i])});
        is_dense_ &= inputs_[i].step == layouts_[i].element_bytes;
    }
    return {};
}

/// As it is, in other memory.
Status AlgorithmCall::part(std::size_t input) {
    Layout& layout = layouts_[input];
    const auto [begin, end] = arrays::bytes_of(layout);
    const Result<void*> copy = scratch(static_cast<std::size_t>(end - begin));
    if (!copy) return copy.status();
    if (Status s = device_->copy(*copy, begin, static_cast<std::size_t>(end - begin), stream_.handle); !s) return s;
    layout.data = static_cast<char*>(*copy) + (layout.data - begin);
    return {};
}

/// Its elements side by side in C order, in new memory.
Status AlgorithmCall::make_dense(std::size_t input) {
    Layout& layout = layouts_[input];
    if (layout.strides == arrays::dense_strides(layout.shape, layout.element_bytes)) return {};
    const Result<Shared<Engine>> own = own_engine();
    if (!own) return own.status();
    Argument strided = arguments_[input];
    strided.data = layout.data;
    strided.device = device_;
    strided.order = Order::strided;
    strided.ndim = static_cast<unsigned char>(layout.shape.size());
    for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
        strided.shape[axis] = layout.shape[axis];
        strided.strides[axis] = layout.strides[axis];
    }
    AnyArray copy;
    StreamRef stream = stream_;
    stream.device = device_;
    if (Status s = ArrayCall(*(*own)->array_functions[0], {&strided, 1, nullptr, stream}).run(&copy); !s) return s;
    layout.data = static_cast<char*>(copy.data());
    layout.strides = arrays::dense_strides(layout.shape, layout.element_bytes);
    dense_.push_back(std::move(copy));
    return {};
}

bool AlgorithmCall::is_aligned() const {
    return is_dense_ && std::all_of(inputs_.begin(), inputs_.end(), [](const element_input& input) {
               return reinterpret_cast<std::uintptr_t>(input.data) % 16 == 0;
           });
}

long long AlgorithmCall::width() const {
    long long fewest = 16;
    for (const Argument& argument : arguments_)
        fewest = std::min(fewest, arrays::lanes_of(static_cast<long long>(element_bytes(argument))));
    return fewest;
}

Result<void*> AlgorithmCall::scratch(std::size_t bytes) {
    Result<Buffer> buffer = Buffer::allocate(Device(*device_), bytes, MemoryKind::pooled, stream_);
    if (!buffer) return buffer.status();
    return scratch_.emplace_back(*std::move(buffer)).address();
}

Status AlgorithmCall::launch(const void* args, std::size_t bytes, const Blocks& blocks) const {
    const bool is_cpu = device_->info.is_cpu;
    arrays::PackedLoop packed = arrays::packed_args(args, bytes, blocks.count, is_cpu ? 1 : blocks.threads);
    packed.shared_bytes = is_cpu ? 0 : blocks.shared_bytes;
    return jit::launch(*instance_, packed, stream_);
}

Status AlgorithmCall::check_output(const Argument& out) const {
    if (!out.is_array() || out.readonly) return refuse("the output is no array that can be written");
    if (out.element_type() == value()) return {};
    return refuse("the output is of " + name_of(out.element_type()) + ", the result of " + name_of(value()));
}

Result<AnyArray> AlgorithmCall::where_it_belongs(Result<AnyArray> result) const {
    return jit::where_it_belongs(std::move(result), {arguments_.data(), arguments_.size(), nullptr, stream_});
}

Result<Operator> find_operator(const Module& module, std::string_view name) {
    const Shared<Engine> engine = engine_of(module);
    if (const OperatorSummary* known = find_summary(*engine, name))
        return Operator(engine, std::string(name), known->params.size());
    std::string there;
    for (const OperatorSummary& known : engine->operators)
        there += (there.empty() ? "; there is `" : "`, `") + known.name;
    return refuse("there is no function `" + std::string(name) + "`" +
                  (there.empty() ? "; the file has none" : there + "`"));
}

std::vector<std::string> reduction_names(const Module& module) {
    std::vector<std::string> names;
    for (const OperatorSummary& known : engine_of(module)->operators)
        if (known.is_reduction) names.push_back(known.name);
    return names;
}

Result<Reduction> reduction(const Module& module, std::string_view name) {
    const Shared<Engine> engine = engine_of(module);
    const OperatorSummary* known = find_summary(*engine, name);
    if (known && known->is_reduction) return Reduction(Operator(engine, std::string(name), known->params.size()));
    return refuse("there is no `@cuda.reduce` named `" + std::string(name) + "`");
}

}  // namespace pyk::jit
