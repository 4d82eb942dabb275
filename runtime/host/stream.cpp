#include "pyk/stream.h"

#include "driver.h"

namespace pyk {
namespace {

driver::Context& device_of(StreamRef stream, driver::Context& fallback) {
    return stream.device ? *stream.device : fallback;
}

Status no_event() { return Status::failure("an event that was not created", Error::Kind::arguments); }

}  // namespace

StreamRef::StreamRef(const Stream& stream) : device(stream.state_->context), handle(stream.state_->handle) {}

Result<Stream> Stream::create(const Device& device, int priority) {
    Result<void*> handle = device.context().create_stream(priority);
    if (!handle) return handle.status();
    return Stream(std::make_shared<driver::StreamState>(device.context(), *handle));
}

Stream Stream::borrow(const Device& device, void* handle) {
    return Stream(std::make_shared<driver::StreamState>(device.context(), handle, false));
}

Status driver::check_stream(const driver::Context* device, StreamRef stream) {
    if (!device || !stream.device || device->info.is_cpu == stream.device->info.is_cpu) return {};
    return Status::failure("the stream is of " + stream.device->info.name + ", the memory of " + device->info.name,
                           Error::Kind::arguments);
}

Status Stream::synchronize() const { return state_->context->synchronize_stream(state_->handle); }
Status Stream::wait(const Event& event) const {
    if (!event.state_) return no_event();
    // What the CPU's streams and events are to a driver: nothing.
    if (state_->context->info.is_cpu || event.state_->context->info.is_cpu)
        if (state_->context != event.state_->context) return event.wait();
    return state_->context->wait_for(state_->handle, event.handle());
}
Status Stream::begin_capture() const { return state_->context->begin_capture(state_->handle); }

Result<Graph> Stream::end_capture() const {
    Result<void*> handle = state_->context->end_capture(state_->handle);
    if (!handle) return handle.status();
    Graph graph;
    graph.state_ = std::make_shared<driver::GraphState>(*state_->context, *handle);
    return graph;
}

Device Stream::device() const { return Device(*state_->context); }
void* Stream::handle() const { return state_->handle; }

Status Graph::launch(StreamRef stream) const {
    if (!state_) return Status::failure("a graph of nothing", Error::Kind::arguments);
    driver::Context& context = *state_->context;
    if (&device_of(stream, context) != &context)
        return Status::failure("a graph cannot be launched on another device's stream", Error::Kind::arguments);
    return context.launch_graph(state_->handle, stream.handle);
}

Result<Event> Event::create(const Device& device) {
    Result<void*> handle = device.context().create_event();
    if (!handle) return handle.status();
    Event event;
    event.state_ = std::make_shared<driver::EventState>(device.context(), *handle);
    return event;
}

Status Event::record(StreamRef stream) const {
    if (!state_) return no_event();
    if (&device_of(stream, *state_->context) != state_->context)
        return Status::failure("an event cannot be recorded on another device's stream", Error::Kind::arguments);
    return state_->context->record(state_->handle, stream.handle);
}
Status Event::wait() const { return state_ ? state_->context->wait(state_->handle) : no_event(); }
Result<bool> Event::is_done() const {
    if (!state_) return no_event();
    return state_->context->is_done(state_->handle);
}
Result<double> Event::elapsed_ms(const Event& start, const Event& end) {
    if (!start.state_ || !end.state_) return no_event();
    if (start.state_->context != end.state_->context)
        return Status::failure("the time between events of two devices", Error::Kind::arguments);
    return start.state_->context->elapsed_ms(start.state_->handle, end.state_->handle);
}
void* Event::handle() const { return state_ ? state_->handle : nullptr; }

}  // namespace pyk
