#include "stack_end.h"

#include <pthread.h>

#include <cstddef>

namespace pyk::cpu {
namespace {

struct Extent {
    const unsigned char* begin = nullptr;
    std::size_t size = 0;
};

Extent stack_of_this_thread() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* begin = nullptr;
    std::size_t size = 0;
    const bool known = pthread_attr_getstack(&attributes, &begin, &size) == 0;
    pthread_attr_destroy(&attributes);
    return known ? Extent{static_cast<const unsigned char*>(begin), size} : Extent();
}

}  // namespace

const void* end_of_stack() {
    thread_local const Extent stack = stack_of_this_thread();
    const auto* here = static_cast<const unsigned char*>(__builtin_frame_address(0));
    return here >= stack.begin && here < stack.begin + stack.size ? stack.begin : nullptr;
}

}  // namespace pyk::cpu
