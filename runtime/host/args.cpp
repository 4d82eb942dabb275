#include "pyk/args.h"

namespace pyk {

void ArgBuffer::put(const void* bytes, std::size_t size, std::size_t alignment) {
    const std::size_t at = (bytes_.size() + alignment - 1) / alignment * alignment;
    bytes_.resize(at);
    const unsigned char* from = static_cast<const unsigned char*>(bytes);
    bytes_.insert(bytes_.end(), from, from + size);
}

void ArgBuffer::push_array(const void* data, const long long* shape, int ndim) {
    put(&data, sizeof data, alignof(const void*));
    put(shape, static_cast<std::size_t>(ndim) * sizeof *shape, alignof(long long));
}

void ArgBuffer::push_array(const void* data, const long long* shape, const long long* strides, int ndim) {
    push_array(data, shape, ndim);
    put(strides, static_cast<std::size_t>(ndim) * sizeof *strides, alignof(long long));
}

}  // namespace pyk
