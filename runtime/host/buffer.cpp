#include "pyk/buffer.h"

#include <utility>

#include "driver.h"

namespace pyk {
namespace {

Status beyond(std::size_t size) {
    return Status::failure("copy beyond the end of a buffer of " + std::to_string(size) + " bytes",
                           Error::Kind::arguments);
}

/// Whether so many bytes from `offset` on can be copied between a buffer and host memory.
Status check_copy(std::size_t size, const void* host, std::size_t bytes, std::size_t offset) {
    if (offset > size || bytes > size - offset) return beyond(size);
    if (!host && bytes != 0)
        return Status::failure("copy: there is no host memory, the pointer is null", Error::Kind::arguments);
    return {};
}

}  // namespace

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    context_ = other.context_;
    address_ = std::exchange(other.address_, nullptr);
    size_ = std::exchange(other.size_, 0);
    kind_ = other.kind_;
    stream_ = other.stream_;
    owner_ = std::exchange(other.owner_, nullptr);
    free_ = std::exchange(other.free_, nullptr);
    is_adopted_ = std::exchange(other.is_adopted_, false);
    return *this;
}

void Buffer::release() {
    if (is_adopted_ && free_) free_(owner_);
    if (!is_adopted_ && address_) context_->release(kind_, address_, stream_);
    address_ = nullptr;
    size_ = 0;
    is_adopted_ = false;
}

Result<Buffer> Buffer::allocate(const Device& device, std::size_t bytes, MemoryKind kind, StreamRef stream) {
    if (stream.device && stream.device != &device.context())
        return Status::failure("an allocation on another device's stream", Error::Kind::arguments);
    Buffer buffer;
    buffer.context_ = &device.context();
    buffer.kind_ = kind;
    buffer.stream_ = stream.handle;
    if (bytes == 0) return buffer;
    Result<void*> address = device.context().allocate(kind, bytes, stream.handle);
    if (!address) return address.status();
    buffer.address_ = *address;
    buffer.size_ = bytes;
    return buffer;
}

Buffer Buffer::adopt(const Device& device, void* address, std::size_t bytes, MemoryKind kind, void* owner,
                     void (*free)(void* owner)) {
    Buffer buffer;
    buffer.context_ = &device.context();
    buffer.address_ = address;
    buffer.size_ = bytes;
    buffer.kind_ = kind;
    buffer.owner_ = owner;
    buffer.free_ = free;
    buffer.is_adopted_ = true;
    return buffer;
}

Status Buffer::upload(const void* host, std::size_t bytes, std::size_t offset, StreamRef stream) {
    if (Status s = check_copy(size_, host, bytes, offset); !s) return s;
    if (Status s = driver::check_stream(context_, stream); !s) return s;
    return bytes == 0 ? Status() : context_->copy(static_cast<char*>(address_) + offset, host, bytes, stream.handle);
}

Status Buffer::download(void* host, std::size_t bytes, std::size_t offset, StreamRef stream) const {
    if (Status s = check_copy(size_, host, bytes, offset); !s) return s;
    if (Status s = driver::check_stream(context_, stream); !s) return s;
    return bytes == 0 ? Status()
                      : context_->copy(host, static_cast<const char*>(address_) + offset, bytes, stream.handle);
}

Status Buffer::fill(unsigned char value, StreamRef stream) {
    if (Status s = driver::check_stream(context_, stream); !s) return s;
    return size_ == 0 ? Status() : context_->fill(address_, 1, value, 1, size_, stream.handle);
}

}  // namespace pyk
