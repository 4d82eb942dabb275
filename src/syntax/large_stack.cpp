#include "syntax/large_stack.h"

#include <pthread.h>

#include <cstdint>

namespace pyk::syntax {
namespace {

constexpr size_t kStackSize = size_t{32} << 20;

thread_local uintptr_t stack_top = 0;

uintptr_t here() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }

void* enter(void* work) {
    stack_top = here();
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
}

}  // namespace

void on_large_stack(const std::function<void()>& work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackSize);
    pthread_t thread;
    const int error = pthread_create(&thread, &attributes, enter, const_cast<std::function<void()>*>(&work));
    pthread_attr_destroy(&attributes);
    if (error == 0)
        pthread_join(thread, nullptr);
    else
        enter(const_cast<std::function<void()>*>(&work));
}

bool is_stack_deep() { return stack_top - here() > kStackSize / 4; }

}  // namespace pyk::syntax
