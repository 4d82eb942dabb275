#include "pyk/buffer.h"

#include "driver.h"

namespace pyk {
namespace {

Status beyond(std::size_t size) {
    return Status::failure("copy beyond the end of a device buffer of " + std::to_string(size) + " bytes");
}

}  // namespace

DeviceBuffer::~DeviceBuffer() {
    if (address_) driver::release(*context_, address_);
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
}

Result<DeviceBuffer> DeviceBuffer::allocate(const Device& device, std::size_t bytes) {
    DeviceBuffer buffer;
    if (bytes == 0) return buffer;
    Result<std::size_t> address = driver::allocate(device.context(), bytes);
    if (!address) return address.status();
    buffer.context_ = &device.context();
    buffer.address_ = *address;
    buffer.size_ = bytes;
    return buffer;
}

Status DeviceBuffer::upload(const void* host, std::size_t bytes, std::size_t offset, const Stream& stream) {
    if (offset > size_ || bytes > size_ - offset) return beyond(size_);
    return bytes == 0 ? Status() : driver::upload(*context_, address_ + offset, host, bytes, stream.handle());
}

Status DeviceBuffer::download(void* host, std::size_t bytes, std::size_t offset, const Stream& stream) const {
    if (offset > size_ || bytes > size_ - offset) return beyond(size_);
    return bytes == 0 ? Status() : driver::download(*context_, host, address_ + offset, bytes, stream.handle());
}

Status DeviceBuffer::fill(unsigned char value, const Stream& stream) {
    return size_ == 0 ? Status() : driver::fill(*context_, address_, value, size_, stream.handle());
}

}  // namespace pyk
