#include "jit/array_call.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "driver.h"
#include "jit/elements.h"
#include "jit/pending.h"
#include "jit/refuse.h"
#include "report.h"

namespace pyk::jit {
namespace {

using arrays::Access;
using arrays::Layout;

ElementAccess request_of(Access access) {
    switch (access) {
        case Access::flat:
            return ElementAccess::flat;
        case Access::rows:
            return ElementAccess::rows;
        case Access::tiled:
            return ElementAccess::tiled;
        case Access::strided:
            break;
    }
    return ElementAccess::strided;
}

}  // namespace

Result<driver::Context*> device_of(const Engine& engine, const detail::ArrayCall& call) {
    driver::Context* device = call.stream.device;
    std::vector<const Argument*> all;
    for (std::size_t i = 0; i < call.count; ++i) all.push_back(&call.arguments[i]);
    if (call.out) all.push_back(call.out);
    for (const Argument* argument : all) {
        if (!argument->is_array()) continue;
        if (const char* fault = pyk::detail::fault_of(argument->data, argument->shape, argument->ndim))
            return refuse(std::string("an array ") + fault);
        driver::Context* const at = argument->device;
        if (!at || at->info.is_cpu) continue;
        if (!device)
            device = at;
        else if (device != at && !device->reaches(*at))
            return refuse("an array is in the memory of " + at->info.name + ", the call is on " + device->info.name);
    }
    if (!device) {
        const Result<Device> chosen = engine.default_device();
        if (!chosen) return chosen.status();
        device = &(*chosen).context();
    }
    if (engine.options.backend == Backend::cpu && !device->info.is_cpu)
        return refuse("the module runs on the CPU: an array or a stream of a GPU cannot be passed to it");
    return device;
}

Layout layout_of(const Argument& argument) {
    Layout layout;
    layout.element_bytes = static_cast<long long>(element_bytes(argument));
    if (!argument.is_array()) return layout;
    layout.data = static_cast<char*>(argument.data);
    layout.shape.assign(argument.shape, argument.shape + argument.ndim);
    if (argument.order == Order::strided) {
        layout.strides.assign(argument.strides, argument.strides + argument.ndim);
    } else {
        const Strides strides = dense_strides(argument);
        layout.strides.assign(strides.begin(), strides.begin() + argument.ndim);
    }
    return layout;
}

namespace {

// Whose type beside arrays does not matter.
bool is_number(const Argument& argument) { return !argument.is_array() && argument.element_type().is_number(); }

bool is_aligned(const Layout& layout, std::size_t alignment) {
    auto all = reinterpret_cast<std::uintptr_t>(layout.data);
    for (std::size_t axis = 0; axis < layout.shape.size(); ++axis)
        if (layout.shape[axis] > 1) all |= static_cast<std::uintptr_t>(layout.strides[axis]);
    return all % alignment == 0;
}

}  // namespace

Result<Layout> place(const Argument& argument, bool is_output, driver::Context& device, StreamRef stream,
                     std::deque<HostArrays>& copies) {
    Layout layout = layout_of(argument);
    if (!argument.is_array() || device.info.is_cpu) return layout;
    if (argument.device && !argument.device->info.is_cpu) {
        const std::size_t alignment = element_alignment(argument);
        // What a GPU says to it ends the process's use of it.
        if (!is_aligned(layout, alignment))
            return refuse("an array of " + name_of(argument.element_type()) +
                          " has elements at addresses that are no multiples of " + std::to_string(alignment) +
                          ": a GPU does not read them; copy it first");
        return layout;
    }
    void* address = argument.data;
    if (Status s = copies.emplace_back(device, stream).add(argument, is_output, address); !s) return s;
    layout.data = static_cast<char*>(address);
    if (argument.order == Order::strided) layout.strides = arrays::dense_strides(layout.shape, layout.element_bytes);
    return layout;
}

namespace {

BuildRequest request_for(const ArrayFunction& function, const std::vector<ElementType>& loop, ElementAccess access,
                         const std::vector<ElementType>& elements, const driver::Context& device) {
    BuildRequest request{function.summary.name, {}, false, arch_of(device), access};
    for (const ElementType& type : loop) request.types.push_back(scalar_of(type));
    if (elements != loop) request.elements = elements;
    return request;
}

const Instance* find_instance(const KernelState& instances, const BuildRequest& request,
                              const driver::Context& device) {
    std::vector<std::uint16_t> codes;
    codes.reserve(32);
    append_codes(request, codes);
    return instances.table.find(hash_of_codes(codes.data(), codes.size()), codes.data(), codes.size(), &device);
}

}  // namespace

Result<const Instance*> instance_of(ArrayFunction& function, const std::vector<ElementType>& loop, ElementAccess access,
                                    const std::vector<ElementType>& elements, driver::Context& device,
                                    StreamRef stream) {
    return instance_of(function, request_for(function, loop, access, elements, device), device, stream);
}

Result<const Instance*> instance_of(ArrayFunction& function, const BuildRequest& request, driver::Context& device,
                                    StreamRef stream) {
    return instance_of(function.instances, request, device, stream);
}

Result<const Instance*> instance_of(KernelState& instances, const BuildRequest& request, driver::Context& device,
                                    StreamRef stream) {
    if (const Instance* known = find_instance(instances, request, device)) return known;
    if (device.is_capturing(stream.handle))
        return refuse("`" + instances.summary.name +
                      "` is not compiled for these arguments, and a stream that is being captured cannot wait for it: "
                      "call it once before");
    const Result<Found> found = instance_for(instances, request, device);
    if (!found) return found.status();
    return found->instance;
}

bool is_large_value(const Argument& argument) {
    return !argument.is_array() && argument.element == Element::named &&
           argument.named->size > sizeof(arrays::Number::bytes);
}

bool write_value(unsigned char* to, std::size_t room, ElementType type, const Argument& value) {
    if (!type.named) return value.element != Element::named && write_scalar(to, type.element, value);
    if (value.named != type.named || type.named->size > room) return false;
    std::memcpy(to, value.data, type.named->size);
    return true;
}

Result<AnyArray> new_array(ElementType type, const arrays::Shape& shape, driver::Context& device, StreamRef stream) {
    const long long count = pyk::detail::count_of(shape.data(), static_cast<int>(shape.size()));
    std::size_t bytes = element_bytes(type);
    if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), bytes, &bytes))
        return Error{Error::Kind::memory, "out of memory: the result has the shape " + arrays::text_of(shape), nullptr};
    Result<Buffer> buffer = Buffer::allocate(Device(device), bytes, MemoryKind::pooled, stream);
    if (!buffer) return buffer.status();
    return AnyArray(type.element, shape, *std::move(buffer), type.named);
}

Result<AnyArray> where_it_belongs(Result<AnyArray> result, const detail::ArrayCall& call) {
    if (!result) return result;
    driver::Context* const at = result->buffer().device();
    const auto is_on_gpu = [](const Argument& a) { return a.is_array() && a.device && !a.device->info.is_cpu; };
    if (!at || at->info.is_cpu || std::any_of(call.arguments, call.arguments + call.count, is_on_gpu)) return result;
    Result<Buffer> host = Buffer::allocate(Device::cpu(), result->buffer().size());
    if (!host) return host.status();
    if (Status s = result->buffer().download(host->address(), host->size(), 0, call.stream); !s) return s;
    if (Status s = Stream::borrow(Device(*at), call.stream.handle).synchronize(); !s) return s;
    return AnyArray(result->element(), result->shape(), *std::move(host), result->named());
}

std::vector<Specialization> specializations_of(const Shared<ArrayFunction>& function) {
    std::vector<Specialization> all;
    for (const Instance* instance : function->instances.table.all())
        all.emplace_back(Shared<const Instance>(function, instance));
    return all;
}

Status launch(const Instance& instance, const arrays::PackedLoop& packed, StreamRef stream) {
    return instance.kernel.launch(arrays::config_of(packed, stream), packed.bytes, packed.size);
}

Status finish(const Instance& instance, StreamRef stream) {
    if (!instance.entry.has_checks || instance.device->is_capturing(stream.handle)) return {};
    const auto report = instance.code.take_check_report();
    if (!report) return report.status();
    if (!*report) return {};
    return error_of_check(instance.engine->name, **report, !instance.device->info.is_cpu);
}

void ArrayCall::make_cells() {
    if (std::none_of(call_.arguments, call_.arguments + call_.count, is_large_value)) return;
    cells_.assign(call_.arguments, call_.arguments + call_.count);
    for (Argument& argument : cells_)
        if (is_large_value(argument)) argument.order = Order::cell;
    call_.arguments = cells_.data();
}

bool ArrayCall::has_arrays() const {
    return std::any_of(call_.arguments, call_.arguments + call_.count, [](const Argument& a) { return a.is_array(); });
}

/// All that does not need the code.
Status ArrayCall::prepare() {
    const std::string& name = function_.summary.name;
    if (call_.count != function_.summary.params.size())
        return refuse_count("`" + name + "`", function_.summary.params.size(), call_.count);
    if (call_.count >= arrays::kMostOperands) return refuse("`" + name + "` has more parameters than a launch");
    if (call_.out && !call_.out->is_array()) return refuse("the output of `" + name + "` is no array");
    if (call_.out && call_.out->readonly) return refuse("the output of `" + name + "` is const");
    const Result<driver::Context*> device = device_of(*function_.instances.engine, call_);
    if (!device) return device.status();
    device_ = *device;
    if (Status s = choose_loop(); !s) return s;
    if (Status s = place_inputs(); !s) return s;
    if (call_.out) {
        if (arrays::repeats(layout_of(*call_.out))) return refuse("elements of the output share memory");
        Result<Layout> placed = place(*call_.out, true, *device_, call_.stream, copies_);
        if (!placed) return placed.status();
        Layout output = *std::move(placed);
        if (std::string why = arrays::why_not_output(output.shape, shape_); !why.empty()) return refuse(why);
        shape_ = output.shape;
        for (Layout& input : operands_)
            if (Status s = part(input, output); !s) return s;
        operands_.push_back(std::move(output));
    } else {
        // Only its strides count until its element type is known; it is dense, and where it lies does not matter.
        Layout output{nullptr, 1, shape_, arrays::dense_strides(shape_, 1)};
        operands_.push_back(std::move(output));
    }
    const arrays::Iteration all = arrays::iterate(operands_);
    way_ = arrays::access_of(all);
    return {};
}

Status ArrayCall::run(AnyArray* result) {
    if (Status s = prepare(); !s) return s;
    const Result<const Instance*> found = call_.out ? instance_for_output() : instance(elements_);
    if (!found) return found.status();
    if (result)
        if (Status s = place_output(**found, result); !s) return s;
    if (std::find(shape_.begin(), shape_.end(), 0) != shape_.end()) return {};
    if (Status s = launch(**found); !s) return s;
    if (way_ == Access::flat) remember_call(function_, call_, **found);
    if (Status s = finish(**found, call_.stream); !s) return s;
    return copies_.empty() || !call_.out ? Status() : copies_.back().copy_back();
}

Result<Preload> ArrayCall::preload(const Shared<ArrayFunction>& function) {
    if (Status s = prepare(); !s) return s;
    std::vector<BuildRequest> requests{request(elements_, is_flat_on_gpu())};
    if (!call_.out)
        return preload_first(function, Device(*device_), std::move(requests), [](const Instance&) { return true; });
    requests.push_back(request(elements_with_output(), is_flat_on_gpu()));
    return preload_first(function, Device(*device_), std::move(requests),
                         [output = call_.out->element_type()](const Instance& instance) {
                             return instance.entry.params.back().type.element_type() == output;
                         });
}

Status ArrayCall::choose_loop() {
    const ArraySummary& summary = function_.summary;
    for (std::size_t i = 0; i < call_.count; ++i)
        if (!call_.arguments[i].element_type().is_value())
            return refuse("argument " + std::to_string(i + 1) + " of `" + summary.name + "` is of " +
                          name_of(call_.arguments[i].element_type()) + ", which no array function takes");
    if (call_.out && !call_.out->element_type().is_value())
        return refuse("the output of `" + summary.name + "` is of " + name_of(call_.out->element_type()) +
                      ", which no array function gives");
    const bool beside_arrays = has_arrays();
    std::vector<arrays::OperandType> types;
    for (std::size_t i = 0; i < call_.count; ++i)
        types.push_back({call_.arguments[i].element_type(), is_number(call_.arguments[i]) && beside_arrays});
    if (summary.loops.empty()) {
        for (const arrays::OperandType& type : types) loop_.push_back(type.element);
    } else if (summary.choice == LoopChoice::exact) {
        const Result<std::size_t> chosen = arrays::exact_loop(summary.loops, types);
        if (!chosen) return refuse("`" + summary.name + "`: " + chosen.message());
        loop_ = summary.loops[*chosen];
    } else {
        const auto chosen = summary.choice == LoopChoice::first_safe ? arrays::first_safe_loop(summary.loops, types)
                                                                     : arrays::exact_or_safe_loop(summary.loops, types);
        if (!chosen)
            return refuse("`" + summary.name + "` has no signature to which (" + arrays::names_of(types) +
                          ") cast safely");
        loop_ = summary.loops[*chosen];
    }
    for (std::size_t i = 0; i < call_.count; ++i) {
        const Argument& argument = call_.arguments[i];
        elements_.push_back(argument.is_array() ? argument.element_type() : loop_[i]);
        arrays::Number& number = numbers_.emplace_back();
        if (!argument.is_array() && !write_value(number.bytes, sizeof number.bytes, loop_[i], argument))
            return refuse("the value of argument " + std::to_string(i + 1) + " of `" + summary.name +
                          "` does not fit " + name_of(loop_[i]));
    }
    numbers_.emplace_back();
    return {};
}

Status ArrayCall::place_inputs() {
    for (std::size_t i = 0; i < call_.count; ++i) {
        Result<Layout> placed = place(call_.arguments[i], false, *device_, call_.stream, copies_);
        if (!placed) return placed.status();
        Layout& layout = operands_.emplace_back(*std::move(placed));
        if (!layout.data && layout.shape.empty())
            layout.element_bytes = static_cast<long long>(element_bytes(loop_[i]));
    }
    Result<arrays::Shape> shape = arrays::broadcast(operands_);
    if (!shape) return shape.status();
    shape_ = *std::move(shape);
    return {};
}

/// NumPy reads what was there before: what the output overlaps, but for the very same elements, is copied.
Status ArrayCall::part(Layout& input, const Layout& output) {
    if (!arrays::may_overlap(input, output) || arrays::is_same(input, output)) return {};
    Result<Layout> copy = arrays::set_apart(input, *device_, call_.stream, parted_);
    if (!copy) return copy.status();
    input = *std::move(copy);
    return {};
}

bool ArrayCall::is_flat_on_gpu() const { return way_ == Access::flat && !device_->info.is_cpu; }

/// The CPU has one loop for all calls.
BuildRequest ArrayCall::request(const std::vector<ElementType>& elements, bool wide) const {
    const ElementAccess access = device_->info.is_cpu ? ElementAccess::flat : request_of(way_);
    BuildRequest request = request_for(function_, loop_, access, elements, *device_);
    request.wide = wide;
    if (is_flat_on_gpu() && !wide)
        for (std::size_t i = 0; i < call_.count; ++i) request.numbers.push_back(!call_.arguments[i].is_array());
    return request;
}

/// Of elements side by side a first call gets the form for which NVRTC has little to do; many have the wide one
/// afterwards.
Result<const Instance*> ArrayCall::instance(const std::vector<ElementType>& elements) const {
    if (!is_flat_on_gpu()) return instance_of(function_, request(elements, false), *device_, call_.stream);
    if (const Instance* wide = find_instance(function_.instances, request(elements, true), *device_)) return wide;
    const Result<const Instance*> single = instance_of(function_, request(elements, false), *device_, call_.stream);
    if (!single) return single;
    return &form_for(**single, pyk::detail::count_of(shape_.data(), static_cast<int>(shape_.size())));
}

std::vector<ElementType> ArrayCall::elements_with_output() const {
    std::vector<ElementType> elements = elements_;
    elements.push_back(call_.out->element_type());
    return elements;
}

/// What the function gives is known of an instance: another converts it where the output is of another type.
Result<const Instance*> ArrayCall::instance_for_output() {
    Result<const Instance*> plain = instance(elements_);
    if (!plain) return plain;
    const ElementType result = (*plain)->entry.params.back().type.element_type();
    if (result == call_.out->element_type()) return plain;
    if (result.named || call_.out->named)
        return refuse("the output of `" + function_.summary.name + "` is of " + name_of(call_.out->element_type()) +
                      ", the result of " + name_of(result));
    return instance(elements_with_output());
}

Status ArrayCall::place_output(const Instance& instance, AnyArray* result) {
    Result<AnyArray> made = new_array(instance.entry.params.back().type.element_type(), shape_, *device_, call_.stream);
    if (!made) return made.status();
    Layout& output = operands_.back();
    output.element_bytes = static_cast<long long>(element_bytes(instance.entry.params.back().type));
    output.strides = arrays::dense_strides(shape_, output.element_bytes);
    output.data = static_cast<char*>(made->data());
    *result = *std::move(made);
    return {};
}

Status ArrayCall::launch(const Instance& instance) {
    const arrays::LoopCode code{way_, device_->info.is_cpu, device_->info.multiprocessors,
                                elements_of_thread(instance)};
    return arrays::launch_loops(arrays::iterate(operands_), numbers_, code, [&](const arrays::PackedLoop& packed) {
        return jit::launch(instance, packed, call_.stream);
    });
}

}  // namespace pyk::jit
