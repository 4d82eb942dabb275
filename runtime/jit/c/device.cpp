// Devices, streams, events, graphs and memory.
#include <cstring>

#include "jit/c/handles.h"

using pyk::Device;
using pyk::Result;
using pyk::Status;
using pyk::c_api::device_of;
using pyk::c_api::give;
using pyk::c_api::guarded;
using pyk::c_api::handle_of;
using pyk::c_api::stream_of;
using pyk::c_api::wrong;

extern "C" {

pyk_error* pyk_device_count(int32_t* out) {
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<int> count = Device::count();
        if (count) *out = *count;
        return count.status();
    });
}

pyk_error* pyk_device_get(int32_t index, const pyk_device** out) {
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<Device> device = Device::get(index);
        if (device) *out = handle_of(*device);
        return device.status();
    });
}

pyk_error* pyk_device_cpu(const pyk_device** out) {
    PYK_NEED(out);
    return guarded([&] {
        *out = handle_of(Device::cpu());
        return Status();
    });
}

pyk_error* pyk_device_current(const pyk_device** out) {
    PYK_NEED(out);
    return guarded([&] {
        *out = handle_of(Device::current());
        return Status();
    });
}

pyk_error* pyk_device_make_current(const pyk_device* device) {
    PYK_NEED(device);
    return guarded([&] {
        device_of(device).make_current();
        return Status();
    });
}

pyk_error* pyk_device_info(const pyk_device* device, pyk_device_properties* out) {
    PYK_NEED(out);
    return guarded([&] {
        const pyk::DeviceInfo& info = device_of(device).info();
        *out = {};
        std::strncpy(out->name, info.name.c_str(), sizeof out->name - 1);
        out->index = info.index;
        out->is_cpu = info.is_cpu ? 1 : 0;
        out->major = info.major;
        out->minor = info.minor;
        out->multiprocessors = info.multiprocessors;
        out->warp_size = info.warp_size;
        out->max_threads_per_block = info.max_threads_per_block;
        out->max_threads_per_multiprocessor = info.max_threads_per_multiprocessor;
        out->memory = info.memory;
        out->max_shared_per_block = info.max_shared_per_block;
        out->l2_bytes = info.l2_bytes;
        out->driver_version = info.driver_version;
        return Status();
    });
}

pyk_error* pyk_device_free_memory(const pyk_device* device, uint64_t* out) {
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<std::size_t> bytes = device_of(device).free_memory();
        if (bytes) *out = *bytes;
        return bytes.status();
    });
}

pyk_error* pyk_device_synchronize(const pyk_device* device) {
    return guarded([&] { return device_of(device).synchronize(); });
}

pyk_error* pyk_device_enable_access(const pyk_device* device, const pyk_device* other) {
    PYK_NEED(other);
    return guarded([&] { return device_of(device).enable_access_to(device_of(other)); });
}

pyk_error* pyk_stream_create(const pyk_device* device, int32_t priority, pyk_stream** out) {
    PYK_NEED(out);
    return guarded([&] { return give(pyk::Stream::create(device_of(device), priority), out); });
}

pyk_error* pyk_stream_borrow(const pyk_device* device, void* cuda_stream, pyk_stream** out) {
    PYK_NEED(out);
    return guarded([&] {
        *out = new pyk_stream{pyk::Stream::borrow(device_of(device), cuda_stream)};
        return Status();
    });
}

void pyk_stream_free(pyk_stream* stream) { delete stream; }

void* pyk_stream_handle(const pyk_stream* stream) { return stream ? stream->stream.handle() : nullptr; }

pyk_error* pyk_stream_synchronize(const pyk_stream* stream) {
    return guarded(
        [&] { return stream ? stream->stream.synchronize() : pyk::Stream::borrow(Device(), nullptr).synchronize(); });
}

pyk_error* pyk_stream_wait(const pyk_stream* stream, const pyk_event* event) {
    PYK_NEED(event);
    return guarded([&] {
        return stream ? stream->stream.wait(event->event) : pyk::Stream::borrow(Device(), nullptr).wait(event->event);
    });
}

pyk_error* pyk_stream_begin_capture(const pyk_stream* stream) {
    PYK_NEED(stream);
    return guarded([&] { return stream->stream.begin_capture(); });
}

pyk_error* pyk_stream_end_capture(const pyk_stream* stream, pyk_graph** out) {
    PYK_NEED(stream);
    PYK_NEED(out);
    return guarded([&] { return give(stream->stream.end_capture(), out); });
}

pyk_error* pyk_graph_launch(const pyk_graph* graph, const pyk_stream* stream) {
    PYK_NEED(graph);
    return guarded([&] { return graph->graph.launch(stream_of(stream)); });
}

void pyk_graph_free(pyk_graph* graph) { delete graph; }

pyk_error* pyk_event_create(const pyk_device* device, pyk_event** out) {
    PYK_NEED(out);
    return guarded([&] { return give(pyk::Event::create(device_of(device)), out); });
}

void pyk_event_free(pyk_event* event) { delete event; }

void* pyk_event_handle(const pyk_event* event) { return event ? event->event.handle() : nullptr; }

pyk_error* pyk_event_record(const pyk_event* event, const pyk_stream* stream) {
    PYK_NEED(event);
    return guarded([&] { return event->event.record(stream_of(stream)); });
}

pyk_error* pyk_event_wait(const pyk_event* event) {
    PYK_NEED(event);
    return guarded([&] { return event->event.wait(); });
}

pyk_error* pyk_event_is_done(const pyk_event* event, int32_t* out) {
    PYK_NEED(event);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<bool> done = event->event.is_done();
        if (done) *out = *done ? 1 : 0;
        return done.status();
    });
}

pyk_error* pyk_event_elapsed_ms(const pyk_event* start, const pyk_event* end, double* out) {
    PYK_NEED(start);
    PYK_NEED(end);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<double> milliseconds = pyk::Event::elapsed_ms(start->event, end->event);
        if (milliseconds) *out = *milliseconds;
        return milliseconds.status();
    });
}

pyk_error* pyk_buffer_allocate(const pyk_device* device, uint64_t bytes, pyk_memory memory, const pyk_stream* stream,
                               pyk_buffer** out) {
    PYK_NEED(out);
    return guarded([&]() -> Status {
        if (memory < PYK_MEMORY_DEVICE || memory > PYK_MEMORY_MANAGED)
            return wrong("pyk_buffer_allocate", "no such kind of memory: " + std::to_string(memory));
        const Device on = device || !stream ? device_of(device) : stream->stream.device();
        return give(pyk::Buffer::allocate(on, bytes, static_cast<pyk::MemoryKind>(memory), stream_of(stream)), out);
    });
}

void pyk_buffer_free(pyk_buffer* buffer) { delete buffer; }

void* pyk_buffer_address(const pyk_buffer* buffer) { return buffer ? buffer->buffer.address() : nullptr; }

uint64_t pyk_buffer_size(const pyk_buffer* buffer) { return buffer ? buffer->buffer.size() : 0; }

const pyk_device* pyk_buffer_device(const pyk_buffer* buffer) {
    return buffer ? reinterpret_cast<const pyk_device*>(buffer->buffer.device()) : nullptr;
}

pyk_error* pyk_buffer_upload(pyk_buffer* buffer, uint64_t offset, const void* host, uint64_t bytes,
                             const pyk_stream* stream) {
    PYK_NEED(buffer);
    PYK_NEED_ITEMS(host, bytes);
    return guarded([&] { return buffer->buffer.upload(host, bytes, offset, stream_of(stream)); });
}

pyk_error* pyk_buffer_download(const pyk_buffer* buffer, uint64_t offset, void* host, uint64_t bytes,
                               const pyk_stream* stream) {
    PYK_NEED(buffer);
    PYK_NEED_ITEMS(host, bytes);
    return guarded([&] { return buffer->buffer.download(host, bytes, offset, stream_of(stream)); });
}

pyk_error* pyk_buffer_fill(pyk_buffer* buffer, uint8_t value, const pyk_stream* stream) {
    PYK_NEED(buffer);
    return guarded([&] { return buffer->buffer.fill(value, stream_of(stream)); });
}

}  // extern "C"
