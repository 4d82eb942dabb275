#include "pyk/stream.h"

#include "driver.h"

namespace pyk {

Result<Stream> Stream::create(const Device& device) {
    Stream stream;
    stream.state_ = std::make_shared<driver::StreamState>();
    if (Status s = driver::create(*stream.state_, device.context()); !s) return s;
    return stream;
}

Status Stream::synchronize(const Device& device) const {
    return driver::synchronize_stream(device.context(), handle());
}

void* Stream::handle() const { return state_ ? state_->handle : nullptr; }

Result<Event> Event::create(const Device& device) {
    Event event;
    event.state_ = std::make_shared<driver::EventState>();
    if (Status s = driver::create(*event.state_, device.context()); !s) return s;
    return event;
}

Status Event::record(const Stream& stream) { return driver::record(*state_, stream.handle()); }
Status Event::wait() const { return driver::wait(*state_); }
Result<double> Event::elapsed_ms(const Event& start, const Event& end) {
    return driver::elapsed_ms(*start.state_, *end.state_);
}

}  // namespace pyk
