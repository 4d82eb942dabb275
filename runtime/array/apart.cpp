#include "array/apart.h"

#include "driver.h"

namespace pyk::arrays {

Result<Layout> set_apart(Layout input, driver::Context& device, StreamRef stream, std::vector<Buffer>& copies) {
    const auto [begin, end] = bytes_of(input);
    const auto bytes = static_cast<std::size_t>(end - begin);
    Result<Buffer> buffer = Buffer::allocate(Device(device), bytes, MemoryKind::pooled, stream);
    if (!buffer) return buffer.status();
    auto* const to = static_cast<char*>(buffer->address());
    if (Status s = device.copy(to, begin, bytes, stream.handle); !s) return s;
    input.data = to + (input.data - begin);
    copies.push_back(*std::move(buffer));
    return input;
}

}  // namespace pyk::arrays
